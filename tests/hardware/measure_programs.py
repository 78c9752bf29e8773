#!/usr/bin/env python3
"""Counts the memory requests of the programs in assets/programs, as they are written, with Nsight
Compute on this machine's GPU.

  measure_programs.py --out FOLDER [--programs FOLDER] [--arch sm_90]

Each program is compiled with `nvcc -Xcicc -O1 -Xptxas -O1`, which keeps each access of the source as
one access of the machine code, run under Nsight Compute and, optimised, under compute-sanitizer.
Writes FOLDER/program_counts.csv (one row per launch) and FOLDER/program_counts.log. Exits with 1 if a
program fails its own check or a tool finds an error.
"""
import argparse
import csv
import pathlib
import subprocess
import sys

from profiler_output import BY_INSTRUCTION, read_profile

L1 = "l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum"
SHARED = {
    "requests": "smsp__inst_executed_op_shared_{op}.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum",
}
# Our counter -> the hardware's; several are added up. An atomic whose result nobody uses is a
# reduction ("red") to the hardware.
COUNTERS = {}
for name, op in (("load", "ld"), ("store", "st")):
    COUNTERS[f"global_{name}_requests"] = [L1.format(what="requests", op=op)]
    COUNTERS[f"global_{name}_sectors"] = [L1.format(what="sectors", op=op)]
    for what, metric in SHARED.items():
        COUNTERS[f"shared_{name}_{what}"] = [metric.format(op=op)]
for what in ("requests", "sectors"):
    COUNTERS[f"global_atomic_{what}"] = [L1.format(what=what, op=op) for op in ("atom", "red")]
COUNTERS["shared_atomic_requests"] = ["smsp__inst_executed_op_shared_atom.sum"]
COUNTERS["shared_atomic_wavefronts"] = ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"]


def call(command, log):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    log.write(f"$ {' '.join(map(str, command))}\n{result.stdout[-4000:]}{result.stderr[-2000:]}\n")
    return result


def profile(program, metrics, log):
    """Counts by launch: a list of dicts. A metric that this GPU does not have is left out."""
    command = ["ncu", "--csv", "--page", "raw", "--metrics", ",".join(metrics), program]
    result = call(command, log)
    if result.returncode != 0:
        raise RuntimeError(f"ncu failed on {program}")
    return read_profile(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, default=here.parent.parent / "assets/programs")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    metrics = [metric for names in COUNTERS.values() for metric in names] + BY_INSTRUCTION
    bad, rows = [], []
    with open(options.out / "program_counts.log", "w", encoding="utf-8") as log:
        for source in sorted(options.programs.glob("*.cu")):
            written, native = options.out / f"{source.stem}.written", options.out / f"{source.stem}.native"
            common = ["nvcc", "-std=c++17", f"-arch={options.arch}", source, "-o"]
            for target, flags in ((written, ["-Xcicc", "-O1", "-Xptxas", "-O1"]), (native, ["-lineinfo"])):
                if call(common + [target] + flags, log).returncode != 0:
                    bad.append(f"{source.name}: nvcc failed")
            for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
                if call(["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", native],
                        log).returncode != 0:
                    bad.append(f"{source.name}: {tool}")
            try:
                launches = profile(written, metrics, log)
            except (RuntimeError, ValueError, subprocess.TimeoutExpired) as problem:
                bad.append(f"{source.name}: {problem}")
                continue
            for number, (kernel, counts) in enumerate(launches):
                row = {"program": source.stem, "launch": number, "kernel": kernel.split("(")[0]}
                for counter, names in COUNTERS.items():
                    found = [counts.get(name) for name in names]
                    row[counter] = "" if None in found else sum(found)
                for name in BY_INSTRUCTION:
                    row[name] = counts.get(name, "")
                rows.append(row)
            for target in (written, native):
                target.unlink()
    with open(options.out / "program_counts.csv", "w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, ["program", "launch", "kernel"] + list(COUNTERS) + BY_INSTRUCTION)
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} launches; failed: {bad or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
