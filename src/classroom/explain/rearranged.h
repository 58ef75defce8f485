#pragma once

#include "classroom/explain/search.h"

// Searches after something was done to the input or the output as a whole.
namespace normtrace::classroom::explain {

// The outputs of rows and columns exchanged: those that were printed with as many rows as the input has columns.
Sample transposed(const Sample& sample);

// Rows or columns whose outputs stand in another order than the inputs. `outer.slips` is what was done besides.
void search_permutations(const Sample& sample, const Outer& outer, Found& found);
// The numbers before the zeros at the end, if those are padding: without an output, or with the output 0.
void search_without_padding(const Sample& sample, const Outer& outer, Found& found);
// The inputs, and γ and β, as a narrow type keeps them.
void search_stored_inputs(const Sample& sample, const Outer& outer, Found& found);
// γ multiplied the input, not x̂.
void search_gamma_first(const Sample& sample, const Outer& outer, Found& found);
// What was given as the input is the output of what was given as the output.
void search_exchanged(const Sample& sample, Found& found);

}  // namespace normtrace::classroom::explain
