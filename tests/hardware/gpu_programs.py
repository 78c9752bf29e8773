#!/usr/bin/env python3
"""Compares GPU recordings of CUDA programs with CPU recordings, line by line.

  gpu_programs.py TILEREEL --device gpu --write TABLE   records on the GPU, and writes the table
  gpu_programs.py TILEREEL --device gpu                 records on the GPU, and compares with the table
  gpu_programs.py TILEREEL                              records on the CPU, and compares with the table

The programs are those of assets/programs, and one for each kernel from 01 to 19 (kernels/ladder),
which launches it once at a small size. A row has the counts of one statement, identified
by its first line, and one array in a launch. Exits with 1 if a row differs, with 77 without a GPU or nvcc.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "kernels"))
from declared_kernels import declared_kernels, with_numbers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = pathlib.Path(__file__).resolve().parent / "gpu_programs.csv"
FIELDS = ["program", "launch", "kernel", "line", "array", "operation", "width", "accesses", "requests",
          "sectors", "wavefronts"]
KEY, COUNTS = FIELDS[:7], FIELDS[7:]
OPERATIONS = ("load", "store", "atomic", "copy_load", "copy_store", "barrier", "warp_barrier",
              "commit_copies", "wait_copies")
# M, N, K, TILE and PAD, as each kernel's file needs them.
SIZES = {"03": (32, 32, 16, 16, 0), "04": (32, 32, 16, 16, 1), "05": (32, 32, 16, 16, 1), "06": (16, 16, 16, 0, 1),
         "12": (32, 64, 32, 16, 1), "13": (32, 64, 32, 16, 1), "14": (32, 64, 32, 16, 1),
         "15": (64, 64, 32, 64, 0), "16": (64, 64, 32, 64, 4), "17": (64, 64, 32, 64, 0),
         "18": (64, 64, 32, 64, 0), "19": (64, 64, 32, 64, 0)}
USUAL = (48, 32, 32, 16, 1)
# nvcc changes two of these kernels also at -O1. It joins sums[2 * tid] and sums[2 * tid + 1] into accesses of
# 8 bytes, and reads a sum at the end of one trip of the loop for the next one: on another line.
CHANGED_BY_NVCC = {("scan", "0"), ("scan", "1")}

MAIN = """#include "{file}"
#include <cstdio>
#include <vector>

int main() {{
    const int M = {m}, N = {n}, K = {k};
    std::vector<float> a(M * K), b(K * N), c(M * N);
    for (int i = 0; i < M * K; ++i) a[i] = float(i % 7) - 3;
    for (int i = 0; i < K * N; ++i) b[i] = float(i % 5) - 2;
    float *A, *B, *C;
    cudaMalloc(&A, a.size() * sizeof(float));
    cudaMalloc(&B, b.size() * sizeof(float));
    cudaMalloc(&C, c.size() * sizeof(float));
    cudaMemcpy(A, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(C, 0, c.size() * sizeof(float));
    {launch}(A, B, C, M, N, K);
    cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < M; ++row)
        for (int col = 0; col < N; ++col) {{
            float sum = 0;
            for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[k * N + col];
            wrong += c[row * N + col] != sum;
        }}
    std::printf("%d wrong\\n", wrong);
    cudaFree(A), cudaFree(B), cudaFree(C);
    return wrong != 0 || cudaGetLastError() != cudaSuccess;
}}
"""


def ladder_program(source, declared, folder):
    m, n, k, tile, pad = SIZES.get(source.name[:2], USUAL)
    for file in (source, *source.parent.glob("*.h")):
        shutil.copy(file, folder)
    program = folder / f"launch_{source.stem}.cu"
    launch = with_numbers(declared["launch"], tile, pad)
    program.write_text(MAIN.format(file=source.name, m=m, n=n, k=k, launch=launch))
    return program


def programs_in(folder, tilereel):
    declared = declared_kernels(tilereel)
    ladder = [source for source in sorted((ROOT / "kernels/ladder").glob("[01]*.cu"))
              if source.name < "20"]
    return ([ladder_program(source, declared[source.stem], folder) for source in ladder] +
            sorted((ROOT / "assets/programs").glob("*.cu")))


def site_file(program):
    """The file that the kernel is in."""
    return program.name.removeprefix("launch_")


def first_line(lines, number):
    """Where the statement of a line begins: g++ and nvcc choose different lines of a long one."""
    while number > 1 and not re.search(r"[;{}:]\s*(//.*)?$|^\s*(//.*|#.*)?$", lines[number - 2]):
        number -= 1
    return number


def rows_of(tilereel, program, device):
    """The program's rows, by key; a sentence where it cannot be recorded."""
    run = subprocess.run([tilereel, "report", program, "--json", *device], capture_output=True, text=True,
                         timeout=300, check=False)
    if run.returncode != 0:
        return None, run.stderr.strip()
    report = json.loads(run.stdout)
    if report["exit_code"] != 0:
        return None, f"{program.stem}: its own check fails: {report['output'].strip()}"
    rows = collections.defaultdict(lambda: [0] * len(COUNTS))
    for launch in report["launches"]:
        if "report" not in launch:
            return None, f"{program.stem}: {launch.get('reason')}"
        for finding in launch["findings"]:
            return None, f"{program.stem}: {finding}"
        lines = (program.parent / site_file(program)).read_text().splitlines()
        for site in launch["report"]["sites"]:
            if site["operation"] not in OPERATIONS:
                continue
            key = (program.stem.removeprefix("launch_"), str(launch["number"]), launch["kernel"].replace(" ", ""), str(first_line(lines, site["line"])),
                   site["array"] or "", site["operation"], str(site["width"] if site["array"] else 0))
            for i, count in enumerate(COUNTS):
                rows[key][i] += site.get(count, 0)
    return dict(rows), None


def read_table():
    with open(TABLE, encoding="utf-8", newline="") as table:
        return {tuple(row[name] for name in KEY): [int(row[name]) for name in COUNTS]
                for row in csv.DictReader(table)}


def write_table(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(FIELDS)
        for key, counts in rows.items():
            writer.writerow([*key, *counts])


def differences(found, known, device):
    problems = []
    for key in sorted(found.keys() | known.keys()):
        if key[:2] in CHANGED_BY_NVCC and not device:
            continue
        if found.get(key) != known.get(key):
            problems.append(f"{' '.join(key)}: {found.get(key)}, in the table {known.get(key)}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilereel", type=pathlib.Path)
    parser.add_argument("--device")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--only")
    asked = parser.parse_args()
    device = ["--device", asked.device] if asked.device else []
    rows, problems = {}, []
    with tempfile.TemporaryDirectory() as folder:
        tilereel = asked.tilereel.resolve()
        programs = [program for program in programs_in(pathlib.Path(folder), tilereel)
                    if not asked.only or asked.only in program.stem]
        begin = time.monotonic()
        if device:  # the first builds what the others share
            _, problem = rows_of(tilereel, programs[0], device)
            if problem and ("no GPU" in problem or "no nvcc" in problem):
                print(problem)
                return 77
        with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
            recorded = list(pool.map(lambda program: rows_of(tilereel, program, device), programs))
        for found, problem in recorded:
            rows.update(found or {})
            problems += [problem] if problem else []
    if asked.write:
        write_table(asked.write, rows)
    else:
        known = {key: counts for key, counts in read_table().items()
                 if not asked.only or asked.only in key[0]}
        problems += differences(rows, known, device)
    print("\n".join(problems) or f"{len(rows)} rows of {len(programs)} programs: equal")
    print(f"{time.monotonic() - begin:.1f} s", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
