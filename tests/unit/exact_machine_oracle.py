#!/usr/bin/env python3
"""Writes exact_machine_oracle.inc: right values of machine arithmetic, found without any rounding code of the program.

The values of float16, bfloat16 and float32 around a result are decoded by `struct`; which is nearest is found by
comparing fractions.
"""
import bisect
import pathlib
import random
import struct
from fractions import Fraction

random.seed(20240501)


def decode16(bits):
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def decode_b16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def decode32(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


# name: (decoder, number of finite magnitudes, value that infinity would have if the exponents went on)
FORMATS = {
    "float16": (decode16, 0x7C00, Fraction(2) ** 16),
    "bfloat16": (decode_b16, 0x7F80, Fraction(2) ** 128),
    "float32": (decode32, 0x7F800000, Fraction(2) ** 128),
}


def magnitude(name, bits):
    decoder, finite, beyond = FORMATS[name]
    return Fraction(decoder(bits)) if bits < finite else beyond


def nearest(name, against):
    """The pattern of the value nearest to an exact magnitude; against(f): -1, 0 or 1 as f is less, equal or greater."""
    finite = FORMATS[name][1]
    low = bisect.bisect_left(range(finite), True, key=lambda bits: against(magnitude(name, bits)) > 0) - 1
    if against(magnitude(name, low)) == 0:
        return low
    middle = against((magnitude(name, low) + magnitude(name, low + 1)) / 2)
    return low + 1 if middle < 0 or (middle == 0 and low % 2 == 1) else low


def spell(name, bits, negative):
    decoder, finite, _ = FORMATS[name]
    text = "inf" if bits >= finite else decoder(bits).hex()
    return ("-" if negative else "") + text


def compare(value):
    return lambda f: (f > value) - (f < value)


def rounded(name, value):
    return spell(name, nearest(name, compare(abs(value))), value < 0)


def rounded_root(name, value):
    return spell(name, nearest(name, lambda f: compare(value)(f * f)), False)


def as_double(value):
    try:
        return float(value).hex()
    except OverflowError:
        return "inf" if value > 0 else "-inf"


SPECIAL_FRACTIONS = """
    1/3 -2/3 1/10 65504 65519.999 65520 1e-8 -1e-8 2.98023223876953125e-8 1e-40 3.4e38 1e-310 -5e-324 2.4e-324 1.8e308
    1.7976931348623159e308 257 259 2049 2051 16777217 9007199254740993 1e400
""".split()


def fractions_to_round():
    yield from map(Fraction, SPECIAL_FRACTIONS)
    for name, (_, finite, _) in FORMATS.items():
        for _ in range(12):  # ties, and what lies a hair beside them
            bits = random.choice([random.randrange(finite), random.randrange(finite // 31)])
            tie = (magnitude(name, bits) + magnitude(name, bits + 1)) / 2
            yield tie * random.choice([1, -1])
            yield tie + random.choice([1, -1]) * tie / 10**40
    for _ in range(40):
        ratio = Fraction(random.randrange(1, 10**6), random.randrange(1, 10**6))
        yield ratio * Fraction(10) ** random.randrange(-12, 13)


def operands(name):
    decoder, finite, _ = FORMATS[name]
    one = {"float16": 0x3C00, "bfloat16": 0x3F80, "float32": 0x3F800000}[name]
    spread = {"float16": 0x1000, "bfloat16": 0x200, "float32": 0x2000000}[name]
    kind = random.randrange(3)
    ranges = [(1, finite), (one - spread, one + spread), (1, finite // 31 + 3)]  # all, near 1, smallest
    pick = lambda kind: decoder(random.randrange(*ranges[kind])) * random.choice([1, -1])
    return pick(kind), pick(random.choice([kind, 1]))


def operations():
    for name in FORMATS:
        for operation in "+-*/":
            for _ in range(25):
                x, y = operands(name)
                a, b = Fraction(x), Fraction(y)
                exact = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[operation]
                if exact != 0:
                    yield name, x, operation, y, rounded(name, exact)
        for _ in range(25):
            x = abs(operands(name)[0])
            yield name, x, "r", 0.0, rounded_root(name, Fraction(x))


with open(pathlib.Path(__file__).with_suffix(".inc"), "w", encoding="utf-8") as out:
    out.write("// Written by exact_machine_oracle.py.\n\n")
    out.write("// numerator, denominator, float64, float32, bfloat16, float16\n")
    out.write("const std::vector<RoundedFraction> rounded_fractions = {\n")
    for value in fractions_to_round():
        results = [as_double(value)] + [rounded(name, value) for name in ("float32", "bfloat16", "float16")]
        cells = [str(value.numerator), str(value.denominator)] + results
        out.write("    {" + ", ".join(f'"{cell}"' for cell in cells) + "},\n")
    out.write("};\n\n// format, x, operation (r: square root of x), y, result\n")
    out.write("const std::vector<RoundedOperation> rounded_operations = {\n")
    for name, x, operation, y, result in operations():
        out.write(f'    {{"{name}", "{x.hex()}", \'{operation}\', "{y.hex()}", "{result}"}},\n')
    out.write("};\n")
