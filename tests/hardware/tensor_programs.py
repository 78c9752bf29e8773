#!/usr/bin/env python3
"""Compares recordings of programs with tensor cores or clusters, of a GPU and of the CPU, record by record.

  tensor_programs.py TILEREEL [--only NAME]                records on both, and compares
  tensor_programs.py TILEREEL --record FOLDER [--device gpu]   keeps the traces of one recorder
  tensor_programs.py --compare FOLDER FOLDER               compares kept traces

The programs check themselves (tests/program/cuda). For each launch, block, warp and line the records of accesses and of
products must be equal in their order: operation, width, array, lanes, addresses, and the values of
stores and products, to the bit; those of atomics depend on the order of the warps. Of programs with clusters,
barriers and bulk copies, too, must be equal. The others multiply small integers, so that sums are exact. Exits
with 1 if something differs, with 77 without a GPU or nvcc.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "program/cuda"
NAMES = ("ptx_matrices", "wmma_half", "wmma_types", "ptx_warpgroup")
CLUSTERS = ("clusters", "cluster_rows", "ptx_clusters", "ptx_bulk_stores")
LOAD, STORE, ATOMIC, MATRIX_LOAD, MATRIX_STORE, PRODUCT = 0, 1, 13, 16, 17, 18
COMMIT, WAIT, FENCE = 19, 20, 21  # of products
COMPARED = (LOAD, STORE, ATOMIC, MATRIX_LOAD, MATRIX_STORE, PRODUCT, COMMIT, WAIT, FENCE)
BARRIER, COPY_LOAD, COPY_STORE, ARRIVE, START, WAIT_PHASE, INIT = 3, 5, 6, 9, 10, 11, 12
OF_CLUSTERS = (BARRIER, COPY_LOAD, COPY_STORE, ARRIVE, START, WAIT_PHASE, INIT)
WITHOUT_ARRAY = (BARRIER, ARRIVE, START, WAIT_PHASE, INIT, PRODUCT, COMMIT, WAIT, FENCE)
REGULAR = 0xffffffff
HAS_VALUES = 0x8000


def record(tilereel, name, folder, device):
    """Writes NAME.npz, or NAME_0.npz and so on. Returns what went wrong, or nothing."""
    command = [tilereel, "trace", PROGRAMS / f"{name}.cu", "-o", folder / f"{name}.npz"]
    run = subprocess.run([*command, *(["--device", device] if device else [])], capture_output=True, text=True,
                         timeout=600, check=False)
    return None if run.returncode == 0 else (run.stderr + run.stdout).strip()


def lanes_of(trace, pattern):
    """The active lanes, with their distance from the lowest one's address."""
    mask, row = int(trace["patterns_mask"][pattern]), int(trace["patterns_irregular"][pattern])
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    if row != REGULAR:
        return [(lane, int(trace["irregular_offsets"][row][lane])) for lane in lanes]
    deltas = trace["patterns_delta_bytes"][pattern].tolist()
    sums = {lane: sum(d for bit, d in enumerate(deltas) if lane >> bit & 1) for lane in lanes}
    return [(lane, sums[lane] - sums[lanes[0]]) for lane in lanes]


def statement_lines(text):
    """The line on which an inline PTX statement begins, by each further line of it. nvcc names the last."""
    begins = {}
    for found in re.finditer(r"\basm\b[^(;]*\(", text):
        at, depth = found.end(), 1
        quoted = False
        while at < len(text) and depth > 0:
            if text[at] == '"' and text[at - 1] != "\\":
                quoted = not quoted
            elif not quoted:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        first, last = (text.count("\n", 0, place) + 1 for place in (found.start(), at))
        begins.update({line: first for line in range(first + 1, last + 1)})
    return begins


def records_by_place(path):
    """The compared records, by block, warp, file and line."""
    import numpy  # not needed where programs are only recorded
    trace = dict(numpy.load(path, allow_pickle=False))
    compared = COMPARED + (OF_CLUSTERS if path.stem.startswith(CLUSTERS) else ())
    meta = json.loads(trace["meta"].tobytes())
    # Memory that a kernel knows through a tensor map alone has no name on a GPU.
    maps = ("memory", "map")
    names = ["" if array["name"] in maps else array["name"] for array in meta["arrays"]]
    first_lines = statement_lines(trace["source"].tobytes().decode())
    lanes = [lanes_of(trace, pattern) for pattern in range(len(trace["patterns_mask"]))]
    columns = {name: trace[f"sites_{name}"].tolist()
               for name in ("line", "file", "array", "operation", "width_bytes", "variety")}
    sites, bases = trace["records_site"].tolist(), trace["records_base"].tolist()
    patterns, words = trace["records_pattern"].tolist(), trace["words"].tolist()
    found = collections.defaultdict(list)
    begins = trace["segments_record_begin"].tolist()
    for segment in range(len(begins) - 1):
        at = int(trace["segments_value_begin"][segment])
        for index in range(begins[segment], begins[segment + 1]):
            site = sites[index] & (HAS_VALUES - 1)
            operation, width = columns["operation"][site], columns["width_bytes"][site]
            active = lanes[patterns[index]]
            values = ()
            if sites[index] & HAS_VALUES:
                count = len(active) * max(1, width // 4)
                values = tuple(words[at:at + count])
                at += count
            if operation not in compared:
                continue
            if operation == ATOMIC:
                values = ()  # what an atomic leaves depends on the order of the warps
            key = (int(trace["segments_block"][segment]), int(trace["segments_warp"][segment]),
                   columns["file"][site], first_lines.get(columns["line"][site], columns["line"][site]))
            array = "" if operation in WITHOUT_ARRAY else names[columns["array"][site]]
            places = [lane for lane, _ in active] if operation in WITHOUT_ARRAY else active
            found[key].append((operation, columns["variety"][site], width, array, bases[index], tuple(places), values))
    return found


def differences(one, other):
    """Sentences about two traces of one launch."""
    ours, theirs = records_by_place(one), records_by_place(other)
    problems = []
    for key in sorted(ours.keys() | theirs.keys()):
        mine, yours = ours.get(key, []), theirs.get(key, [])
        if mine == yours:
            continue
        place = "{}: block {}, warp {}, file {}, line {}".format(one.stem, *key)
        if len(mine) != len(yours):
            problems.append(f"{place}: {len(mine)} records and {len(yours)}")
            continue
        index = next(i for i, pair in enumerate(zip(mine, yours)) if pair[0] != pair[1])
        problems.append(f"{place}: record {index}:\n    {mine[index]}\n    {yours[index]}")
    return problems, sum(len(each) for each in ours.values())


def compare(one, other):
    problems, records = [], 0
    for name in sorted({path.name for folder in (one, other) for path in folder.glob("*.npz")}):
        if not (one / name).exists() or not (other / name).exists():
            problems.append(f"{name} is in one of the folders only")
            continue
        found, count = differences(one / name, other / name)
        problems += found
        records += count
    print("\n".join(problems[:40]) or f"{records} records equal")
    return 1 if problems or records == 0 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilereel", type=pathlib.Path, nargs="?")
    parser.add_argument("--device")
    parser.add_argument("--only", default="", help="programs with this in their names")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path, nargs=2)
    asked = parser.parse_args()
    if asked.compare:
        return compare(*asked.compare)
    if asked.tilereel is None:
        parser.error("name the program tilereel, or --compare")
    with tempfile.TemporaryDirectory() as folder:
        cpu, gpu = pathlib.Path(folder) / "cpu", pathlib.Path(folder) / "gpu"
        wanted = [(asked.record, asked.device)] if asked.record else [(gpu, "gpu"), (cpu, None)]
        for to, device in wanted:
            to.mkdir(parents=True, exist_ok=True)
            for name in [each for each in NAMES + CLUSTERS if asked.only in each]:
                problem = record(asked.tilereel.resolve(), name, to.resolve(), device)
                if problem and ("no GPU" in problem or "no nvcc" in problem):
                    print(problem)
                    return 77
                if problem:
                    print(f"{name} on the {device or 'cpu'}: {problem}")
                    return 1
        return 0 if asked.record else compare(gpu, cpu)


if __name__ == "__main__":
    sys.exit(main())
