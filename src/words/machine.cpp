#include "words/table.h"

namespace normtrace::words {

std::span<const Sentence> machine_sentences() {
  static constexpr Sentence table[] = {
      {"machine_title.plain", "在 {0} 里计算", "computed in {0}"},
      {"machine_title.accumulate", "在 {0} 里计算，求和用 {1}", "computed in {0}, sums in {1}"},
      {"machine_title.llama", "{0}，Llama 的次序：x̂ 在 float32 里算，舍入回 {0} 再乘 γ",
       "{0} in Llama's order: x̂ in float32, rounded to {0}, then times γ"},
      {"machine_title.gemma", "{0}，Gemma 的次序：x̂ 和乘 γ 都在 float32 里算，最后舍入一次",
       "{0} in Gemma's order: x̂ and times γ in float32, rounded to {0} once"},
      {"machine.step", "步骤", "step"},
      {"machine.type", "类型", "type"},
      {"machine.input", "输入", "input"},
      {"machine.exact", "准确", "exact"},
      {"machine.both", "准确 = {0}", "exact = {0}"},
      {"machine.error", "相对误差", "relative error"},
      {"machine.ulps", "误差 (ulp)", "error in ulps"},

      {"fault.none", "每个数都是准确值在 {0} 里舍入一次的结果，没有别的误差",
       "every number is the exact value rounded to {0} once: no other error enters"},
      {"machine.enters", "误差进来的地方：{0}", "error enters at {0}"},
      {"machine.grows", "误差变大的地方：{0}", "and grows at {0}"},
      {"fault.rounding", "“{0}”，准确值 {1}，{2} 算得 {3}，差 {4} ulp（末位单位；只舍入一次至多差 0.5）",
       "“{0}”: {1} exactly, {3} in {2}, {4} ulps off (units in the last place; one rounding alone stays within 0.5)"},
      {"fault.cancellation", "“{0}”，准确值 {1}，{2} 算得 {3}：相近的数相减，先前的舍入误差占的比重变大",
       "“{0}”: {1} exactly, {3} in {2}: nearly equal numbers were subtracted, and earlier roundings weigh more"},
      {"fault.underflow", "“{0}”，准确值 {1} 太小，{2} 算得 {3}（下溢）",
       "“{0}”: {1} exactly is too small for {2}, which gives {3} (underflow)"},
      {"fault.overflow", "“{0}”，准确值 {1} 太大，{2} 算得 {3}（溢出）",
       "“{0}”: {1} exactly is too large for {2}, which gives {3} (overflow)"},

      {"machine.input_rounded", "{0}：{1} 在 {2} 里存不下，存成 {3}", "{0}: {2} has no {1}: it stores {3}"},
      {"machine.input_overflow", "{0}：{1} 超过 {2} 的最大数 {3}，一读入就成了 inf",
       "{0}: {1} is beyond {3}, the largest {2}: it becomes inf on entry"},
      {"machine.eps_lost", "ε = {1} 在 {2} 里舍入成 0（最小的正数约 {3}），等于没有加",
       "ε = {1} is rounded to 0 in {2} (its smallest positive number is about {3}): nothing is added"},
      {"machine.square_overflow",
       "{0}：{1} 的平方是 {2}，超过 {3} 的最大数 {4}，成了 inf；绝对值超过 {5} 的数都会这样。先转成 float32 "
       "再平方就没事（--cast-order llama）",
       "{0}: {1} squared is {2}, beyond {4}, the largest {3}: it becomes inf, as for every number beyond ±{5}. Widen "
       "to "
       "float32 before squaring (--cast-order llama)"},
      {"machine.overflow", "{0}：{1} 超过 {2} 的最大数 {3}，成了 inf",
       "{0}: {1} is beyond {3}, the largest {2}: it becomes inf"},
      {"machine.square_vanishes", "{0}：{6} 的平方是 {1}，不到 {2} 最小正数 2^{3} ≈ {4} 的一半，舍入成 {5}",
       "{0}: {6} squared is {1}, less than half of 2^{3} ≈ {4}, the smallest positive {2}: it is rounded to {5}"},
      {"machine.vanishes", "{0}：{1} 不到 {2} 最小正数 2^{3} ≈ {4} 的一半，舍入成 {5}",
       "{0}: {1} is less than half of 2^{3} ≈ {4}, the smallest positive {2}: it is rounded to {5}"},
      {"machine.square_underflow", "{0}：{6} 的平方是 {1}，小于 2^{3} ≈ {4}，{2} 在这里有效位变少（次正规数），得 {5}",
       "{0}: {6} squared is {1}, below 2^{3} ≈ {4}, where {2} has fewer digits (subnormal numbers): it becomes {5}"},
      {"machine.underflow", "{0}：{1} 小于 2^{3} ≈ {4}，{2} 在这里有效位变少（次正规数），得 {5}",
       "{0}: {1} is below 2^{3} ≈ {4}, where {2} has fewer digits (subnormal numbers): it becomes {5}"},
      {"machine.one_pass_cancels",
       "{0}：均方 {1} 与 μ² = {2} 的前几位相同，而 {3} 只有 {4} 位二进制：相减得 {5}，方差其实是 "
       "{6}。先减均值再平方就没事"
       "（--variance two-pass）",
       "{0}: the mean square {1} and μ² = {2} share their leading digits, and {3} has {4} bits: the difference comes "
       "out as "
       "{5}, the variance is {6}. Subtract the mean before squaring (--variance two-pass)"},
      {"machine.deviation_cancels", "{0}：x 与均值 {1} 相近，{2} 只有 {3} 位二进制：x-μ 得 {4}，其实是 {5}",
       "{0}: x is close to the mean {1}, and {2} has {3} bits: x-μ comes out as {4}, it is {5}"},
      {"machine.negative_variance", "{0}：算出的方差是负数 {1}，它的平方根是 NaN，输出全是 NaN",
       "{0}: the variance came out negative, {1}: its root is NaN, and so is every output"},
      {"machine.divisor_infinite", "{0}：除数成了 inf，有限的数除以它都得 0",
       "{0}: the divisor became inf, and a finite number divided by it is 0"},
      {"machine.divisor_zero", "{0}：除数成了 0，而准确的除数不是 0：输出是 inf 或 NaN",
       "{0}: the divisor became 0, which exactly it is not: the output is inf or NaN"},

      {"option.dtype", "同样的步骤再用这种浮点数算一遍，与准确值并列",
       "the same steps once more in this type, beside the exact ones"},
      {"option.accumulate", "求和用的类型；默认半精度用 float32，其余用自己",
       "type of sums; default float32 for the half types, else the type itself"},
      {"option.variance", "方差两遍算（先减均值）或一遍算（均方减 μ²），默认两遍",
       "the variance from deviations, or as mean square minus μ²; default two-pass"},
      {"option.cast_order", "x̂ 在 float32 里算；llama 先舍入再乘 γ，gemma 乘完再舍入",
       "x̂ in float32; llama rounds before the weight, gemma after it"},
      {"option.input_dtype", "先把输入舍入成这种类型，再准确地算",
       "round the input to this type first, then go on exactly"},
      {"usage.needs_dtype", "{0} 说的是机器怎么算，要与 --dtype 一起用",
       "{0} says how a machine computes: it needs --dtype"},
      {"usage.needs_dtype_mend", "例如加上 --dtype float16", "add --dtype float16, for instance"},
      {"usage.accumulate_narrow", "--accumulate {0} 装不下 {1} 的数",
       "--accumulate {0} cannot hold the numbers of {1}"},
      {"usage.accumulate_cast", "--cast-order 在 float32 里求和，不能再用 --accumulate {0}",
       "--cast-order keeps its sums in float32 and cannot take --accumulate {0}"},
      {"usage.accumulate_cast_mend", "去掉 --accumulate", "leave out --accumulate"},
      {"usage.input_overflow", "{0} 超出 {1} 的范围（最大 {2}）", "{0} is beyond the range of {1} (largest {2})"},
      {"usage.input_overflow_mend", "换一种更宽的类型", "choose a wider type"},
      {"note.input_dtype", "输入先舍入成 {0}，再准确地算", "the input is rounded to {0} first; what follows is exact"},
  };
  return table;
}

}  // namespace normtrace::words
