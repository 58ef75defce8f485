#!/usr/bin/env python3
"""Rows in memory, float32, one thread: `PROGRAM bench` against torch and NumPy in this process, as paired ratios.

    tests/bench/bulk_memory.py PROGRAM [RUNS]

For every size and batch PROGRAM and the peers are timed in turn, RUNS times (5); printed are medians of microseconds for
the whole batch and of the ratio to the faster peer. Needs NumPy; torch where it is installed.
"""
import csv
import io
import os
import statistics
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

SIZES = (128, 512, 768, 2048, 4096)
BATCHES = (32, 128)
EPS = 1e-5


def numpy_rms(x):
    return x / np.sqrt((x * x).mean(1, keepdims=True) + np.float32(EPS))


def numpy_layer(x):
    centred = x - x.mean(1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(1, keepdims=True) + np.float32(EPS))


def torch_rms(x):
    return x * torch.rsqrt(x.pow(2).mean(1, keepdim=True) + EPS)


def torch_layer(x):
    return torch.nn.functional.layer_norm(x, x.shape[1:], eps=EPS)


def microseconds(work, x):
    """The best of five samples of at least a millisecond, as kind as can be to a peer."""
    calls = 1
    best = float("inf")
    while True:
        begin = time.perf_counter()
        for _ in range(calls):
            work(x)
        seconds = time.perf_counter() - begin
        if seconds >= 1e-3:
            break
        calls *= 2
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(calls):
            work(x)
        best = min(best, (time.perf_counter() - begin) / calls)
    return best * 1e6


def ours(program, size, batch):
    table = subprocess.run([program, "bench", "--sizes", str(size), "--batches", str(batch), "--format", "csv"],
                           capture_output=True, text=True, check=True).stdout
    row = next(row for row in csv.DictReader(io.StringIO(table)) if row["type"] == "float32")
    return {"LayerNorm": float(row["layer_ns"]) / 1e3, "RMSNorm": float(row["rms_ns"]) / 1e3}


def main():
    program = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print("microseconds, one thread, float32; torch:", torch.__version__ if torch else "not installed")
    print("| work | batch × size | normtrace | torch | NumPy | / the faster |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for size in SIZES:
        for batch in BATCHES:
            x = np.random.default_rng(size).standard_normal((batch, size), dtype=np.float32)
            peers = {"LayerNorm": [("NumPy", numpy_layer, x)], "RMSNorm": [("NumPy", numpy_rms, x)]}
            if torch:
                peers["LayerNorm"].append(("torch", torch_layer, torch.from_numpy(x)))
                peers["RMSNorm"].append(("torch", torch_rms, torch.from_numpy(x)))
            times = {}
            for _ in range(runs):
                mine = ours(program, size, batch)
                for norm, works in peers.items():
                    theirs = {name: microseconds(work, data) for name, work, data in works}
                    times.setdefault(norm, []).append((mine[norm], theirs, mine[norm] / min(theirs.values())))
            for norm, samples in times.items():
                median = lambda pick: statistics.median(pick(sample) for sample in samples)
                of = lambda name: f"{median(lambda s: s[1][name]):.1f}" if name in samples[0][1] else "–"
                print(f"| {norm} | {batch} × {size} | {median(lambda s: s[0]):.1f} | {of('torch')} | {of('NumPy')} | "
                      f"{median(lambda s: s[2]):.2f} |", flush=True)


if __name__ == "__main__":
    main()
