#!/usr/bin/env python3
"""Whole commands on files in memory, against a copy and against other programs, as paired ratios.

    tests/bench/bulk_peers.py PROGRAM [RUNS]

Makes its data in /dev/shm (about 1.5 GB with the results), checks what PROGRAM writes, then runs PROGRAM and the
other command in turn, RUNS times (7) after a warm-up, and prints the median of the ratios of wall time, and of
processor time, which a busy machine disturbs less. Needs NumPy; peers that are not installed are named and left out.
"""
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PEER_NUMPY_CSV = """
import numpy as np, sys
x = np.loadtxt(sys.argv[1], delimiter=",")
if sys.argv[3] == "ln":
    y = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
elif sys.argv[3] == "rms":
    y = x / np.sqrt((x * x).mean(1, keepdims=True))
else:
    y = (x - x.mean(0)) / x.std(0)
np.savetxt(sys.argv[2], y, delimiter=",", fmt="%.6g")
"""
PEER_NUMPY_NPY = """
import numpy as np, sys
x = np.load(sys.argv[1])
if sys.argv[3] == "ln":
    y = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
elif sys.argv[3] == "rms":
    y = x / np.sqrt((x * x).mean(1, keepdims=True))
else:
    y = (x - x.mean(0)) / x.std(0)
np.save(sys.argv[2], y)
"""
PEER_TORCH_NPY = """
import numpy as np, sys, torch
x = torch.from_numpy(np.load(sys.argv[1]))
if sys.argv[3] == "ln":
    y = torch.nn.functional.layer_norm(x, x.shape[1:], eps=0.0)
elif sys.argv[3] == "rms":
    y = x * torch.rsqrt(x.pow(2).mean(1, keepdim=True))
else:
    y = torch.nn.functional.batch_norm(x, None, None, training=True, eps=0.0)
np.save(sys.argv[2], y.numpy())
"""
PEER_MAWK = ("{ s = 0; for (i = 1; i <= NF; ++i) s += $i; m = s / NF; q = 0;"
             " for (i = 1; i <= NF; ++i) { d = $i - m; q += d * d }"
             " r = sqrt(q / NF); line = \"\";"
             " for (i = 1; i <= NF; ++i) line = line (i > 1 ? \",\" : \"\") sprintf(\"%.6g\", ($i - m) / r);"
             " print line }")


def run(command, output):
    """Wall seconds, processor seconds, and peak KiB of one run."""
    target = open(output, "wb") if output else subprocess.DEVNULL
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=target)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if output:
        target.close()
    if process.returncode != 0:
        sys.exit(f"{command[:3]}: status {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def paired(ours, theirs, runs):
    """Medians over the pairs: ratio of wall time, ratio of processor time, our seconds, our peak."""
    run(*ours), run(*theirs)
    wall, processor, seconds, peak = [], [], [], 0
    for _ in range(runs):
        a, b = run(*ours), run(*theirs)
        wall.append(a[0] / b[0])
        processor.append(a[1] / b[1])
        seconds.append(a[0])
        peak = max(peak, a[2])
    return statistics.median(wall), statistics.median(processor), statistics.median(seconds), peak


def write_csv(path, x):
    with open(path, "w") as file:
        for row in x:
            file.write(",".join("%.9f" % v for v in row) + "\n")


def normalized(np, x, norm):
    x = np.asarray(x, dtype=np.longdouble)
    if norm == "rms":
        return x / np.sqrt((x * x).mean(1, keepdims=True))
    axis = 0 if norm == "bn" else 1
    return (x - x.mean(axis, keepdims=True)) / x.std(axis, keepdims=True)


def check(program, folder):
    """What the program writes is what NumPy gets in long double, to the digits written."""
    import numpy as np
    x = np.random.default_rng(2).standard_normal((3000, 33)) + 3
    np.save(folder + "/check.npy", x.astype(np.float32))
    write_csv(folder + "/check.csv", x)
    x_csv = np.loadtxt(folder + "/check.csv", delimiter=",")
    x_npy = np.load(folder + "/check.npy")
    for norm in ("ln", "rms", "bn"):
        subprocess.run([program, "apply", norm, folder + "/check.csv", "-o", folder + "/out.csv"], check=True)
        y = np.loadtxt(folder + "/out.csv", delimiter=",")
        assert np.abs(y - normalized(np, x_csv, norm)).max() < 1e-14, norm
        subprocess.run([program, "apply", norm, folder + "/check.npy", "-o", folder + "/out.npy"], check=True)
        y = np.load(folder + "/out.npy")
        assert np.abs(y - normalized(np, x_npy, norm)).max() < 5e-7, norm


def make(program, folder):
    """The data, and a check of the program."""
    import numpy as np
    check(program, folder)
    random = np.random.default_rng(1)
    write_csv(folder + "/narrow.csv", random.standard_normal((200000, 64)))
    write_csv(folder + "/wide.csv", random.standard_normal((20000, 768)))
    np.save(folder + "/array.npy", random.standard_normal((100000, 768), dtype=np.float32))


def main():
    program = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    python = sys.executable
    has_torch = subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0
    absent = [name for name, there in [("torch", has_torch), ("mawk", shutil.which("mawk")), ("mlr", shutil.which("mlr"))]
              if not there]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        # In a process of its own: the peak memory of a command counts what it was forked from.
        maker = multiprocessing.Process(target=make, args=(program, folder))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            sys.exit("the check failed")
        narrow, wide, array = folder + "/narrow.csv", folder + "/wide.csv", folder + "/array.npy"
        out, other = folder + "/out", folder + "/other"

        def ours(norm, path, *options):
            return [program, "apply", norm, path, "-o", out, *options], None

        def numpy_peer(script, norm, path):
            return [python, "-c", script, path, other, norm], None

        six = ("--significant", "6")
        csv_cat = lambda path: (["cat", path], other)
        rows = [("CSV LayerNorm 200,000 × 64, 6 digits", ours("ln", narrow, *six), "cat", csv_cat(narrow)),
                ("CSV RMSNorm 200,000 × 64, 6 digits", ours("rms", narrow, *six), "cat", csv_cat(narrow)),
                ("CSV LayerNorm 200,000 × 64, shortest, 1 thread", ours("ln", narrow, "--threads", "1"), "cat",
                 csv_cat(narrow)),
                ("CSV LayerNorm 20,000 × 768, 6 digits", ours("ln", wide, *six), "cat", csv_cat(wide)),
                ("CSV BatchNorm 200,000 × 64, 6 digits", ours("bn", narrow, *six), "cat", csv_cat(narrow))]
        rows += [(f".npy float32 {name} 100,000 × 768", ours(norm, array), "cp", (["cp", array, other], None))
                 for norm, name in [("ln", "LayerNorm"), ("rms", "RMSNorm"), ("bn", "BatchNorm")]]
        rows += [("CSV LayerNorm 200,000 × 64, 6 digits", ours("ln", narrow, *six), "NumPy",
                  numpy_peer(PEER_NUMPY_CSV, "ln", narrow)),
                 ("CSV BatchNorm 200,000 × 64, 6 digits", ours("bn", narrow, *six), "NumPy",
                  numpy_peer(PEER_NUMPY_CSV, "bn", narrow)),
                 ("CSV LayerNorm 20,000 × 768, 6 digits", ours("ln", wide, *six), "NumPy",
                  numpy_peer(PEER_NUMPY_CSV, "ln", wide))]
        if "mawk" not in absent:
            rows.append(("CSV LayerNorm 200,000 × 64, 6 digits", ours("ln", narrow, *six), "mawk",
                         (["mawk", "-F,", PEER_MAWK, narrow], other)))
        for peer, script in [("NumPy", PEER_NUMPY_NPY)] + ([("torch", PEER_TORCH_NPY)] if has_torch else []):
            rows += [(f".npy float32 {name} 100,000 × 768", ours(norm, array), peer, numpy_peer(script, norm, array))
                     for norm, name in [("ln", "LayerNorm"), ("rms", "RMSNorm"), ("bn", "BatchNorm")]]
        if "mlr" not in absent:
            subprocess.run(["head", "-n", "20000", narrow], stdout=open(folder + "/part.csv", "wb"), check=True)
            expression = ("s=0;for(k,v in $*){s+=v} m=s/NF;q=0;for(k,v in $*){q+=(v-m)**2} r=sqrt(q/NF);"
                          "for(k,v in $*){$[k]=fmtnum((v-m)/r,\"%.6lf\")}")
            rows.append(("CSV LayerNorm 20,000 × 64, 6 digits", ours("ln", folder + "/part.csv", *six), "Miller",
                         (["mlr", "--icsv", "--ocsv", "--implicit-csv-header", "--headerless-csv-output", "put", "-q",
                           expression + "emit $*", folder + "/part.csv"], other)))
        print(f"medians of {runs} pairs; {os.cpu_count()} processors; not installed: {', '.join(absent) or 'none'}")
        print("| work | against | time / its time | processor time / its | seconds | peak MiB |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for name, mine, peer, theirs in rows:
            wall, processor, seconds, peak = paired(mine, theirs, runs)
            ratio = f"{wall:.2f}" if wall >= 0.1 else f"1/{1 / wall:.0f}"
            print(f"| {name} | {peer} | {ratio} | {processor:.2f} | {seconds:.2f} | {peak / 1024:.1f} |", flush=True)


if __name__ == "__main__":
    main()
