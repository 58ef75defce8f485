#!/usr/bin/env python3
"""LayerNorm and RMSNorm in float64, float32, float16 and bfloat16, one JSON object a line:

    python3 tests/agree/make_machine.py > tests/agree/machine.jsonl

The order of the operations is that at the top of machine.py.  A line holds

    norm "ln" or "rms", dtype, x as typed, and where they are not the default: eps ("0"), gamma, beta (none),
    accumulate (the dtype), one_pass (false), unbiased (false: divisor n), added (false: eps inside the root),
    cast (none, "llama" or "gemma")
    steps    by name, in order: the values of every rounded step; "input" is x rounded to the type, "cast" the
             normalized values rounded to it in Llama's order

and a value is a number, which a double holds exactly, or "inf", "-inf" or "nan".
"""

import json
import math
import sys
from fractions import Fraction

import machine
from make import Dice, decimal, one_power, small_integer, with_exponent

DTYPES = ["float64", "float32", "float16", "bfloat16"]

dice = Dice(20250611)


def numbers(values):
    return [Fraction(value) for value in values] if values else None


def plain(value):
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def line(norm, dtype, x, **options):
    options = {name: value for name, value in options.items() if value}
    exact = {**options, "eps": Fraction(options.get("eps", "0"))}
    exact["gamma"], exact["beta"] = numbers(options.get("gamma")), numbers(options.get("beta"))
    steps = machine.run(norm, dtype, numbers(x), **exact)
    steps = {name: [plain(value) for value in values] for name, values in steps.items()}
    print(json.dumps({"norm": norm, "dtype": dtype, "x": x, **options, "steps": steps}, separators=(",", ":")))


def counted(first, step, count, places):
    return [("%." + str(places) + "f") % (first + step * i) for i in range(count)]


def variants(x, **options):
    """Every type, both norms, both accumulators, one and two passes."""
    for dtype in DTYPES:
        for accumulate in ["", "float32"] if dtype in ("float16", "bfloat16") else [""]:
            line("rms", dtype, x, accumulate=accumulate, **options)
            for one_pass in (False, True):
                line("ln", dtype, x, accumulate=accumulate, one_pass=one_pass, **options)


def casts(norm, x, **options):
    for dtype in ("float16", "bfloat16", "float32"):
        for cast in ("", "llama", "gemma"):
            line(norm, dtype, x, cast=cast, **options)


def known():
    """The inputs of the articles and of the questions."""
    for eps in ("", "1e-5"):
        for x in (["1", "2", "3", "4"], ["2", "0", "-2", "4"], ["-1", "1", "-1", "1"], ["1", "0", "0", "0"]):
            variants(x, eps=eps)
        for offset in (2000, 10000, 40000, 80000, 100000, 10**8):
            variants(counted(offset, 1, 4, 0), eps=eps)
    variants(["10001", "10002", "10003", "10004"])
    variants(["100001", "100002", "100003", "100004"])
    variants(["100000001", "100000002", "100000003", "100000004"])
    variants(["2000.0", "2000.5", "1998.0", "2001.5"], eps="1e-5")
    for offset in (0, 100, 1000, 10000):
        variants(["%d.%03d" % (offset, i) for i in range(16)], eps="1e-5")
    for x in (["0"] * 4, ["3"] * 4, ["256", "0", "0", "0"], ["255.9", "0", "0", "0"], ["1e-4", "2e-4", "3e-4", "4e-4"]):
        variants(x)
        variants(x, eps="1e-5")
        casts("rms", x, eps="1e-6")
    variants(["6e-8", "1.2e-7", "-6e-8", "3e-7"])
    variants(["60000", "60000", "-60000", "60000"])
    variants(["1e20", "2e20", "3e20", "4e20"])
    variants(["3e200", "4e200"])
    variants(["3e-200", "4e-200"])
    casts("rms", ["4", "3", "0", "0"], gamma=["1.5"] * 4)
    casts("rms", ["1", "2", "3", "4"], gamma=["0.3", "1.7", "2.3", "0.9"], eps="1e-6")
    casts("ln", ["1", "2", "3", "4"], gamma=["0.3", "1.7", "2.3", "0.9"], beta=["0.1", "0", "-0.1", "3"], eps="1e-5")
    casts("rms", ["1", "15.8125"], gamma=["1", "1"], beta=["1", "15.8125"])


def drawn():
    sources = [
        lambda: small_integer,
        lambda: decimal(1, 9),
        lambda: decimal(3, 30),
        lambda: decimal(2, 300),
        one_power(-9, 4),
        lambda: with_exponent(-5, 3),
    ]
    for count in [1, 2, 3, 4, 5, 8, 16, 64] * 12:
        draw = dice.one_of(sources)()
        x = [draw() for _ in range(count)]
        options = {"eps": dice.one_of(["", "1e-5", "1e-6", "1e-3", "1e-12", "0.1"])}
        affine = dice.below(3)
        if affine:
            options["gamma"] = [decimal(2, 2)() for _ in range(count)]
        if affine == 2:
            options["beta"] = [decimal(2, 2)() for _ in range(count)]
        if count < 16 and dice.chance(30):
            casts(dice.one_of(["ln", "rms"]), x, **options)
            continue
        if count == 64:
            dtype = dice.one_of(["float16", "bfloat16"])
            for accumulate in ("", "float32"):
                line(dice.one_of(["ln", "rms"]), dtype, x, accumulate=accumulate, **options)
            continue
        dtype, norm = dice.one_of(DTYPES), dice.one_of(["ln", "ln", "rms"])
        half = dtype in ("float16", "bfloat16")
        line(
            norm,
            dtype,
            x,
            accumulate="float32" if half and dice.chance(50) else "",
            one_pass=norm == "ln" and dice.chance(40),
            unbiased=norm == "ln" and count > 1 and dice.chance(25),
            added=dice.chance(25),
            **options,
        )


def main():
    machine.verify(dice.below)
    known()
    drawn()


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    main()
