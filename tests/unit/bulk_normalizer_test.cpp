#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "bulk/columns.h"
#include "bulk/exact_row.h"
#include "bulk/machine_row.h"
#include "bulk/normalizer.h"
#include "bulk_doubles.h"
#include "catch.h"
#include "exact/decimal.h"
#include "exact/machine.h"
#include "exact/value.h"

using namespace normtrace;
using doubles::rational;
using doubles::steps;

namespace {

std::vector<exact::Value> values(const std::vector<double>& x) {
  std::vector<exact::Value> result;
  for (const double x_i : x) result.emplace_back(rational(x_i));
  return result;
}

// The formulas of the explained trace, on the same doubles taken as exact numbers.
std::vector<exact::Value> proved(const std::vector<double>& x, const bulk::Convention& convention) {
  const std::vector<exact::Value> exact_x = values(x);
  const std::vector<exact::Value> gamma = values(convention.gamma);
  const std::vector<exact::Value> beta = values(convention.beta);
  norm::Setting<exact::Value> setting;
  setting.divisor = convention.divisor;
  setting.eps = rational(convention.eps);
  setting.has_eps = convention.eps != 0;
  setting.eps_place = convention.eps_place;
  norm::NoRecorder none;
  return norm::affine<exact::Value>(norm::normalize<exact::Value>(convention.formula, exact_x, setting, none), gamma,
                                    beta);
}

void check_row(const std::vector<double>& x, const bulk::Convention& convention) {
  bulk::RowNormalizer normalizer(convention, x.size());
  std::vector<double> y(x.size());
  normalizer.apply(x.data(), y.data());
  const std::vector<exact::Value> expected = proved(x, convention);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(i, x, y[i]);
    if (expected[i].is_undefined()) {
      CHECK(std::isnan(y[i]));
      continue;
    }
    const double nearest = exact::nearest_double(expected[i]).value();
    CHECK(steps(y[i], nearest) <= 1);
  }
}

const std::vector<std::vector<double>> kHardRows = {
    {40000, 40001, 40002, 40003},
    {1449.5703125, 1449.572265625, 1449.57421875, 1449.576171875},
    {1449.57, 1449.58, 1449.571, 1449.5701, 1449.5699},
    {6399968, 6399969, 6399970, 6399971},
    {1e8 + 0.001, 1e8 + 0.002, 1e8 - 0.001, 1e8 + 0.0035, 1e8},
    {1e200, -1e200, 3e200, 2e199, 1e190},
    {1e-200, -1e-200, 3e-200, 2e-201, 1e-210},
    {1e308, -1e308, 1.5e308, 1.7e308},
    {5e-324, 1e-323, 0, -5e-324},
    {1e300, 1e-300, 1, -1e300},
    {1e30, 1, 1e-30, -1e30, -1},
    {0.1, 0.2, 0.3},
    {1, 2, 3},
    {3, 3, 3, 3},
    {3, 3, 3, 3.0000000000000004},
    {0, 0, 0},
    {7},
    {1, -2, 3, -4, 0, 0, 0, 0, 0, 5e-320},
    {4503599627370497.5, 4503599627370498.5, 4503599627370496.5},
    {9007199254740991, 9007199254740992, 9007199254740990, 1},
};

}  // namespace

TEST_CASE("float64 rows are within one ulp of the proved value, whatever the convention") {
  for (const auto formula : {norm::Formula::standardize, norm::Formula::divide_by_rms})
    for (const double eps : {0.0, 1e-5, 1e250})
      for (const auto place : {norm::EpsPlace::inside_root, norm::EpsPlace::added_to_root})
        for (const auto divisor : {norm::Divisor::n, norm::Divisor::n_minus_one})
          for (const std::vector<double>& x : kHardRows) {
            bulk::Convention convention{formula, divisor, eps, place, {}, {}};
            CAPTURE(eps, static_cast<int>(formula), static_cast<int>(place), static_cast<int>(divisor));
            check_row(x, convention);
            if (place == norm::EpsPlace::added_to_root || divisor == norm::Divisor::n_minus_one) continue;
            for (std::size_t i = 0; i < x.size(); ++i) {
              convention.gamma.push_back(0.75 * static_cast<double>(i) - 1);
              convention.beta.push_back(1.25 - static_cast<double>(i % 3));
            }
            check_row(x, convention);
          }
}

TEST_CASE("an output that cancels against beta keeps its digits") {
  bulk::Convention convention;
  const std::vector<double> x{1, 2, 3, 4, 7};
  bulk::RowNormalizer plain(convention, x.size());
  std::vector<double> y(x.size());
  plain.apply(x.data(), y.data());
  for (const double y_i : y) convention.beta.push_back(-y_i);
  check_row(x, convention);
  // A rational root: the outputs cancel to zero exactly.
  const std::vector<double> square{-1, 1, -1, 1};
  convention.beta = {1, -1, 1, -1};
  check_row(square, convention);
}

TEST_CASE("random rows of every length up to 40 are within one ulp") {
  std::mt19937_64 random(20240501);
  std::normal_distribution<double> normal;
  for (std::size_t n = 1; n <= 40; ++n) {
    std::vector<double> x(n);
    for (double& x_i : x) x_i = std::ldexp(normal(random), static_cast<int>(random() % 12)) + static_cast<double>(n);
    bulk::Convention convention;
    convention.eps = 1e-5;
    check_row(x, convention);
    convention.formula = norm::Formula::divide_by_rms;
    check_row(x, convention);
  }
}

namespace {

// x: (rows, d). BatchNorm by the statistics of pieces of at most `piece` rows, against the proved columns.
void check_columns(const std::vector<double>& x, std::size_t d, std::size_t piece, const bulk::Convention& convention) {
  const std::size_t rows = x.size() / d;
  bulk::Statistics all;
  all.features.resize(d);
  bulk::Oddities oddities;
  for (std::size_t begin = 0; begin < rows; begin += piece)
    all.merge(bulk::statistics(&x[begin * d], std::min(piece, rows - begin), d, oddities));
  const bulk::ColumnNormalizer normalizer(all, convention, bulk::Element::float64);
  std::vector<double> y(x.size()), scratch;
  for (std::size_t row = 0; row < rows; ++row) normalizer.apply(&x[row * d], &y[row * d], scratch);
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> column;
    for (std::size_t row = 0; row < rows; ++row) column.push_back(x[row * d + j]);
    bulk::Convention own = convention;
    if (!own.gamma.empty()) own.gamma.assign(rows, convention.gamma[j]);
    if (!own.beta.empty()) own.beta.assign(rows, convention.beta[j]);
    const std::vector<exact::Value> expected = proved(column, own);
    for (std::size_t row = 0; row < rows; ++row) {
      CAPTURE(row, j, column, y[row * d + j]);
      if (expected[row].is_undefined())
        CHECK(std::isnan(y[row * d + j]));
      else
        CHECK(steps(y[row * d + j], exact::nearest_double(expected[row]).value()) <= 1);
    }
  }
}

}  // namespace

TEST_CASE("random batches of up to 40 rows are within one ulp, whatever the pieces they were counted in") {
  std::mt19937_64 random(20240502);
  std::normal_distribution<double> normal;
  for (std::size_t rows = 2; rows <= 40; ++rows)
    for (const double centre : {0.0, 40000.0, 6399968.0, 1e8}) {
      const std::size_t d = 1 + random() % 11;
      std::vector<double> x(rows * d);
      for (double& x_i : x) x_i = centre + std::ldexp(normal(random), static_cast<int>(random() % 8));
      bulk::Convention convention;
      convention.eps = random() % 2 ? 1e-5 : 0;
      convention.divisor = random() % 4 ? norm::Divisor::n : norm::Divisor::n_minus_one;
      check_columns(x, d, 1 + random() % rows, convention);
      for (std::size_t j = 0; j < d; ++j) {
        convention.gamma.push_back(normal(random));
        convention.beta.push_back(normal(random));
      }
      check_columns(x, d, rows, convention);
    }
  const std::vector<double> ends{1e200, 3e-200, 1e308, 7, 3e200, -1e-200, -1e308, 7, 2e199, 2e-200, 1.5e308, 7};
  for (const std::size_t piece : {1U, 2U, 3U}) check_columns(ends, 4, piece, {});
}

TEST_CASE("float32 batches are the formulas in float64, rounded once") {
  std::mt19937_64 random(13);
  std::normal_distribution<float> normal;
  for (const std::size_t rows : {2UL, 3UL, 4UL, 7UL, 64UL})
    for (const std::size_t d : {1UL, 3UL, 8UL, 21UL, 64UL}) {
      bulk::Convention convention;
      convention.eps = 1e-5;
      std::vector<float> x(rows * d), y(rows * d);
      for (float& x_i : x) x_i = 3 + normal(random);
      for (std::size_t j = 0; j < d; ++j) {
        convention.gamma.push_back(normal(random));
        convention.beta.push_back(normal(random));
      }
      bulk::Oddities oddities;
      const bulk::ColumnNormalizer normalizer(bulk::statistics(x.data(), rows, d, oddities), convention,
                                              bulk::Element::float32);
      for (std::size_t row = 0; row < rows; ++row) normalizer.apply(&x[row * d], &y[row * d]);
      for (std::size_t j = 0; j < d; ++j) {
        std::vector<double> column;
        for (std::size_t row = 0; row < rows; ++row) column.push_back(x[row * d + j]);
        norm::NoRecorder none;
        norm::Setting<double> setting;
        setting.eps = convention.eps;
        setting.has_eps = true;
        const std::vector<double> expected = norm::normalize<double>(norm::Formula::standardize, column, setting, none);
        for (std::size_t row = 0; row < rows; ++row) {
          const float y_ij = y[row * d + j];
          CAPTURE(rows, d, row, j);
          CHECK(std::fabs(y_ij - (expected[row] * convention.gamma[j] + convention.beta[j])) <=
                0.500001 * std::ldexp(1.0, std::ilogb(y_ij) - 23));
        }
      }
    }
}

TEST_CASE("the loops for every processor copy") {
  for (const std::size_t bytes : {0UL, 1UL, 63UL, 64UL, 300UL, 1025UL}) {
    std::string from(bytes, ' ');
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<char>(i * 7);
    for (const bulk::Kernels* kernels : bulk::available_kernels()) {
      std::string to(bytes, '#');
      kernels->copy(from.data(), bytes, to.data());
      CHECK((to == from));
    }
  }
}

TEST_CASE("the loops for every processor give the same bits in float64") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1UL, 7UL, 8UL, 9UL, 64UL, 129UL}) {
    std::vector<double> x(n), gamma(n), beta(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 1000 + normal(random);
      gamma[i] = normal(random);
      beta[i] = normal(random);
    }
    const bulk::Kernels& first = *bulk::available_kernels().front();
    const bulk::Survey survey = first.survey(x.data(), n);
    const bulk::Sums sums = first.sums(x.data(), n, survey.sum / static_cast<double>(n));
    bulk::Standard standard;
    standard.near = survey.sum / static_cast<double>(n);
    standard.rest = sums.deviations / static_cast<double>(n);
    standard.factor = bulk::reciprocal(bulk::sqrt(sums.squares + bulk::Pair{1}));
    std::vector<double> y(n);
    first.write_row(x.data(), n, standard, {gamma.data(), beta.data()}, y.data());
    for (const bulk::Kernels* other : bulk::available_kernels()) {
      CAPTURE(other->name, n);
      const bulk::Survey other_survey = other->survey(x.data(), n);
      CHECK(other_survey.sum == survey.sum);
      CHECK(other_survey.least == survey.least);
      CHECK(other_survey.greatest == survey.greatest);
      const bulk::Sums other_sums = other->sums(x.data(), n, standard.near);
      CHECK(other_sums.deviations.high == sums.deviations.high);
      CHECK(other_sums.deviations.low == sums.deviations.low);
      CHECK(other_sums.squares.high == sums.squares.high);
      CHECK(other_sums.squares.low == sums.squares.low);
      std::vector<double> other_y(n);
      other->write_row(x.data(), n, standard, {gamma.data(), beta.data()}, other_y.data());
      CHECK(other_y == y);
    }
  }
}

TEST_CASE("NaN and infinity follow IEEE 754 and are counted") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bulk::Convention convention;
  convention.formula = norm::Formula::divide_by_rms;
  const auto both = [&](const std::vector<double>& x, auto check) {
    bulk::RowNormalizer normalizer(convention, x.size());
    std::vector<double> y(x.size());
    normalizer.apply(x.data(), y.data());
    check(std::vector<double>(y), normalizer.oddities());
    bulk::RowNormalizer floats(convention, x.size());
    std::vector<float> small(x.begin(), x.end());
    floats.apply(small.data(), small.data());
    check(std::vector<double>(small.begin(), small.end()), floats.oddities());
  };
  both({1, infinity, -2}, [](const std::vector<double>& y, const bulk::Oddities& odd) {
    CHECK(y[0] == 0);
    CHECK(std::isnan(y[1]));
    CHECK(y[2] == 0);
    CHECK(odd.infinities == 1);
    CHECK(odd.undefined == 0);
  });
  both({1, nan, infinity}, [](const std::vector<double>& y, const bulk::Oddities& odd) {
    for (const double y_i : y) CHECK(std::isnan(y_i));
    CHECK(odd.nans == 1);
    CHECK(odd.infinities == 1);
  });
  convention.formula = norm::Formula::standardize;
  both({5, 5, 5}, [](const std::vector<double>& y, const bulk::Oddities& odd) {
    for (const double y_i : y) CHECK(std::isnan(y_i));
    CHECK(odd.undefined == 1);
    CHECK(odd.nans == 0);
  });
}

namespace {

// x: (n). Every output of these float32 is the formula in float64, rounded once: about the mean, in two passes.
void check_float_row(const std::vector<float>& x, const bulk::Convention& convention) {
  std::vector<float> y(x.size());
  bulk::RowNormalizer normalizer(convention, x.size());
  normalizer.apply(x.data(), y.data());
  const std::vector<double> wide(x.begin(), x.end());
  norm::NoRecorder none;
  norm::Setting<double> setting;
  setting.eps = convention.eps;
  setting.has_eps = convention.eps != 0;
  const std::vector<double> expected = norm::affine<double>(
      norm::normalize<double>(convention.formula, wide, setting, none), convention.gamma, convention.beta);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x.size(), i, x[i], y[i], expected[i]);
    const double place = std::ldexp(1.0, std::max(std::ilogb(expected[i]), -126) - 23);
    const bool is_rounded = std::fabs(y[i] - expected[i]) <= 0.500001 * place || (y[i] == 0 && expected[i] == 0);
    CHECK(is_rounded);
  }
}

}  // namespace

TEST_CASE("float32 rows are the formulas in float64, rounded once") {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  for (const auto formula : {norm::Formula::standardize, norm::Formula::divide_by_rms})
    for (const std::size_t n : {2UL, 5UL, 8UL, 31UL, 32UL, 64UL, 100UL, 768UL})
      for (const float centre : {0.0F, 3.0F, 5.0F, 1449.57F, 40000.0F, 6399968.0F})
        for (const float scale : {1.0F, 1e-30F, 1e18F}) {
          bulk::Convention convention;
          convention.formula = formula;
          convention.eps = scale == 1 ? 1e-5 : 0;
          std::vector<float> x(n);
          for (float& x_i : x) x_i = scale * (centre + normal(random));
          if (std::ranges::count(x, x[0]) == static_cast<std::ptrdiff_t>(n)) continue;
          check_float_row(x, convention);
          if (scale != 1) continue;
          for (std::size_t i = 0; i < n; ++i) {
            convention.gamma.push_back(normal(random));
            convention.beta.push_back(normal(random));
          }
          check_float_row(x, convention);
        }
  // Next to the ends of the range, and an outlier.
  bulk::Convention rms;
  rms.formula = norm::Formula::divide_by_rms;
  std::vector<float> ends(40, 3e38F);
  ends[7] = -1e37F;
  check_float_row(ends, rms);
  check_float_row(ends, {});
  for (float& x_i : ends) x_i = std::ldexp(x_i, -270);  // subnormal numbers
  check_float_row(ends, rms);
  check_float_row(ends, {});
  std::vector<float> outlier(100, 1);
  for (std::size_t i = 0; i < outlier.size(); ++i) outlier[i] += 1e-3F * static_cast<float>(i % 7);
  outlier[50] = 1e9F;
  check_float_row(outlier, rms);
  check_float_row(outlier, {});
}

TEST_CASE("the loops for every processor write float32 rows as rounded once") {
  std::mt19937_64 random(17);
  std::normal_distribution<float> normal;
  for (const bulk::Kernels* kernels : bulk::available_kernels())
    for (const std::size_t n : {1UL, 3UL, 8UL, 15UL, 16UL, 17UL, 64UL, 129UL}) {
      std::vector<float> x(n), y(n);
      double sum = 0, squares = 0, about = 0;
      for (float& x_i : x) {
        x_i = normal(random);
        sum += x_i;
        squares += static_cast<double>(x_i) * x_i;
        about += (x_i - 0.25) * (x_i - 0.25);
      }
      CAPTURE(kernels->name, n);
      const bulk::FloatSums sums = kernels->float_sums(x.data(), n);
      CHECK(std::fabs(sums.sum - sum) <= 1e-12);
      CHECK(std::fabs(sums.squares - squares) <= 1e-12 * squares);
      CHECK(std::fabs(kernels->float_squares(x.data(), n, 0.25) - about) <= 1e-12 * about);
      for (const double centre : {0.0, 0.25}) {
        const double factor = 1.1234567890123;
        kernels->write_float_row(x.data(), n, {centre, factor}, {}, y.data());
        for (std::size_t i = 0; i < n; ++i) {
          const double expected = (x[i] - centre) * factor;
          CHECK(std::fabs(y[i] - expected) <= 0.500001 * std::ldexp(1.0, std::ilogb(expected) - 23));
        }
      }
    }
}

namespace {

const exact::Format& format_of(bulk::Element element) {
  if (element == bulk::Element::float16) return exact::float16;
  return element == bulk::Element::float32 ? exact::float32 : exact::float64;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("sums as a machine keeps them give the bits of the traced machine") {
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  constexpr bulk::Element types[] = {bulk::Element::float16, bulk::Element::float32, bulk::Element::float64};
  std::size_t differ = 0;  // rows whose bits depend on the type of the sums
  for (const bulk::Element element : types)
    for (const bulk::Element sums : types) {
      if (sums < element) continue;
      const exact::Arithmetic arithmetic{&format_of(element), &format_of(sums)};
      for (int round = 0; round < 60; ++round) {
        const std::size_t n = 1 + random() % 70;
        const double size = std::ldexp(1.0, static_cast<int>(random() % 30) - 15);
        bulk::Convention convention;
        convention.accumulate = sums;
        convention.formula = random() % 2 ? norm::Formula::standardize : norm::Formula::divide_by_rms;
        convention.divisor = random() % 4 ? norm::Divisor::n : norm::Divisor::n_minus_one;
        convention.eps = random() % 2 ? std::ldexp(1.0, -17) : 0;
        convention.eps_place = random() % 4 ? norm::EpsPlace::inside_root : norm::EpsPlace::added_to_root;
        convention.gamma_form = random() % 2 ? norm::GammaForm::plain : norm::GammaForm::one_plus;
        std::vector<double> x(n), y(n);
        for (double& x_i : x) x_i = bulk::rounded(element, size * (normal(random) + 5));
        for (std::size_t i = 0; i < n; ++i) {
          convention.gamma.push_back(bulk::rounded(element, normal(random)));
          convention.beta.push_back(bulk::rounded(element, normal(random)));
        }
        bulk::MachineRow(convention, element).apply(std::span<const double>(x), y.data());

        const auto floats = [&](const std::vector<double>& values) {
          std::vector<exact::Float> result;
          for (const double value : values) result.emplace_back(value, arithmetic);
          return result;
        };
        norm::Setting<exact::Float> setting;
        setting.divisor = convention.divisor;
        setting.eps = exact::Float(convention.eps, arithmetic);
        setting.has_eps = convention.eps != 0;
        setting.eps_place = convention.eps_place;
        norm::NoRecorder none;
        const std::vector<exact::Float> expected =
            norm::affine<exact::Float>(norm::normalize<exact::Float>(convention.formula, floats(x), setting, none),
                                       floats(convention.gamma), floats(convention.beta), convention.gamma_form);
        for (std::size_t i = 0; i < n; ++i) {
          CAPTURE(static_cast<int>(element), static_cast<int>(sums), n, i, x[i], y[i], expected[i].value());
          CHECK(same(y[i], expected[i].value()));
        }
        bulk::Convention wider = convention;
        wider.accumulate = bulk::Element::float64;
        std::vector<double> other(n);
        bulk::MachineRow(wider, element).apply(std::span<const double>(x), other.data());
        differ += !std::ranges::equal(y, other, same);
      }
    }
  CHECK(differ > 50);
}
