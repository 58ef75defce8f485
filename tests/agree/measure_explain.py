"""How often `normtrace explain` finds the rule that made an output: measure_explain.py PROGRAM [SAMPLES [SEED]].

Random inputs, every rule of explain_rules.py, outputs printed to 3, 4 and 6 digits; and the norms of explain_machines.py as NumPy
and PyTorch print them. Prints Markdown tables: how often the true rule comes first, how often it is among those said to fit, how
often none is found, how often another is claimed and the true one not listed. Of the exact rules, those that always come first are
left out. On standard error: every question whose true rule was not first."""

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from explain_machines import MACHINES, as_numpy, as_torch, bf16, f16, stored
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


def matched(answers, jobs):
    """Counts by (name, column): n, first, fits, none, alone; and what was missed."""
    count, missed = Counter(), []
    for (name, column, wanted, x, y), answer in zip(jobs, answers):
        rules = answer["rules"]
        hits = [i for i, r in enumerate(rules) if matches(r, wanted)]
        for key in (name, "all"):
            count[key, column, "n"] += 1
            count[key, column, "first"] += bool(hits) and hits[0] == 0
            count[key, column, "fits"] += bool(hits)
            count[key, column, "none"] += not rules
            count[key, column, "alone"] += bool(rules) and not hits
        if not hits or hits[0] != 0:
            missed.append((name, column, x, y, answer["verdict"], [r["id"] for r in rules[:3]], (answer["nearest"] or {}).get("id")))
    return count, missed


def table(count, names, columns, all_rows):
    print("| rule | " + " | ".join(f"{c}: first, fits, none, wrong" for c in columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for name in [*names, "all"]:
        cells = []
        for c in columns:
            n = count[name, c, "n"]
            cells.append(", ".join(f"{100 * count[name, c, k] / n:.0f} %" for k in ("first", "fits", "none", "alone")) if n else "–")
        if all_rows or name == "all" or any(count[name, c, "first"] < count[name, c, "n"] for c in columns):
            print(f"| {name} | " + " | ".join(cells) + " |")


def exact_jobs(rng, samples):
    jobs = []
    for name, (rule, wanted, least_rows) in RULES.items():
        for _ in range(samples):
            rows = 1 if least_rows == 1 and rng.random() < 0.5 else rng.randint(max(3, least_rows), 5)
            width = rows if name == "ln transposed" else rng.choice([4, 6, 8]) if name.startswith("gn") else rng.randint(4, 8)
            while True:
                x = draw(rng, rows, width)
                try:
                    y = rule(x)
                    break
                except ArithmeticError:
                    continue
            for digits in (3, 4, 6):
                jobs.append((name, f"{digits} digits", wanted, printed(x, 0, "exact"), printed(y, digits)))
    return jobs


def machine_jobs(rng, samples):
    jobs = []
    for name, (rule, wanted, least_rows) in MACHINES.items():
        for _ in range(samples):
            rows = 1 if least_rows == 1 and rng.random() < 0.5 else rng.randint(max(3, least_rows), 5)
            while True:
                x = draw(rng, rows, rng.randint(4, 8))
                floats = [[float(v) for v in r] for r in x]
                y = rule(floats)
                text = as_numpy(y)
                if text:
                    break
            typed = printed(x, 0, "exact")
            jobs.append((name, "float32 by NumPy", wanted, typed, text))
            jobs.append((name, "float32 by PyTorch", wanted, typed, as_torch(y)))
            for kind, kept in (("float16", f16), ("bfloat16", bf16)):
                inputs = [[kept(v) for v in r] for r in floats]
                jobs.append((name, kind, wanted, as_torch(inputs, kind), as_torch(stored(rule, kept)(floats), kind)))
    return jobs


def main():
    program = sys.argv[1]
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for jobs, names in ((exact_jobs(rng, samples), RULES), (machine_jobs(rng, 5 * samples), MACHINES)):
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda job: ask(program, job[3], job[4]), jobs))
        count, missed = matched(answers, jobs)
        print(f"{len(jobs)} questions\n")
        table(count, names, list(dict.fromkeys(job[1] for job in jobs)), names is MACHINES)
        print()
        for line in missed:
            print("missed:", *line, file=sys.stderr)
    claimed = Counter()
    for digits in (3, 4, 6):
        for _ in range(10 * samples):
            x = draw(rng, 1, rng.randint(4, 8))
            factor = Decimal(rng.uniform(0.5, 2))
            y = [[v * factor for v in row] for row in RULES["ln"][0](x)]
            answer = ask(program, printed(x, 0, "exact"), printed(y, digits))
            claimed[digits] += bool(answer["rules"])
            if answer["rules"]:
                print("claimed:", printed(x, 0, "exact"), printed(y, digits), answer["rules"][0]["id"], file=sys.stderr)
    cells = [f"{10 * claimed[d] / samples:.1f} %" for d in (3, 4, 6)]
    print("Outputs that no rule made (LayerNorm times a random factor) for which some rule is claimed: " + ", ".join(cells) + ".")


main()
