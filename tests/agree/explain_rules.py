"""The rules that `normtrace explain` should recognise, worked out in 60 decimal digits and independently of it.

A rule is a function of the rows of a matrix. Each entry of RULES names what the program must say about it."""

from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
D = Decimal


def mean(v):
    return sum(v, D(0)) / len(v)


def center(v):
    m = mean(v)
    return [x - m for x in v]


def squares(v):
    return sum((x * x for x in v), D(0))


def variance(v, less=0):
    return squares(center(v)) / (len(v) - less)


def mean_square(v, less=0):
    return squares(v) / (len(v) - less)


def over(v, d):
    return [x / d for x in v]


def columns(rows):
    return [list(c) for c in zip(*rows)]


def by_row(f):
    return lambda rows: [f(r) for r in rows]


def by_column(f):
    return lambda rows: columns([f(c) for c in columns(rows)])


def whole(f):
    def apply(rows):
        d = len(rows[0])
        flat = f([x for r in rows for x in r])
        return [flat[i:i + d] for i in range(0, len(flat), d)]
    return apply


def grouped(f, groups):
    def apply(rows):
        size = len(rows[0]) // groups
        return [sum((f(r[i:i + size]) for i in range(0, len(r), size)), []) for r in rows]
    return apply


def layer(eps=0, less=0):
    return lambda v: over(center(v), (variance(v, less) + D(eps)).sqrt())


def layer_added(eps, less=0):
    return lambda v: over(center(v), variance(v, less).sqrt() + D(eps))


def rms(eps=0, less=0):
    return lambda v: over(v, (mean_square(v, less) + D(eps)).sqrt())


def rms_added(eps):
    return lambda v: over(v, mean_square(v).sqrt() + D(eps))


def rounded(x, k):
    return x.quantize(D(1).scaleb(-k), ROUND_HALF_UP)


def scaled(f, factor):
    return lambda v: [x * factor(v) for x in f(v)]


def largest_square(v):
    return max(abs(x) for x in v) ** 2


# name: (rule over rows, what the first answer must say, the least number of rows)
RULES = {
    "ln": (by_row(layer()), {"norm": "layernorm", "divisor": "n", "slips": [], "eps.place": "none"}, 1),
    "ln eps 1e-5": (by_row(layer("1e-5")), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln eps 1e-3": (by_row(layer("1e-3")), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln eps 0.05": (by_row(layer("0.05")), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln n-1": (by_row(layer(0, 1)), {"norm": "layernorm", "divisor": "n-1", "slips": []}, 1),
    "ln n-1 eps 1e-5": (by_row(layer("1e-5", 1)), {"norm": "layernorm", "divisor": "n-1", "slips": []}, 1),
    "ln n-1 std+1e-6": (by_row(layer_added("1e-6", 1)), {"norm": "layernorm", "divisor": "n-1", "slips": []}, 1),
    "ln n-1 std+1e-3": (by_row(layer_added("1e-3", 1)), {"norm": "layernorm", "divisor": "n-1", "slips": []}, 1),
    "ln std+1e-3": (by_row(layer_added("1e-3")), {"norm": "layernorm", "divisor": "n", "slips": []}, 1),
    "ln no root": (by_row(lambda v: over(center(v), variance(v))), {"norm": "layernorm", "slips": ["no_root"]}, 1),
    "ln root twice": (by_row(lambda v: over(center(v), variance(v).sqrt().sqrt())), {"norm": "layernorm", "slips": ["root_twice"]}, 1),
    "ln squared": (by_row(lambda v: over(center(v), variance(v) ** 2)), {"norm": "layernorm", "slips": ["squared"]}, 1),
    "ln deviations only": (by_row(center), {"norm": "layernorm", "slips": ["not_divided"]}, 1),
    "ln not centred": (by_row(lambda v: over(v, variance(v).sqrt())), {"norm": "layernorm", "slips": ["not_centered"]}, 1),
    "ln not centred eps 1e-3": (by_row(lambda v: over(v, (variance(v) + D("1e-3")).sqrt())), {"norm": "layernorm", "slips": ["not_centered"]}, 1),
    "ln centred over rms": (by_row(lambda v: over(center(v), mean_square(v).sqrt())), {"norm": "layernorm", "slips": ["rms_not_std"]}, 1),
    "ln sum": (by_row(lambda v: over(center(v), squares(center(v)).sqrt())), {"norm": "layernorm", "slips": ["sum_not_mean"]}, 1),
    "ln mean abs": (by_row(lambda v: over(center(v), mean([abs(x) for x in center(v)]))), {"norm": "layernorm", "slips": ["mean_abs"]}, 1),
    "ln multiplied": (by_row(lambda v: [x * variance(v).sqrt() for x in center(v)]), {"norm": "layernorm", "slips": ["multiplied"]}, 1),
    "ln sign": (by_row(lambda v: over(center(v), -variance(v).sqrt())), {"norm": "layernorm", "slips": ["sign"]}, 1),
    "ln sqrt d": (by_row(scaled(layer(), lambda v: D(len(v)).sqrt())), {"norm": "layernorm", "slips": ["sqrt_d"]}, 1),
    "ln eps to count": (by_row(lambda v: over(center(v), (squares(center(v)) / (len(v) + D("1e-2"))).sqrt())), {"norm": "layernorm", "eps.place": "added_to_count"}, 1),
    "ln eps to result": (by_row(lambda v: [x + D("0.01") for x in layer()(v)]), {"norm": "layernorm", "eps.place": "added_to_result"}, 1),
    "ln eps times max": (by_row(lambda v: over(center(v), (variance(v) + D("0.01") * largest_square(v)).sqrt())), {"norm": "layernorm", "eps.place": "times_max_squared"}, 1),
    "ln std rounded 1": (by_row(lambda v: over(center(v), rounded(variance(v).sqrt(), 1))), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln variance rounded 0": (by_row(lambda v: over(center(v), rounded(variance(v), 0).sqrt())), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln reversed": (by_row(lambda v: layer()(v)[1:] + layer()(v)[:1]), {"norm": "layernorm", "slips": ["permuted"]}, 1),
    "ln padding 2": (by_row(lambda v: layer()(v + [D(0)] * 2)[:len(v)]), {"norm": "layernorm", "slips": ["padding_counted"]}, 1),
    "rms": (by_row(rms()), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "rms eps 1e-6": (by_row(rms("1e-6")), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "rms eps 1e-5": (by_row(rms("1e-5")), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "rms rms+1e-3": (by_row(rms_added("1e-3")), {"norm": "rmsnorm", "divisor": "n", "slips": []}, 1),
    "rms n-1": (by_row(rms(0, 1)), {"norm": "rmsnorm", "divisor": "n-1", "slips": []}, 1),
    "rms no root": (by_row(lambda v: over(v, mean_square(v))), {"norm": "rmsnorm", "slips": ["no_root"]}, 1),
    "rms mean abs": (by_row(lambda v: over(v, mean([abs(x) for x in v]))), {"norm": "rmsnorm", "slips": ["mean_abs"]}, 1),
    "rms multiplied": (by_row(lambda v: [x * mean_square(v).sqrt() for x in v]), {"norm": "rmsnorm", "slips": ["multiplied"]}, 1),
    "rms sqrt d": (by_row(scaled(rms(), lambda v: D(len(v)).sqrt())), {"norm": "rmsnorm", "slips": ["sqrt_d"]}, 1),
    "rms sign": (by_row(lambda v: over(v, -mean_square(v).sqrt())), {"norm": "rmsnorm", "slips": ["sign"]}, 1),
    "rms partial 2": (by_row(lambda v: over(v, mean_square(v[:2]).sqrt())), {"norm": "rmsnorm", "slips": ["partial"]}, 1),
    "rms rounded 1": (by_row(lambda v: over(v, rounded(mean_square(v).sqrt(), 1))), {"norm": "rmsnorm", "slips": ["rounded_midway"]}, 1),
    "l2": (by_row(lambda v: over(v, squares(v).sqrt())), {"norm": "l2", "slips": []}, 1),
    "l2 1/sqrt d": (by_row(lambda v: over(v, (squares(v) * len(v)).sqrt())), {"norm": "l2", "slips": ["one_over_sqrt_d"]}, 1),
    "minmax": (by_row(lambda v: [(x - min(v)) / (max(v) - min(v)) for x in v]), {"norm": "minmax", "slips": []}, 1),
    "none": (lambda rows: rows, {"norm": "none", "slips": []}, 1),
    "bn": (by_column(layer()), {"norm": "batchnorm", "divisor": "n", "slips": [], "axis": "feature"}, 3),
    "bn eps 1e-5": (by_column(layer("1e-5")), {"norm": "batchnorm", "divisor": "n", "slips": []}, 3),
    "bn eps 1e-3": (by_column(layer("1e-3")), {"norm": "batchnorm", "divisor": "n", "slips": []}, 3),
    "bn n-1": (by_column(layer(0, 1)), {"norm": "batchnorm", "divisor": "n-1", "slips": []}, 3),
    "bn n-1 sign": (by_column(lambda v: [-x for x in layer(0, 1)(v)]), {"norm": "batchnorm", "divisor": "n-1", "slips": ["sign"]}, 3),
    "bn minmax": (by_column(lambda v: [(x - min(v)) / (max(v) - min(v)) for x in v]), {"norm": "minmax", "slips": [], "axis": "feature"}, 3),
    "whole": (whole(layer()), {"norm": "whole", "divisor": "n", "slips": [], "axis": "all"}, 3),
    "whole n-1": (whole(layer(0, 1)), {"norm": "whole", "divisor": "n-1", "slips": []}, 3),
    "gn 2": (grouped(layer("1e-5"), 2), {"norm": "groupnorm", "divisor": "n", "slips": []}, 1),
    "ln n-1 no root": (by_row(lambda v: over(center(v), variance(v, 1))), {"norm": "layernorm", "divisor": "n-1", "slips": ["no_root"]}, 1),
    "ln n-1 not centred": (by_row(lambda v: over(v, variance(v, 1).sqrt())), {"norm": "layernorm", "divisor": "n-1", "slips": ["not_centered"]}, 1),
    "ln n-1 sign": (by_row(lambda v: over(center(v), -variance(v, 1).sqrt())), {"norm": "layernorm", "divisor": "n-1", "slips": ["sign"]}, 1),
    "ln n-1 root twice": (by_row(lambda v: over(center(v), variance(v, 1).sqrt().sqrt())), {"norm": "layernorm", "divisor": "n-1", "slips": ["root_twice"]}, 1),
}


def with_zeros(f, zeros):
    return lambda v: f(v + [D(0)] * zeros)[:len(v)]


def by_hand(k, mean_too=True, statistic=True, root=True, every=False):
    """LayerNorm with what is named rounded to k decimals before going on."""
    def apply(v):
        m = rounded(mean(v), k) if mean_too else mean(v)
        d = [rounded(x - m, k) if every else x - m for x in v]
        s = [rounded(x * x, k) if every else x * x for x in d]
        var = rounded(mean(s), k) if statistic else mean(s)
        return over(d, rounded(var.sqrt(), k) if root else var.sqrt())
    return apply


def turned(rows):
    return rows[1:] + rows[:1]


RULES.update({
    "ln n-1 padding 2": (by_row(with_zeros(layer(0, 1), 2)), {"norm": "layernorm", "divisor": "n-1", "slips": ["padding_counted"]}, 1),
    "rms padding 1": (by_row(with_zeros(rms(), 1)), {"norm": "rmsnorm", "slips": ["padding_counted"]}, 1),
    "rms padding 3": (by_row(with_zeros(rms(), 3)), {"norm": "rmsnorm", "slips": ["padding_counted"]}, 1),
    "ln n+1": (by_row(lambda v: over(center(v), (squares(center(v)) / (len(v) + 1)).sqrt())), {"norm": "layernorm", "slips": ["n_plus_one"]}, 1),
    "ln mean rounded 1": (by_row(by_hand(1, True, False, False)), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln mean, variance, std rounded 2": (by_row(by_hand(2)), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln every step rounded 2": (by_row(by_hand(2, every=True)), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln every step rounded 1": (by_row(by_hand(1, every=True)), {"norm": "layernorm", "slips": ["rounded_midway"]}, 1),
    "ln rows permuted": (lambda rows: turned(by_row(layer())(rows)), {"norm": "layernorm", "slips": ["permuted"]}, 3),
    "bn rows permuted": (lambda rows: turned(by_column(layer())(rows)), {"norm": "batchnorm", "slips": ["permuted"]}, 4),
    "bn columns permuted": (lambda rows: [r[1:] + r[:1] for r in by_column(layer())(rows)], {"norm": "batchnorm", "slips": ["permuted"]}, 4),
    "ln transposed": (lambda rows: columns(by_row(layer())(rows)), {"norm": "layernorm", "slips": ["transposed"]}, 3),
    "whole eps 1e-5": (whole(layer("1e-5")), {"norm": "whole", "divisor": "n", "slips": []}, 3),
    "ln times 2.5": (by_row(lambda v: [D("2.5") * x for x in layer()(v)]), {"norm": "layernorm", "slips": ["scaled"]}, 1),
    "ln times 10 plus 50": (by_row(lambda v: [50 + 10 * x for x in layer()(v)]), {"norm": "layernorm", "slips": ["scaled", "shifted"]}, 1),
    "softmax": (by_row(lambda v: over([(x - max(v)).exp() for x in v], sum((x - max(v)).exp() for x in v))), {"norm": "none", "slips": ["softmax"]}, 1),
})


def printed(rows, digits, form="fixed"):
    """Nested brackets, each number rounded once, half away from zero."""
    def one(x):
        return str(rounded(x, digits)) if form == "fixed" else str(x)
    lines = ["[" + ", ".join(one(x) for x in r) + "]" for r in rows]
    return lines[0] if len(rows) == 1 else "[" + ", ".join(lines) + "]"
