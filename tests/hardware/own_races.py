#!/usr/bin/env python3
"""Races kernels that are no products on a GPU, and compares with host programs.

  own_races.py prepare TILEREEL FOLDER     compiles all that races: here, with nvcc; needs no GPU
  own_races.py race TILEREEL_RACE_ALONE FOLDER [--runs N]     on a machine with a GPU

The kernels of own/*.cu are raced, and the same kernels by host programs that were written by hand
(own/*_host.cu) and share no code with Tilereel. Each size is measured by turns, N times (3), and the
medians are compared. Then the cheats of own/cheats.cu race: work in another stream must take as long
as the honest kernel, kept results must be found. Exit code 0: all times agree within 2 % and all
cheats were caught. FOLDER and tilereel_race_alone can be carried to another machine.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "own"
SIZES = {"saxpy": [1 << 20, 1 << 22, 1 << 24, 1 << 26],
         "reduce": [1 << 20, 1 << 22, 1 << 24, 1 << 26],
         "transpose": [1024, 2048, 4096, 8192]}
CHEATS = {"honest": "saxpy<<<(n + 255) / 256, 256>>>", "elsewhere": "elsewhere", "last": "last", "seen": "seen"}
CHEATS_AT = 1 << 24
AGREE = 0.02
CALL = "{}(n, 2.5f, x, y) with n = 5000, x[n], y[n]"


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def must(command):
    code, out, err = run(command)
    if code != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{out}{err}")
    return out


def prepare(tilereel, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in SIZES:
        library = ["--library", folder / f"{name}.so", "--sizes", ",".join(map(str, SIZES[name]))]
        print(must([tilereel, "race", "--trust", HERE / f"{name}.cu", *library]).splitlines()[0], flush=True)
        must(["nvcc", "-O3", "-std=c++17", "-arch=all-major", "-o", folder / name, HERE / f"{name}_host.cu"])
    for name, what in CHEATS.items():
        library = ["--library", folder / f"{name}.so", "--sizes", CHEATS_AT]
        must([tilereel, "race", "--trust", HERE / "cheats.cu", "--call", CALL.format(what), *library])
    return 0


def raced(race, library, sizes):
    """The exit code of a race, {n: median microseconds}, and what it said"""
    code, out, err = run([race, library, "--sizes", ",".join(map(str, sizes)), "--json"])
    times = {}
    for line in out.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        if "milliseconds" in row:
            times.setdefault(row["n"], []).append(1000 * row["milliseconds"])
    return code, {n: statistics.median(values) for n, values in times.items()}, out + err


def by_hand(program, sizes):
    return {int(n): float(us) for n, us in (line.split() for line in must([program, *sizes]).splitlines())}


def compare(race, folder, name, runs):
    ours, theirs, bad = {}, {}, 0
    for _ in range(runs):
        code, times, said = raced(race, folder / f"{name}.so", SIZES[name])
        if code != 0 or len(times) != len(SIZES[name]):
            sys.exit(said)
        for n, us in times.items():
            ours.setdefault(n, []).append(us)
        for n, us in by_hand(folder / name, SIZES[name]).items():
            theirs.setdefault(n, []).append(us)
    for n in SIZES[name]:
        us, hand = statistics.median(ours[n]), statistics.median(theirs[n])
        off = us / hand - 1
        bad += abs(off) > AGREE
        print(f"{name:10} n = {n:9}  race {us:10.2f} us  by hand {hand:10.2f} us  {100 * off:+6.2f} %"
              f"{'  APART' if abs(off) > AGREE else ''}", flush=True)
    return bad


def race_cheats(race, folder):
    results = {name: raced(race, folder / f"{name}.so", [CHEATS_AT]) for name in CHEATS}
    honest = results["honest"][1].get(CHEATS_AT)
    if honest is None:
        sys.exit(results["honest"][2])
    elsewhere = results["elsewhere"][1].get(CHEATS_AT, 0)
    bad = int(elsewhere < 0.9 * honest)
    print(f"honest {honest:.1f} us, in another stream {elsewhere:.1f} us{'  NOT COUNTED' if bad else ''}")
    for cheat in ("last", "seen"):
        code, _, said = results[cheat]
        found = code != 0 and ("wrong" in said or "keeps results" in said)
        print(f"{cheat}: {'caught' if found else 'NOT CAUGHT'}: {said.strip().splitlines()[0][:200]}")
        bad += not found
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prepare", "race"])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    program, folder = given.program.resolve(), given.folder.resolve()
    if given.what == "prepare":
        return prepare(program, folder)
    bad = sum(compare(program, folder, name, given.runs) for name in SIZES) + race_cheats(program, folder)
    print("all within 2 %, all cheats caught" if bad == 0 else f"{bad} do not hold")
    return int(bad != 0)


if __name__ == "__main__":
    sys.exit(main())
