"""How often `normtrace explain` finds the rule that made an output: measure_explain.py PROGRAM [SAMPLES [SEED]].

Random inputs, every rule of explain_rules.py, outputs printed to 3, 4 and 6 digits. Prints a Markdown table: how often the true
rule comes first, how often it is among those said to fit, how often another is claimed alone."""

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from explain_rules import RULES, printed


def matches(rule, wanted):
    for key, value in wanted.items():
        have = rule
        for part in key.split("."):
            have = have[part]
        if isinstance(value, list):
            if sorted(have) != sorted(value):
                return False
        elif have != value:
            return False
    return True


def draw(rng, rows, width):
    kind = rng.randrange(3)
    if kind == 0:
        number = lambda: Decimal(rng.randint(-9, 9))
    elif kind == 1:
        number = lambda: Decimal(rng.randint(-999, 999)) / 100
    else:
        number = lambda: Decimal(rng.randint(0, 99)) / 10
    while True:
        x = [[number() for _ in range(width)] for _ in range(rows)]
        lines = x + [list(c) for c in zip(*x)]
        if all(len(set(line)) > 2 for line in x) and all(len(set(line)) > 1 for line in lines if len(line) > 1):
            return x


def ask(program, x, y):
    done = subprocess.run([program, "explain", x, y, "--format", "json", "--lang", "en"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{x} {y}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    program = sys.argv[1]
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    jobs = []
    for name, (rule, wanted, least_rows) in RULES.items():
        for _ in range(samples):
            rows = 1 if least_rows == 1 and rng.random() < 0.5 else rng.randint(max(3, least_rows), 5)
            width = rng.choice([4, 6, 8]) if name.startswith("gn") else rng.randint(4, 8)
            while True:
                x = draw(rng, rows, width)
                try:
                    y = rule(x)
                    break
                except ArithmeticError:
                    continue
            for digits in (3, 4, 6):
                jobs.append((name, digits, wanted, printed(x, 0, "exact"), printed(y, digits)))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda job: ask(program, job[3], job[4]), jobs))
    count = Counter()
    bad = []
    for (name, digits, wanted, x, y), answer in zip(jobs, answers):
        rules = answer["rules"]
        hits = [i for i, r in enumerate(rules) if matches(r, wanted)]
        for key in (name, "all"):
            count[key, digits, "n"] += 1
            count[key, digits, "first"] += bool(hits) and hits[0] == 0
            count[key, digits, "fits"] += bool(hits)
            count[key, digits, "none"] += not rules
            count[key, digits, "alone"] += bool(rules) and not hits
        if not hits:
            bad.append((name, digits, x, y, answer["verdict"], [r["id"] for r in rules[:3]], (answer["nearest"] or {}).get("id")))
    claimed = Counter()
    for digits in (3, 4, 6):
        for _ in range(10 * samples):
            x = draw(rng, 1, rng.randint(4, 8))
            factor = Decimal(rng.uniform(0.5, 2))
            y = [[v * factor for v in row] for row in RULES["ln"][0](x)]
            claimed[digits] += bool(ask(program, printed(x, 0, "exact"), printed(y, digits))["rules"])
    print("| rule | " + " | ".join(f"{d} digits: first, fits, none, wrong" for d in (3, 4, 6)) + " |")
    print("| --- | --- | --- | --- |")
    for name in [*RULES, "all"]:
        cells = []
        for d in (3, 4, 6):
            n = count[name, d, "n"]
            cells.append(", ".join(f"{100 * count[name, d, k] / n:.0f} %" for k in ("first", "fits", "none", "alone")))
        print(f"| {name} | " + " | ".join(cells) + " |")
    cells = [f"{10 * claimed[d] / samples:.1f} %" for d in (3, 4, 6)]
    print("\nOutputs that no rule made (LayerNorm times a random factor) for which some rule is claimed: " + ", ".join(cells) + ".")
    for line in bad[:40]:
        print("missed:", *line, file=sys.stderr)


main()
