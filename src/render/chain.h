#pragma once

#include <string>
#include <utility>

#include "render/style.h"

namespace normtrace::render {

// = a = b ≈ c, leaving out what would only be said twice. Once something was rounded, no further = may follow.
class Chain {
 public:
  void add(const Shown& link) {
    if (link.text.empty() || link.text == last_) return;
    rounded_ |= link.rounded;
    text_ += (text_.empty() ? "" : " ") + std::string(rounded_ ? "≈ " : "= ") + link.text;
    last_ = link.text;
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string last_;
  bool rounded_ = false;
};

}  // namespace normtrace::render
