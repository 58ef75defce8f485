#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bulk/element.h"
#include "bulk/files.h"

namespace normtrace::bulk {

// What the head of a .npy file says (NumPy's NEP 1), versions 1.0 to 3.0.
struct NpyHeader {
  std::string bytes;  // the head itself, as it was: the result has the same type and shape
  Element element = Element::float32;
  std::vector<std::uint64_t> shape;

  [[nodiscard]] std::uint64_t elements() const;
};

// Reads the head and nothing after it. Refuses what would have to be guessed or trusted: Fortran order, other types than
// little-endian float16, float32 and float64, pickled objects, shapes of more than 2^62 bytes, heads longer than 64 KiB,
// and a regular file that is shorter or longer than its head says.
// Errors: Error with status 2 (bad_input).
NpyHeader read_npy_header(Input& input);

// Whether a file can be read and begins as .npy does.
bool is_npy(const std::string& path);
// All numbers of a .npy file, whatever its shape; at most 2^27 of them. Errors: those above, and status 3.
std::vector<double> read_npy_numbers(const std::string& path);

}  // namespace normtrace::bulk
