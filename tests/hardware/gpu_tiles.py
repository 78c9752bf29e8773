#!/usr/bin/env python3
"""Compares GPU recordings of the ladder at TILEs and PADs that are not built in with CPU recordings, line by line.

  gpu_tiles.py TILEREEL --device gpu --write TABLE   records on the GPU, and writes the table
  gpu_tiles.py TILEREEL --device gpu                 records on the GPU, and compares with the table
  gpu_tiles.py TILEREEL                              records on the CPU, and compares with the table

nvcc or g++ compiles each kernel on demand. A row has the counts of one line and one array in a launch.
Exits with 1 if a row differs, with 77 without a GPU or nvcc.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

NO_GPU = "no NVIDIA", "no GPU", "no nvcc", "without the CUDA Toolkit"  # in the program's sentence
TABLE = pathlib.Path(__file__).resolve().parent / "gpu_tiles.csv"
CASE = ["kernel", "tile", "pad", "m", "n", "k"]
KEY = CASE + ["line", "array", "operation", "width"]
COUNTS = ["accesses", "requests", "sectors", "lines", "wavefronts", "bank_conflicts"]
CASES = [("02_naive", 13, 0, 20, 30, 17), ("08_tiled_b_transposed", 24, 5, 48, 24, 24), ("09_tiled", 13, 3, 26, 39, 13),
         ("10_tiled_any_size", 13, 3, 30, 31, 29), ("11_tiled_dynamic", 7, 2, 14, 21, 14)]


def rows_of(tilereel, case, device):
    """The launch's rows, by key; a sentence where it cannot be recorded."""
    options = [word for name, value in zip(CASE[1:], case[1:]) for word in ("--" + name, str(value))]
    run = subprocess.run([tilereel, "report", case[0], *options, "--json", *device], capture_output=True, text=True,
                         timeout=300, check=False)
    if run.returncode != 0:
        return {}, run.stderr.strip()
    report = json.loads(run.stdout)
    if report.get("wrong_elements"):
        return {}, f"{case[0]}: C has wrong elements"
    rows = {}
    for site in report["sites"]:
        key = (*map(str, case), str(site["line"]), site["array"] or "", site["operation"], str(site.get("width", 0)))
        rows[key] = [site.get(count, 0) for count in COUNTS]
    return rows, None


def read_table():
    with open(TABLE, encoding="utf-8", newline="") as table:
        return {tuple(row[name] for name in KEY): [int(row[name]) for name in COUNTS] for row in csv.DictReader(table)}


def write_table(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(KEY + COUNTS)
        writer.writerows([*key, *counts] for key, counts in sorted(rows.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilereel", type=pathlib.Path)
    parser.add_argument("--device")
    parser.add_argument("--write", type=pathlib.Path)
    asked = parser.parse_args()
    device = ["--device", asked.device] if asked.device else []
    rows, problems = {}, []
    for case in CASES:
        found, problem = rows_of(asked.tilereel.resolve(), case, device)
        if problem and device and any(words in problem for words in NO_GPU):
            print(problem)
            return 77
        rows.update(found)
        problems += [problem] if problem else []
    if asked.write:
        write_table(asked.write, rows)
    else:
        known = read_table()
        problems += [f"{' '.join(key)}: {rows.get(key)}, in the table {known.get(key)}"
                     for key in sorted(rows.keys() | known.keys()) if rows.get(key) != known.get(key)]
    print("\n".join(problems) or f"{len(rows)} rows of {len(CASES)} launches" + ("" if asked.write else ": equal"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
