"""LayerNorm and RMSNorm as a machine computes them: every operation rounded to a type, in a stated order.

Types. float64, float32, float16 and bfloat16 (8 bits of precision, float32's exponents).  A result is the exact result
of one operation on the exact values of its operands, rounded once: to nearest, ties to even, with subnormal numbers,
and infinity from half a step above the largest number on.  NaN is what IEEE 754 says it is; zero has no sign here.

Notation. T is the type, A the accumulator's type (T, or float32), n the count as an exact whole number, which is never
itself rounded.  x, eps, gamma and beta are rounded to T once, from the decimals that were typed.  Each line below
rounds once, to T unless it says A:

    sum(t)       s = t[0] in A; then s = A(s + t[i]) for i = 1, 2, ... from left to right
    average(t)   T(A(sum(t) / n))                        (n - 1 where the divisor says so)
    squares(t)   t[i] * t[i]

    LayerNorm, two passes
        mean = average(x);  deviation[i] = x[i] - mean;  variance = average(squares(deviation))
    LayerNorm, one pass
        mean = average(x);  mean_of_squares = average(squares(x));  square_of_mean = mean * mean
        variance = mean_of_squares - square_of_mean;  deviation[i] = x[i] - mean
        with n - 1: then variance = variance * n;  variance = variance / (n - 1)
    both
        eps inside:  variance_eps = variance + eps;  std = root(variance_eps)         (eps = 0: std = root(variance))
        eps added:   root = root(variance);          std = root + eps                 (eps = 0: as above)
        normalized[i] = deviation[i] / std
    RMSNorm
        mean_square = average(squares(x));  mean_square_eps, rms as variance_eps, std;  normalized[i] = x[i] / rms
    both norms
        scaled[i] = normalized[i] * gamma[i] where gamma is given;  output[i] = scaled[i] + beta[i] where beta is given

Cast order.  "llama" and "gemma" widen x (already rounded to T) to float32 and do all of the above up to normalized in
float32 (eps rounded to float32, accumulation in float32).  gamma and beta are rounded to T as always. Then
        llama: normalized rounded to T; times gamma in T; plus beta in T
        gemma: normalized times gamma in float32; plus beta in float32; the result rounded to T once
"""

import math
import struct
from fractions import Fraction

INF = math.inf
NAN = math.nan


class Type:
    def __init__(self, precision, largest_exponent):
        self.precision = precision
        self.smallest = Fraction(2) ** (2 - largest_exponent - precision)  # the subnormal step
        self.limit = (Fraction(2) ** (precision + 1) - 1) * Fraction(2) ** (largest_exponent - precision)

    def round(self, x):
        """x is a Fraction, or an infinity or NaN, which stay."""
        if isinstance(x, float):
            return x
        if abs(x) >= self.limit:
            return INF if x > 0 else -INF
        step = self.smallest
        if x:
            step = max(step, Fraction(2) ** (exponent_of(abs(x)) + 1 - self.precision))
        return round(x / step) * step  # round() of a Fraction takes the even one of two equally near

    def root(self, x):
        """The correctly rounded square root of a value >= 0."""
        if isinstance(x, float) or x < 0:
            return x if x == INF else NAN
        if x == 0:
            return Fraction(0)
        # Enough bits below the last one kept, and one that says whether anything was cut off.
        bits = 2 * self.precision + 6
        shift = 2 * (bits - (exponent_of(x) // 2))
        scaled = x * Fraction(2) ** shift
        whole = math.isqrt(scaled.numerator // scaled.denominator)
        exact = Fraction(whole) ** 2 == scaled
        return self.round((Fraction(2 * whole) + (0 if exact else 1)) / Fraction(2) ** (shift // 2 + 1))


TYPES = {"float64": Type(53, 1023), "float32": Type(24, 127), "float16": Type(11, 15), "bfloat16": Type(8, 127)}


def exponent_of(x):
    """e with 2**e <= x < 2**(e + 1), for x > 0."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= Fraction(2) ** e else e - 1


def sign(x):
    return (x > 0) - (x < 0)


def add(t, a, b):
    if isinstance(a, float) or isinstance(b, float):
        specials = {value for value in (a, b) if isinstance(value, float)}
        return specials.pop() if len(specials) == 1 else NAN
    return t.round(a + b)


def subtract(t, a, b):
    return add(t, a, -b)


def multiply(t, a, b):
    if isinstance(a, float) or isinstance(b, float):
        return NAN if a != a or b != b or a == 0 or b == 0 else INF * sign(a) * sign(b)
    return t.round(a * b)


def divide(t, a, b):
    """A zero divisor counts as +0: what stands under a fraction bar here is never negative."""
    if a != a or b != b or (isinstance(a, float) and isinstance(b, float)):
        return NAN
    if isinstance(a, float):
        return a if b == 0 else a * sign(b)
    if isinstance(b, float):
        return Fraction(0)
    if b == 0:
        return INF * sign(a) if a else NAN
    return t.round(a / b)


def average(t, accumulator, terms, count):
    total = terms[0]
    for term in terms[1:]:
        total = add(accumulator, total, term)
    return t.round(divide(accumulator, total, Fraction(count)))


def squares(t, x):
    return [multiply(t, value, value) for value in x]


def root_with_eps(t, steps, names, spread, eps, added):
    """The divisor; `names` are those of the value under the root, the same with eps, and the root."""
    spread_name, root_name = names
    if eps == 0 or not added:
        if eps != 0:
            spread = add(t, spread, eps)
            steps[spread_name + "_eps"] = [spread]
        steps[root_name] = [t.root(spread)]
        return steps[root_name][0]
    steps[root_name] = [t.root(spread)]
    steps[root_name + "_eps"] = [add(t, steps[root_name][0], eps)]
    return steps[root_name + "_eps"][0]


def normalized_layernorm(t, a, x, eps, added, unbiased, one_pass):
    n = len(x)
    steps = {"mean": [average(t, a, x, n)]}
    mean = steps["mean"][0]
    steps["deviations"] = [subtract(t, value, mean) for value in x]
    if one_pass:
        steps["squares"] = squares(t, x)
        steps["mean_square"] = [average(t, a, steps["squares"], n)]
        steps["square_of_mean"] = [multiply(t, mean, mean)]
        variance = subtract(t, steps["mean_square"][0], steps["square_of_mean"][0])
        if unbiased:
            variance = divide(t, multiply(t, variance, Fraction(n)), Fraction(n - 1))
    else:
        steps["squares"] = squares(t, steps["deviations"])
        variance = average(t, a, steps["squares"], n - 1 if unbiased else n)
    steps["variance"] = [variance]
    divisor = root_with_eps(t, steps, ("variance", "std"), variance, eps, added)
    steps["normalized"] = [divide(t, value, divisor) for value in steps["deviations"]]
    return steps


def normalized_rmsnorm(t, a, x, eps, added):
    steps = {"squares": squares(t, x)}
    steps["mean_square"] = [average(t, a, steps["squares"], len(x))]
    divisor = root_with_eps(t, steps, ("mean_square", "rms"), steps["mean_square"][0], eps, added)
    steps["normalized"] = [divide(t, value, divisor) for value in x]
    return steps


def affine(t, values, gamma, beta):
    if gamma:
        values = [multiply(t, value, g) for value, g in zip(values, gamma)]
    if beta:
        values = [add(t, value, b) for value, b in zip(values, beta)]
    return values


def run(
    norm,
    dtype,
    x,
    eps,
    gamma=None,
    beta=None,
    accumulate=None,
    one_pass=False,
    unbiased=False,
    added=False,
    cast=None,
):
    """The steps, by name, of exact inputs (fractions); gamma and beta one a number, or None."""
    stored = TYPES[dtype]
    computed = TYPES["float32"] if cast else stored
    accumulator = computed if cast else TYPES[accumulate or dtype]
    x = [stored.round(value) for value in x]
    gamma, beta = ([stored.round(value) for value in values] if values else None for values in (gamma, beta))
    eps = computed.round(eps)
    if norm == "ln":
        steps = normalized_layernorm(computed, accumulator, x, eps, added, unbiased, one_pass)
    else:
        steps = normalized_rmsnorm(computed, accumulator, x, eps, added)
    steps = {"input": x, **steps}
    values = steps["normalized"]
    if cast == "llama":
        steps["cast"] = values = [stored.round(value) for value in values]
        computed = stored
    values = affine(computed, values, gamma, beta)
    steps["output"] = [stored.round(value) for value in values]
    return steps


# ---------------------------------------------------------------- against the platform's own conversions


def by_struct(x, code):
    try:
        return struct.unpack(code, struct.pack(code, x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def by_bits(x):
    """A float32 number to bfloat16 on its bits: half a step is added, a little less where the last kept bit is even."""
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]


def verify(below, trials=20000):
    """Asserts that rounding here is what struct (float16, float32), the bits (bfloat16) and the processor do."""
    for _ in range(trials):
        x = math.ldexp(below(2**53) - 2**52, below(320) - 212)
        h = math.ldexp(below(2**14) - 2**13, below(44) - 40)
        f = by_struct(x, "<f")
        assert float(TYPES["float32"].round(Fraction(x))) == f
        for value in (x, h):
            assert float(TYPES["float16"].round(Fraction(value))) == by_struct(value, "<e")
        if abs(f) != INF:
            assert float(TYPES["bfloat16"].round(Fraction(f))) == by_bits(f)
        y = abs(x)
        assert float(TYPES["float64"].root(Fraction(y))) == math.sqrt(y)
        assert float(TYPES["float64"].round(Fraction(x) * Fraction(h))) == x * h
