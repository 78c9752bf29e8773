#!/usr/bin/env python3
"""Races kernels that are no products on this computer's GPU, and compares with host programs.

  own_races.py TILEREEL [--runs N]

The kernels of own/*.cu are raced by `tilereel race`, and by host programs that were written by hand
(own/*_host.cu), which share no code with Tilereel. Each size is measured by turns, N times (3), and
the medians are compared. Then the cheats of own/cheats.cu are raced: work in another stream must
take as long as the honest kernel, kept results must be found. Exit code 0: all times agree within
2 % and all cheats were caught. Needs nvcc.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "own"
SIZES = {"saxpy": [1 << 20, 1 << 22, 1 << 24, 1 << 26],
         "reduce": [1 << 20, 1 << 22, 1 << 24, 1 << 26],
         "transpose": [1024, 2048, 4096, 8192]}
AGREE = 0.02
CALL = "{}(n, 2.5f, x, y) with n = 5000, x[n], y[n]"


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def raced(library, sizes):
    """{n: median microseconds} of a race, and what it said"""
    code, out, err = run([*library, "--sizes", ",".join(map(str, sizes)), "--json"])
    times = {}
    for line in out.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            if "milliseconds" in row:
                times.setdefault(row["n"], []).append(1000 * row["milliseconds"])
    return code, {n: statistics.median(values) for n, values in times.items()}, out + err


def by_hand(program, sizes):
    code, out, err = run([program, *sizes])
    if code != 0:
        sys.exit(f"{program}: {out}{err}")
    return {int(n): float(us) for n, us in (line.split() for line in out.splitlines())}


def compare(tilereel, folder, name, runs):
    library, program = folder / f"{name}.so", folder / name
    for command in ([tilereel, "race", HERE / f"{name}.cu", "--library", library],
                    ["nvcc", "-O3", "-std=c++17", "-arch=native", "-o", program, HERE / f"{name}_host.cu"]):
        code, out, err = run(command)
        if code != 0:
            sys.exit(out + err)
        print(out.splitlines()[0] if out else "", flush=True)
    ours, theirs, bad = {}, {}, 0
    for _ in range(runs):
        code, times, said = raced([tilereel, "race", library], SIZES[name])
        if code != 0 or len(times) != len(SIZES[name]):
            sys.exit(said)
        for n, us in times.items():
            ours.setdefault(n, []).append(us)
        for n, us in by_hand(program, SIZES[name]).items():
            theirs.setdefault(n, []).append(us)
    for n in SIZES[name]:
        us, hand = statistics.median(ours[n]), statistics.median(theirs[n])
        off = us / hand - 1
        bad += abs(off) > AGREE
        print(f"{name:10} n = {n:9}  race {us:10.2f} us  by hand {hand:10.2f} us  {100 * off:+6.2f} %"
              f"{'  APART' if abs(off) > AGREE else ''}", flush=True)
    return bad


def race_cheats(tilereel):
    n, bad = 1 << 24, 0
    source = [tilereel, "race", HERE / "cheats.cu"]
    _, honest, said = raced([*source, "--call", CALL.format("saxpy<<<(n + 255) / 256, 256>>>")], [n])
    if n not in honest:
        sys.exit(said)
    _, elsewhere, said = raced([*source, "--call", CALL.format("elsewhere")], [n])
    counted = n in elsewhere and elsewhere[n] > 0.9 * honest[n]
    print(f"elsewhere: honest {honest[n]:.1f} us, in another stream {elsewhere.get(n, 0):.1f} us"
          f"{'' if counted else '  NOT COUNTED'}", flush=True)
    bad += not counted
    for cheat in ("last", "seen"):
        code, _, said = raced([*source, "--call", CALL.format(cheat)], [n])
        found = code != 0 and ("wrong" in said or "keeps results" in said)
        print(f"{cheat}: {'caught' if found else 'NOT CAUGHT'}: {said.strip().splitlines()[-1][:160]}", flush=True)
        bad += not found
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilereel", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bad = sum(compare(given.tilereel.resolve(), pathlib.Path(folder), name, given.runs) for name in SIZES)
    bad += race_cheats(given.tilereel.resolve())
    print("all within 2 %, all cheats caught" if bad == 0 else f"{bad} do not hold")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
