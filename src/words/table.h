#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace normtrace::words {

// One sentence in both languages. {0}, {1}, … are filled by the caller and must be the same in both; {{ and }} are braces.
struct Sentence {
  std::string_view id;
  std::string_view zh;
  std::string_view en;
};

// One table a topic, each in the file of its name, listed once in words.cpp.
std::span<const Sentence> input_sentences();       // what the reader of vectors says: notes and errors
std::span<const Sentence> cli_sentences();         // use of the command line, help
std::span<const Sentence> trace_sentences();       // steps, checks, remarks, conclusions
std::span<const Sentence> machine_sentences();     // floating point: its options, errors and remarks
std::span<const Sentence> convention_sentences();  // conventions of frameworks, changes of the input
std::span<const Sentence> bulk_sentences();        // files of vectors, normtrace bench
std::span<const Sentence> norms_sentences();       // the norms beyond the three, training and inference
std::span<const Sentence> explain_sentences();     // which rule turned an input into an output
std::span<const Sentence> around_sentences();      // softmax, residual, params, geometry, gradient
std::span<const Sentence> claim_sentences();       // claims of the articles, their evidence; tables

// All of them.
std::vector<std::span<const Sentence>> tables();

}  // namespace normtrace::words
