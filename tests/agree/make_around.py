#!/usr/bin/env python3
"""What the commands around the norm print, from 90-digit decimals, one JSON object a line:

    python3 tests/agree/make_around.py > tests/agree/around.jsonl

Every line holds

    args     the command line
    section  the name of a section of its JSON
    item     the id of an item there
    values   its values, 60 digits each

Roads other than the program's: derivatives are central differences with h = 10^-25 (good to 45 digits), angles solve
cos x = c by Newton's method, parameters are counted matrix by matrix.
"""

import json
import random
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 90
D = Decimal
TINY = D(10) ** -80


def decimal(x):
    return D(x.numerator) / D(x.denominator) if isinstance(x, Fraction) else D(x)


def typed(vector):
    return ",".join(str(x) for x in vector)


def line(args, section, item, values):
    values = values if isinstance(values, list) else [values]
    print(json.dumps({"args": args, "section": section, "item": item,
                      "values": [format(v, ".60e") for v in values]},
                     ensure_ascii=False))


# --- softmax

def softmax(scores):
    powers = [decimal(s).exp() for s in scores]
    return [p / sum(powers) for p in powers]


def softmax_lines(scores, times):
    args = ["softmax", typed(scores), "--times", str(times)]
    for section, factor in (("before", 1), ("after", times)):
        p = softmax([decimal(s) * D(factor) for s in scores])
        line(args, section, "weights", p)
        line(args, section, "slopes", [x * (1 - x) for x in p])


def attention_lines(query, keys, times, q_bias, k_bias):
    args = ["softmax", "--qk", typed(query), "--times", str(times), "--q-bias", typed(q_bias), "--k-bias", typed(k_bias)]
    args += ["k%d=%s" % (i, typed(key)) for i, key in enumerate(keys)]
    scores = {}
    for section, factor in (("before", 1), ("after", times)):
        q = [factor * (x - b) + b for x, b in zip(query, q_bias)]
        scores[section] = [sum(D(x) * D(factor * (y - b) + b) for x, y, b in zip(q, key, k_bias)) / D(len(q)).sqrt()
                           for key in keys]
        line(args, section, "scores", scores[section])
        line(args, section, "weights", softmax(scores[section]))


# --- residual

def residual_lines(a, b, layers):
    args = ["residual", "--j-norm", a, "--j-branch", b, "--layers", str(layers)]
    x, y = Fraction(a), Fraction(b)
    for section, factor in (("pre", 1 + x * y), ("post", x + x * y)):
        line(args, section, "layer_factor", decimal(factor))
        product = Fraction(1)
        for _ in range(layers):
            product *= factor
        line(args, section, "layers_factor", decimal(product))
    line(args, "stream", "stream_std", D(layers + 1).sqrt())


# --- params

def gpt2_block(width):
    matrices = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    return matrices, [(3 * width,), (width,), (4 * width,), (width,)] + [(width,)] * 4


def llama_block(width):
    inner = -(-int(2 * (4 * width) / 3) // 256) * 256
    return [(width, width)] * 4 + [(width, inner)] * 3, [(width,)] * 2


def count(shapes):
    total = 0
    for shape in shapes:
        n = 1
        for extent in shape:
            n *= extent
        total += n
    return total


def params_lines(args, block, width, layers, outside, share):
    matrices, vectors = block(width)
    total = count(outside) + layers * count(matrices + vectors)
    line(args, "model", "total_parameters", D(total))
    line(args, "norms", "rmsnorm_parameters", D((2 * layers + 1) * width))
    line(args, "model", share, D(100) * (2 * layers + 1) * width / total)
    linear = 2 * count(matrices)
    line(args, "operations", "linear_operations", D(linear))
    line(args, "operations", "rmsnorm_share", D(100) * 8 * width / linear)
    line(args, "operations", "layernorm_share", D(100) * 14 * width / linear)


def gpt2_lines(args, width, layers):
    outside = [(50257, width), (1024, width), (width,), (width,)]
    params_lines(["params"] + args, gpt2_block, width, layers, outside, "saved_share")


def llama_lines(name, width, layers):
    outside = [(32000, width), (32000, width), (width,)]
    params_lines(["params", name], llama_block, width, layers, outside, "norm_share")


# --- geometry

def cosine_of(x):
    term, total, k = D(1), D(1), 0
    while abs(term) > TINY:
        term *= -x * x / ((2 * k + 1) * (2 * k + 2))
        total += term
        k += 1
    return total


def sine_of(x):
    term, total, k = x, x, 0
    while abs(term) > TINY:
        term *= -x * x / ((2 * k + 2) * (2 * k + 3))
        total += term
        k += 1
    return total


def pi():
    """Twice the zero of cos between 1 and 2."""
    x = D("1.5707963")
    for _ in range(8):
        x += cosine_of(x) / sine_of(x)
    return 2 * x


PI = pi()


def degrees(c):
    import math
    x = D(math.acos(float(c)))
    for _ in range(10):
        x += (cosine_of(x) - c) / sine_of(x)
    return x * 180 / PI


def statistics(x):
    n = len(x)
    mu = sum(x) / n
    return mu, sum((v - mu) ** 2 for v in x) / n, sum(v * v for v in x) / n


def geometry_lines(x):
    args = ["geometry", "a=" + typed(x)]
    x = [decimal(v) for v in x]
    mu, variance, mean_square = statistics(x)
    line(args, "a", "projection", [v - mu for v in x])
    line(args, "a", "layernorm", [(v - mu) / variance.sqrt() for v in x])
    line(args, "a", "rmsnorm", [v / mean_square.sqrt() for v in x])
    if mu:
        line(args, "a", "cosine", (variance / mean_square).sqrt())
        line(args, "a", "angle", degrees((variance / mean_square).sqrt()))
        line(args, "a", "angle_to_ones", degrees(mu / mean_square.sqrt()))
    line(args, "a", "rmsnorm_mean", mu / mean_square.sqrt())
    line(args, "a", "largest_layernorm", D(len(x) - 1).sqrt())


def pair_lines(x, y):
    args = ["geometry", "a=" + typed(x), "b=" + typed(y)]
    rows = {"": ([decimal(v) for v in x], [decimal(v) for v in y])}
    outputs = []
    for v in rows[""]:
        mu, variance, mean_square = statistics(v)
        outputs.append(([(u - mu) / variance.sqrt() for u in v], [u / mean_square.sqrt() for u in v]))
    rows["_layernorm"] = (outputs[0][0], outputs[1][0])
    rows["_rmsnorm"] = (outputs[0][1], outputs[1][1])
    for name, (a, b) in rows.items():
        line(args, "a b", "distance" + name, sum((u - v) ** 2 for u, v in zip(a, b)).sqrt())
        dot = sum(u * v for u, v in zip(a, b))
        if dot:
            line(args, "a b", "cosine" + (name or "_before"),
                 dot / (sum(u * u for u in a).sqrt() * sum(v * v for v in b).sqrt()))


# --- gradient

def normalize(kind, x, eps, place, divisor):
    mu, variance, mean_square = statistics(x)
    v = mean_square if kind == "rms" else variance * len(x) / (len(x) - (divisor == "n-1"))
    s = v.sqrt() + eps if place == "added_to_root" else (v + eps).sqrt()
    return [(u - (0 if kind == "rms" else mu)) / s for u in x]


def derivative(f, x, i):
    h = D(10) ** -25
    above, below = list(x), list(x)
    above[i] += h
    below[i] -= h
    return (f(above) - f(below)) / (2 * h)


def gradient_lines(kind, x, upstream, gamma, eps, place="inside_root", divisor="n", form="plain"):
    args = ["gradient", kind, "a=" + typed(x), "--upstream", typed(upstream), "--gamma", typed(gamma), "--eps", eps,
            "--eps-place", place, "--divisor", divisor]
    if form != "plain":
        args += ["--gamma-form", form]
    x = [decimal(v) for v in x]
    g = [decimal(v) for v in upstream]
    w = [decimal(v) + (form == "one-plus") for v in gamma]
    forward = lambda z: normalize(kind, z, D(eps), place, divisor)
    loss = lambda z: sum(a * b * c for a, b, c in zip(g, w, forward(z)))
    # Digits that a difference cannot know are cut, so that what is 0 is 0.
    known = lambda v: D(0) if abs(v) < D(10) ** -42 else v
    section = "a"
    line(args, section, "d_input", [known(derivative(loss, x, i)) for i in range(len(x))])
    line(args, "parameters", "d_gamma", [a * b for a, b in zip(g, forward(x))])
    line(args, "parameters", "d_beta", g)
    if len(x) <= 6:  # longer ones are not shown
        line(args, section, "jacobian_row", [known(derivative(lambda z: forward(z)[0], x, i)) for i in range(len(x))])


def main():
    rng = random.Random(20)
    for d in ("0.5", "1", "1.5", "2"):
        softmax_lines([d, "0"], 4)
    for _ in range(12):
        softmax_lines([str(D(rng.randint(-400, 400)) / 100) for _ in range(rng.randint(2, 6))], rng.choice([2, 3, 4, -1]))
    for _ in range(8):
        d, n = rng.randint(1, 4), rng.randint(2, 3)
        vector = lambda: [rng.randint(-4, 4) for _ in range(d)]
        attention_lines(vector(), [vector() for _ in range(n)], 2, vector(), vector())
    for a, b, n in (("0.5", "0.2", 24), ("0.5", "0.5", 24), ("0.8", "0.2", 24), ("2", "0.5", 3), ("0.5", "-0.2", 24),
                    ("1", "0.1", 96), ("1/3", "0.7", 40), ("-1.5", "0.25", 7)):
        residual_lines(a, b, n)
    gpt2_lines(["gpt2"], 768, 12)
    gpt2_lines(["gpt2-medium"], 1024, 24)
    gpt2_lines(["gpt2-xl"], 1600, 48)
    gpt2_lines(["--width", "100", "--layers", "3"], 100, 3)
    for name, width, layers in (("llama-7b", 4096, 32), ("llama-13b", 5120, 40), ("llama-33b", 6656, 60),
                                ("llama-65b", 8192, 80)):
        llama_lines(name, width, layers)
    # The widths that the rule for SwiGLU gives, as the authors of LLaMA use them.
    for width, reduced, rounded in ((4096, 10922, 11008), (5120, 13653, 13824), (6656, 17749, 17920),
                                    (8192, 21845, 22016), (512, 1365, 1536)):
        args = ["params", "--family", "llama", "--width", str(width), "--layers", "1"]
        line(args, "swiglu", "reduced_width", D(reduced))
        line(args, "swiglu", "rounded_width", D(rounded))
    tokens = [[1, 2, 3, 4], [2, 0, -2, 4], [-1, 1, -1, 1]]
    for x in tokens + [[rng.randint(-9, 9) for _ in range(rng.randint(2, 6))] + [10] for _ in range(8)]:
        geometry_lines(x)
    for x, y in ((tokens[0], tokens[1]), (tokens[0], tokens[2]), (tokens[1], tokens[2]), ([1, 2, 3, 4], [2, 4, 6, 8])):
        pair_lines(x, y)
    for _ in range(24):
        n = rng.randint(3, 7)
        x = [rng.randint(-9, 9) for _ in range(n - 1)] + [10]
        gradient_lines(rng.choice(["ln", "rms"]), x, [rng.randint(-3, 3) for _ in x],
                       [str(D(rng.randint(-20, 20)) / 10) for _ in x], rng.choice(["0", "1e-5", "0.25"]),
                       rng.choice(["inside_root", "added_to_root"]), rng.choice(["n", "n-1"]))
    for kind in ("ln", "rms"):
        gradient_lines(kind, [1, 2, -4, 6], [1, -2, 0, 3], ["0.5", "-1.5", "0", "2"], "1e-5", form="one-plus")


main()
