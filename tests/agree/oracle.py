"""An independent reference for what normtrace computes and prints.

It knows the documented rules alone (how numbers are printed, the grammar of the exact form, the steps, the check) and
shares no code with the program.  Everything is whole numbers and fractions; no float takes part in a computation, only
in the last field, the nearest double, which is made from whole numbers too.

A number is a + b*sqrt(c) with rational a, b and a whole c without square factors.  Both sides pull the squares out of a
root by trial division, which has a bound: a square factor p*p with a prime p above the program's bound stays under its
root.  `Radicand.largest_square` tells how large a prime was needed, so that whoever makes inputs can leave out the ones
where the two bounds could show.

Needs Python 3.9 or later and its standard library.
"""

import math
from fractions import Fraction

TRIAL_BOUND = 100_000


def primes_up_to(limit):
    sieve = bytearray([1]) * (limit + 1)
    sieve[0:2] = b"\0\0"
    for p in range(2, math.isqrt(limit) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
    return [p for p in range(limit + 1) if sieve[p]]


PRIMES = primes_up_to(TRIAL_BOUND)


def split_square(n):
    """n = s*s*c with c free of squares; returns s, c and the largest prime whose square was pulled out.

    Complete for every n whose part without primes below TRIAL_BOUND is a square or less than TRIAL_BOUND**3.
    """
    whole = math.isqrt(n)
    if whole * whole == n:
        return whole, 1, 1
    s, c, largest = 1, 1, 1
    for p in PRIMES:
        if p * p > n:
            break
        if n % p:
            continue
        power = 0
        while n % p == 0:
            n //= p
            power += 1
        if power > 1:
            s *= p ** (power // 2)
            largest = p
        if power % 2:
            c *= p
    root = math.isqrt(n)
    if n > 1 and root * root == n:
        return s * root, c, root
    return s, c * n, largest


class Surd:
    """a + b*sqrt(c); c is whole and square-free, and b = 0 and c = 1 for a rational number."""

    def __init__(self, a, b=0, c=1):
        self.a, self.b, self.c = Fraction(a), Fraction(b), c
        if self.c == 1:
            self.a, self.b = self.a + self.b, Fraction(0)
        if self.b == 0:
            self.c = 1

    def root_of(self, other):
        if self.b and other.b and self.c != other.c:
            raise ValueError("two different roots")
        return max(self.c, other.c)

    def __add__(self, other):
        return Surd(self.a + other.a, self.b + other.b, self.root_of(other))

    def __mul__(self, other):
        c = self.root_of(other)
        return Surd(self.a * other.a + self.b * other.b * c, self.a * other.b + self.b * other.a, c)

    def __truediv__(self, other):
        size = other.a**2 - other.b**2 * other.c
        return self * Surd(other.a / size, -other.b / size, other.c)

    def __eq__(self, other):
        return (self.a, self.b, self.c) == (other.a, other.b, other.c)

    def is_zero(self):
        return self.a == 0 and self.b == 0

    def is_negative(self):
        if self.b == 0:
            return self.a < 0
        a, b, size = self.a, self.b, self.a**2 - self.b**2 * self.c
        if a <= 0 and b <= 0:
            return True
        if a >= 0 and b >= 0:
            return False
        return (size > 0) == (a < 0)

    def magnitude(self):
        return Surd(-self.a, -self.b, self.c) if self.is_negative() else self

    def floor_times(self, factor):
        """floor(self * factor) for a value >= 0 and a positive rational factor."""
        a, b = self.a * factor, self.b * factor
        common = a.denominator * b.denominator // math.gcd(a.denominator, b.denominator)
        p, q = int(a * common), int(b * common)
        square = q * q * self.c
        root = math.isqrt(square)
        if q < 0:
            root = -root if root * root == square else -root - 1
        return (p + root) // common

    def round_times(self, factor):
        """self * factor to the nearest whole number, a half upwards, for a value >= 0."""
        twice = self.floor_times(2 * factor)
        return (twice + 1) // 2


def square_root(r):
    """The exact root of a rational r >= 0 and the largest prime whose square was pulled out."""
    ps, pc, p_largest = split_square(r.numerator)
    qs, qc, q_largest = split_square(r.denominator)
    return Surd(0, Fraction(ps, qs * qc), pc * qc), max(p_largest, q_largest)


# ---------------------------------------------------------------- printing


def exact_form(x):
    if x.b == 0:
        return str(x.a)
    size = abs(x.b)
    root = "sqrt(%d)" % x.c if size == 1 else "%s*sqrt(%d)" % (size, x.c)
    if x.a == 0:
        return ("-" if x.b < 0 else "") + root
    return str(x.a) + ("-" if x.b < 0 else "+") + root


def fits(x, places):
    return x.b == 0 and 10**places % x.a.denominator == 0


def fixed(count, places):
    """count / 10**places, all places shown."""
    digits = str(count).rjust(places + 1, "0")
    return digits[:-places] + "." + digits[-places:]


def shortest(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


def power_of_ten(exponent):
    return Fraction(10) ** exponent


def decimal_exponent(x):
    """e with 10**e <= x < 10**(e + 1), for x > 0."""
    scale = 0
    while x.floor_times(power_of_ten(scale)) == 0:
        scale = 2 * scale + 1
    return len(str(x.floor_times(power_of_ten(scale)))) - 1 - scale


def printed(x, places):
    """The text of a value at so many places, and whether it lost anything."""
    sign = "-" if x.is_negative() else ""
    size = x.magnitude()
    if size.is_zero():
        return "0", False
    count = size.round_times(power_of_ten(places))
    exact = fits(size, places)
    if count != 0 and size.floor_times(power_of_ten(-15)) == 0:
        text = fixed(count, places)
        return sign + (shortest(text) if exact else text), not exact
    exponent = decimal_exponent(size)
    mantissa = Surd(size.a / power_of_ten(exponent), size.b / power_of_ten(exponent), size.c)
    exact = fits(mantissa, places)
    count = mantissa.round_times(power_of_ten(places))
    if count == 10 ** (places + 1):
        count, exponent = 10**places, exponent + 1
    text = fixed(count, places)
    return "%s%se%d" % (sign, shortest(text) if exact else text, exponent), not exact


def nearest_double(x):
    """Correctly rounded, ties to even; None where it would be infinite; 0.0, never -0.0, where it is nothing."""
    if x.b == 0:
        try:
            value = x.a.numerator / x.a.denominator  # the quotient of two whole numbers is correctly rounded
        except OverflowError:
            return None
        return value if value else 0.0
    size = x.magnitude()
    shift = 0
    while size.floor_times(Fraction(2) ** shift) == 0:
        shift = 2 * shift + 1
    exponent = size.floor_times(Fraction(2) ** shift).bit_length() - 1 - shift
    places = min(52 - exponent, 1074)
    count = size.round_times(Fraction(2) ** places)  # an irrational number is never half-way
    value = Fraction(count) / Fraction(2) ** places
    try:
        value = value.numerator / value.denominator
    except OverflowError:
        return None
    if value == 0:
        return 0.0
    return -value if x.is_negative() else value


def num(x, places):
    """[text, exact, value, 1 if the text was rounded], or None where the value is undefined."""
    if x is None:
        return None
    text, rounded = printed(x, places)
    return [text, exact_form(x), nearest_double(x), int(rounded)]


# ---------------------------------------------------------------- the norms


def divided(a, b):
    return None if a is None or b is None or b.is_zero() else a / b


class Group:
    """The steps of one normalized group: a token of LayerNorm and RMSNorm, a feature of BatchNorm."""

    def __init__(self, x, centred, eps, added_to_root, unbiased, gamma, beta):
        n = len(x)
        self.steps = []
        numerators = x
        if centred:
            mean = sum(x) / n
            numerators = [value - mean for value in x]
            self.keep("mean", [mean])
            self.keep("deviations", numerators)
        squares = [value**2 for value in numerators]
        self.keep("squares", squares)
        count = n - 1 if centred and unbiased else n
        spread = sum(squares) / count if count else None
        self.keep("variance" if centred else "mean_square", [spread])

        root_name = "std" if centred else "rms"
        self.largest_square = 1
        root = under_root = spread
        if eps and not added_to_root:
            under_root = None if spread is None else spread + eps
            self.keep("variance_eps" if centred else "mean_square_eps", [under_root])
        if under_root is not None:
            root, self.largest_square = square_root(under_root)
        self.keep(root_name, [root])
        divisor = root
        if eps and added_to_root:
            divisor = None if root is None else root + Surd(eps)
            self.keep(root_name + "_eps", [divisor])

        normalized = [divided(Surd(value), divisor) for value in numerators]
        output = [
            None if value is None else value * Surd(g) + Surd(b) for value, g, b in zip(normalized, gamma, beta)
        ]
        self.keep("normalized", normalized)
        self.keep("output", output)
        self.check(n, squares, normalized, divisor, not centred or not unbiased, added_to_root)

    def keep(self, step, values):
        exact = [value if value is None or isinstance(value, Surd) else Surd(value) for value in values]
        self.steps.append((step, exact))

    def check(self, n, squares, normalized, divisor, biased, added_to_root):
        self.target = Surd(n)
        self.norm_squared = self.expected = None
        self.status = "undefined"
        if any(value is None for value in normalized):
            return
        self.norm_squared = Surd(0)
        for value in normalized:
            self.norm_squared = self.norm_squared + value * value
        self.expected = Surd(sum(squares)) / (divisor * divisor)
        if self.norm_squared == self.target:
            self.status = "exact"
        else:
            self.status = "below" if biased and not added_to_root else "other"


def normalize(norm, tokens, eps=Fraction(0), added_to_root=False, unbiased=False, gamma=None, beta=None):
    """The groups of `bn`, `ln` or `rms` over tokens (rows of fractions); gamma and beta: one per feature, or None."""
    d = len(tokens[0])
    gamma = gamma or [Fraction(1)] * d
    beta = beta or [Fraction(0)] * d
    if norm == "bn":
        m = len(tokens)
        return [
            Group([row[j] for row in tokens], True, eps, added_to_root, unbiased, [gamma[j]] * m, [beta[j]] * m)
            for j in range(d)
        ]
    return [Group(row, norm == "ln", eps, added_to_root, unbiased, gamma, beta) for row in tokens]
