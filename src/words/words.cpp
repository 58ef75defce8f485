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

// {0:number|numbers}: the one for 1, the other for all else. What is left is for the formatter.
std::string with_number(std::string_view sentence, const std::vector<std::string>& arguments) {
  std::string result;
  if (sentence.find('|') == std::string_view::npos) return std::string(sentence);
  for (std::size_t i = 0; i < sentence.size();) {
    const std::string_view rest = sentence.substr(i);
    const std::size_t bar = rest.find('|');
    const std::size_t end = rest.find('}');
    const bool choice = rest[0] == '{' && rest.size() > 3 && rest[1] >= '0' && rest[1] <= '9' && rest[2] == ':' &&
                        bar < end && end != std::string_view::npos;
    if (!choice) {
      result += sentence[i++];
      continue;
    }
    const auto place = static_cast<std::size_t>(rest[1] - '0');
    const bool one = place < arguments.size() && arguments[place] == "1";
    result += one ? rest.substr(3, bar - 3) : rest.substr(bar + 1, end - bar - 1);
    i += end + 1;
  }
  return result;
}

}  // namespace

bool knows(std::string_view id) { return find(id) != nullptr; }

std::string say(Language language, const Message& message) {
  const Sentence* const sentence = find(message.id);
  if (!sentence) throw std::logic_error("no sentence with the id " + message.id);
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& argument : message.arguments) arguments.push_back(argument);
  return fmt::vformat(with_number(language == Language::zh ? sentence->zh : sentence->en, message.arguments),
                      arguments);
}

std::string say(Language language, std::string_view id) { return say(language, Message{std::string(id), {}}); }

}  // namespace normtrace::words
