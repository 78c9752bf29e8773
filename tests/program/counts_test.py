#!/usr/bin/env python3
"""Compares `tilereel report PROGRAM.cu` with expected.py, launch by launch and counter by counter.

  counts_test.py TILEREEL [PROGRAM ...]

Exits with 1 if a count differs or a program fails its own check.
"""
import json
import pathlib
import subprocess
import sys

import expected

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "assets/programs"
UNITS = {"requests": "requests", "sectors": "sectors", "wavefronts": "wavefronts",
         "conflicts": "bank_conflicts"}


def counted(totals, counter):
    space, operation, unit = counter.split("_")
    return totals.get(f"{space}_{operation}", {}).get(UNITS[unit], 0)


def problems_of(tilereel, name, launch=None):
    """`launch`: only this one is recorded, counted from 0."""
    only = [] if launch is None else ["--launch", str(launch)]
    source = PROGRAMS / f"{name}.cu"
    run = subprocess.run([tilereel, "report", source, "--json", *only], capture_output=True,
                         text=True, timeout=120, check=False)
    if run.returncode != 0:
        return [f"{name}: {run.stderr.strip()}"]
    report = json.loads(run.stdout)
    problems = []
    if report["exit_code"] != 0:
        problems.append(f"{name}: its own check fails: {report['output'].strip()}")
    wanted = expected.PROGRAMS[name]()
    if launch is not None:
        wanted = wanted[launch:launch + 1]
    if len(report["launches"]) != len(wanted):
        problems.append(f"{name}: {len(report['launches'])} launches instead of {len(wanted)}")
    for launch, counts in zip(report["launches"], wanted):
        for counter, count in counts.items():
            found = counted(launch["report"]["totals"], counter)
            if found != count:
                problems.append(f"{name}, {launch['kernel']}: {counter} is {found}, not {count}")
        for finding in launch["findings"]:
            problems.append(f"{name}, {launch['kernel']}: {finding}")
    return problems


def main():
    names = sys.argv[2:] or list(expected.PROGRAMS)
    problems = [problem for name in names for problem in problems_of(sys.argv[1], name)]
    problems += problems_of(sys.argv[1], "transpose", launch=1)
    print("\n".join(problems) or f"{len(names)} programs: every count as computed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
