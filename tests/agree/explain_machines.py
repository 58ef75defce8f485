"""What machines make of the norms, and how they print it: float32, float16 and bfloat16, by struct alone.

Every operation is a double that is rounded at once to the type, which for +, −, ×, ÷ and √ is the same as the type's own operation."""

import math
import struct


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def f16(x):
    return struct.unpack("e", struct.pack("e", x))[0]


def bf16(x):
    """To the nearest float32 first, as kernels do, then to the nearest of its upper halves, ties to even."""
    bits = struct.unpack("I", struct.pack("f", x))[0]
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("f", struct.pack("I", bits & 0xFFFF0000))[0]


def total(v, kept):
    s = 0.0
    for x in v:
        s = kept(s + x)
    return s


def layer(v, eps, kept=f32, less=0, order="divide"):
    v = [kept(x) for x in v]
    m = kept(total(v, kept) / len(v))
    d = [kept(x - m) for x in v]
    var = kept(total([kept(x * x) for x in d], kept) / (len(v) - less))
    return quotients(d, kept(var + kept(eps)), kept, order)


def rms(v, eps, kept=f32, less=0, order="divide"):
    v = [kept(x) for x in v]
    square = kept(total([kept(x * x) for x in v], kept) / (len(v) - less))
    return quotients(v, kept(square + kept(eps)), kept, order)


def quotients(numerators, square, kept, order):
    root = kept(math.sqrt(square))
    if order == "divide":
        return [kept(x / root) for x in numerators]
    inverse = kept(1 / root)
    return [kept(x * inverse) for x in numerators]


def shortest(x):
    """The shortest decimal that reads back as this float32, as NumPy, TensorFlow and JAX print it; at most 8 decimals."""
    for digits in range(1, 10):
        text = f"{x:.{digits}g}"
        if f32(float(text)) == x:
            break
    text = f"{float(text):.8f}" if len(f"{float(text):.12f}".rstrip("0").split(".")[1]) > 8 else f"{float(text):.12f}"
    return text.rstrip("0")


def as_numpy(rows):
    """[-1.3416355  -0.44721183  0.44721183  1.3416355 ]: padded with blanks, no commas. None where NumPy takes exponents."""
    sizes = [abs(x) for row in rows for x in row if x != 0]
    if not sizes or min(sizes) < 1e-4 or max(sizes) >= 1e8 or max(sizes) / min(sizes) > 1000:
        return None
    texts = [[shortest(x) for x in row] for row in rows]
    left = max(len(t.split(".")[0]) for row in texts for t in row)
    right = max(len(t.split(".")[1]) for row in texts for t in row)
    lines = ["[" + " ".join((t.split(".")[0].rjust(left) + "." + t.split(".")[1].ljust(right)) for t in row) + "]" for row in texts]
    return lines[0] if len(lines) == 1 else "[" + "\n ".join(lines) + "]"


def as_torch(rows, dtype=""):
    """tensor([-1.3416, -0.4472,  0.4472,  1.3416]), four decimals and commas."""
    texts = [[f"{x:.4f}" for x in row] for row in rows]
    width = max(len(t) for row in texts for t in row)
    lines = ["[" + ", ".join(t.rjust(width) for t in row) + "]" for row in texts]
    body = lines[0] if len(lines) == 1 else "[" + ",\n        ".join(lines) + "]"
    return f"tensor({body}{f', dtype=torch.{dtype}' if dtype else ''})"


def by_row(f):
    return lambda rows: [f(r) for r in rows]


def by_column(f):
    return lambda rows: [list(r) for r in zip(*[f(list(c)) for c in zip(*rows)])]


# name: (rule over rows of floats, what the first answer must say, the least number of rows)
MACHINES = {
    "ln 1e-5": (by_row(lambda v: layer(v, 1e-5)), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln 1e-5, rsqrt": (by_row(lambda v: layer(v, 1e-5, order="multiply")), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln 1e-3": (by_row(lambda v: layer(v, 1e-3)), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln n-1": (by_row(lambda v: layer(v, 0, less=1)), {"norm": "layernorm", "divisor": "n-1", "slips": []}, 1),
    "rms 1e-6": (by_row(lambda v: rms(v, 1e-6)), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "rms 1e-6, rsqrt": (by_row(lambda v: rms(v, 1e-6, order="multiply")), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "bn 1e-5": (by_column(lambda v: layer(v, 1e-5)), {"norm": "batchnorm", "divisor": "n", "slips": []}, 3),
}


def stored(rule, kept):
    """Computed in float32 from inputs of the type, and rounded to it once."""
    return lambda rows: [[kept(y) for y in row] for row in rule([[kept(x) for x in r] for r in rows])]
