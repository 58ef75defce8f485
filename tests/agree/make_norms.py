#!/usr/bin/env python3
"""The other norms and BatchNorm's two modes, one JSON object a line:

    python3 tests/agree/make_norms.py > tests/agree/norms.jsonl

Every line holds

    norm     which formula below
    input    nested arrays of numbers as typed, of the shape that the formula names
    options  what else the formula needs, as typed; what is absent is eps 0, gamma 1, beta 0, divisor n
    digits   the decimals of every text
    expect   what comes out, by name, nested as the input where it is one number for each

A divisor is called std or rms: the root with eps in it.  A number is [text, exact, value, rounded] as in random.jsonl,
or null where it is undefined.  `exact` is null for a number outside the field a + b*sqrt(c); its text and value are then
proved by 120 decimal digits.

The formulas, in the order of their steps (eps stands inside the root everywhere, the variance divides by the count):

    gn        (N, C) or (N, C, L): sample n, group g of G: channels g*C/G .. (g+1)*C/G - 1 at all positions share mean
              and variance; gamma and beta have one number a channel.  statistics: by sample, by group
    in        (N, C, L): sample and channel share them, over L; gamma and beta one a channel
    ln_axes   the last k axes share them, row by row of the axes before; gamma and beta have those axes' flat length
    bn_first  (N, C, L): channel c over N and L;  bn_last: (N, L, C) likewise;  gamma and beta one a channel
    partial   (d): mean square of the first k = ceil(p*d) numbers only (at least one); all d are divided by its root
    one_plus  (d): RMSNorm times (1 + gamma)
    residual  (d): x + residual first, number by number, then LayerNorm or RMSNorm of the sum
    hybrid    (d): gamma*(alpha*RMSNorm(x) + (1 - alpha)*LayerNorm(x)), both with the same eps
    adaptive  (d): gamma*RMSNorm(x)*sigmoid(alpha*s), s the standard deviation of x with n - 1 (without eps)
    monitor   (N, d): r = root of the mean square of all N*d numbers, without eps; running from 1,
              running = (1 - m)*running + m*r, the same input repeated `times`
    training  batches of (N, C): each normalized by its own statistics (divisor n); after batch k
                  meaning "new":        running = (1 - m)*running + m*batch        (PyTorch)
                  meaning "old":        running = m*running + (1 - m)*batch        (Keras)
                  meaning "cumulative": running = (1 - 1/k)*running + (1/k)*batch, k from 1
              for the mean, from 0, and the variance, from 1, whose batch value divides by `stored`, n or n-1;
              inference: the last batch again, x_hat = (x - running_mean)/root(running_var + eps)
    inference (N, C): the same with given running_mean and running_var
"""

import decimal
import json
import math
import sys
from fractions import Fraction

import oracle
from make import Dice, EPS, decimal as decimal_of, fraction, small_integer
from oracle import Surd

decimal.getcontext().prec = 150
decimal.getcontext().Emax = 10**6
decimal.getcontext().Emin = -(10**6)
PROVED = 120

dice = Dice(20250317)


# ---------------------------------------------------------------- numbers


def exact(values):
    return [exact(value) for value in values] if isinstance(values, list) else Fraction(values)


def flat(values):
    return [x for value in values for x in flat(value)] if isinstance(values, list) else [values]


def like(shape, values):
    """The flat values, nested as `shape` is."""
    source = iter(values)

    def fill(part):
        return [fill(inner) for inner in part] if isinstance(part, list) else next(source)

    return fill(shape)


def to_decimal(x):
    def quotient(fraction_):
        return decimal.Decimal(fraction_.numerator) / decimal.Decimal(fraction_.denominator)

    return quotient(x.a) + quotient(x.b) * decimal.Decimal(x.c).sqrt()


def written(values, digits):
    """Surds exactly; decimals, which lie outside the field, without an exact form."""
    if isinstance(values, list):
        return [written(value, digits) for value in values]
    if isinstance(values, decimal.Decimal):
        text, _, value, _ = oracle.num(Surd(Fraction(+round_to(values))), digits)
        return [text, None, value, 1]
    return oracle.num(values if values is None or isinstance(values, Surd) else Surd(values), digits)


def round_to(value):
    return decimal.Context(prec=PROVED, Emax=10**6, Emin=-(10**6)).plus(value)


def sum_of(a, b):
    """The sum of two surds, or its decimals when their roots differ."""
    if a is None or b is None:
        return None
    try:
        return a + b
    except ValueError:
        return to_decimal(a) + to_decimal(b)


def undefined(values):
    return any(value is None for value in values)


# ---------------------------------------------------------------- formulas


def grouped(shape, channels, members, options, names=("mean", "variance", "std")):
    """Normalizes the flat positions `members` of each group together; `channels` says which gamma a position has."""
    x = flat(exact(shape))
    eps = exact(options.get("eps", "0"))
    gamma, beta = exact(options.get("gamma") or ["1"]), exact(options.get("beta") or ["0"])
    normalized, output = [None] * len(x), [None] * len(x)
    statistics = []
    for group in members:
        made = oracle.Group(
            [x[i] for i in group],
            True,
            eps,
            False,
            False,
            [gamma[channels[i] % len(gamma)] for i in group],
            [beta[channels[i] % len(beta)] for i in group],
        )
        steps = dict(made.steps)
        statistics.append({name: steps[name][0] for name in names})
        for i, value, out in zip(group, steps["normalized"], steps["output"]):
            normalized[i], output[i] = value, out
    return statistics, {"normalized": like(shape, normalized), "output": like(shape, output)}


def columns(statistics, rows):
    """Statistics a group, listed by name; nested in so many rows."""
    per_row = len(statistics) // rows
    return {
        name: [[s[name] for s in statistics[r * per_row : (r + 1) * per_row]] for r in range(rows)]
        for name in statistics[0]
    }


def shape_of(values):
    return [len(values)] + shape_of(values[0]) if isinstance(values, list) else []


def gn(values, options):
    n, c, *rest = shape_of(values)
    length, groups = math.prod(rest), options["groups"]
    wide = c // groups * length
    members = [list(range(g * wide, (g + 1) * wide)) for g in range(n * groups)]
    channels = [i // length % c for i in range(n * c * length)]
    statistics, result = grouped(values, channels, members, options)
    return {**columns(statistics, n), **result}


def instance(values, options):
    return gn(values, {**options, "groups": shape_of(values)[1]})


def ln_axes(values, options):
    shape = shape_of(values)
    wide = math.prod(shape[-options["axes"] :])
    count = math.prod(shape) // wide
    members = [list(range(g * wide, (g + 1) * wide)) for g in range(count)]
    statistics, result = grouped(values, [i % wide for i in range(count * wide)], members, options)
    return {**columns(statistics, 1), **result}


def bn_axes(values, options, channel_axis):
    shape = shape_of(values)
    inner = math.prod(shape[channel_axis + 1 :])
    channels = [i // inner % shape[channel_axis] for i in range(math.prod(shape))]
    members = [[i for i, c in enumerate(channels) if c == channel] for channel in range(shape[channel_axis])]
    statistics, result = grouped(values, channels, members, options)
    return {**columns(statistics, 1), **result}


def rms(x, eps, gamma, beta):
    return dict(oracle.normalize("rms", [x], eps, gamma=gamma, beta=beta)[0].steps)


def row_options(values, options):
    d = len(values)
    gamma = exact(options.get("gamma") or ["1"] * d)
    beta = exact(options.get("beta") or ["0"] * d)
    return exact(values), exact(options.get("eps", "0")), gamma, beta


def partial(values, options):
    x, eps, gamma, beta = row_options(values, options)
    k = max(1, math.ceil(exact(options["p"]) * len(x)))
    mean_square = sum(value**2 for value in x[:k]) / k
    root, _ = oracle.square_root(mean_square + eps)
    normalized = [oracle.divided(Surd(value), root) for value in x]
    return {
        "k": k,
        "mean_square": [mean_square],
        "rms": [root],
        "normalized": normalized,
        "output": [None if v is None else v * Surd(g) + Surd(b) for v, g, b in zip(normalized, gamma, beta)],
        "norm_squared": [None if root.is_zero() else Surd(sum(value**2 for value in x)) / (root * root)],
    }


def one_plus(values, options):
    x, eps, gamma, beta = row_options(values, options)
    steps = rms(x, eps, [1 + g for g in gamma], beta)
    return {name: steps[name] for name in ("rms", "normalized", "output")}


def residual(values, options):
    x, eps, gamma, beta = row_options(values, options)
    total = [a + b for a, b in zip(x, exact(options["residual"]))]
    steps = dict(oracle.normalize(options["then"], [total], eps, gamma=gamma, beta=beta)[0].steps)
    return {"sum": total, "normalized": steps["normalized"], "output": steps["output"]}


def hybrid(values, options):
    x, eps, gamma, _ = row_options(values, options)
    alpha = exact(options["alpha"])
    ones, zeros = [Fraction(1)] * len(x), [Fraction(0)] * len(x)
    by_rms = rms(x, eps, ones, zeros)["normalized"]
    by_ln = dict(oracle.normalize("ln", [x], eps)[0].steps)["normalized"]
    mixed = [
        None if r is None or l is None else sum_of(r * Surd(alpha * g), l * Surd((1 - alpha) * g))
        for r, l, g in zip(by_rms, by_ln, gamma)
    ]
    result = {"rmsnorm": by_rms, "layernorm": by_ln, "output": mixed}
    if not undefined(mixed) and "gamma" not in options:
        parts = [to_decimal(v) if isinstance(v, Surd) else v for v in mixed]
        result["norm"] = [sum(v * v for v in parts).sqrt()]
    return result


def adaptive(values, options):
    x, eps, gamma, _ = row_options(values, options)
    base = rms(x, eps, gamma, [Fraction(0)] * len(x))["output"]
    spread = oracle.Group(x, True, Fraction(0), False, True, gamma, gamma)
    deviation = dict(spread.steps)["std"][0]
    if deviation is None or undefined(base):
        return {"std": [deviation], "output": [None] * len(x)}
    score = deviation * Surd(exact(options["alpha"]))
    if score.is_zero():  # the sigmoid of 0 is in the field
        half = Surd(Fraction(1, 2))
        return {"std": [deviation], "factor": [half], "output": [v * half for v in base]}
    factor = 1 / (1 + (-to_decimal(score)).exp())
    output = [v if v.is_zero() else to_decimal(v) * factor for v in base]
    return {"std": [deviation], "factor": [factor], "output": output}


def monitor(values, options):
    x = flat(exact(values))
    root, _ = oracle.square_root(sum(value**2 for value in x) / len(x))
    momentum, running, seen = Surd(exact(options["momentum"])), Surd(1), []
    for _ in range(options["times"]):
        running = running * (Surd(1) + momentum * Surd(-1)) + momentum * root
        seen.append(running)
    return {"rms": [root], "running": seen}


def weights(options, k):
    """How much of the old running value and of the batch's is kept after batch k."""
    if options["meaning"] == "cumulative":
        return Fraction(k - 1, k), Fraction(1, k)
    m = exact(options["momentum"])
    return (1 - m, m) if options["meaning"] == "new" else (m, 1 - m)


def training(batches, options):
    features = len(batches[0][0])
    mean, variance, result = [Fraction(0)] * features, [Fraction(1)] * features, []
    for k, batch in enumerate(batches, 1):
        rows = exact(batch)
        old, new = weights(options, k)
        gamma, beta = options.get("gamma"), options.get("beta")
        groups = oracle.normalize(
            "bn", rows, exact(options.get("eps", "0")), gamma=gamma and exact(gamma), beta=beta and exact(beta)
        )
        steps = [dict(group.steps) for group in groups]
        count = len(rows) - 1 if options["stored"] == "n-1" else len(rows)
        stored = [sum(value.a for value in step["squares"]) / count for step in steps]
        mean = [old * before + new * step["mean"][0].a for before, step in zip(mean, steps)]
        variance = [old * before + new * batch_value for before, batch_value in zip(variance, stored)]
        result.append(
            {
                "mean": [step["mean"][0] for step in steps],
                "variance": [step["variance"][0] for step in steps],
                "stored_variance": stored,
                "output": [list(row) for row in zip(*(step["output"] for step in steps))],
                "running_mean": mean,
                "running_var": variance,
            }
        )
    return {"batches": result, "inference": inferred(exact(batches[-1]), mean, variance, options)}


def inferred(rows, mean, variance, options):
    eps = exact(options.get("eps", "0"))
    gamma = exact(options.get("gamma") or ["1"] * len(mean))
    beta = exact(options.get("beta") or ["0"] * len(mean))
    roots = [oracle.square_root(v + eps)[0] for v in variance]
    return [
        [
            None if root.is_zero() else Surd(x - m) / root * Surd(g) + Surd(b)
            for x, m, root, g, b in zip(row, mean, roots, gamma, beta)
        ]
        for row in rows
    ]


def inference(values, options):
    mean, variance = exact(options["running_mean"]), exact(options["running_var"])
    return {"output": inferred(exact(values), mean, variance, options)}


FORMULAS = {
    "gn": gn,
    "in": instance,
    "ln_axes": ln_axes,
    "bn_first": lambda values, options: bn_axes(values, options, 1),
    "bn_last": lambda values, options: bn_axes(values, options, len(shape_of(values)) - 1),
    "partial": partial,
    "one_plus": one_plus,
    "residual": residual,
    "hybrid": hybrid,
    "adaptive": adaptive,
    "monitor": monitor,
    "training": training,
    "inference": inference,
}


# ---------------------------------------------------------------- inputs


def published():
    """The articles' tokens and the questions' inputs, whose printed results are known."""
    tokens = [["1", "2", "3", "4"], ["2", "0", "-2", "4"], ["-1", "1", "-1", "1"]]
    eight = [str(i) for i in range(1, 9)]
    image = [[[str(n * 12 + c * 4 + i) for i in range(4)] for c in range(3)] for n in range(2)]
    for token in tokens:
        for alpha in ("0", "0.25", "0.5", "0.9", "1"):
            yield "hybrid", token, {"alpha": alpha}
        yield "hybrid", token, {"alpha": "0.5", "eps": "1e-5"}
        yield "adaptive", token, {"alpha": "1"}
        yield "adaptive", token, {"alpha": "1", "eps": "1e-5"}
        yield "adaptive", [value + "0" for value in token], {"alpha": "1"}
        yield "one_plus", token, {"gamma": ["1", "0", "0", "-0.5"], "eps": "1e-6"}
    yield "hybrid", ["1", "1", "7", "7"], {"alpha": "0.5"}
    yield "hybrid", ["3", "3", "3", "3"], {"alpha": "0.5"}
    yield "hybrid", ["3", "3", "3", "3"], {"alpha": "0.5", "eps": "1e-5"}
    yield "adaptive", ["3", "3", "3", "3"], {"alpha": "1"}
    yield "adaptive", ["3"], {"alpha": "1"}
    yield "monitor", tokens, {"momentum": "0.1", "times": 5}
    yield "monitor", tokens, {"momentum": "0.1", "times": 38}
    for p in ("0.5", "0.0625", "1", "0.3"):
        yield "partial", eight, {"p": p}
    yield "partial", ["0", "0", "3", "4"], {"p": "0.5"}
    yield "partial", ["0", "0", "3", "4"], {"p": "0.5", "eps": "1e-6"}
    yield "residual", ["-1.4464", "-1.0357", "-0.4356", "-1.9942", "-0.5325", "-0.4291", "-0.4998", "-0.3973"], {
        "residual": ["1.2111", "2.4635", "1.0626", "-0.7040", "-1.1205", "0.1620", "1.2656", "0.4253"],
        "then": "ln",
        "eps": "1e-5",
    }
    yield "bn_first", image, {"eps": "1e-5"}
    yield "in", [[["0.2"], ["0.7"], ["0.1"]], [["0.9"], ["0.4"], ["0.6"]]], {"eps": "1e-5"}
    yield "in", [[["0.2"], ["0.7"], ["0.1"]], [["0.9"], ["0.4"], ["0.6"]]], {}
    torch = {"momentum": "0.1", "meaning": "new", "stored": "n-1"}
    yield "training", [[["1"], ["3"]]], torch
    yield "training", [[["1"], ["3"]]], {**torch, "eps": "1e-5"}
    yield "training", [[["2"], ["2"], ["-4"]]], {**torch, "momentum": "1", "eps": "1e-5"}
    grid = [[str(5 * n + i) for i in range(5)] for n in range(3)]
    for stored in ("n", "n-1"):
        yield "training", [grid], {**torch, "stored": stored, "eps": "1e-5"}
        yield "training", [[["1"], ["2"], ["3"], ["4"]]], {"momentum": "0.99", "meaning": "old", "stored": stored}
    three = [[["1"], ["3"]], [["2"], ["6"]], [["3"], ["9"]]]
    yield "training", three, {"meaning": "cumulative", "stored": "n-1"}
    yield "training", three, torch
    yield "inference", [["1"], ["5"]], {
        "running_mean": ["0.05885344"],
        "running_var": ["0.91000736"],
        "gamma": ["0.80644524"],
        "eps": "0.001",
    }
    yield "inference", [["0.3", "-1.2", "2.5"]], {
        "running_mean": ["0", "0", "0"],
        "running_var": ["1", "1", "1"],
        "eps": "1e-5",
    }


def drawn_numbers(*sizes):
    draw = dice.one_of([small_integer, decimal_of(1, 9), decimal_of(2, 4), fraction])

    def fill(rest):
        return [fill(rest[1:]) for _ in range(rest[0])] if rest else draw()

    return fill(sizes)


def with_affine(count, options, beta=True):
    if dice.chance(50):
        options["gamma"] = drawn_numbers(count)
    if beta and dice.chance(50):
        options["beta"] = drawn_numbers(count)
    options["eps"] = dice.one_of(EPS[:10])
    return options


def random_cases():
    for _ in range(25):
        groups, per_group = dice.between(1, 3), dice.between(1, 3)
        c, n, length = groups * per_group, dice.between(1, 2), dice.between(1, 3)
        yield "gn", drawn_numbers(n, c), with_affine(c, {"groups": groups})
        yield "gn", drawn_numbers(n, c, length), with_affine(c, {"groups": groups})
        yield "in", drawn_numbers(n, c, length), with_affine(c, {})
        yield "ln_axes", drawn_numbers(n, 2, length), with_affine(2 * length, {"axes": 2})
        yield "ln_axes", drawn_numbers(n, 2, length), with_affine(2 * length * n, {"axes": 3})
        yield "bn_first", drawn_numbers(n, 2, length), with_affine(2, {})
        yield "bn_last", drawn_numbers(n, length, 3), with_affine(3, {})
        yield "bn_first", drawn_numbers(n, 2, 2, length), with_affine(2, {})
        d = dice.between(1, 6)
        yield "partial", drawn_numbers(d), with_affine(d, {"p": dice.one_of(["0.1", "0.25", "0.5", "0.75", "1/3"])})
        yield "one_plus", drawn_numbers(d), with_affine(d, {})
        yield "residual", drawn_numbers(d), with_affine(
            d, {"residual": drawn_numbers(d), "then": dice.one_of(["ln", "rms"])}
        )
        yield "hybrid", drawn_numbers(d), with_affine(d, {"alpha": dice.one_of(["0.5", "0.1", "1/3", "0.75"])}, False)
        yield "adaptive", drawn_numbers(d), with_affine(d, {"alpha": dice.one_of(["1", "0.5", "-1", "2"])}, False)
        features = dice.between(1, 2)
        meaning = dice.one_of(["new", "old", "cumulative"])
        options = {"meaning": meaning, "stored": dice.one_of(["n", "n-1"])}
        if meaning != "cumulative":
            options["momentum"] = dice.one_of(["0.1", "0.5", "0.9", "0.99", "1/3"])
        batches = [drawn_numbers(dice.between(2, 4), features) for _ in range(dice.between(1, 3))]
        yield "training", batches, with_affine(features, options)
        variances = [str(dice.between(1, 40)) + "/10" for _ in range(features)]
        given = {"running_mean": drawn_numbers(features), "running_var": variances}
        yield "inference", drawn_numbers(dice.between(1, 3), features), with_affine(features, given)


def line(norm, values, options, digits):
    def deep(value):
        if isinstance(value, dict):
            return {key: deep(inner) for key, inner in value.items()}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return [deep(inner) for inner in value]
        return value if isinstance(value, int) else written(value, digits)

    return {
        "norm": norm,
        "input": values,
        "options": options,
        "digits": digits,
        "expect": deep(FORMULAS[norm](values, options)),
    }


def main():
    for norm, values, options in published():
        for digits in (3, 30):
            print(json.dumps(line(norm, values, options, digits), separators=(",", ":")))
    for norm, values, options in random_cases():
        digits = 30 if norm in ("hybrid", "adaptive") else 3
        print(json.dumps(line(norm, values, options, digits), separators=(",", ":")))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    main()
