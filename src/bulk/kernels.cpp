#include "bulk/kernels.h"

#include <cstdlib>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace normtrace::bulk {

namespace {

// The instruction set is an attribute of the functions, not an option of the file: what the file includes stays code
// for any processor. No ifunc: a static program has to run too.
#if defined(__x86_64__)
namespace avx512 {
#define NATIVE_NAME "avx512"
#define NATIVE_BYTES 64
#define NATIVE_FMA 1
#define ENTRY __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"))) static
#define KERNEL ENTRY inline __attribute__((always_inline))
#include "bulk/kernels.inc"
#undef NATIVE_NAME
#undef NATIVE_BYTES
#undef NATIVE_FMA
#undef ENTRY
#undef KERNEL
}  // namespace avx512

namespace avx2 {
#define NATIVE_NAME "avx2"
#define NATIVE_BYTES 32
#define NATIVE_FMA 1
#define ENTRY __attribute__((target("avx2,fma"))) static
#define KERNEL ENTRY inline __attribute__((always_inline))
#include "bulk/kernels.inc"
#undef NATIVE_NAME
#undef NATIVE_BYTES
#undef NATIVE_FMA
#undef ENTRY
#undef KERNEL
}  // namespace avx2
#endif

namespace baseline {
#define NATIVE_NAME "baseline"
#define NATIVE_BYTES 16
#if defined(__aarch64__)
#define NATIVE_FMA 1
#else
#define NATIVE_FMA 0
#endif
#define ENTRY static
#define KERNEL ENTRY inline __attribute__((always_inline))
#include "bulk/kernels.inc"
}  // namespace baseline

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> result{&baseline::kTable};
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) result.push_back(&avx2::kTable);
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    result.push_back(&avx512::kTable);
#endif
  return result;
}

const Kernels& chosen() {
  const std::span<const Kernels* const> all = available_kernels();
  if (const char* wanted = std::getenv("NORMTRACE_CPU"))
    for (const Kernels* candidate : all)
      if (candidate->name == wanted) return *candidate;
  return *all.back();
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> all = runnable();
  return all;
}

const Kernels& kernels() {
  static const Kernels& best = chosen();
  return best;
}

}  // namespace normtrace::bulk
