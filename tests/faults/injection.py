"""Runs in which the preloaded injector makes a call fail; for faults.py and child_faults.py."""
import argparse
import os
import struct
import subprocess

KINDS = ("alloc", "thread", "open", "write", "short", "fsync", "rename", "spawn")
FRAMES = 24


class Bench:
    def __init__(self, program, injector, folder):
        self.program, self.injector = os.path.abspath(program), os.path.abspath(injector)
        self.folder = folder


class Ended:
    """How a program ended. `code` is None if it did not end in time."""

    def __init__(self, command, time_limit_s, **how):
        self.time_limit_s = time_limit_s
        try:
            done = subprocess.run(command, capture_output=True, timeout=time_limit_s,
                                  stdin=subprocess.DEVNULL, check=False, **how)
            self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            self.code, self.out, self.err = None, late.stdout or b"", late.stderr or b""

    def last_words(self):
        return self.err.decode(errors="replace")[-300:]

    def bad_end(self, codes=(0, 1, 2)):
        """Why this is no end that the program may have, in words; empty if it is one."""
        if self.code is None:
            return [f"did not end within {self.time_limit_s} s"]
        if self.code not in codes:
            return [f"ended with code {self.code}: {self.last_words()}"]
        return []

    def not_one_line(self):
        if self.code == 0 or self.err.count(b"\n") == 1:
            return []
        return ["not one line on stderr: " + self.last_words()]


class Injected(Ended):
    """A run in which call number `at` of the kind fails, or all of them (at "all")."""

    def __init__(self, bench, command, counts, time_limit_s, kind, at, variables, **how):
        environment = dict(os.environ, LD_PRELOAD=bench.injector, FAULT_COUNTS=counts, **variables)
        if kind:
            environment.update(FAULT_KIND=kind, FAULT_AT=str(at))
        super().__init__(command, time_limit_s, env=environment, **how)
        self.counts, self.places = {}, []
        if os.path.exists(counts):
            with open(counts, "rb") as file:
                numbers = struct.unpack(f"{len(KINDS) + FRAMES}Q", file.read())
            os.unlink(counts)
            self.counts = dict(zip(KINDS, numbers))
            self.places = [place for place in numbers[len(KINDS):] if place]


def chosen(count, limit):
    """Which of the calls 1..count fail: the first third of the limit, then evenly spread ones."""
    if count <= limit:
        return list(range(1, count + 1))
    first = limit // 3
    step = (count - first) / (limit - first)
    return list(range(1, first + 1)) + [first + 1 + int(step * i) for i in range(limit - first)]


def parser_of(document):
    parser = argparse.ArgumentParser(description=document.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("injector")
    parser.add_argument("--all", action="store_true", help="every call, whatever it takes")
    parser.add_argument("--kind", choices=KINDS, help="only this kind of call")
    return parser
