#!/usr/bin/env python3
"""Measures the tables of this folder on this machine's GPU.

  measure.py --tools BUILD/tests/hardware --out FOLDER [--steps machine,recorder,...]
             [--keep REPOSITORY] [--kernel 20_champion]

Writes FOLDER/recorder.csv, as_written.csv, speed.csv, native.csv, sanitizer.csv, gpu_trace.npz,
gpu_boxes.npz, log.txt and profiles.tar.gz, and prints a summary of each. Runs gpu_tables,
ladder_as_written and ladder_as_compiled. Needs Nsight Compute (ncu) with permission to read counters
for as_written and native, compute-sanitizer for sanitizer. Exits with 1 if anything
differs or fails. A step that is not possible is reported and does not stop the others.
"""
import argparse
import csv
import datetime
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

from profiler_output import (BY_INSTRUCTION, COUNTERS, compare, errors_of, match, read_profile,
                             sum_by_instruction)

CASE_COLUMNS = ["kernel", "tile", "pad", "m", "n", "k"]
NO_GPU = 77  # exit code of gpu_tables without a GPU of the required generation
STEPS = ["machine", "recorder", "as_written", "speed", "native", "trace", "faults", "sanitizer"]


# The files of a run that the repository keeps, and where.
KEPT = {"recorder.csv": "tests/hardware/recorder.csv",
        "as_written.csv": "tests/hardware/as_written.csv",
        "speed.csv": "tests/hardware/speed.csv",
        "sanitizer.csv": "tests/hardware/sanitizer.csv",
        "gpu_trace.npz": "tests/hardware/gpu_trace.npz",
        "gpu_boxes.npz": "tests/hardware/gpu_boxes.npz",
        "native.csv": "assets/as_compiled.csv"}


def keep(out, repository):
    """Copies what a run wrote to where it is kept; returns the names."""
    kept = [name for name in KEPT if (out / name).exists()]
    for name in kept:
        shutil.copyfile(out / name, repository / KEPT[name])
    return kept


class Log:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def __call__(self, text):
        print(text, flush=True)
        print(text, file=self.file, flush=True)

    def close(self):
        self.file.close()


class Measurement:
    def __init__(self, tools, out, ncu, sanitizer, kernel=None):
        self.tools, self.out, self.ncu, self.sanitizer = tools, out, ncu, sanitizer
        self.tool = tools / "gpu_tables"
        self.kernel = [kernel] if kernel else []  # argument of the programs; empty: all kernels
        self.log = Log(out / "log.txt")
        self.profiles = {}
        self.failures = []
        self.machine_columns = {}
        self.cases = []

    def call(self, command, seconds, environment=None):
        begin = time.monotonic()
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=seconds, check=False, env=environment)
        self.log(f"[{time.monotonic() - begin:.1f} s] {' '.join(map(str, command[-4:]))}: "
                 f"exit {done.returncode}")
        if done.stderr.strip():
            self.log(done.stderr.strip()[-2000:])
        return done

    def rows_of(self, command, seconds):
        done = self.call([self.tool, *command], seconds)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        if done.returncode != 0:
            self.failures.append(" ".join(command))
        return rows

    def write(self, name, rows):
        rows = [{**row, **self.machine_columns} for row in rows]
        if not rows:
            return
        with open(self.out / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    def machine(self):
        self.machine_columns = self.rows_of(["machine"], 60)[0]
        today = datetime.datetime.now(datetime.timezone.utc).date()
        self.machine_columns["date"] = os.environ.get("TILEREEL_DATE", str(today))
        self.log(str(self.machine_columns))
        hidden = self.call([self.tool, "machine"], 60,
                           {**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        if hidden.returncode != 77:
            self.failures.append("gpu_tables does not exit with 77 if the GPU is hidden")

    def recorder(self):
        rows = self.rows_of(["recorder", "all", *self.kernel], 200)
        self.write("recorder.csv", rows)
        equal = [row for row in rows if row["difference"] == "none"]
        self.log(f"RECORDER: {len(equal)} of {len(rows)} launches give the CPU's trace, "
                 f"{sum(int(row['accesses']) for row in equal):,} accesses")
        for row in rows:
            if row not in equal:
                self.log("  differs: " + ",".join(row.values()))

    def profile(self, build, metrics, seconds):
        # Neither flushes the caches nor fixes the clocks: neither changes a count.
        path = self.out / f"profile_{build}_{len(self.profiles)}.csv"
        self.call([self.ncu, "--csv", "--page", "raw", "--print-units", "base", "--cache-control",
                   "none", "--clock-control", "none", "--metrics", ",".join(metrics), "--log-file",
                   path, self.tools / f"ladder_{build}", "launch", *self.kernel], seconds)
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        self.profiles[path.name] = text
        path.unlink(missing_ok=True)
        if not self.cases:
            self.cases = self.rows_of(["cases", *self.kernel], 200)
        return match(self.cases, read_profile(text))

    def known_metrics(self, wanted):
        done = self.call([self.ncu, "--query-metrics"], 120)
        listed = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
        return [metric for metric in wanted if metric in listed or metric.rsplit(".", 1)[0] in listed]

    def as_written(self):
        hardware = self.profile("as_written", [both[0] for both in COUNTERS.values()], 240)
        exact = [dict() for _ in self.cases]
        results = [compare(*each) for each in zip(self.cases, hardware, exact)]
        if any(how == "differs" for result in results for _, _, how in result.values()):
            metrics = self.known_metrics(BY_INSTRUCTION)
            self.log("metrics by instruction: " + " ".join(metrics))
            if metrics:
                exact = self.profile("as_written", metrics, 240)
                results = [compare(*each) for each in zip(self.cases, hardware, exact)]
        rows, totals = [], {"hardware": 0, "instruction": 0, "differs": 0}
        for case, result in zip(self.cases, results):
            row = {column: case[column] for column in CASE_COLUMNS}
            for counter, (expected, counted, how) in result.items():
                totals[how] += 1
                row[counter] = expected
                row[counter + "_counted"] = counted
                if how == "differs":
                    self.log(f"  differs: {','.join(row[c] for c in CASE_COLUMNS)} {counter}: "
                             f"analysis {expected}, counted {counted}")
            for how in ("instruction", "differs"):
                row[how] = " ".join(c for c, each in result.items() if each[2] == how)
            rows.append(row)
        self.write("as_written.csv", rows)
        self.log(f"AS WRITTEN: {len(rows)} launches, {sum(totals.values())} counts; equal to the "
                 f"hardware's: {totals['hardware']}, to its instructions' sum: "
                 f"{totals['instruction']}, different: {totals['differs']}")
        if totals["differs"]:
            self.failures.append("as written")

    def speed(self):
        rows = self.rows_of(["speed"], 150)
        self.write("speed.csv", rows)
        for row in rows:
            self.log(f"SPEED: {row['kernel']} TILE {row['tile']} {row['m']}x{row['n']}x{row['k']}: "
                     f"{int(row['accesses']):,} accesses, fill {row['fill_ms']} ms "
                     f"({row['fill_gaccesses_s']} G/s), both passes {row['gpu_gaccesses_s']} G/s, "
                     f"conversion {row['convert_ms']} ms, whole {row['whole_gaccesses_s']} G/s")

    def native(self):
        """Requests and sectors are sums over instructions, because no analysis of the optimised code
        shows where the hardware's counters are inexact. Wavefronts and conflicts are by the hardware,
        because the sum over instructions misses some of 16-byte loads by half a warp."""
        counted = self.profile("as_compiled", [both[0] for both in COUNTERS.values()], 240)
        known = self.known_metrics(BY_INSTRUCTION)
        exact = self.profile("as_compiled", known, 240) if known else [{} for _ in counted]
        rows = []
        for case, hardware, by_instruction in zip(self.cases, counted, exact):
            row = {column: case[column] for column in CASE_COLUMNS}
            row.update({f"written_{counter}": case[counter] for counter in COUNTERS})
            for counter, (metric, _) in COUNTERS.items():
                by_hardware = counter.endswith(("_wavefronts", "_conflicts"))
                summed = None if by_hardware else sum_by_instruction(counter, hardware, by_instruction)
                row[f"native_{counter}"] = hardware.get(metric) if summed is None else summed
            rows.append(row)
        self.write("native.csv", rows)
        for row in rows:
            if (row["m"], row["n"], row["k"]) == ("256", "256", "256"):
                self.log(f"NATIVE: {row['kernel']} TILE {row['tile']}: " + ", ".join(
                    f"{counter} {row['written_' + counter]} -> {row['native_' + counter]}"
                    for counter in COUNTERS
                    if str(row["written_" + counter]) != str(row["native_" + counter])))

    def trace(self):
        for name, kernel in (("gpu_trace.npz", []), ("gpu_boxes.npz", ["20_champion"])):
            done = self.call([self.tool, "trace", self.out / name, *kernel], 60)
            if done.returncode != 0:
                self.failures.append(name)

    def faults(self):
        self.log(self.call([self.tool, "faults"], 60).stdout)

    def check_memory(self):
        rows = []
        runs = {build: [self.tools / f"ladder_{build}", "run"]
                for build in ("as_written", "as_compiled")}
        runs |= {build: [self.tool, "run", build] for build in ("recorded", "champion")}
        for build, command in runs.items():
            for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
                done = self.call([self.sanitizer, "--tool", tool, *command, *self.kernel], 100)
                if done.returncode == NO_GPU:
                    self.log(f"SANITIZER: {build} does not run on this GPU")
                    break
                errors = errors_of(tool, done.stdout)
                rows.append({"build": build, "tool": tool, "errors": errors})
                self.log(f"SANITIZER: {build}, {tool}: {errors} errors")
                if errors != 0:
                    self.log(done.stdout[:3000])
                    self.failures.append(f"{tool} of {build}")
        self.write("sanitizer.csv", rows)

    def run(self, steps):
        actions = {step: getattr(self, step) for step in STEPS if step != "sanitizer"}
        actions["sanitizer"] = self.check_memory
        for step in steps:
            try:
                actions[step]()
            except (ValueError, OSError, IndexError, subprocess.TimeoutExpired) as error:
                self.log(f"{step.upper()} could not be done: {error}")
                self.failures.append(step)
        with tarfile.open(self.out / "profiles.tar.gz", "w:gz") as archive:
            for name, text in self.profiles.items():
                info = tarfile.TarInfo(name)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
        self.log("all as expected" if not self.failures else "FAILED: " + "; ".join(self.failures))
        self.log.close()
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True, metavar="FOLDER",
                        help="the folder with gpu_tables, ladder_as_written, ladder_as_compiled")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--keep", type=pathlib.Path, metavar="REPOSITORY",
                        help="if nothing failed, copy the tables to their places in this repository")
    parser.add_argument("--kernel", help="the launches of one kernel only")
    parser.add_argument("--steps", default=",".join(STEPS))
    arguments = parser.parse_args()
    steps = arguments.steps.split(",")
    unknown = [step for step in steps if step not in STEPS]
    if unknown:
        parser.error(f"there is no step {unknown[0]}; the steps are {', '.join(STEPS)}")
    if arguments.keep and arguments.kernel:
        parser.error("--keep needs the tables of all kernels: leave out --kernel or --keep")
    arguments.out.mkdir(parents=True, exist_ok=True)
    result = Measurement(arguments.tools.resolve(), arguments.out, arguments.ncu, arguments.sanitizer,
                         arguments.kernel).run(steps)
    if arguments.keep and result == 0:
        print("kept " + ", ".join(KEPT[name] for name in keep(arguments.out, arguments.keep)))
    return result


if __name__ == "__main__":
    sys.exit(main())
