#pragma once

#include <string_view>
#include <vector>

#include "classroom/explain/rule.h"
#include "classroom/explain/sample.h"
#include "exact/machine.h"

// Which type the numbers of a print were kept in. NumPy prints -0.98197907 of a float32 as -0.9819791, the shortest that reads
// back as that float32; what was computed lies within half a unit of the type from it, and not of the eighth decimal.
namespace normtrace::classroom::explain {

// A type that the numbers of a print may have been kept in.
struct PrintedType {
  const exact::Format* format;
  Tolerance tolerance;
  bool likely;  // it was named, or that all numbers are numbers of the type would be an accident
};

// The types narrower than float64 that all of these numbers may belong to, the narrowest first. `named`: by the paste, or null.
std::vector<PrintedType> types_of(const std::vector<text::Cell>& cells, const exact::Format* named);

// The type that a paste names: tensor([1., 2.], dtype=torch.float16). Null if it names none.
const exact::Format* named_type(std::string_view text);

// As set_output, but each output stands for what is kept as that number in the type.
void set_output(Sample& sample, const std::vector<text::Cell>& cells, const exact::Format& format);
// The inputs, γ and β become numbers of the type. False if nothing changes, or one is beyond its range.
bool store_inputs(Sample& sample, const exact::Format& format);

}  // namespace normtrace::classroom::explain
