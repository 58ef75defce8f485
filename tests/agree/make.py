#!/usr/bin/env python3
"""Random inputs and every number normtrace must show for them, one JSON object a line:

    python3 tests/agree/make.py > tests/agree/random.jsonl

The seed is fixed, and only `Random.random()` is used, whose sequence Python keeps from version to version, so that the
same bytes come out everywhere.  A line holds

    kind     what kind of input it is
    args     the command line, without --format json
    input    [name, numbers] a token: the exact form and the nearest double of each number
    eps      the same of the epsilon
    groups   a normalized group each: name, steps [[id, numbers], ...], check [status, norm_squared, expected, target]

and a number is [text, exact, value, rounded], or null where it is undefined; "=" instead of the numbers of a step (or
of one number) says that they are those before it.  The output by token is that of the step `output`, turned for
BatchNorm.
"""

import json
import random
import sys
from fractions import Fraction

import oracle

SEED = 20240229

# The program promises to pull the squares of all smaller primes out of a root; inputs that hold a larger one are drawn
# again.
LARGEST_SQUARE = 2**16

EPS = ["0", "0", "1e-5", "1e-6", "1e-3", "1e-12", "0.1", "0.00001", "1e-8", "1.1920928955078125e-07", "0.25", "3"]
DIGITS = [1, 2, 4, 5, 6, 7, 10, 15, 20, 30, 50]


class Dice:
    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def one_of(self, choices):
        return choices[self.below(len(choices))]

    def chance(self, percent):
        return self.below(100) < percent


dice = Dice(SEED)


def scaled(count, places):
    """count / 10**places as it is typed, with its trailing zeros."""
    if places == 0:
        return str(count)
    sign = "-" if count < 0 else ""
    digits = str(abs(count)).rjust(places + 1, "0")
    return sign + digits[:-places] + "." + digits[-places:]


def decimal(places, size):
    return lambda: scaled(dice.between(-size * 10**places, size * 10**places), places)


def small_integer():
    return str(dice.between(-9, 9))


def mixed_decimal():
    return scaled(dice.between(-9999, 9999), dice.between(0, 3))


def fraction():
    return "%d/%d" % (dice.between(-20, 20), dice.one_of([2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 25]))


def with_exponent(low, high):
    return lambda: scaled(dice.between(-999, 999), dice.between(0, 2)) + "e" + str(dice.between(low, high))


def around(offset, step, places):
    """Numbers that differ little on top of a large mean."""
    return lambda: scaled(offset * 10**places + step * dice.between(-20, 20), places)


def one_power(low, high):
    """All numbers of an input times the same power of ten."""

    def draw():
        exponent = dice.between(low, high)
        return lambda: scaled(dice.between(-99, 99), dice.between(0, 1)) + "e" + str(exponent)

    return draw


def constant():
    value = dice.one_of(["3", "-2.5", "1/3", "0.001", "1e20", "7e-30"])
    return lambda: value


def offset():
    base = dice.one_of([1000, 10000, 40000, 6399968, 10**8, 10**12, 10**15])
    return around(base, 1, dice.one_of([0, 0, 1, 3]))


def large_square():
    """A prime too large for trial division and its negative: as standard deviation it is whole all the same."""
    prime = dice.one_of([1000003, 15485863, 999999937])
    pair = [str(-prime), str(prime)]
    return lambda: pair[dice.below(2)]


def prime_multiple():
    """Small numbers times one prime within the bound of the program's trial division."""
    prime = dice.one_of([1009, 4099, 16411, 32771, 65519, 65521])
    return lambda: str(prime * dice.between(-9, 9))


# Where the printed form changes, where a decimal is half-way between two others or between two doubles, and the ends of
# the range of a double.
EDGES = """
    999999999999999 999999999999999.4 999999999999999.9995 1e15 -1e15 1000000000000001 123456789012345678
    0.0005 -0.0005 0.00049999 0.0004 0.0009995 9.9995e-7 9.9994e-7 0.99999 -9.9996 0.9995 99.9995 1e-3 0.001 0.05 0.049
    1.005 0.125 -0.125 2.0005 -1.0015 4.35 2.675 0.1 0.3 1e22 1e23 9007199254740993 9007199254740995 -9007199254740997
    1.7976931348623157e308 1.797693134862315807e308 1.797693134862315808e308 -1.797693134862315808e308 1e400 -1e400
    5e-324 2.4703282292062327e-324 2.4703282292062328e-324 8.5e-320 2.2250738585072011e-308 -1e-400 1e-323
""".split()


def edge():
    return dice.one_of(EDGES)


def nice():
    """Vectors of integer standard deviation or RMS, in any order."""
    values = list(
        dice.one_of(
            [
                ["1", "3", "3", "9"],
                ["-1", "5", "5", "7"],
                ["1", "1", "7", "7"],
                ["-1", "-1", "7", "7"],
                ["-4", "2", "4", "5", "8"],
                ["-3", "0", "4", "6", "8"],
                ["1", "-5", "5", "7"],
                ["-6", "0", "2", "8"],
                ["-5", "1", "3", "9"],
            ]
        )
    )
    return lambda: values.pop(dice.below(len(values)))


def rounding_tie():
    """Whole multiples of 1/2**k, whose means and squares end in a 5."""
    return lambda: scaled(dice.between(-200, 200) * 5**3, 3)


# kind, how many inputs, what draws a value (once an input), number of features, most tokens
KINDS = [
    ("small integers", 360, lambda: small_integer, [2, 3, 4, 4, 5, 6], 3),
    ("one decimal", 100, lambda: decimal(1, 9), [3, 4, 5], 2),
    ("two decimals", 200, lambda: decimal(2, 9), [3, 4, 5], 2),
    ("three decimals", 200, lambda: decimal(3, 5), [2, 3, 4], 2),
    ("mixed decimals", 120, lambda: mixed_decimal, [3, 4, 5], 2),
    ("fractions", 180, lambda: fraction, [2, 3, 4], 2),
    ("ties", 150, rounding_tie, [2, 4, 4, 8], 2),
    ("big offset", 130, offset, [3, 4, 5], 2),
    ("tiny", 100, one_power(-40, -6), [2, 3, 4], 2),
    ("huge", 100, one_power(6, 40), [2, 3, 4], 2),
    ("beyond double", 8, one_power(150, 300), [2, 3], 2),
    ("mixed sizes", 80, lambda: with_exponent(-9, 9), [2, 3, 4], 3),
    ("constant", 60, constant, [1, 2, 3, 4], 3),
    ("zero", 30, lambda: lambda: dice.one_of(["0", "-0", "0.0", "0e5"]), [1, 2, 3, 4], 3),
    ("one feature", 80, lambda: mixed_decimal, [1], 5),
    ("two features", 80, lambda: mixed_decimal, [2], 4),
    ("nice", 60, nice, [4], 1),
    ("large square", 20, large_square, [2], 2),
    ("prime multiple", 30, prime_multiple, [3, 4], 2),
    ("edges", 100, lambda: edge, [1], 2),
    ("64 features", 10, lambda: decimal(dice.between(0, 3), 9), [64], 1),
]


def draw_affine(features):
    """Nothing, one number for all features, or one a feature: how it is typed, and a number a feature."""
    shape = dice.below(4)
    draw = dice.one_of([small_integer, decimal(1, 3), decimal(2, 2), fraction])
    if shape < 2:
        return None, None
    if shape == 2:
        text = draw()
        return text, [text] * features
    values = [draw() for _ in range(features)]
    return "[" + ",".join(values) + "]", values


def spelled(names, tokens, norm):
    """The vectors as shell words; a single flat vector would be one feature to `bn`, so it gets a second bracket."""
    rows = ["[" + ",".join(token) + "]" for token in tokens]
    if len(rows) == 1 and norm == "bn":
        return ["[" + rows[0] + "]"], ["t1"]
    if names:
        return [name + "=" + row for name, row in zip(names, rows)], names
    numbered = ["t%d" % (i + 1) for i in range(len(rows))]
    return (["[" + ",".join(rows) + "]"] if dice.chance(30) else rows), numbered


def exact(text):
    return Fraction(text)


def exact_and_value(text):
    value = oracle.Surd(exact(text))
    return [oracle.exact_form(value), oracle.nearest_double(value)]


def draw_case(kind, source, feature_counts, most_tokens):
    draw, features = source(), dice.one_of(feature_counts)
    norm = dice.one_of(["ln", "ln", "rms", "rms", "bn"])
    tokens = [[draw() for _ in range(features)] for _ in range(dice.between(1, most_tokens))]
    names = ["猫", "吃", "鱼", "cat", "x_5"][: len(tokens)] if dice.chance(25) else None
    words, names = spelled(names, tokens, norm)
    eps = dice.one_of(EPS)
    added = dice.chance(25)
    unbiased = norm != "rms" and dice.chance(25)
    gamma_text, gamma = draw_affine(features)
    beta_text, beta = draw_affine(features)
    digits = 3 if dice.chance(70) else dice.one_of(DIGITS[:6] if features > 8 else DIGITS)

    args = [norm] + words
    if eps != "0" or dice.chance(20):
        args += ["--eps", eps]
    if added:
        args += ["--eps-place", "added_to_root"]
    if unbiased:
        args += ["--divisor", "n-1"]
    if gamma_text:
        args += ["--gamma=" + gamma_text]
    if beta_text:
        args += ["--beta=" + beta_text]
    if digits != 3:
        args += ["--digits", str(digits)]

    groups = oracle.normalize(
        norm,
        [[exact(value) for value in token] for token in tokens],
        exact(eps),
        added,
        unbiased,
        gamma and [exact(value) for value in gamma],
        beta and [exact(value) for value in beta],
    )
    if any(group.largest_square > LARGEST_SQUARE for group in groups):
        return None
    group_names = ["f%d" % (j + 1) for j in range(features)] if norm == "bn" else names
    return {
        "kind": kind,
        "args": args,
        "input": [[name, [exact_and_value(value) for value in token]] for name, token in zip(names, tokens)],
        "eps": exact_and_value(eps),
        "groups": [written(name, group, digits) for name, group in zip(group_names, groups)],
    }


def without_repeats(values):
    return [values[0]] + ["=" if value == before else value for before, value in zip(values, values[1:])]


def written(name, group, digits):
    names = [step for step, _ in group.steps]
    values = [[oracle.num(value, digits) for value in values] for _, values in group.steps]
    check = [oracle.num(value, digits) for value in (group.norm_squared, group.expected, group.target)]
    return {
        "name": name,
        "steps": [list(step) for step in zip(names, without_repeats(values))],
        "check": [group.status] + without_repeats(check),
    }


def main():
    for kind, count, source, feature_counts, most_tokens in KINDS:
        while count:
            case = draw_case(kind, source, feature_counts, most_tokens)
            if case:
                sys.stdout.write(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n")
                count -= 1


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    main()
