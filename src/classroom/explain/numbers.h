#pragma once

#include <memory>
#include <vector>

#include "classroom/explain/rule.h"
#include "classroom/explain/sample.h"

namespace normtrace::classroom::explain {

// What a rule is told besides its choices from the tables.
struct Parameters {
  std::size_t count = 0;
  const Momentum* momentum = nullptr;
  const Rounding* rounding = nullptr;
};

// The numbers of one group, summed once.
struct GroupNumbers {
  std::vector<std::size_t> members;
  std::size_t parameter = 0;  // of the running statistics: the first member's
  exact::Rational mean;
  exact::Rational least;
  exact::Rational greatest;
  std::vector<Wide> deviation;  // x − μ, subtracted exactly
  Wide sum_squared_deviation = 0;
  Wide sum_square = 0;
  Wide sum_absolute_deviation = 0;
  Wide sum_absolute = 0;
  Wide sum = 0;
  Wide uncertainty = 0;  // the largest of the inputs'

  [[nodiscard]] std::size_t count() const { return members.size(); }
  [[nodiscard]] Wide largest_absolute() const {
    return std::max(std::fabs(to_wide(least)), std::fabs(to_wide(greatest)));
  }
};

// A sample with the groups that one grouping makes of it; each group is summed when it is asked for.
class Grouped {
 public:
  // Both must outlive it.
  Grouped(const Sample& sample, const Grouping& grouping);

  [[nodiscard]] const Sample& sample() const { return *sample_; }
  [[nodiscard]] const Grouping& grouping() const { return *grouping_; }
  [[nodiscard]] std::size_t size() const { return grouping_->members.size(); }
  [[nodiscard]] const GroupNumbers& group(std::size_t index) const;

  // What the numerators of a group are measured from.
  [[nodiscard]] exact::Rational centre(Centre centre, std::size_t group, const Parameters& parameters) const;
  [[nodiscard]] std::vector<Wide> numerators(Centre centre, std::size_t group, const Parameters& parameters) const;
  // How far a numerator may be off, where inputs are prints.
  [[nodiscard]] Wide numerator_uncertainty(Centre centre, std::size_t element, std::size_t group) const;
  // Before root and ε. Empty bounds where it is 0/0.
  [[nodiscard]] Bounds statistic(const Core& core, std::size_t group, const Parameters& parameters) const;
  // γ and β of an element, the entries that its channel or column has.
  [[nodiscard]] Wide gamma(std::size_t element) const { return entry(gamma_, element, 1); }
  [[nodiscard]] Wide beta(std::size_t element) const { return entry(beta_, element, 0); }

 private:
  [[nodiscard]] exact::Rational running(const std::vector<exact::Rational>& values, std::size_t group,
                                        std::int64_t otherwise) const;
  [[nodiscard]] Wide variance(std::size_t group, Core::Over over) const;
  [[nodiscard]] Bounds rounded(const Core& core, std::size_t group, const Rounding& rounding) const;

  [[nodiscard]] Wide entry(const std::vector<Wide>& values, std::size_t element, Wide otherwise) const {
    if (values.empty()) return otherwise;
    return values[values.size() == 1 ? 0 : grouping_->parameter[element] % values.size()];
  }

  const Sample* sample_;
  const Grouping* grouping_;
  std::vector<Wide> gamma_;
  std::vector<Wide> beta_;
  mutable std::vector<std::unique_ptr<GroupNumbers>> numbers_;
};

// x to so many decimals, half away from zero.
exact::Rational rounded_to(const exact::Rational& x, unsigned decimals);

}  // namespace normtrace::classroom::explain
