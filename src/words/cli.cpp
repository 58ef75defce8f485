#include "words/table.h"

namespace normtrace::words {

std::span<const Sentence> cli_sentences() {
  static constexpr Sentence table[] = {
      {"message.error", "错误：{0}", "error: {0}"},
      {"message.note", "注：{0}", "note: {0}"},

      {"file.read", "读不了文件 {0}：{1}", "cannot read {0}: {1}"},
      {"file.write", "写不了标准输出：{0}", "cannot write standard output: {0}"},
      {"input.type_vectors", "请输入向量，例如 猫=[1,2,3,4]，每行一个 token；写完按 Ctrl-D",
       "type vectors such as 猫=[1,2,3,4], one token a line, then press Ctrl-D"},

      {"usage.choice", "{0} 不认识 {1}", "{0} does not take {1}"},
      {"usage.choose_from", "可选：{0}", "choose from {0}"},
      {"usage.option_elsewhere", "{0} 没有选项 {1}", "{0} has no option {1}"},
      {"usage.unknown_option", "没有选项 {0}", "there is no option {0}"},
      {"usage.did_you_mean", "是不是想写 {0}？", "did you mean {0}?"},
      {"usage.did_you_mean_of", "是不是想写 {0}？可选：{1}", "did you mean {0}? choose from {1}"},
      {"usage.see_help", "用法见 normtrace {0} --help", "see normtrace {0} --help"},
      {"usage.value_missing", "{0} 后面缺少值（{1}）", "{0} has no value ({1})"},
      {"usage.twice", "{0} 写了两次", "{0} is given twice"},
      {"usage.twice_mend", "留下一个", "keep one of them"},
      {"usage.twice_file_mend", "留下一个；几个文件可以先用 cat 合起来",
       "keep one of them; several files can be joined with cat"},
      {"usage.is_file", "{0} 是文件，不是命令，也不是向量", "{0} is a file, not a command or a vector"},
      {"usage.is_file_mend", "读文件请写 -f {0}", "to read it, write -f {0}"},
      {"usage.other", "命令行读不懂（{0}）", "the command line cannot be read ({0})"},
      {"usage.unknown_command", "{0} 既不是命令，也不是向量", "{0} is neither a command nor a vector"},
      {"usage.command_or_vector", "命令见 normtrace --help；向量写作 {0}=1,2,3 或 [1,2,3]",
       "see normtrace --help for the commands; a vector is written {0}=1,2,3 or [1,2,3]"},
      {"usage.one_batch", "这里有 {0} 批数据（以 --- 分开），这条命令一次只算一批",
       "there are {0} {0:batch|batches} (parted by ---), and this command takes one"},
      {"usage.one_batch_mend", "去掉 --- 这一行，或把各批分开来算",
       "take out the line ---, or run the batches one by one"},
      {"usage.parameter_count", "有 {1} 个数，而特征有 {2} 个", "{1} {1:number|numbers} for {2} {2:feature|features}"},
      {"usage.parameter_count_mend", "给 1 个数，或给 {0} 个", "give one number, or {0}"},
      {"usage.digits", "--digits 不能是 {0}", "--digits cannot be {0}"},
      {"usage.digits_mend", "给 1 到 50 的整数", "give a whole number from 1 to 50"},
      {"usage.negative_eps", "ε 不能是负数", "ε cannot be negative"},
      {"usage.negative_eps_mend", "给 0 或正数，例如 1e-5", "give 0 or a positive number such as 1e-5"},
      {"usage.by_both", "--by-token 与 --by-feature 不能同时用", "--by-token and --by-feature exclude each other"},
      {"usage.by_both_mend", "留下一个", "keep one of them"},
      {"usage.unknown_norm", "没有名为 {0} 的归一化", "there is no norm called {0}"},
      {"usage.further_word", "“{0}”在这里没有用处", "{0} has no meaning here"},
      {"usage.further_word_mend", "去掉它；用法见 normtrace {0} --help", "take it out; see normtrace {0} --help"},
      {"usage.norm_first", "先写归一化的名字", "the name of a norm comes first"},
      {"usage.norm_first_mend", "例如 normtrace {0} ln 1 2 3", "as in normtrace {0} ln 1 2 3"},
      {"usage.unknown_example", "没有名为 {0} 的例子", "there is no example called {0}"},
      {"usage.list_examples", "normtrace example 列出全部例子", "normtrace example lists them all"},

      {"note.statistic_unused", "“{0}”读作统计量或参数，不作为 token；这里没有用到它，要用请写 {1}",
       "“{0}” is read as a statistic or parameter, not as tokens, and is not used; to use it, write {1}"},
      {"note.features_named", "特征的名字：{0}", "names of the features: {0}"},
      {"note.spread", "{0} 只有一个数，{1} 个特征都用它", "{0} is one number: it serves all {1} {1:feature|features}"},
      {"note.flat_is_feature", "读作一个特征在 {0} 个样本上的取值；若它是一个样本的 {0} 个特征，请加 --by-token",
       "read as one feature of {0} {0:sample|samples}; if it is one sample with {0} {0:feature|features}, add "
       "--by-token"},

      {"command.bn", "BatchNorm：每个特征用整批样本的均值和方差，逐步算出",
       "BatchNorm step by step: each feature by the mean and variance of the batch"},
      {"command.ln", "LayerNorm：每个 token 用自己的均值和方差，逐步算出",
       "LayerNorm step by step: each token by its own mean and variance"},
      {"command.rms", "RMSNorm：每个 token 用自己的均方根，逐步算出",
       "RMSNorm step by step: each token by its own root mean square"},
      {"command.compare", "几种归一化并排：汇总、统计量、检验、结论；直接写向量就是它",
       "the norms side by side: summary, statistics, checks, conclusions; what vectors alone do"},
      {"command.example", "文章里手算的例子；不写名字则列出全部",
       "a worked example of the articles; without a name, the list"},

      {"option.file", "从文件读向量，- 是标准输入", "read vectors from a file, - is standard input"},
      {"option.eps", "ε，十进制数，默认 0", "ε, a decimal; default 0"},
      {"option.gamma", "γ，一个数或每个特征一个，默认 1", "γ, one number or one a feature; default 1"},
      {"option.beta", "β，一个数或每个特征一个，默认 0", "β, one number or one a feature; default 0"},
      {"option.divisor", "方差除以 n 还是 n-1，默认 n", "what the variance is divided by; default n"},
      {"option.eps_place", "√(σ²+ε) 还是 σ+ε，默认前者", "√(σ²+ε) or σ+ε; default inside_root"},
      {"option.by_token", "单个向量是一个样本，不是一个特征", "a single vector is one sample, not one feature"},
      {"option.by_feature", "每个向量是一个特征", "each vector is one feature"},
      {"option.norms", "比较哪几种，默认 bn,ln,rms", "which norms; default bn,ln,rms"},
      {"option.digits", "小数位数，1 到 50；默认步骤 3 位，汇总 2 位（apply：默认最短而可还原）",
       "decimals, 1 to 50; default 3 in steps, 2 in the summary (apply: shortest that reads back)"},
      {"option.digits_3", "小数位数，1 到 50；默认 3", "decimals, 1 to 50; default 3"},
      {"option.digits_4", "小数位数，1 到 50；默认 4", "decimals, 1 to 50; default 4"},
      {"option.digits_5", "小数位数，1 到 50；默认 5", "decimals, 1 to 50; default 5"},
      {"option.format", "输出格式，默认 text", "output format; default text"},
      {"option.steps", "步骤的详略：full 含公式、准确形式与形状，brief 只有结果",
       "how much of the steps: full has formulas, exact forms and shapes, brief the result alone"},
      {"option.lang", "语言；默认取自 LC_ALL、LC_MESSAGES、LANG", "language; default from LC_ALL, LC_MESSAGES, LANG"},
      {"option.color", "是否用颜色；NO_COLOR 有效", "color; NO_COLOR is honoured"},
      {"option.help", "显示这份说明", "show this help"},

      {"exit.0", "完成", "Done; a degenerate input such as a constant token included."},
      {"exit.1", "所检验的答案或说法不成立", "An answer or claim that was checked is wrong."},
      {"exit.2", "用法或输入有误", "Bad usage or bad input."},
      {"exit.3", "文件读写失败", "A file could not be read or written."},

      {"help.paste",
       "normtrace 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1\n"
       "normtrace ln 1 2 3 4 --steps full\n"
       "normtrace example cat-eats-fish",
       "normtrace 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1\n"
       "normtrace ln 1 2 3 4 --steps full\n"
       "normtrace example cat-eats-fish"},
      {"help.name", "逐步、准确地计算 BatchNorm、LayerNorm、RMSNorm",
       "BatchNorm, LayerNorm and RMSNorm step by step, every digit proved"},
      {"help.synopsis", "[命令] [向量…] [选项]", "[COMMAND] [VECTORS…] [OPTIONS]"},
      {"help.what",
       "normtrace 逐步计算 BatchNorm、LayerNorm 和 RMSNorm。输入按十进制精确读入，\n"
       "每一位数字都有证明：没有舍入写 =，舍入过写 ≈。",
       "normtrace works out BatchNorm, LayerNorm and RMSNorm one step at a time. Inputs are\n"
       "exact decimals and every digit is proved: = where nothing was rounded, ≈ where it was."},
      {"help.usage", "用法：normtrace [命令] [向量…] [选项]", "usage: normtrace [COMMAND] [VECTORS…] [OPTIONS]"},
      {"help.commands", "命令：", "commands:"},
      {"help.vectors",
       "每个向量是一个 token：猫=1,2,3,4、[1, 2, 3]，或粘贴 NumPy、PyTorch、MATLAB、CSV 等写法。\n"
       "不写向量则读标准输入。",
       "Each vector is a token: 猫=1,2,3,4, [1, 2, 3], or a paste from NumPy, PyTorch, MATLAB, CSV …\n"
       "Without vectors, standard input is read."},
      {"help.more", "normtrace 命令 --help 列出该命令的选项。",
       "normtrace COMMAND --help lists the options of a command."},
      {"help.command_usage", "用法：normtrace {0}", "usage: normtrace {0}"},
      {"help.environment", "LC_ALL、LC_MESSAGES、LANG 决定语言；NO_COLOR 关闭颜色。",
       "LC_ALL, LC_MESSAGES and LANG choose the language; NO_COLOR turns color off."},
  };
  return table;
}

}  // namespace normtrace::words
