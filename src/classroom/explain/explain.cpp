#include "classroom/explain/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "classroom/explain/machine.h"
#include "classroom/explain/nearest.h"
#include "classroom/explain/printed_type.h"
#include "classroom/explain/rearranged.h"
#include "classroom/explain/search.h"

namespace normtrace::classroom::explain {

std::string_view id(Verdict verdict) {
  switch (verdict) {
    case Verdict::explained: return "explained";
    case Verdict::ambiguous: return "ambiguous";
    case Verdict::rounding_only: return "rounding_only";
    case Verdict::none: return "none";
  }
  return {};
}

namespace {

// Below this cost nothing simpler can be found by looking further.
constexpr double plain_cost = 0.6;
// What it takes to believe that a print shows a type, or that the inputs were rounded; and that there is a type that it
// does not show.
constexpr double granted_cost = 0.3;
constexpr double hardly_granted_cost = 0.8;
constexpr double batch_of_one_cost = 2;
constexpr std::size_t many_numbers = 4096;
constexpr double most_believed_cost = 3;
constexpr std::size_t most_epsilons_of_a_rival = 3;
constexpr std::size_t most_numbers_of_a_machine = 4096;

double least_cost(const Found& found) {
  double least = most_cost;
  for (const Rule& rule : found.rules) least = std::min(least, rule.cost);
  return least;
}

bool is_half(const exact::Format& format) { return format.precision < exact::float32.precision; }

// One question, searched under one assumption after the other.
class Explanation {
 public:
  explicit Explanation(const Question& question) : question_(question), prepared_(question.sample) {
    if (question.input_type) store_inputs(prepared_, *question.input_type);
    prepare(prepared_);
    printed_ = prepared_;
    set_output(printed_, question.output, Digits::shared);
    turn(printed_);
    all_zero_ = std::ranges::all_of(printed_.output,
                                    [](const Reading& reading) { return reading.finite() && reading.value == 0; });
    types_ = types_of(question.output, question.output_type);
  }

  Answer run() {
    search_all(printed_, outer());
    if (!all_zero_) search_likely_types();
    if (!is_plain() && !all_zero_) search_prints();
    if (!is_plain() || weight_may_be_cast()) search_further();
    if (all_zero_) search_batch_of_one();
    search_division_by_zero(printed_, found_);
    if (found_.rules.empty() && !all_zero_) search_loosely();
    finish();
    return std::move(answer_);
  }

 private:
  // What thousands of numbers agree with is no accident, plain or not.
  [[nodiscard]] bool is_plain() const {
    return least_cost(found_) <= (printed_.count() < many_numbers ? plain_cost : most_believed_cost);
  }

  // The usual groupings, and the channel groups of GroupNorm where nothing plain comes of those.
  void search_all(Sample& sample, const Outer& outer) {
    search(sample, outer, found_);
    if (is_plain() || all_zero_) return;
    if (!channel_groupings_)
      channel_groupings_ = std::make_shared<const std::vector<Grouping>>(channel_groupings_of(sample));
    const auto usual = std::exchange(sample.groupings, channel_groupings_);
    search(sample, outer, found_);
    sample.groupings = usual;
  }

  // Outputs that are all 0 fit whatever divides enough: what remains is a type in which the squares overflow.
  [[nodiscard]] Outer outer(Tolerance tolerance = Tolerance::printed, bool thorough = true) const {
    Outer outer;
    outer.thorough = thorough && !all_zero_;
    outer.tolerance = tolerance;
    outer.granted_cost = granted_cost;
    if (!question_.transposed) return outer;
    outer.slips = {"transposed"};
    outer.cost = 1;
    return outer;
  }

  void turn(Sample& sample) const {
    if (question_.transposed) sample = transposed(sample);
  }

  // The outputs as numbers of a type.
  [[nodiscard]] Sample kept_as(const exact::Format& format) const {
    Sample sample = prepared_;
    set_output(sample, question_.output, format);
    turn(sample);
    // Kernels compute in float32 or wider, and round once.
    sample.roundoff = exact::float32.unit_roundoff();
    return sample;
  }

  // A print that shows a narrow type: its last digits are those of the type.
  void search_likely_types() {
    for (const PrintedType& type : types_) {
      if (!type.likely) continue;
      if (!view_type_) view_type_ = &type;
      if (printed_.count() >= many_numbers && is_plain()) continue;
      Sample sample = kept_as(*type.format);
      search_all(sample, outer(type.tolerance, !is_plain()));
      if (is_half(*type.format) && store_inputs(sample, *type.format))
        search(sample, outer(type.tolerance, false), found_);
    }
  }

  // Inputs that look like prints, and float32 where the print does not say so.
  void search_prints() {
    const bool prints = std::ranges::any_of(printed_.half, [](Wide half) { return half != 0; });
    if (prints) {
      Sample sample = printed_;
      sample.inputs_are_prints = true;
      search(sample, outer(Tolerance::input_prints, false), found_);
    }
    for (const PrintedType& type : types_) {
      if (is_half(*type.format) || !float32_shows()) continue;
      Sample sample = kept_as(*type.format);
      if (!type.likely) {
        Outer unlikely = outer(Tolerance::float32, false);
        unlikely.granted_cost = hardly_granted_cost;
        search(sample, unlikely, found_);
      }
      if (!prints) continue;
      sample.inputs_are_prints = true;
      search(sample, outer(Tolerance::float32_prints, false), found_);
    }
  }

  // Whether what float32 does to these numbers may reach their last printed digit.
  [[nodiscard]] bool float32_shows() const {
    Wide largest = 0;
    Wide output = 0;
    for (std::size_t i = 0; i < printed_.count(); ++i) {
      largest = std::max(largest, std::fabs(printed_.x[i]));
      if (printed_.output[i].finite()) output = std::max(output, std::fabs(printed_.output[i].value));
    }
    const auto [low, high] = std::minmax_element(printed_.x.begin(), printed_.x.end());
    const Wide spread = *high > *low ? *high - *low : 1;
    constexpr Wide shows = 0.01L;
    return output * (1 + largest / spread) * 16 * exact::float32.unit_roundoff() >
           shows * to_wide(exact::power_of_ten(-static_cast<int>(printed_.decimals)));
  }

  void search_further() {
    const Sample view = view_type_ ? kept_as(*view_type_->format) : printed_;
    const Outer so_far = outer(view_type_ ? view_type_->tolerance : Tolerance::printed);
    if (!all_zero_) {
      const bool few = view.count() < many_numbers;
      search_without_padding(view, so_far, found_);
      if (few || !is_plain()) search_scaled(view, so_far, found_);
      if (!question_.transposed && (few || !is_plain())) search_permutations(view, so_far, found_);
      if (few) search_stored_inputs(view, so_far, found_);
      search_gamma_first(view, so_far, found_);
      if (found_.rules.empty()) search_exchanged(view, found_);
    }
    if (view.count() <= most_numbers_of_a_machine && !question_.transposed) search_machines(view, found_);
    prefer_named_order();
  }

  // Half types with a weight: it matters whether x̂ is rounded before or after the weight.
  [[nodiscard]] bool weight_may_be_cast() const {
    return view_type_ && is_half(*view_type_->format) && !question_.sample.gamma.empty();
  }

  // A flat vector may have been a batch of one sample: x − μ is 0 then.
  void search_batch_of_one() {
    if (prepared_.input.shape.size() != 1 || prepared_.count() < 2) return;
    Sample sample = printed_;
    sample.norm = "batchnorm";
    sample.input.shape.insert(sample.input.shape.begin(), 1);
    sample.input.tokens.resize(1);
    prepare(sample);
    Found found;
    search(sample, {{"batch_of_one"}, 0, false}, found);
    for (Rule& rule : found.rules) {
      if (rule.norm() != "batchnorm") continue;
      if (question_.sample.norm.empty()) rule.cost += batch_of_one_cost;
      found_.rules.push_back(std::move(rule));
    }
  }

  // What is rounded once, after the weight, is Gemma's order: the name says more.
  void prefer_named_order() {
    const auto is_gemma = [](const Rule& rule) {
      return std::ranges::find(rule.outer_slips, "gemma_cast") != rule.outer_slips.end();
    };
    if (std::ranges::any_of(found_.rules, is_gemma))
      std::erase_if(found_.rules, [](const Rule& rule) {
        return (rule.tolerance == Tolerance::float16 || rule.tolerance == Tolerance::bfloat16) &&
               rule.norm() == "rmsnorm" && rule.affine == AffineUse::as_given;
      });
  }

  // What gives the printed numbers only if something is granted that lets much through; the first that helps is enough.
  void search_loosely() {
    loosely_ = true;
    struct Grant {
      Tolerance tolerance;
      Digits digits;
      unsigned least_decimals;  // with fewer it could not be seen, or anything would fit
    };
    static constexpr Grant grants[] = {{Tolerance::own_digits, Digits::own, 3},
                                       {Tolerance::truncated, Digits::truncated, 2},
                                       {Tolerance::whole_numbers, Digits::whole, 0}};
    for (const Grant& grant : grants) {
      if (!found_.rules.empty() || printed_.decimals < grant.least_decimals) continue;
      if (grant.digits == Digits::whole && !are_whole()) continue;
      Sample sample = prepared_;
      set_output(sample, question_.output, grant.digits);
      turn(sample);
      search(sample, outer(grant.tolerance, false), found_);
      if (grant.digits == Digits::whole) believe_only(1.6);
    }
    for (const PrintedType& type : types_) {
      if (!found_.rules.empty() || !type.likely || !is_half(*type.format)) continue;
      Sample sample = kept_as(*type.format);
      sample.roundoff = type.format->unit_roundoff();
      search(sample, outer(type.tolerance, false), found_);
      believe_only(2.2);
    }
  }

  [[nodiscard]] bool are_whole() const {
    return std::ranges::all_of(question_.output, [](const text::Cell& cell) {
      return cell.kind == text::Cell::Kind::finite && cell.value.is_whole();
    });
  }

  // Few digits let many rules through: only the usual ones are believed.
  void believe_only(double cost) {
    std::erase_if(found_.rules, [&](const Rule& rule) { return rule.cost > cost; });
  }

  // Numbers that are met to their last bit although few digits were printed are no accident: rules that meet them only
  // within those digits cost more.
  void prefer_exact() {
    constexpr unsigned few_decimals = 3;
    const auto exact = [&](const Rule& rule) { return rule.max_error < 64 * printed_.roundoff; };
    if (printed_.decimals > few_decimals || std::ranges::none_of(found_.rules, exact)) return;
    for (Rule& rule : found_.rules)
      if (!exact(rule)) rule.cost += within_digits_cost;
  }

  void finish() {
    prefer_exact();
    std::ranges::stable_sort(found_.rules, {}, &Rule::cost);
    std::map<std::string, bool> seen;
    std::map<std::string, std::size_t> of_structure;
    std::vector<Rule>& rules = answer_.rules;
    for (Rule& rule : found_.rules) {
      const std::string key =
          rule.structure() + " " + std::to_string(static_cast<int>(rule.eps.place)) + " " + rule.eps.value.to_string();
      if (seen.contains(key)) continue;
      const bool best = rules.empty() || rule.structure() == rules.front().structure();
      if (!best && of_structure[rule.structure()]++ >= most_epsilons_of_a_rival) continue;
      if (rules.size() < most_rules && seen.emplace(key, true).second) rules.push_back(std::move(rule));
    }
    if (rules.empty()) {
      if (all_zero_) return;
      if (auto near = nearest(view_type_ ? kept_as(*view_type_->format) : printed_, found_.nearest)) {
        answer_.nearest = std::move(near->rule);
        answer_.exceptions = std::move(near->exceptions);
      }
      return;
    }
    const Rule& best = rules.front();
    answer_.tolerance = best.tolerance;
    answer_.simpler_by = loosely_ ? 2 * simpler_by : simpler_by;
    for (std::size_t i = 1; i < rules.size() && answer_.rival == 0; ++i)
      if (rules[i].cost < best.cost + answer_.simpler_by && !comes_to_the_same(best, rules[i], printed_)) {
        answer_.rival = i;
        answer_.telling = telling_apart(best, rules[i], printed_);
      }
    if (answer_.rival != 0)
      answer_.verdict = Verdict::ambiguous;
    else if (best.tolerance != Tolerance::printed && best.slips().empty() && best.core->over == Core::Over::n)
      answer_.verdict = Verdict::rounding_only;
    else
      answer_.verdict = Verdict::explained;
  }

  const Question& question_;
  Sample prepared_;
  Sample printed_;
  bool all_zero_ = false;
  bool loosely_ = false;  // what fits was let through by much
  std::vector<PrintedType> types_;
  std::shared_ptr<const std::vector<Grouping>> channel_groupings_;
  const PrintedType* view_type_ = nullptr;  // that the print shows
  Found found_;
  Answer answer_;
};

}  // namespace

Answer explain(const Question& question) { return Explanation(question).run(); }

}  // namespace normtrace::classroom::explain
