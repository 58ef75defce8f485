"""LayerNorm of the vector in a file with Python's fractions: the same steps and fields as `normtrace ln --format json`,
with four decimals and ε = 1e-5. What the program is timed against."""
import json
import math
import sys
from fractions import Fraction

DIGITS = 4


def sign_of(value):
    return (value > 0) - (value < 0)


class Root:
    """b·√r, the form of x̂ when x is rational."""

    def __init__(self, coefficient, radicand):
        self.coefficient, self.radicand = coefficient, radicand


def scaled(value, scale):
    """⌊|value|·scale⌋ exactly."""
    if isinstance(value, Root):
        squared = value.coefficient ** 2 * value.radicand * scale * scale
        return math.isqrt(squared.numerator // squared.denominator)
    product = abs(value) * scale
    return product.numerator // product.denominator


def num(value):
    rational = not isinstance(value, Root)
    fits = rational and (10 ** DIGITS * value).denominator == 1
    half_up = (scaled(value, 2 * 10 ** DIGITS) + 1) // 2
    sign = "-" if (sign_of(value) if rational else sign_of(value.coefficient)) < 0 and half_up else ""
    digits = str(half_up).rjust(DIGITS + 1, "0")
    text = sign + digits[:-DIGITS] + "." + digits[-DIGITS:]
    if fits:
        text = text.rstrip("0").rstrip(".")
    if rational:
        exact, nearest = str(value), float(value)
    else:
        exact = "%s*sqrt(%d)" % (value.coefficient, value.radicand)
        nearest = float(Fraction(scaled(value, 2 ** 80), 2 ** 80)) * (1 if value.coefficient > 0 else -1)
    return {"text": text, "exact": exact, "value": nearest, "rounded": not fits}


def root_of(value):
    """√value as coefficient and radicand, squares of small primes pulled out."""
    radicand, coefficient = value.numerator * value.denominator, Fraction(1, value.denominator)
    for prime in (2, 3, 5, 7, 11, 13):
        while radicand % (prime * prime) == 0:
            radicand //= prime * prime
            coefficient *= prime
    return coefficient, radicand


def main():
    with open(sys.argv[1]) as file:
        words = file.read().strip("[] \n").split(", ")
    x = [Fraction(word) for word in words]
    eps = Fraction(1, 100000)
    count = len(x)
    mean = sum(x) / count
    deviations = [value - mean for value in x]
    squares = [value * value for value in deviations]
    variance = sum(squares) / count
    coefficient, radicand = root_of(variance + eps)
    normalized = [Root(value / (coefficient * radicand), radicand) for value in deviations]
    steps = [("mean", [mean], "(" + "+".join(words) + ")/%d" % count),
             ("deviations", deviations, ", ".join("%s-%s" % (word, num(mean)["text"]) for word in words)),
             ("squares", squares, ", ".join("(%s)²" % num(value)["text"] for value in deviations)),
             ("variance", [variance], "(" + "+".join(num(value)["text"] for value in squares) + ")/%d" % count),
             ("variance_eps", [variance + eps], "%s+1e-5" % num(variance)["text"]),
             ("std", [Root(coefficient, radicand)], "√(%s+1e-5)" % num(variance)["text"]),
             ("normalized", normalized, ", ".join("%s/√(…)" % num(value)["text"] for value in deviations)),
             ("output", normalized, "")]
    squared = sum(value.coefficient ** 2 * value.radicand for value in normalized)
    expected = sum(squares) / (variance + eps)
    print(json.dumps({
        "schema": 1, "command": "ln", "norm": "layernorm", "shape": [count],
        "input": [{"name": "t1", "values": [num(value) for value in x]}],
        "groups": [{"name": "t1",
                    "steps": [{"id": name, "substitution": substitution, "values": [num(value) for value in values]}
                              for name, values, substitution in steps],
                    "checks": [{"id": "norm_sqrt_d", "norm_squared": num(squared), "expected": num(expected)}]}],
        "output": [{"name": "t1", "values": [num(value) for value in normalized]}]}, ensure_ascii=False))


main()
