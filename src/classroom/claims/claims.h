#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exact/value.h"

// What the three articles claim, put to numbers. A claim is a row; what is looked at for it is a function that computes.
namespace normtrace::classroom {

enum class Verdict {
  holds,
  conditional,  // where its condition is met
  fails,
  undecidable,  // by what the text and these numbers say
};

enum class Side { supports, opposes, neither };

// One thing that was looked at: "LN([1, 5, 1, 3])₁" and what it is. Without numbers the remark says it all.
struct Evidence {
  std::string what;  // in symbols, the same in every language, or the id "label.…" of a sentence
  std::vector<exact::Value> values;
  Side side = Side::neither;
  bool within = true;       // whether the condition of the claim is met, if it has one
  std::string remark = {};  // id of a sentence that says what this shows; empty for none
  // Of a measurement that cannot be repeated here, the text in which it was recorded: "0.60", or the range "0.65…0.79". Empty
  // for what is computed.
  std::string recorded = {};
};

enum class Kind : std::uint8_t {
  universal,    // one counter-example refutes it
  conditional,  // likewise, where the condition "claim_condition.ID" is met
  statistical,  // it says "often" or speaks of trained models: fewer than `enough_cases` decide nothing
};
constexpr std::size_t enough_cases = 30;

struct Claim {
  std::string_view id;       // "D7"; the sentence "claim.d7" says it in a few words
  std::string_view article;  // "S0": RMSNorm by hand, "S1": from BatchNorm to RMSNorm, "S2": LayerNorm against RMSNorm
  Kind kind;
  // What shows the numbers: "bn 1 5". None where only `claim ID` does; the sentence of `alone_of` says why.
  std::vector<std::string_view> commands;
  std::vector<Evidence> (*evidence)();
};

// In the order of the list: first what holds as said, article by article, then what needed a closer look.
std::span<const Claim> claims();
// Whatever the case; null if there is none.
const Claim* find_claim(std::string_view id);

// Follows from the evidence alone: a case against what is claimed refutes it; cases against it only where the condition is
// not met make it conditional; without a case for or against nothing is decided.
Verdict judge(Kind kind, std::span<const Evidence> evidence);

std::string_view id(Verdict verdict);  // "true", "conditional", "false", "undecidable"
std::string_view id(Side side);        // "for", "against", "neither"

// The ids of the sentences of a claim.
std::string sentence_of(const Claim& claim);
std::string condition_of(const Claim& claim);
std::string alone_of(const Claim& claim);

}  // namespace normtrace::classroom
