#include "words/words.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <stdexcept>
#include <unordered_map>

#include "words/table.h"

namespace normtrace::words {

std::vector<std::span<const Sentence>> tables() {
  return {input_sentences(), explain_sentences(), trace_sentences(), machine_sentences(), convention_sentences(),
          norms_sentences(), around_sentences(),  claim_sentences(), cli_sentences(),     bulk_sentences()};
}

namespace {

const Sentence* find(std::string_view id) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Sentence*> all;
    std::size_t count = 0;
    for (const auto table : tables()) count += table.size();
    all.reserve(count);
    for (const auto table : tables())
      for (const Sentence& sentence : table)
        if (!all.emplace(sentence.id, &sentence).second)
          throw std::logic_error("two sentences with the id " + std::string(sentence.id));
    return all;
  }();
  const auto found = index.find(id);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace

bool knows(std::string_view id) { return find(id) != nullptr; }

std::string say(Language language, const Message& message) {
  const Sentence* const sentence = find(message.id);
  if (!sentence) throw std::logic_error("no sentence with the id " + message.id);
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& argument : message.arguments) arguments.push_back(argument);
  return fmt::vformat(language == Language::zh ? sentence->zh : sentence->en, arguments);
}

std::string say(Language language, std::string_view id) { return say(language, Message{std::string(id), {}}); }

}  // namespace normtrace::words
