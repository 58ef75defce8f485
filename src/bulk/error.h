#pragma once

#include <exception>
#include <string>
#include <utility>

#include "words/words.h"

namespace normtrace::bulk {

// Ends the command: what is wrong with a file or a request and how to mend it. (What is wrong with a line of text is a
// text::Error, as everywhere.)
class Error : public std::exception {
 public:
  // Exit statuses of the command line.
  enum Status { bad_input = 2, bad_file = 3 };

  Error(Status status, words::Message wrong, words::Message mend = {})
      : status(status), wrong(std::move(wrong)), mend(std::move(mend)) {}

  [[nodiscard]] const char* what() const noexcept override { return wrong.id.c_str(); }

  Status status;
  words::Message wrong;
  words::Message mend;  // its id is empty where there is nothing to advise
};

// Whoever reads the output has gone: no fault, the command ends quietly.
class ClosedPipe : public std::exception {};

// Throws the Error for errno: `id` is a sentence with the name of the file as {0} and the system's reason as {1}.
[[noreturn]] void fail_with_errno(const char* id, const std::string& name);

}  // namespace normtrace::bulk
