#pragma once

#include <span>
#include <vector>

#include "classroom/claims/claims.h"
#include "render/render.h"

namespace normtrace::classroom {

// A claim with what was found for it.
struct Judged {
  const Claim* claim;
  std::vector<Evidence> evidence;
  Verdict verdict;
};
Judged judged(const Claim& claim);

// All claims, in the order of the list.
struct ClaimList {
  std::vector<Judged> claims;
};
ClaimList judge_all();

// text, markdown, json, csv.
std::span<const render::View<Judged>> claim_views();
std::span<const render::View<ClaimList>> claim_list_views();

}  // namespace normtrace::classroom
