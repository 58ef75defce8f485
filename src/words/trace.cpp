#include "words/table.h"

namespace normtrace::words {

std::span<const Sentence> trace_sentences() {
  static constexpr Sentence table[] = {
      {"list.separator", "，", ", "},
      {"title.colon", "：", ": "},
      {"value.undefined", "未定义", "undefined"},
      {"value.undefined_short", "nan", "nan"},
      {"count.token", "{0} 个 token", "{0} token"},
      {"count.tokens", "{0} 个 token", "{0} tokens"},
      {"count.feature", "{0} 个特征", "{0} feature"},
      {"count.features", "{0} 个特征", "{0} features"},
      {"trace.shape", "形状 ({0})", "shape ({0})"},
      {"trace.output_by_row", "按行的输出", "output by row"},
      {"trace.output_by_token", "按 token 的输出", "output by token"},

      {"step.mean", "均值", "mean"},
      {"step.deviations", "偏差", "deviations"},
      {"step.squares", "平方", "squares"},
      {"step.square_of_mean", "均值的平方", "square of the mean"},
      {"step.variance", "方差", "variance"},
      {"step.variance_eps", "方差加 ε", "variance + ε"},
      {"step.std", "标准差", "standard deviation"},
      {"step.std_eps", "标准差加 ε", "standard deviation + ε"},
      {"step.mean_square", "均方", "mean square"},
      {"step.mean_square_eps", "均方加 ε", "mean square + ε"},
      {"step.rms", "RMS", "RMS"},
      {"step.rms_eps", "RMS 加 ε", "RMS + ε"},
      {"step.residual_sum", "残差相加", "residual sum"},
      {"step.partial_count", "计入的个数", "numbers counted"},
      {"step.rms_normalized", "RMSNorm 部分", "RMSNorm part"},
      {"step.layer_normalized", "LayerNorm 部分", "LayerNorm part"},
      {"step.sample_std", "标准差（n-1）", "standard deviation (n-1)"},
      {"step.factor", "缩放系数", "factor"},
      {"step.stored_variance", "存入的方差", "variance kept"},
      {"step.running_mean", "运行均值", "running mean"},
      {"step.running_var", "运行方差", "running variance"},
      {"step.running_rms", "运行 RMS", "running RMS"},
      {"step.normalized", "归一化", "normalized"},
      {"step.cast", "舍入回原类型", "rounded to the dtype"},
      {"step.output", "输出", "output"},
      {"step.result", "结果", "result"},

      {"convention.like", "按 {0} 的约定", "like {0}"},
      {"convention.inside_root", "ε = {0}，加在根号内", "ε = {0} inside the root"},
      {"convention.added_to_root", "ε = {0}，加在开方之后", "ε = {0} added to the root"},
      {"convention.one_pass", "方差一遍算出：均方减均值的平方",
       "variance in one pass: mean square minus the square of the mean"},
      {"convention.n_minus_one", "方差除以 n-1", "variance divided by n-1"},

      {"convention.training", "训练", "training"},
      {"convention.inference", "推理，用运行统计量", "inference by running statistics"},
      {"convention.watched", "旁观 RMS", "with its RMS watched"},
      {"convention.momentum", "momentum = {0}", "momentum = {0}"},
      {"convention.cumulative", "运行统计量取各批的平均", "running statistics as plain averages"},
      {"convention.kept_n", "存入的方差除以 n", "variance kept divided by n"},
      {"convention.kept_n1", "存入的方差除以 n-1", "variance kept divided by n-1"},
      {"convention.groups", "通道分 {0} 组", "channels in {0} groups"},
      {"convention.axes", "对最后 {0} 个轴", "over the last {0} axes"},
      {"convention.channels_first", "通道在前 (N, C, …)", "channels first (N, C, …)"},
      {"convention.channels_last", "通道在后 (N, …, C)", "channels last (N, …, C)"},
      {"convention.one_plus", "系数为 1+γ", "the factor is 1+γ"},

      {"check.head", "检验", "check"},
      {"check.exact", "‖x̂‖² {0} = {3}，‖x̂‖ = √{3} {2}", "‖x̂‖² {0} = {3}, ‖x̂‖ = √{3} {2}"},
      {"check.below", "‖x̂‖² {0} < {1}（ε 使它变小），‖x̂‖ {2}", "‖x̂‖² {0} < {1} (ε makes it smaller), ‖x̂‖ {2}"},
      {"check.other", "‖x̂‖² {0}，不是 {1}（{5}），‖x̂‖ {2}", "‖x̂‖² {0}, not {1} ({5}), ‖x̂‖ {2}"},
      {"check.because_divisor", "方差除以 n-1", "the variance is divided by n-1"},
      {"check.because_uncentred", "被除的是 x，不是 x-μ", "x is divided, not x-μ"},
      {"check.because_eps_added", "ε 加在开方之后", "ε is added to the root"},
      {"check.because_given", "统计量不是这一批自己的", "the statistics are not those of this batch"},
      {"check.because_partial", "RMS 只取自前 k 个数", "the RMS is that of the first k numbers alone"},
      {"check.because_mixed", "是两个不同方向的向量按 α 混合的", "two vectors of different directions are mixed"},
      {"check.because_factor", "x̂ 还乘了系数 f", "x̂ has the factor f as well"},
      {"check.undefined", "除数为 0，x̂ 没有定义；取 ε > 0，x̂ 就是 0",
       "the divisor is 0, x̂ is undefined; with ε > 0 it would be 0"},
      {"check.undefined_other", "除数为 0，x̂ 没有定义；取 ε > 0 才有值",
       "the divisor is 0, x̂ is undefined; with ε > 0 it would have a value"},
      {"check.undefined_divisor", "方差是 0/0，x̂ 没有定义：n-1 = 0", "the variance is 0/0, x̂ is undefined: n-1 = 0"},
      {"check.undefined_factor", "只有一个数，s 是 0/0（n-1 = 0），x̂ 没有定义",
       "with one number, s is 0/0 (n-1 = 0): x̂ is undefined"},

      {"table.input", "原向量", "input"},
      {"table.mean", "均值", "mean"},
      {"table.variance_n", "方差 (n)", "variance (n)"},
      {"table.std_n", "标准差 (n)", "std (n)"},
      {"table.variance_n1", "方差 (n-1)", "variance (n-1)"},
      {"table.std_n1", "标准差 (n-1，即 torch.std、STDEV)", "std (n-1: torch.std, STDEV)"},
      {"table.rms", "RMS", "RMS"},
      {"table.norm_of", "{0} 输出的长度", "norm of {0}"},

      {"compare.summary", "汇总", "summary"},
      {"compare.statistics", "统计量与检验", "statistics and checks"},
      {"compare.conclusions", "结论", "conclusions"},
      {"compare.no_bn", "只有一个 token，批内没有可比的样本，略去 BatchNorm；要看它请用 bn",
       "one token makes no batch: BatchNorm is left out; ask for it with bn"},

      {"conclusion.equal_mean_zero", "均值为 0，没有可减的，LayerNorm 与 RMSNorm 结果完全相同",
       "the mean is 0, so nothing is subtracted: LayerNorm and RMSNorm give the same result"},
      {"conclusion.zeros_moved", "原向量里的 0，LayerNorm 之后 {0}（被平移了），RMSNorm 之后仍是 0",
       "a 0 of the input is {0} after LayerNorm (it was shifted) and still 0 after RMSNorm"},
      {"conclusion.zeros_moved_by_beta", "原向量里的 0，LayerNorm 之后 {0}，RMSNorm 之后 {1}：β 把它也移动了",
       "a 0 of the input is {0} after LayerNorm and {1} after RMSNorm, where β moves it too"},
      {"conclusion.shift_of_output", "LayerNorm 先减去均值 μ {0}；RMSNorm 不减，经 γ、β 之后输出的均值 {1}",
       "LayerNorm first subtracts the mean μ {0}; RMSNorm does not, and after γ and β its output has the mean {1}"},
      {"conclusion.angle_of_outputs", "经 γ、β 之后，两个输出的夹角 {1}°，其余弦 {0}",
       "after γ and β the two outputs are {1}° apart: the cosine {0}"},
      {"conclusion.all_norms_before", "γ、β 之前，每个 x̂ 的平方和都等于 d = {0}；之后的长度见上表",
       "before γ and β the squares of every x̂ add up to d = {0}; the lengths after them stand in the table"},
      {"conclusion.shift", "LayerNorm 先减去均值 μ {0}；RMSNorm 不减，输出的均值 μ/RMS {1}",
       "LayerNorm first subtracts the mean μ {0}; RMSNorm does not, and its output has the mean μ/RMS {1}"},
      {"conclusion.angle", "两个输出的夹角 {1}°，其余弦 σ/RMS {0}", "the two outputs are {1}° apart: cos = σ/RMS {0}"},
      {"conclusion.all_norms", "每个输出的平方和都等于 d = {0}，长度都是 √d",
       "the squares of every output add up to d = {0}: every norm is √d"},
      {"conclusion.pytorch_eps", "PyTorch 的 {0} 默认 ε = 1e-5，会印出 {1}，这里 ε = 0 是 {2}",
       "with ε = 1e-5, PyTorch's default, {0} would print {1}; with ε = 0 it is {2}"},

      {"property.scale_and_shift",
       "性质：共用统计量的一组数同加一个数、或同乘 a > 0，x̂ 不变（a < 0 则符号全反）；每组 ‖x̂‖² = n。都以 ε = 0 为准",
       "what holds: adding one number to all that share a statistic, or multiplying them by a > 0, leaves x̂ as it is "
       "(a < 0 "
       "flips its signs); ‖x̂‖² = n in every group; all of it with ε = 0"},
      {"property.training",
       "性质：整批同加一个数、或同乘 a > 0，x̂ 不变，‖x̂‖² = m（以 ε = 0 "
       "为准）；样本彼此耦合，运行统计量不参与这一批的输出",
       "what holds: adding one number to the batch, or multiplying it by a > 0, leaves x̂ as it is, and ‖x̂‖² = m (with "
       "ε = 0); "
       "the samples are coupled, and running statistics have no part in this output"},
      {"property.inference",
       "性质：推理时每个数各算 (x-μᵣ)/σᵣ，样本互不影响；但缩放、平移输入都会改变输出，‖x̂‖² 也不必等于 m",
       "what holds: in inference each number is (x-μᵣ)/σᵣ by itself and samples do not touch each other; but scaling "
       "or "
       "shifting the input changes the output, and ‖x̂‖² need not be m"},
      {"property.scale", "性质：同乘 a > 0，x̂ 不变（a < 0 则符号全反）；同加一个数则会变；‖x̂‖² = d。都以 ε = 0 为准",
       "what holds: multiplying by a > 0 leaves x̂ as it is (a < 0 flips its signs), adding a number does not; ‖x̂‖² = "
       "d; all of "
       "it with ε = 0"},
      {"property.partial",
       "性质：k = ⌈p·d⌉ 向上取整；同乘 a > 0，x̂ 不变（ε = 0 时），同加一个数则会变；只有前 k 个 x̂ 的平方和必为 k，‖x̂‖² "
       "= d 不再成立",
       "what holds: k = ⌈p·d⌉ is rounded up; multiplying by a > 0 leaves x̂ as it is (with ε = 0), adding a number does "
       "not; the "
       "squares of the first k entries of x̂ add up to k, but ‖x̂‖² = d no longer holds"},
      {"property.hybrid",
       "性质：同乘 a > 0，x̂ 不变，a < 0 则符号全反；同加一个数会变（α = 0 除外）；‖x̂‖² = d·(α²+(1-α)²+2α(1-α)·σ/RMS)，"
       "0 < α < 1 时只有均值为 0 才等于 d。都以 ε = 0 为准",
       "what holds: multiplying by a > 0 leaves x̂ as it is, a < 0 flips its signs, adding a number changes it (unless "
       "α = 0); "
       "‖x̂‖² = d·(α²+(1-α)²+2α(1-α)·σ/RMS), for 0 < α < 1 equal to d only where the mean is 0; all of it with ε = 0"},
      {"property.adaptive",
       "性质：系数 f 随输入的离散程度而变，所以缩放会改变输出（α = 0 除外，此时 f = 1/2），平移也会；‖x̂‖² = f²·d（ε = "
       "0 时），总小于 d",
       "what holds: the factor f follows the spread of the input, so scaling changes the output (unless α = 0, where f "
       "= 1/2), and "
       "so does shifting; ‖x̂‖² = f²·d (with ε = 0), always less than d"},
      {"property.uncentred",
       "性质：除以标准差却不减均值；同乘 a > 0，x̂ 不变（a < 0 则符号全反），同加一个数则会变。以 ε = 0 为准；"
       "均值不为 0 时它不是 RMSNorm",
       "what holds: it is divided by the standard deviation and the mean stays; multiplying by a > 0 leaves x̂ as it is "
       "(a < 0 flips its signs), adding a number does not, all of it with ε = 0; unless the mean is 0 this is not "
       "RMSNorm"},
      {"property.one_plus", "γ 存的是与 1 的差：γ = 0 即不缩放。x̂ 的性质与检验照旧",
       "γ is kept as the difference from 1: γ = 0 scales nothing; what holds of x̂ is as before"},
      {"property.bias", "β 加在归一化之后：x̂ 的性质与检验照旧，但输出 y 的长度不再是 √d",
       "β is added afterwards: what holds of x̂ is as before, but the norm of the output y is no longer √d"},
      {"property.residual", "这些性质说的是 h = x+v；只缩放 x 而不缩放 v，结果会变",
       "all this is said of h = x+v: scaling x alone, and not v, changes the result"},
      {"property.watched",
       "旁观的 RMS 取自全部数，从 1 开始，不参与归一化；它随输入一起缩放，起始值的影响每批只减去一部分",
       "the RMS that is watched is of all numbers and starts at 1; it has no part in the norm, grows with the input, "
       "and forgets "
       "its start only little by little"},

      {"remark.mean_square", "{0}：均方 = μ² + σ²，即 {1} = {2} + {3}", "{0}: mean square = μ² + σ²: {1} = {2} + {3}"},
      {"remark.one_feature", "{0} 只有一个特征：LayerNorm 的输出总是 β，与 x 无关（ε = 0 时为 0/0）",
       "{0} has one feature: LayerNorm always gives β, whatever x is (0/0 with ε = 0)"},
      {"remark.one_feature_rms", "{0} 只有一个特征：RMSNorm 只留下符号，ε = 0 时输出 ±γ",
       "{0} has one feature: RMSNorm keeps its sign alone, ±γ with ε = 0"},
      {"remark.one_sample", "{0} 等特征在批内都只有一个样本：减去均值后总是 0。想按 token 归一化，请用 ln",
       "{0} and every other feature have one sample in the batch: minus its mean it is always 0. Did you mean "
       "LayerNorm (ln)?"},
      {"remark.constant", "{0} 的数全都相等：σ = 0，除以 0 没有定义。取 ε > 0，输出就是 β",
       "{0} is constant: σ = 0, and dividing by 0 is undefined. With ε > 0 the output would be β"},
      {"remark.constant_eps", "{0} 的数全都相等：σ² = 0，只有 ε 在分母里，输出就是 β",
       "{0} is constant: σ² = 0, only ε is left to divide by, and the output is β"},
      {"remark.all_zero", "{0} 全是 0：RMS = 0，除以 0 没有定义。取 ε > 0，输出就是 β（没有 β 时为 0）",
       "{0} is all zeros: RMS = 0, and dividing by 0 is undefined. With ε > 0 the output would be β, or 0 without β"},
      {"remark.all_zero_eps", "{0} 全是 0：只有 ε 在分母里，输出就是 β（没有 β 时为 0）",
       "{0} is all zeros: only ε is left to divide by, and the output is β, or 0 without β"},
      {"remark.one_number", "{0} 等组都只有一个数：减去均值后总是 0",
       "{0}, like every group, has one number: minus its mean it is always 0"},
      {"remark.variance_not_kept",
       "{0} 等特征只有一个数：n-1 = 0，存入的方差是 0/0，运行方差无从更新（PyTorch 在这里报错）",
       "{0}, like every feature, has one number: n-1 = 0, the variance to be kept is 0/0, and the running variance "
       "cannot be "
       "updated (PyTorch stops with an error here)"},
      {"remark.two_numbers", "{0} 只有两个不等的数：ε = 0 时 x̂ 总是 ±1",
       "{0} has two unequal numbers: with ε = 0 its x̂ is always ±1"},
      {"remark.two_features", "{0} 只有两个不等的特征：ε = 0 时 LayerNorm 的 x̂ 总是 ±1",
       "{0} has two unequal features: with ε = 0 the x̂ of LayerNorm is always ±1"},
      {"remark.batch_of_two", "{0} 在批内只有两个不等的样本：ε = 0 时 x̂ 总是 ±1，改动其中一个数也不变",
       "{0} has two unequal samples in the batch: with ε = 0 their x̂ is always ±1, whatever the two numbers are"},
      {"remark.eps_effect", "{0}：ε 使 x̂ 缩短 {1}%", "{0}: ε makes x̂ shorter by {1}%"},
      {"remark.printed_root", "{0}：若用印出的根去除，{1}/{2} 得 {3}，而准确值是 {4}",
       "{0}: dividing by the root as printed, {1}/{2} gives {3}; the right digits are {4}"},
      {"remark.unused_divisor", "RMSNorm 不算方差，均方总是除以 d：--divisor n-1 不起作用",
       "RMSNorm has no variance and always divides the squares by d: --divisor n-1 changes nothing"},
      {"remark.shown_as_zero", "有不为 0 的数在四位小数下显示为 0.0000", "a number that is not 0 shows as 0.0000"},
      {"remark.more", "另有 {0} 处同样的情形", "and {0} more of the same"},
  };
  return table;
}

}  // namespace normtrace::words
