#include "words/table.h"

namespace normtrace::words {

std::span<const Sentence> trace_sentences() {
  static constexpr Sentence table[] = {
      {"list.separator", "，", ", "},
      {"title.colon", "：", ": "},
      {"value.undefined", "未定义", "undefined"},
      {"value.undefined_short", "nan", "nan"},
      {"trace.echo", "{0} 个 token × {1} 个特征：{2}", "{0} tokens × {1} features: {2}"},
      {"trace.output_by_token", "按 token 的输出", "output by token"},

      {"step.mean", "均值", "mean"},
      {"step.deviations", "偏差", "deviations"},
      {"step.squares", "平方", "squares"},
      {"step.variance", "方差", "variance"},
      {"step.variance_eps", "方差加 ε", "variance + ε"},
      {"step.std", "标准差", "standard deviation"},
      {"step.std_eps", "标准差加 ε", "standard deviation + ε"},
      {"step.mean_square", "均方", "mean square"},
      {"step.mean_square_eps", "均方加 ε", "mean square + ε"},
      {"step.rms", "RMS", "RMS"},
      {"step.rms_eps", "RMS 加 ε", "RMS + ε"},
      {"step.normalized", "归一化", "normalized"},
      {"step.output", "输出", "output"},
      {"step.result", "结果", "result"},

      {"convention.inside_root", "ε = {0}，加在根号内", "ε = {0} inside the root"},
      {"convention.added_to_root", "ε = {0}，加在开方之后", "ε = {0} added to the root"},
      {"convention.n_minus_one", "方差除以 n-1", "variance divided by n-1"},

      {"check.head", "检验", "check"},
      {"check.exact", "‖x̂‖² {0} = {3}，‖x̂‖ = √{3} {2}", "‖x̂‖² {0} = {3}, ‖x̂‖ = √{3} {2}"},
      {"check.below", "‖x̂‖² {0} < {1}（ε 使它变小），‖x̂‖ {2}", "‖x̂‖² {0} < {1} (ε makes it smaller), ‖x̂‖ {2}"},
      {"check.other", "‖x̂‖² {0}，不是 {1}（所用约定如此），‖x̂‖ {2}",
       "‖x̂‖² {0}, not {1} (this convention has it so), ‖x̂‖ {2}"},
      {"check.undefined", "除数为 0，x̂ 没有定义；取 ε > 0，x̂ 就是 0",
       "the divisor is 0, x̂ is undefined; with ε > 0 it would be 0"},

      {"table.input", "原向量", "input"},
      {"table.mean", "均值", "mean"},
      {"table.variance_n", "方差 (n)", "variance (n)"},
      {"table.std_n", "标准差 (n)", "std (n)"},
      {"table.variance_n1", "方差 (n-1)", "variance (n-1)"},
      {"table.std_n1", "标准差 (n-1，即 torch.std、STDEV)", "std (n-1: torch.std, STDEV)"},
      {"table.rms", "RMS", "RMS"},

      {"compare.summary", "汇总", "summary"},
      {"compare.statistics", "统计量与检验", "statistics and checks"},
      {"compare.conclusions", "结论", "conclusions"},
      {"compare.no_bn", "只有一个 token，批内没有可比的样本，略去 BatchNorm；要看它请用 bn",
       "one token makes no batch: BatchNorm is left out; ask for it with bn"},

      {"conclusion.equal_mean_zero", "均值为 0，没有可减的，LayerNorm 与 RMSNorm 结果完全相同",
       "the mean is 0, so nothing is subtracted: LayerNorm and RMSNorm give the same result"},
      {"conclusion.zeros_moved", "原向量里的 0，LayerNorm 之后 {0}（被平移了），RMSNorm 之后仍是 0",
       "a 0 of the input is {0} after LayerNorm (it was shifted) and still 0 after RMSNorm"},
      {"conclusion.shift", "LayerNorm 先减去均值 μ {0}；RMSNorm 不减，输出的均值 μ/RMS {1}",
       "LayerNorm first subtracts the mean μ {0}; RMSNorm does not, and its output has the mean μ/RMS {1}"},
      {"conclusion.angle", "两个输出的夹角 ≈ {1}°，其余弦 σ/RMS {0}", "the two outputs are ≈ {1}° apart: cos = σ/RMS {0}"},
      {"conclusion.all_norms", "每个输出的平方和都等于 d = {0}，长度都是 √d",
       "the squares of every output add up to d = {0}: every norm is √d"},
      {"conclusion.pytorch_eps", "PyTorch 的 {0} 默认 ε = 1e-5，会印出 {1}，这里 ε = 0 是 {2}",
       "with ε = 1e-5, PyTorch's default, {0} would print {1}; with ε = 0 it is {2}"},

      {"remark.mean_square", "{0}：均方 = μ² + σ²，即 {1} = {2} + {3}", "{0}: mean square = μ² + σ²: {1} = {2} + {3}"},
      {"remark.one_feature", "{0} 只有一个特征：LayerNorm 的输出总是 β，与 x 无关（ε = 0 时为 0/0）",
       "{0} has one feature: LayerNorm always gives β, whatever x is (0/0 with ε = 0)"},
      {"remark.one_feature_rms", "{0} 只有一个特征：RMSNorm 只留下符号，ε = 0 时输出 ±γ",
       "{0} has one feature: RMSNorm keeps its sign alone, ±γ with ε = 0"},
      {"remark.one_sample", "{0} 在批内只有一个样本：减去均值后总是 0。想按 token 归一化，请用 ln",
       "{0} has one sample in the batch: minus its mean it is always 0. Did you mean LayerNorm (ln)?"},
      {"remark.constant", "{0} 的数全都相等：σ = 0，除以 0 没有定义。取 ε > 0，输出就是 β",
       "{0} is constant: σ = 0, and dividing by 0 is undefined. With ε > 0 the output would be β"},
      {"remark.constant_eps", "{0} 的数全都相等：σ² = 0，只有 ε 在分母里，输出就是 β",
       "{0} is constant: σ² = 0, only ε is left to divide by, and the output is β"},
      {"remark.all_zero", "{0} 全是 0：RMS = 0，除以 0 没有定义。取 ε > 0，输出就是 β（没有 β 时为 0）",
       "{0} is all zeros: RMS = 0, and dividing by 0 is undefined. With ε > 0 the output would be β, or 0 without β"},
      {"remark.all_zero_eps", "{0} 全是 0：只有 ε 在分母里，输出就是 β（没有 β 时为 0）",
       "{0} is all zeros: only ε is left to divide by, and the output is β, or 0 without β"},
      {"remark.two_features", "{0} 只有两个不等的特征：ε = 0 时 LayerNorm 的 x̂ 总是 ±1",
       "{0} has two unequal features: with ε = 0 the x̂ of LayerNorm is always ±1"},
      {"remark.batch_of_two", "{0} 在批内只有两个不等的样本：ε = 0 时 x̂ 总是 ±1，改动其中一个数也不变",
       "{0} has two unequal samples in the batch: with ε = 0 their x̂ is always ±1, whatever the two numbers are"},
      {"remark.eps_effect", "{0}：ε 使 x̂ 缩短 {1}%", "{0}: ε makes x̂ shorter by {1}%"},
      {"remark.printed_root", "{0}：若用印出的根去除，{1}/{2} 得 {3}，而准确值是 {4}",
       "{0}: dividing by the root as printed, {1}/{2} gives {3}; the right digits are {4}"},
      {"remark.more", "另有 {0} 处同样的情形", "and {0} more of the same"},
  };
  return table;
}

}  // namespace normtrace::words
