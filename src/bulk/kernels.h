#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "bulk/pair.h"

namespace normtrace::bulk {

// Sum, least and greatest of a row. A NaN or an infinity in the row makes the sum one; finite numbers may too.
struct Survey {
  double sum;
  double least;
  double greatest;
};

// Σ(x − c) and Σ(x − c)² about a number c near the mean.
struct Sums {
  Pair deviations;
  Pair squares;
};

// An output smaller than this part of the β it was added to may have lost digits.
constexpr double kCancelled = 0x1p-40;

// What turns an element of a float64 row into its output: (x − near − rest)·factor, near + rest being the mean.
struct Standard {
  double near = 0;      // a double near the mean; 0 for RMSNorm
  Pair rest;            // mean − near
  Pair factor;          // 1/√(σ² + ε)
  double smallest = 0;  // a deviation below this may have lost digits, exact::Rational decides
};

// The same for the columns of a float64 batch: one entry a feature, γ already in the factor.
struct ColumnStandards {
  std::span<const double> near, rest_high, rest_low, factor_high, factor_low;
};

// Σx and Σx² of a float32 row.
struct FloatSums {
  double sum;
  double squares;
};

// float32 rows: (x − centre)·factor in float64.
struct FloatStandard {
  double centre;
  double factor;
};

// γ and β as float64, one a feature; a null pointer stands for 1 and 0.
struct Affine {
  const double* gamma = nullptr;
  const double* beta = nullptr;
};

// Which processor a set of loops was compiled for, and the loops. All pointers may be unaligned.
// float64 loops carry pairs and add in eight lanes whatever the processor, so that they give the same bits everywhere.
struct Kernels {
  std::string_view name;

  Survey (*survey)(const double* x, std::size_t n);
  Sums (*sums)(const double* x, std::size_t n, double near);
  // Σx².
  Pair (*squares)(const double* x, std::size_t n);
  // True if an element needs a second look: its deviation is below standard.smallest, or its output is small against
  // the β it was added to.
  bool (*write_row)(const double* x, std::size_t n, const Standard& standard, const Affine& affine, double* y);
  // sums[j] += Σ over the rows of x[·][j].
  void (*add_columns)(const double* x, std::size_t rows, std::size_t columns, double* sums);
  // sums[j] = Σ(x[·][j] − near[j]) and its squares.
  void (*column_sums)(const double* x, std::size_t rows, std::size_t columns, const double* near, Sums* sums);
  // True if a result is NaN: infinite elements and results, and elements whose halves overflow, need a second look.
  bool (*write_columns)(const double* x, std::size_t columns, const ColumnStandards& standards, const double* beta,
                        double* y);

  // In float64.
  FloatSums (*float_sums)(const float* x, std::size_t n);
  // Σ(x − centre)².
  double (*float_squares)(const float* x, std::size_t n, double centre);
  void (*write_float_row)(const float* x, std::size_t n, FloatStandard standard, const Affine& affine, float* y);
  void (*add_float_columns)(const float* x, std::size_t rows, std::size_t columns, double* sums);
  void (*float_column_squares)(const float* x, std::size_t rows, std::size_t columns, const double* centres,
                               double* squares);
  // y = (x − centre)·factor + β; factors hold γ too.
  void (*write_float_columns)(const float* x, std::size_t columns, const double* centres, const double* factors,
                              const double* beta, float* y);

  // What std::memcpy does, which on some machines and for some sizes is many times slower.
  void (*copy)(const char* from, std::size_t bytes, char* to);
};

// The loops for the processor that runs, chosen once; NORMTRACE_CPU=baseline asks for those that any processor runs.
const Kernels& kernels();
// All sets of loops that this processor runs, the baseline first.
std::span<const Kernels* const> available_kernels();

}  // namespace normtrace::bulk
