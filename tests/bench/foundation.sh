#!/bin/sh
# Whole processes, as pairs run in turn: the program's start against a static program that prints one line with fmt, and the
# exact JSON of 768 numbers against a Python program with fractions that prints the same fields.
# Usage: tests/bench/foundation.sh PROGRAM [PAIRS]   (needs python3 and g++ with libfmt-dev)
set -eu
here=$(dirname "$0")
python3 - "$1" "${2:-15}" "$here" <<'PYTHON'
import os, random, statistics, subprocess, sys, tempfile, time

program, pairs, here = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
folder = tempfile.mkdtemp()
source = os.path.join(folder, "line.cpp")
line = os.path.join(folder, "line")
with open(source, "w") as file:
    file.write('#include <fmt/format.h>\nint main() { fmt::print("{} {:.3f}\\n", "one line", 1.5); }\n')
subprocess.run(["g++", "-O2", "-std=c++20", "-DFMT_HEADER_ONLY", "-static", source, "-o", line], check=True)

random.seed(7)
vector = "[" + ", ".join("%.4f" % random.uniform(-2, 2) for _ in range(768)) + "]"
numbers = os.path.join(folder, "numbers.txt")
with open(numbers, "w") as file:
    file.write(vector)


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(name, ours, theirs):
    seconds(ours), seconds(theirs)
    ratios, first, second = [], [], []
    for _ in range(pairs):
        first.append(seconds(ours))
        second.append(seconds(theirs))
        ratios.append(first[-1] / second[-1])
    print("%-44s %8.2f ms  against %8.2f ms  ratio %.3f (%.3f to %.3f)" % (
        name, 1e3 * statistics.median(first), 1e3 * statistics.median(second), statistics.median(ratios), min(ratios),
        max(ratios)))


compare("article example / one line with fmt", [program, "example", "cat-eats-fish"], [line])
compare("JSON of 768 numbers / Python fractions",
        [program, "ln", "-f", numbers, "--eps", "1e-5", "--digits", "4", "--format", "json"],
        [sys.executable, os.path.join(here, "fractions_json.py"), numbers])
PYTHON
