"""Writes explain.jsonl: inputs, outputs as they are printed where the question was asked, and what the program must say first.

Every output is worked out here in 60 decimal digits (explain_rules.py) and rounded once; those that a person or a machine published
are written as they were published. Usage: make_explain.py > explain.jsonl"""

import json
from decimal import Decimal as D

from explain_machines import as_torch, bf16, f16
from explain_machines import layer as machine_layer
from explain_machines import rms as machine_rms
from explain_rules import (RULES, by_column, by_row, center, columns, grouped, layer, layer_added, mean, mean_square, over, printed, rms, rms_added,
                           rounded, squares, variance, whole)


def numbers(text):
    return [[D(x) for x in row.split()] for row in text.split("/")]


def flat(rows, places=None):
    return printed(rows, places or 0, "fixed" if places is not None else "exact")


cases = []


def case(name, x, y, wanted, *options, places=None, verdict=("explained",), stdin=None):
    """x: rows; y: rows or text as published."""
    words = [flat(numbers(x)) if x is not None else None]
    if y is not None:
        words.append(y if isinstance(y, str) else printed(y, places))
    cases.append({"name": name, "arguments": [w for w in words if w is not None] + list(options), "input": stdin or "",
                  "verdict": list(verdict), "first": wanted})


def rule(x, f, places):
    return printed(f(numbers(x)), places)


LN = {"norm": "layernorm", "divisor": "n", "slips": [], "mode": "training"}
LN1 = {"norm": "layernorm", "divisor": "n-1", "slips": []}
RMS = {"norm": "rmsnorm", "divisor": "n", "slips": []}
BN = {"norm": "batchnorm", "divisor": "n", "slips": [], "axis": "feature", "mode": "training"}
BN1 = {"norm": "batchnorm", "divisor": "n-1", "slips": [], "axis": "feature"}
either = ("explained", "ambiguous")


def eps(value, place, name=None):
    found = {"eps.place": place, "eps.value.value": float(value)}
    if name:
        found["eps.name"] = name
    return found


# ---- Questions that people really asked ----
case("one-hot row by the tutorial", "1 0 0 0", "[1.5000, -0.5000, -0.5000, -0.5000]", LN1)
case("one-hot row by the tutorial, zeros dropped", "1 0 0 0", "1.5,-0.5,-0.5,-0.5", LN1, verdict=either)
case("one-hot row by PyTorch", "1 0 0 0", "[1.7320, -0.5773, -0.5773, -0.5773]", {**LN, **eps("1e-5", "inside_root", "pytorch")})
case("one-hot row by the tutorial, all digits", "1 0 0 0", "1.499997000006 -0.499999000002 -0.499999000002 -0.499999000002".replace(" ", ","),
     {**LN1, **eps("1e-6", "added_to_root", "annotated-transformer")})
case("prefactor 1.1547", "0 1 2 3", "[-1.1619, -0.3873, 0.3873, 1.1619]", LN1)
for d in (2, 3, 4, 8, 64, 768):
    x = " ".join(str(D((i * 7919) % 1009 - 500) / 100) for i in range(d))
    case(f"n-1 at d = {d}", x, rule(x, by_row(layer(0, 1)), 4), LN1, verdict=either)
    case(f"n-1 at d = {d}, 6 digits", x, rule(x, by_row(layer("1e-5", 1)), 6), {"norm": "layernorm", "divisor": "n-1", "slips": []}, verdict=either)
table = "1 1/2 2/3 4/4 72"
case("columns by scikit-learn", table, rule(table, by_column(layer()), 8), BN)
case("columns by pandas", table, rule(table, by_column(layer(0, 1)), 6), BN1)
case("one column by pandas", "1 2 3 4", "-1.161895,-0.387298,0.387298,1.161895", BN1, "--norm", "bn")
case("std + eps", "1 2 3 4", rule("1 2 3 4", by_row(layer_added("1e-12", 1)), 9), LN1)
case("root of (std + eps)", "1 2 3 4", "-1.320167605,-0.440055868,0.440055868,1.320167605", {"norm": "layernorm", "divisor": "n-1", "slips": ["root_twice"]})
case("one tiny number, eps inside", "0.00003", "0.2873478856", {**RMS, **eps("1e-8", "inside_root")}, verdict=either)
case("one tiny number, cut off", "0.00003", "0.28", {"norm": "rmsnorm"}, "--eps", "1e-8", verdict=("explained", "ambiguous", "rounding_only"))
case("one tiny number, eps outside", "0.00003", "0.99966678", {**RMS, **eps("1e-8", "added_to_root")}, verdict=either)
case("eps added to the count", "1 2 3 4/2 2 2 2",
     "[[-1.341642463549809, -0.4472141545166029, 0.4472141545166029, 1.341642463549809], [nan, nan, nan, nan]]",
     {"norm": "layernorm", **eps("1e-5", "added_to_count")})
for m, first, wanted in (("0", "-1.3416", LN), ("100", "-1.3415", {"slips": ["float32_input"]}), ("1000", "-1.3415", {"slips": ["float32_input"]}),
                         ("10000", "-1.3313", {"slips": ["float32_input"]})):
    import struct
    x = [D(m) + D(i) / 1000 for i in range(16)]
    stored = x if m == "0" else [D(struct.unpack("f", struct.pack("f", float(v)))[0]) for v in x]
    y = layer("1e-5")(stored)
    case(f"16 steps of 0.001 at {m}", " ".join(str(v) for v in x), printed([y], 4 if m in ("0", "10000") else 6), wanted, verdict=either)
for value, name in (("1.1920928955078125e-07", "pytorch"), ("0.0009765625", "float16_eps"), ("0.0078125", "bfloat16_eps")):
    case(f"half precision, eps {value}", "0.01 0.02 0.03 0.04", rule("0.01 0.02 0.03 0.04", by_row(rms(value)), 10), {**RMS, **eps(value, "inside_root", name)})
for value, name in (("1e-12", "bert"), ("1e-5", "pytorch"), ("1e-3", "keras")):
    case(f"BERT with eps {value}", "0.02 -0.01 0.03 0", rule("0.02 -0.01 0.03 0", by_row(layer(value)), 12), {**LN, **eps(value, "inside_root", name)})
rows = "-2 2 -2 2 -2 2/-2 0 2 -2 0 2/2 2 2 2 2 2/0 1 2 3 4 5"
case("eps never used", rows, "[[-1, 1, -1, 1, -1, 1], [-1.22474, 0, 1.22474, -1.22474, 0, 1.22474], [nan, nan, nan, nan, nan, nan], [-1.46385, -0.87831, -0.29277, 0.29277, 0.87831, 1.46385]]",
     {**LN, "eps.place": "none"})
case("eps used", rows, rule("-2 2 -2 2 -2 2/-2 0 2 -2 0 2/0 1 2 3 4 5", by_row(layer("1e-5")), 6).replace("], [-1.463848", "], [0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000], [-1.463848"),
     {**LN, **eps("1e-5", "inside_root", "pytorch")})
images = [[[[v] * 3] * 3] * 2 for v in (1, 2, 3, 4) for _ in range(4)]
for number, divisor in (("1.0259", "n-1"), ("1.0250", "n")):
    cases.append({"name": f"running_var {number}", "arguments": [json.dumps(images), "--running-var", number], "input": "", "verdict": ["explained"],
                  "first": {"norm": "batchnorm", "divisor": divisor}})
case("momentum 1, then eval", "2 2 -4", "0.57735,0.57735,-1.15470", BN1, "--norm", "bn")
case("momentum 1, training", "2 2 -4", "0.707106,0.707106,-1.414213", BN, "--norm", "bn")
steps = "0 1 2 3 4/5 6 7 8 9/10 11 12 13 14"
case("running_var from n-1", steps, None, {"norm": "batchnorm", "divisor": "n-1"}, "--running-var", "3.4000")
case("running_var from n", steps, None, {"norm": "batchnorm", "divisor": "n"}, "--running-var", "2.5667")
case("running_mean", steps, None, {"norm": "batchnorm"}, "--running-mean", "[0.5, 0.6, 0.7, 0.8, 0.9]")
case("a column of 3.4's batch", steps, rule(steps, by_column(layer("1e-5")), 4), BN)
case("Keras, plain", "1 2 3 4", None, {"norm": "batchnorm", "divisor": "n", "momentum.value": 0.01}, "--running-var", "1.0025")
case("Keras, fused", "1 2 3 4", None, {"norm": "batchnorm", "divisor": "n-1", "momentum.value": 0.01}, "--running-var", "1.006666667")
for option, number, wanted in (("--running-mean", "4", {"slips": ["cumulative"]}), ("--running-var", "9.3333", {"slips": ["cumulative"], "divisor": "n-1"}),
                               ("--running-mean", "1.122", {"momentum.value": 0.1}), ("--running-var", "3.411", {"momentum.value": 0.1, "divisor": "n-1"})):
    case(f"three batches, {option} {number}", None, None, {"norm": "batchnorm", **wanted}, option, number, "-f", "-", stdin="1,3\n---\n2,6\n---\n3,9\n", verdict=either)
case("a trained Keras layer", "1 5", "0.79519051,4.17485714", {"norm": "batchnorm", "mode": "inference", "slips": []}, "--norm", "bn", "--gamma", "0.80644524",
     "--running-mean", "0.05885344", "--running-var", "0.91000736", "--eps", "0.001", verdict=("explained", "rounding_only"))
case("the same by the batch", "1 5", "-0.999875,0.999875", {**BN, **eps("1e-3", "inside_root", "keras")}, "--norm", "bn")
case("a batch of one", "0.3 -1.2 2.5", "[[0, 0, 0]]", BN, "--norm", "bn", verdict=either)
case("a batch of one in eval mode", "0.3 -1.2 2.5", "[[0.29999850, -1.19999400, 2.49998750]]", {"norm": "batchnorm", "mode": "inference", **eps("1e-5", "inside_root", "pytorch")}, "--norm", "bn")
case("a batch of one by LayerNorm", "0.3 -1.2 2.5", rule("0.3 -1.2 2.5", by_row(layer("1e-5")), 6), {**LN, **eps("1e-5", "inside_root", "pytorch")})
padded = "1 2 3 4 5 0 0 0 0 0"
case("mean with padding", padded, None, {"slips": []}, "--mean", "1.5", "--variance", "3.25", verdict=either)
case("mean without padding", padded, None, {"slips": ["padding_left_out"]}, "--mean", "3.0", "--variance", "2.0", verdict=either)
right = layer("1e-5")([D(i) for i in range(1, 6)])
counted = layer("1e-5")(numbers(padded)[0])
case("padding counted, five numbers", "1 2 3 4 5", printed([counted[:5]], 4), {"slips": ["padding_counted"]}, "--norm", "bn")
case("padding counted, ten and five", padded, printed([counted[:5]], 4), {"norm": "batchnorm", "divisor": "n"}, "--norm", "bn", verdict=either)
case("padding left out, ten and five", padded, printed([right], 4), {"norm": "batchnorm", "divisor": "n"}, "--norm", "bn", verdict=either)
case("padding left out, ten and ten", padded, printed([right + [D(0)] * 5], 4), {"slips": ["padding_left_out"]}, "--norm", "bn", verdict=either)
case("the exercise sheet", "1 2 3 4 5 6", "[-1.4567, -0.8740, -0.2913, 0.2913, 0.8740, 1.4567]", None, verdict=("none",))
case("the exercise sheet, for BatchNorm", "1 2 3 4 5 6", "[-1.4567, -0.8740, -0.2913, 0.2913, 0.8740, 1.4567]", None, "--norm", "bn", verdict=("none",))
case("two batches of three", "1 2 3 4 5 6", "[-1.2247, 0.0000, 1.2247, -1.2247, 0.0000, 1.2247]", {"norm": "groupnorm", "divisor": "n"}, verdict=either)
block = [[[[D(((n * 3 + c) * 2 + h) * 2 + w) for w in range(2)] for h in range(2)] for c in range(3)] for n in range(2)]


def nested(x, f):
    return [nested(y, f) for y in x] if isinstance(x, list) else f(x)


def over_batch(positions):
    out = nested(block, lambda x: x)
    for group in positions:
        values = layer("1e-5")([block[n][c][h][w] for n, c, h, w in group])
        for (n, c, h, w), value in zip(group, values):
            out[n][c][h][w] = value
    return out


def show(x, places):
    return json.dumps(nested(x, lambda v: f"@{rounded(v, places)}@")).replace('"@', "").replace('@"', "")


alone = over_batch([[(n, c, h, w) for n in range(2)] for c in range(3) for h in range(2) for w in range(2)])
together = over_batch([[(n, c, h, w) for n in range(2) for h in range(2) for w in range(2)] for c in range(3)])
instance = over_batch([[(n, c, h, w) for h in range(2) for w in range(2)] for c in range(3) for n in range(2)])
whole_sample = over_batch([[(n, c, h, w) for c in range(3) for h in range(2) for w in range(2)] for n in range(2)])
for name, out, wanted in (("over the batch axis alone", alone, {"norm": "batchnorm", "slips": ["batch_axis_only"]}),
                          ("over batch and positions", together, {"norm": "batchnorm", "slips": [], "axis": "feature"}),
                          ("over positions", instance, {"norm": "instancenorm", "slips": []}),
                          ("over a whole sample", whole_sample, {"norm": "layernorm", "slips": []})):
    cases.append({"name": name, "arguments": [show(block, 0), show(out, 6)], "input": "", "verdict": ["explained", "ambiguous"], "first": wanted})
case("gamma used", "1 2 3 4", "-2.1822,-0.3941,1.3941,3.1822", {**BN, "affine": "as_given", **eps("1e-3", "inside_root", "keras")}, "--norm", "bn", "--gamma", "2", "--beta", "0.5")
case("gamma fixed to 1", "1 2 3 4", "-0.8411,0.0530,0.9470,1.8411", {**BN, "affine": "ignored"}, "--norm", "bn", "--gamma", "2", "--beta", "0.5")
case("RMSNorm, right", "1 2 3 4", "0.36514837,0.73029674,1.09544511,1.46059349", RMS)
case("divided by rsqrt", "1 2 3 4", "2.73861279,5.47722558,8.21583837,10.95445116", {"norm": "rmsnorm", "slips": ["multiplied"]})
case("RMSNorm of [3, 4]", "3 4", "0.8485,1.1314", RMS)
case("L2-normalize alone", "3 4", "0.6,0.8", {"norm": "l2", "slips": []}, verdict=either)
case("times 1/sqrt(d)", "3 4", "0.4243,0.5657", {"norm": "l2", "slips": ["one_over_sqrt_d"]}, verdict=either)
case("mean 0: cannot tell", "0.5 -0.3 0.2 -0.4", "1.3608,-0.8165,0.5443,-1.0887", {"slips": []}, verdict=("ambiguous",))
case("LayerNorm for Llama", "1.5 0.7 1.2 0.6", "1.3608,-0.8165,0.5443,-1.0887", {**LN}, verdict=either)
case("LayerNorm where RMSNorm was meant", "1.5 0.7 1.2 0.6", "1.3608,-0.8165,0.5443,-1.0887", {"norm": "layernorm", "divisor": "n"}, "--norm", "rms", verdict=either)
case("RMSNorm where it was meant", "1.5 0.7 1.2 0.6", "1.4080,0.6571,1.1264,0.5632", RMS)
case("Llama's order of cast and weight", "1 2 3 4", "0.10955810546875,1.2421875,2.521484375,1.314453125", {"norm": "rmsnorm", "slips": ["llama_cast"]}, "--gamma", "0.3,1.7,2.3,0.9", "--eps", "1e-6", verdict=either)
case("Gemma's order of cast and weight", "1 2 3 4", "0.10955810546875,1.2412109375,2.51953125,1.314453125", {"norm": "rmsnorm", "slips": ["gemma_cast"]}, "--gamma", "0.3,1.7,2.3,0.9", "--eps", "1e-6", verdict=either)
case("very large", "3e200 4e200", "0.848528137423857,1.131370849898476", RMS)
case("very small", "3e-200 4e-200", "0.848528137423857,1.131370849898476", RMS)
case("very large by LayerNorm", "3e200 4e200", "-1,1", {"norm": "layernorm"}, verdict=either)
eight = "1 2 3 4 5 6 7 8"
case("pRMSNorm, half", eight, rule(eight, by_row(lambda v: over(v, mean_square(v[:4]).sqrt())), 6), {"norm": "rmsnorm", "slips": ["partial"]})
case("pRMSNorm, one", eight, "1,2,3,4,5,6,7,8", {"norm": "none"}, verdict=either)
case("pRMSNorm, all", eight, rule(eight, by_row(rms()), 6), RMS)
cases.append({"name": "InstanceNorm with one position", "arguments": ["[[[0.2],[0.7],[0.1]],[[0.9],[0.4],[0.6]]]", "[[[0],[0],[0]],[[0],[0],[0]]]"], "input": "",
              "verdict": ["explained", "ambiguous"], "first": {"slips": []}})
cases.append({"name": "InstanceNorm in eval mode", "arguments": ["[[[0.2],[0.7],[0.1]],[[0.9],[0.4],[0.6]]]", "[[[0.199999],[0.6999965],[0.0999995]],[[0.8999955],[0.399998],[0.599997]]]"],
              "input": "", "verdict": ["explained", "ambiguous"], "first": {"mode": "inference", **eps("1e-5", "inside_root")}})
case("one feature", "1e6", "3", {"norm": "layernorm", "slips": []}, "--gamma", "2", "--beta", "3", verdict=either)
case("gamma by feature", "1 2 3 4", "-1.341635,-0.794424,0.223606,-1.141635", {**LN, "affine": "as_given"}, "--gamma", "1,2,0.5,-1", "--beta", "0,0.1,0,0.2")
case("gamma one number", "1 2 3 4", "-2.683271,-0.894424,0.894424,2.683271", LN, "--gamma", "2")
lesson = "0.5 -1.2 3.3 0.8 -0.5/2.0 -0.7 1.2 -3.5 0.6"
case("all 16 digits of a float64", lesson, "[[-0.05210195320817495, -1.159268458881893, 1.771466409077949, 0.1432803713224812, -0.7033763683103621], "
     "[1.081105321539628, -0.3222525477666199, 0.6652955824859249, -1.777586634454581, 0.3534382781956476]]", {**LN, **eps("1e-5", "inside_root", "pytorch")})
z = "1 2 3/2 0 4/0 -1 2/1 1 5"
affine = ("--gamma", "1,0.5,2", "--beta", "0,1,-1")


def with_affine(rows):
    gamma, beta = [D(1), D("0.5"), D(2)], [D(0), D(1), D(-1)]
    return [[g * x + b for x, g, b in zip(row, gamma, beta)] for row in by_column(layer("1e-5"))(rows)]


case("BatchNorm with gamma and beta", z, printed(with_affine(numbers(z)), 6), {**BN, **eps("1e-5", "inside_root", "pytorch")}, *affine)
moved = "12 14 16/14 10 18/10 8 14/12 12 20"
case("BatchNorm of 2z + 10", moved, printed(with_affine(numbers(moved)), 6), {**BN, **eps("1e-5", "inside_root", "pytorch")}, *affine)
case("NaN from one pass", "40000 40001 40002 40003", "nan,nan,nan,nan", {"norm": "layernorm", "slips": ["one_pass_variance"]}, verdict=either)
case("NaN from one pass, twice", "80000 80001 80002 80003", "[nan, nan, nan, nan]", {"norm": "layernorm", "slips": ["one_pass_variance"]}, verdict=either)
case("40000, right", "40000 40001 40002 40003", "-1.3416,-0.4472,0.4472,1.3416", LN)
case("one pass, no NaN", "2000.0 2000.5 1998.0 2001.5", printed([over(center(numbers("2000.0 2000.5 1998.0 2001.5")[0]), (D("1.5") + D("1e-5")).sqrt())], 4), {"norm": "layernorm", "slips": ["one_pass_variance"]}, verdict=either)
case("mean 2000, right", "2000.0 2000.5 1998.0 2001.5", "0.0000,0.3922,-1.5689,1.1767", LN)
far = " ".join(str(6399968 + i) for i in range(32))
case("consecutive numbers near 6.4 million", far, rule(far, by_row(layer("1e-5")), 4), LN)
case("0.001 times [1, 2, 3, 4]", "0.001 0.002 0.003 0.004", "-0.4472,-0.1491,0.1491,0.4472", {**LN, **eps("1e-5", "inside_root", "pytorch")}, verdict=either)
case("Add & Norm from two prints", "-0.2353 1.4278 0.6270 -2.6982 -1.6530 -0.2671 0.7658 0.0280", "[0.0121, 1.3344, 0.6977, -1.9460, -1.1150, -0.0131, 0.8082, 0.2215]", LN, verdict=("rounding_only",))

# ---- A vector under the conventions, and the mistakes that students make ----
cat = "1 2 3 4"
case("猫: Keras", cat, "[-1.3411, -0.4470, 0.4470, 1.3411]", {**LN, **eps("1e-3", "inside_root", "keras")})
case("猫: AI by Hand", cat, "[-1.1610, -0.3870, 0.3870, 1.1610]", {**LN1, **eps("1e-3", "added_to_root", "ai-by-hand")}, verdict=either)
case("猫: rms_scaling", cat, "[0.8941, 1.7881, 2.6822, 3.5763]", {"norm": "layernorm", "slips": ["not_centered"], **eps("1e-3", "inside_root")}, verdict=either)
case("猫: F.normalize", cat, "[0.1826, 0.3651, 0.5477, 0.7303]", {"norm": "l2", "slips": []})
batch = "1 2 3 4/2 0 -2 4/-1 1 -1 1"
case("猫 吃 鱼: down the columns", batch, rule(batch, by_column(layer()), 4), BN)
case("猫 吃 鱼: along the rows", batch, rule(batch, by_row(layer()), 4), LN)
for name, f, wanted in (
    ("divided by the variance", lambda v: over(center(v), variance(v)), {"norm": "layernorm", "slips": ["no_root"]}),
    ("deviations only", center, {"norm": "layernorm", "slips": ["not_divided"]}),
    ("x/std", lambda v: over(v, variance(v).sqrt()), {"norm": "layernorm", "slips": ["not_centered"]}),
    ("centred over RMS", lambda v: over(center(v), mean_square(v).sqrt()), {"norm": "layernorm", "slips": ["rms_not_std"]}),
    ("not divided by d", lambda v: over(center(v), squares(center(v)).sqrt()), {"norm": "layernorm", "slips": ["sum_not_mean"]}),
    ("root of the std", lambda v: over(center(v), variance(v).sqrt().sqrt()), {"norm": "layernorm", "slips": ["root_twice"]}),
    ("min and max", lambda v: [(x - min(v)) / (max(v) - min(v)) for x in v], {"norm": "minmax", "slips": []}),
    ("std rounded to 1.12", lambda v: over(center(v), D("1.12")), {"norm": "layernorm", "slips": ["rounded_midway"]}),
    ("std rounded to 1.1", lambda v: over(center(v), D("1.1")), {"norm": "layernorm", "slips": ["rounded_midway"]}),
    ("RMS without root", lambda v: over(v, mean_square(v)), {"norm": "rmsnorm", "slips": ["no_root"]}),
    ("RMS over d - 1", rms(0, 1), {"norm": "rmsnorm", "divisor": "n-1", "slips": []}),
    ("mean of |x|", lambda v: over(v, mean([abs(x) for x in v])), {"norm": "rmsnorm", "slips": ["mean_abs"]}),
    ("multiplied", lambda v: [x * mean_square(v).sqrt() for x in v], {"norm": "rmsnorm", "slips": ["multiplied"]}),
    ("RMS rounded to 2.74", lambda v: over(v, D("2.74")), {"norm": "rmsnorm", "slips": ["rounded_midway"]}),
    ("RMS rounded to 2.7", lambda v: over(v, D("2.7")), {"norm": "rmsnorm", "slips": ["rounded_midway"]}),
):
    for digits in (3, 4):
        case(f"猫: {name}, {digits} digits", cat, rule(cat, by_row(f), digits), wanted, verdict=either)
case("猫: sign", cat, "[1.342, 0.447, -0.447, -1.342]", {"norm": "layernorm", "slips": ["sign"]}, verdict=either)
case("another order", "1 3 4 9", rule("4 1 9 3", by_row(layer()), 4), {"norm": "layernorm", "slips": ["permuted"]}, verdict=either)
case("gamma forgotten", cat, rule(cat, by_row(layer()), 4), {"norm": "layernorm", "affine": "ignored"}, "--gamma", "1,2,1,0.5")
case("1 + gamma", cat, printed([[x * (1 + g) for x, g in zip(rms()(numbers(cat)[0]), map(D, ("0.1", "0.2", "-0.1", "0.5")))]], 4), {"norm": "rmsnorm", "affine": "one_plus"}, "--gamma", "0.1,0.2,-0.1,0.5", verdict=either)
case("beta before gamma", cat, printed([[(x + b) * g for x, g, b in zip(layer()(numbers(cat)[0]), map(D, "1 2 1 0.5".split()), map(D, "0.1 0.2 0.3 0.4".split()))]], 4),
     {"norm": "layernorm", "affine": "beta_first"}, "--gamma", "1,2,1,0.5", "--beta", "0.1,0.2,0.3,0.4", verdict=either)
case("gamma and beta swapped", cat, printed([[x * b + g for x, g, b in zip(layer()(numbers(cat)[0]), map(D, "1 2 1 0.5".split()), map(D, "0.1 0.2 0.3 0.4".split()))]], 4),
     {"norm": "layernorm", "affine": "swapped"}, "--gamma", "1,2,1,0.5", "--beta", "0.1,0.2,0.3,0.4", verdict=either)
case("float16: squares overflow", "256 0 0 0", "0,0,0,0", {"norm": "rmsnorm", "slips": ["float16_overflow"]}, verdict=either)
case("鱼: nobody can tell", "-1 1 -1 1", "[-1., 1., -1., 1.]", {"norm": "layernorm", "divisor": "n", "slips": []}, verdict=("ambiguous",))
case("stored mean over columns", batch, None, {"norm": "batchnorm"}, "--mean", "[0.667, 1, 0, 3]", verdict=either)
case("stored std", cat, None, {"divisor": "n-1"}, "--std", "1.2910")
case("stored std, n", cat, None, {"divisor": "n"}, "--std", "1.1180", verdict=either)
case("given statistics not used", "1 2 3 4", rule("1 2 3 4", by_row(layer("1e-5")), 6), {"norm": "batchnorm", "mode": "training", "slips": ["fresh_statistics"]}, "--norm", "bn", "--running-mean", "0.5", "--running-var", "2", verdict=either)
for entry in ("ln n-1 no root", "ln n-1 sign", "ln n-1 not centred", "bn n-1 sign", "whole n-1"):
    f, wanted, _ = RULES[entry]
    case(f"two at once: {entry}", "3 1 4 1 5/9 2 6 5 3/5 8 9 7 9", printed(f(numbers("3 1 4 1 5/9 2 6 5 3/5 8 9 7 9")), 4), wanted, verdict=either)

# ---- As machines print: float32 by NumPy, half types by PyTorch ----
F32 = "float32 as NumPy prints it"
case(F32, "1 2 3 4", "[-1.3416355  -0.44721183  0.44721183  1.3416355 ]", {**LN, **eps("1e-5", "inside_root", "pytorch")}, verdict=("rounding_only",))
case(F32 + ", repeated", "4 5 8 4 8", "[-0.9819791  -0.43643513  1.2001966  -0.9819791   1.2001966 ]", {**LN, **eps("1e-5", "inside_root", "pytorch")}, verdict=("rounding_only",))
case(F32 + ", decimals", "3.1 2.7 -8.5 -1.6 -1.6 0.6", "[ 1.0287873   0.9254781  -1.967179   -0.18509562 -0.18509562  0.3831049 ]", LN, verdict=("rounding_only",))
case(F32 + ", not times the largest square", "4 -4 0 9", "[ 0.36342183 -1.297935   -0.4672566   1.4017699 ]", {**LN, **eps("1e-5", "inside_root", "pytorch")}, verdict=("rounding_only",))
case(F32 + ", RMSNorm", "0 -6 -7 -4 -9", "[ 0. -0.9944903 -1.1602387 -0.66299355 -1.4917355 ]", RMS, verdict=("rounding_only",))
case(F32 + ", Flax", "1 2 3 4", "[-1.3416402 -0.4472134  0.4472134  1.3416402]", {**LN, **eps("1e-6", "inside_root", "flax")}, verdict=("explained", "rounding_only"))
named = ("rounding_only", "explained")
for kind, kept, text in (("float16", f16, "float16"), ("bfloat16", bf16, "bfloat16")):
    for x in ((1.0, 2.0, 3.0, 4.0), (0.3, -1.7, 2.2, 0.9)):
        inputs = [[kept(v) for v in x]]
        for name, f, wanted in (("LayerNorm", machine_layer, LN), ("RMSNorm", machine_rms, RMS)):
            out = [[kept(v) for v in f(inputs[0], 1e-5)]]
            cases.append({"name": f"{name} of {x} kept in {kind}", "arguments": [as_torch(inputs, text), as_torch(out, text)], "input": "",
                          "verdict": ["rounding_only", "explained", "ambiguous"], "first": wanted})
case("whole matrix, default eps", "1 2 3 4/2 0 -2 4/-1 1 -1 2",
     "[[-0.1332,0.3997,0.9326,1.4656],[0.3997,-0.6662,-1.7320,1.4656],[-1.1991,-0.1332,-1.1991,0.3997]]", {"norm": "whole", "divisor": "n", "slips": [], **eps("1e-5", "inside_root")})

# ---- How the two are given ----
for x in ("1 2 3 4", "1, 2, 3, 4", "1;2;3;4", "x = [1, 2, 3, 4]", "np.array([1, 2, 3, 4])"):
    cases.append({"name": f"given as {x}", "arguments": [x, "[-1.3416, -0.4472, 0.4472, 1.3416]"], "input": "", "verdict": ["explained"], "first": LN})
cases.append({"name": "eight words", "arguments": "1 2 3 4 -1.3416 -0.4472 0.4472 1.3416".split(), "input": "", "verdict": ["explained"], "first": LN})
cases.append({"name": "the output on standard input", "arguments": ["1,2,3,4", "-"], "input": "-1.3416 -0.4472 0.4472 1.3416\n", "verdict": ["explained"], "first": LN})

# ---- Padding, rounding midway, another order ----
PADDED = {"norm": "rmsnorm", "slips": ["padding_counted"]}
for x, zeros in (("1 2 3", 1), ("1 2 3", 3), ("0.5 -1.2 3.3", 5), ("0.31 -1.72 2.26 0.93 1.41", 2)):
    case(f"RMSNorm with {zeros} zeros", x, rule(x, by_row(lambda v: rms()(v + [D(0)] * zeros)[:len(v)]), 4), PADDED, verdict=either)
case("n-1 with padding", "1 2 3 4 5", rule("1 2 3 4 5", by_row(lambda v: layer(0, 1)(v + [D(0)] * 2)[:5]), 4), {"norm": "layernorm", "divisor": "n-1", "slips": ["padding_counted"]})
case("n+1", "1 2 4 9", rule("1 2 4 9", by_row(lambda v: over(center(v), (squares(center(v)) / (len(v) + 1)).sqrt())), 4), {"norm": "layernorm", "slips": ["n_plus_one"]}, verdict=either)
case("mean, variance and deviation to 2 decimals", "0.31 -1.72 2.26 0.93 1.41", "[-0.2463, -1.7612, 1.2090, 0.2164, 0.5746]", {"norm": "layernorm", "slips": ["rounded_midway"]})
case("n-1, deviation to 2 decimals", "1 2 3 4", "-1.1628,-0.3876,0.3876,1.1628", {"norm": "layernorm", "divisor": "n-1", "slips": ["rounded_midway"]}, verdict=either)
three = "1 2 4/3 1 7/9 4 4"
for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
    for name, f in (("LayerNorm", by_row(layer())), ("BatchNorm", by_column(layer()))):
        rows = f(numbers(three))
        case(f"{name}, rows {order}", three, printed([rows[i] for i in order], 4), {"slips": ["permuted"], "norm": name.lower()}, verdict=either)
        case(f"{name}, columns {order}", three, printed([[r[i] for i in order] for r in rows], 4), {"slips": ["permuted"], "norm": name.lower()}, verdict=either)
for name, f in (("LayerNorm", by_row(layer())), ("BatchNorm", by_column(layer()))):
    case(f"{name}, square and transposed", three, printed(columns(f(numbers(three))), 4), {"slips": ["transposed"], "norm": name.lower()}, verdict=either)

# ---- What is not a norm, or one with something more ----
case("softmax", cat, "0.0321,0.0871,0.2369,0.6439", {"norm": "none", "slips": ["softmax"]})
case("x over its sum", "1 -2 3 4", rule("1 -2 3 4", by_row(lambda v: over(v, sum(v))), 4), {"norm": "none", "slips": ["over_sum"]})
case("a tenth", "1 2 3 4 5", "0.10,0.20,0.30,0.40,0.50", {"norm": "none", "slips": ["scaled"]}, verdict=either)
case("times 2.5", "1 2 3 4", rule("1 2 3 4", by_row(lambda v: [D("2.5") * y for y in layer()(v)]), 4), {"norm": "layernorm", "slips": ["scaled"]}, verdict=either)
case("2.5 times and 1 more", "1 2 4 9", rule("1 2 4 9", by_row(lambda v: [D("2.5") * y + 1 for y in layer()(v)]), 4), {"norm": "layernorm", "slips": ["scaled", "shifted"]})
case("T-scores", "1 2 4 9", rule("1 2 4 9", by_row(lambda v: [50 + 10 * y for y in layer()(v)]), 2), {"norm": "layernorm", "slips": ["scaled", "shifted"]}, verdict=either)
case("one gamma for all", "1 2 3 4", "[[-2.6833,-0.8944,0.8944,2.6833]]", {"norm": "layernorm", "affine": "ignored"}, "--gamma", "1,2,0.5,-1", "--beta", "0,0.1,0,0.2", verdict=either)
case("exchanged", None, None, {"norm": "layernorm", "slips": ["exchanged"]}, "-1.3416,-0.4472,0.4472,1.3416", "1,2,3,4", verdict=either)
weights, biases = [D(v) for v in "1 2 0.5 3".split()], [D(v) for v in "0.1 0.2 0.3 0.4".split()]
with_weights = ("--gamma", "1,2,0.5,3", "--beta", "0.1,0.2,0.3,0.4")
x_hat = layer()([D(v) for v in (1, 2, 4, 9)])
case("minus beta", "1 2 4 9", printed([[g * x - b for g, x, b in zip(weights, x_hat, biases)]], 4), {"norm": "layernorm", "slips": ["beta_subtracted"]}, *with_weights)
case("beta twice", "1 2 4 9", printed([[g * x + 2 * b for g, x, b in zip(weights, x_hat, biases)]], 4), {"norm": "layernorm", "slips": ["beta_twice"]}, *with_weights)
weighted = layer()([D(v) * g for v, g in zip((1, 2, 4, 9), weights)])
case("gamma before the norm", "1 2 4 9", printed([[x + b for x, b in zip(weighted, biases)]], 4), {"norm": "layernorm", "slips": ["gamma_first"]}, *with_weights)
case("two numbers: nobody can tell", "3 7", "[-1,1]", {"norm": "layernorm"}, verdict=("ambiguous",))
case("inside or outside: nobody can tell", "1 0 0 0", "1.499997,-0.499999,-0.499999,-0.499999", LN1, verdict=("ambiguous",))
case("whole numbers", "1 2 3 4", "[-1, 0, 0, 1]", LN, verdict=("ambiguous",))
case("one digit mistyped", "1 2 3 4", "-1.161895,-0.387298,0.387298,1.161859", None, verdict=("none",))
case("a row of NaN", "1 2 3/300 400 500", "[[-1.2247,0,1.2247],[nan,nan,nan]]", None, verdict=("none",))

# ---- NaN, infinity, zero ----
case("centred over 0", "1 2 3", "tensor([-inf, nan, inf])", {"norm": "layernorm", "slips": ["divided_by_zero"]})
case("x over 0", "1 2 3", "inf inf inf", {"norm": "rmsnorm", "slips": ["divided_by_zero"]})
case("all zero: a batch of one", "1 2 3", "[0.,0.,0.]", {"norm": "batchnorm", "slips": ["batch_of_one"]})
case("all zero: a batch of one, asked for", "1 2 3", "[0.,0.,0.]", {"norm": "batchnorm", "slips": ["batch_of_one"]}, "--norm", "bn")

# ---- Stored numbers ----
case("a mean", cat, None, {"norm": "layernorm", "slips": []}, "--mean", "2.5")
case("the root mean square as std", "2.1 3.7 -0.4 5.2", None, {"slips": ["not_centered"]}, "--std", "3.3653", verdict=either)
case("the mean with five zeros", "1 2 3 4 5", None, {"slips": ["padding_counted"]}, "--mean", "1.5")
case("the variance with five zeros", "1 2 3 4 5", None, {"slips": ["padding_counted"], "divisor": "n"}, "--variance", "3.25")
case("one pass below 0", "40000 40001 40002 40003", None, {"slips": ["one_pass_variance"]}, "--variance=-128")
case("one pass below 0, twice", "80000 80001 80002 80003", None, {"slips": ["one_pass_variance"]}, "--variance=-512")
case("one pass", "2000 2000.5 1998 2001.5", None, {"slips": ["one_pass_variance"]}, "--variance", "1.5", verdict=either)
case("two steps on one batch", steps, None, {"norm": "batchnorm", "divisor": "n-1", "momentum.value": 0.1}, "--running-var", "5.56", verdict=either)

for entry in cases:
    print(json.dumps(entry, ensure_ascii=False))
