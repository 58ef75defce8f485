#include "trace/report.h"

#include "exact/decimal.h"

namespace normtrace::trace {

Piece given(const exact::Rational& x) {
  constexpr unsigned places = 12;  // more are written with a power of ten
  return to_exact_text(x, places, exact::PowerOfTen::superscript);
}

}  // namespace normtrace::trace
