#!/usr/bin/env python3
"""Repeats a run with another call failing in each repetition, and checks the program's behaviour.

    faults.py PROGRAM INJECTOR [--paths | --all] [--only SCENARIO] [--kind KIND]

For each scenario the calls of each kind are counted first. Then the run is repeated with one of
them failing: all of them with --all; with --paths the first and the last call of each call path
(the same functions, called at the same places); else as many as the scenario's limit: the first
third of the limit, and the rest spread evenly over the other calls.
In further runs all calls of a kind fail: no threads, no files, no space. After each run:

  * exit code 0 only if the output is whole; else 1 or 2, and exactly one line on stderr;
  * no signal ended it, and it did not run into the time limit;
  * after a failure the old file is as it was, or is replaced by what the scenario's may_have()
    accepts: a race so far, or a whole file;
  * no other file is left, in the folder of the output or in the one for temporary files.
Then the scenarios of full_disk.py.
"""
import bisect
import concurrent.futures
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

from full_disk import test_full_disk
from injection import KINDS, Bench, Injected, chosen, parser_of

TIME_LIMIT_S = 60
OLD = b"the old file"

# Library functions that allocate memory although they must not throw (the destructor of nlohmann::json, a
# noexcept search of CLI11) or that crash without memory (objects of nlohmann::json).
EXCUSED = ("json_value::destroy", "CLI::App::get_option_no_throw", "::ordered_map<")


class Scenario:
    """A command line whose output is a file named in it, or what it prints."""

    def __init__(self, name, command, output=None, whole=None, limits=None, may_have=None,
                 together=KINDS):
        self.name, self.command, self.output = name, command, output
        self.whole = whole or (lambda made, reference: made == reference)
        self.limits = limits or {}
        self.together = together  # kinds of which all calls also fail together
        # After a failure the output is the old file, or one that may_have() accepts: a race so far,
        # or a whole file if only a message after it could not be printed.
        self.may_have = may_have or (lambda _made, _reference: False)

    def limit(self, kind):
        return self.limits.get(kind, self.limits.get("other", 15))


def is_unchanged(made, reference):
    return made == reference


def is_race(data, _reference=None):
    try:
        race = json.loads(data)
    except ValueError:
        return False
    return race.get("format") == "tilereel race"


def is_whole_race(data, _reference):
    return is_race(data) and json.loads(data)["complete"]


def is_png(data, _reference):
    return data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")


def gif_images(data):
    """How many images a whole GIF holds; 0 if it is not whole."""
    def table(flags):
        return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

    def after_blocks(at):
        while data[at]:
            at += data[at] + 1
        return at + 1

    images = 0
    try:
        at = 13 + table(data[10])
        while data[at] != 0x3B:
            if data[at] == 0x2C:
                images += 1
                at = after_blocks(at + 11 + table(data[at + 9]))
            else:
                at = after_blocks(at + 2)
    except IndexError:
        return 0
    return images if data[:6] == b"GIF89a" and at == len(data) - 1 else 0


def is_gif(data, reference):
    return gif_images(data) > 0 and gif_images(data) == gif_images(reference)


TINY = "--m 4 --n 4 --k 4 --tile 4".split()
SMALL = "--m 16 --n 16 --k 16 --tile 4".split()
SCENARIOS = [
    Scenario("trace", ["trace", "02_naive", *TINY, "--workers", "1", "-o", "out.npz"], "out.npz",
             limits={"alloc": 60, "other": 30}, may_have=is_unchanged),
    Scenario("record", ["trace", "09_tiled", *SMALL, "--workers", "3", "-o", "out.npz"], "out.npz",
             limits={"alloc": 40, "thread": 6}, may_have=is_unchanged),
    Scenario("report", ["report", "../in.npz", "--json"], limits={"alloc": 40}),
    Scenario("race file", ["race", "../in.json", "--csv"], limits={"alloc": 30}),
    Scenario("race",
             ["race", "cpu_naive", "--no-reference", "--sizes", "8", "--repeats", "1", "--warm",
              "--threads", "2", "-o", "out.json"], "out.json", whole=is_whole_race,
             limits={"thread": 4, "other": 1}, may_have=is_race, together=("thread",)),
    Scenario("png", ["export", "../in.npz", "--png", "out.png", "--size", "640x360"], "out.png",
             whole=is_png, limits={"alloc": 4, "open": 2, "thread": 2, "other": 1},
             together=("thread", "write")),
    Scenario("race png", ["race", "../in.json", "--png", "out.png", "--size", "640x360"],
             "out.png", whole=is_png, limits={"alloc": 2, "other": 1}, may_have=is_png,
             together=("thread",)),
    Scenario("gif", ["export", "../tiny.npz", "--gif", "out.gif", "--size", "640x360"], "out.gif",
             whole=is_gif, limits={"alloc": 2, "open": 2, "spawn": 2, "other": 1},
             together=("thread", "write")),
]


def ends_of_paths(file, seen):
    """For each kind, the numbers of the first and the last call of each call path, ascending.
    Leaves out the call paths in `seen`, and adds the new ones to it."""
    found = {kind: {} for kind in KINDS}
    numbers = dict.fromkeys(KINDS, 0)
    with open(file, "rb") as listed:
        while entry := listed.read(16):
            kind, path = struct.unpack("2Q", entry)
            if path == 0:
                break
            kind = KINDS[kind]
            numbers[kind] += 1
            first = found[kind].get(path, (numbers[kind],))[0]
            found[kind][path] = (first, numbers[kind])
    chosen_calls = {kind: sorted({at for path, ends in paths.items() for at in ends
                                  if (kind, path) not in seen})
                    for kind, paths in found.items()}
    seen.update((kind, path) for kind, paths in found.items() for path in paths)
    return chosen_calls


class Run(Injected):
    """One run of a scenario in folders of its own."""

    def __init__(self, bench, scenario, kind=None, at=0, paths=False):
        self.scenario, self.kind, self.at = scenario, kind, at
        self.folder = tempfile.mkdtemp(dir=bench.folder)
        self.temporary = tempfile.mkdtemp(dir=bench.folder)
        if scenario.output:
            with open(os.path.join(self.folder, scenario.output), "wb") as file:
                file.write(OLD)
        variables = {"FAULT_AS": "libzip:libz.so", "TMPDIR": self.temporary,
                     "LIBGL_ALWAYS_SOFTWARE": "1"}
        if paths:
            variables["FAULT_PATHS"] = self.folder + ".paths"
        super().__init__(bench, [bench.program, *scenario.command], self.folder + ".counts",
                         TIME_LIMIT_S, kind, at, variables, cwd=self.folder)
        self.ends_of_paths = {}
        if paths:
            self.ends_of_paths = ends_of_paths(self.folder + ".paths", bench.seen_paths)
            os.unlink(self.folder + ".paths")
        self.files = sorted(os.listdir(self.folder)) + os.listdir(self.temporary)
        self.made = self.out
        if scenario.output and scenario.output in self.files:
            with open(os.path.join(self.folder, scenario.output), "rb") as file:
                self.made = file.read()
        for path in (self.folder, self.temporary):
            shutil.rmtree(path)

    def faults(self, reference):
        """The promises that the run broke, in words."""
        scenario = self.scenario
        if found := self.bad_end():
            return found
        found = self.not_one_line()
        if self.code == 0 and not scenario.whole(self.made, reference.made):
            found.append("exit code 0, and the output is not whole")
        if self.code != 0 and scenario.output and self.made != OLD:
            if not scenario.may_have(self.made, reference.made):
                found.append("the old file is lost")
        left = [name for name in self.files if name != scenario.output]
        if left:
            found.append(f"left behind: {left}")
        return found


class Scenes(Bench):
    """The files that the scenarios read."""

    def __init__(self, program, injector, folder):
        super().__init__(program, injector, folder)
        for name, launch in (("in", ["09_tiled", *SMALL]), ("tiny", ["02_naive", *TINY])):
            subprocess.run([self.program, "trace", *launch, "-o", name + ".npz"], cwd=folder,
                           check=True, capture_output=True)
        source = os.path.join(os.path.dirname(__file__), "../../assets/races/h100_shapes.json")
        shutil.copy(source, os.path.join(folder, "in.json"))
        self.symbols = None
        self.seen_paths = set()  # call paths of former scenarios, which need not fail again

    def names_of(self, places):
        """The program's functions that hold these addresses, relative to its load address."""
        if self.symbols is None:
            listed = subprocess.run(["nm", "-C", "--defined-only", self.program],
                                    capture_output=True, text=True, check=True).stdout
            lines = (line.split(" ", 2) for line in listed.splitlines())
            self.symbols = sorted((int(at, 16), name) for at, kind, name in lines if kind in "tTwW")
        found = []
        for place in places:
            at = bisect.bisect(self.symbols, (place, "")) - 1
            if 0 <= at < len(self.symbols) - 1:
                name = self.symbols[at][1]
                excuse = next((each for each in EXCUSED if each in name), None)
                found.append(excuse or re.sub(r"[<(].*", "", name))
        return found


def test(bench, scenario, arguments, pool):
    reference = Run(bench, scenario, paths=arguments.paths)
    if reference.code != 0:
        print(f"{scenario.name}: skipped, since it does not run here: "
              f"{reference.err.decode(errors='replace').strip()}")
        return 0, []
    runs = []
    for kind in KINDS:
        count = reference.counts[kind]
        if arguments.kind not in (None, kind) or count == 0:
            continue
        if kind in scenario.together:
            runs.append((kind, "all"))
        points = reference.ends_of_paths.get(kind) if arguments.paths else chosen(
            count, count if arguments.all else scenario.limit(kind))
        for at in points:
            runs.append((kind, at))
    failures = []
    codes, excused = {}, 0
    for run in pool.map(lambda point: Run(bench, scenario, *point), runs):
        codes.setdefault(run.kind, [0, 0])[run.code != 0] += 1
        found = run.faults(reference)
        if found and any(name in EXCUSED for name in bench.names_of(run.places)):
            excused += 1
        elif found:
            at = " < ".join(bench.names_of(run.places)[:4])
            failures += [f"{scenario.name}, {run.kind} {run.at} of {reference.counts[run.kind]}: "
                         f"{what}\n  at {at}" for what in found]
    points = ", ".join(f"{kind} {sum(both)} of {reference.counts[kind]} ({both[0]} with "
                       f"a whole output)" for kind, both in codes.items())
    print(f"{scenario.name}: {points}" +
          (f"; {excused} where a library may not throw" if excused else ""), flush=True)
    return len(runs), failures


def test_window(bench):
    """Without any thread the window still opens, records and draws."""
    if shutil.which("Xvfb") is None:
        return 0, []
    read_end, write_end = os.pipe()
    with subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1024x600x24",
                           "-nolisten", "tcp"], pass_fds=(write_end,),
                          stderr=subprocess.DEVNULL) as server:
        os.close(write_end)
        with os.fdopen(read_end) as number:
            display = ":" + number.readline().strip()
        environment = dict(os.environ, LD_PRELOAD=bench.injector, FAULT_KIND="thread",
                           FAULT_COUNTS=os.path.join(bench.folder, "counts"), FAULT_AT="all",
                           DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1")
        with subprocess.Popen([bench.program, "--print-state", "--size", "1024x600"],
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as program:
            alarm = threading.Timer(TIME_LIMIT_S, program.kill)
            alarm.start()
            shown = any(b'"ticks"' in line for line in program.stdout)
            alarm.cancel()
            program.kill()
            errors = program.stderr.read().decode(errors="replace")
        server.kill()
    print("window: no thread at all" + ("" if shown else ": shows nothing"))
    return 1, [] if shown and not errors else [f"window, thread all: shows nothing: {errors[-300:]}"]


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--paths", action="store_true",
                        help="the first and the last call of each call path")
    parser.add_argument("--only", action="append", help="this scenario")
    arguments = parser.parse_args()
    failures, points = [], 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Scenes(arguments.program, arguments.injector, folder)
        for scenario in SCENARIOS:
            if arguments.only and scenario.name not in arguments.only:
                continue
            tried, found = test(bench, scenario, arguments, pool)
            points += tried
            failures += found
            for failure in found:
                print("FAULT", failure, flush=True)
        for name, run in (("window", test_window), ("full disk", test_full_disk)):
            if arguments.only and name not in arguments.only:
                continue
            tried, found = run(bench)
            points += tried
            failures += found
            for failure in found:
                print("FAULT", failure, flush=True)
    print(f"{points} points of failure, {len(failures)} faults")
    if points == 0:
        print("nothing ran, so nothing was tested")
    return 1 if failures or points == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
