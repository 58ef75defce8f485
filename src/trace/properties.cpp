#include "trace/comparison.h"

namespace normtrace::trace {

namespace {

// The articles' three norms as they stand there: what holds of them is what the articles are about.
bool is_plain(const Request& request) {
  const norm::Norm& norm = *request.norm;
  const bool known = norm.id == "batchnorm" || norm.id == "layernorm" || norm.id == "rmsnorm";
  const bool over_positions = norm.axis == tensor::Axis::feature && request.input.shape.size() > 2;
  const norm::Options& options = request.options;
  return known && request.mode == Mode::plain && !over_positions && options.axes == 1 && options.partial.is_one();
}

std::string_view main_property(const Request& request) {
  if (request.mode == Mode::inference) return "property.inference";
  switch (request.norm->formula) {
    case norm::Formula::standardize:
      return request.mode == Mode::training ? "property.training" : "property.scale_and_shift";
    case norm::Formula::divide_by_rms: return request.options.partial.is_one() ? "property.scale" : "property.partial";
    case norm::Formula::mix: return "property.hybrid";
    case norm::Formula::scale_by_spread: return "property.adaptive";
    case norm::Formula::divide_by_std: return "property.uncentred";
  }
  return {};
}

}  // namespace

std::vector<words::Message> properties(const Request& request) {
  std::vector<words::Message> result;
  const auto add = [&](std::string_view id) { result.push_back({std::string(id), {}}); };
  const norm::Convention& convention = request.convention;
  const bool one_plus = convention.gamma_form == norm::GammaForm::one_plus && !convention.gamma.empty();
  const bool biased = !convention.beta.empty() && request.norm->formula == norm::Formula::divide_by_rms;
  const bool residual = !request.options.residual.empty();
  if (!is_plain(request) || one_plus || biased || residual) add(main_property(request));
  if (one_plus) add("property.one_plus");
  if (biased) add("property.bias");
  if (residual) add("property.residual");
  if (request.mode == Mode::watched) add("property.watched");
  return result;
}

}  // namespace normtrace::trace
