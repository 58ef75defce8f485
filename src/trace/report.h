#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exact/value.h"

namespace normtrace::trace {

using exact::Value;

// A formula with its numbers, or the places of a sentence, piece by piece: "1+", 0.5, "·", 0.2.
using Piece = std::variant<std::string, Value>;
using Expression = std::vector<Piece>;

// A number as it was given, without = or ≈ before it.
Piece given(const exact::Rational& x);

// A sentence not yet spoken. Its numbers are still numbers: whoever prints rounds them and says = or ≈ before each.
struct Remark {
  std::string id;
  Expression arguments = {};
};

// One quantity of a calculation: what it is called, how it came about, what it is.
struct Item {
  std::string id;       // in JSON; its label is the sentence "item.ID"
  std::string symbol;   // "p"; may be empty
  std::string formula;  // in letters; may be empty
  std::vector<Value> values;
  bool vector = false;                        // otherwise one value
  std::vector<Expression> substitution = {};  // the formula with its numbers, one a value; may be empty
  std::string unit = {};                      // behind the number: "%"
  Expression label_arguments = {};
  bool given = false;  // typed, not computed: shown as it was given, nothing rounded
};

struct Section {
  std::string name;  // in JSON: "before", or the name of a token
  Remark title;
  std::vector<Item> items;
  std::vector<Remark> remarks = {};  // what these numbers prove

  void number(std::string id, std::string symbol, std::string formula, Value value,
              std::vector<Expression> substitution = {}) {
    items.push_back(
        {std::move(id), std::move(symbol), std::move(formula), {std::move(value)}, false, std::move(substitution)});
  }
  void numbers(std::string id, std::string symbol, std::string formula, std::vector<Value> values,
               std::vector<Expression> substitution = {}) {
    items.push_back(
        {std::move(id), std::move(symbol), std::move(formula), std::move(values), true, std::move(substitution)});
  }
  void given(std::string id, std::string symbol, std::vector<Value> values) {
    numbers(std::move(id), std::move(symbol), "", std::move(values));
    items.back().given = true;
  }
};

// A calculation around the norm, ready for every format.
struct Report {
  std::string command;
  Remark title;
  std::vector<Section> sections;
  std::vector<Remark> remarks = {};  // about the whole
};

}  // namespace normtrace::trace
