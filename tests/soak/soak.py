#!/usr/bin/env python3
"""Sends random input to a real window for a long time, and checks that nothing breaks.

    soak.py PROGRAM [--events 20000] [--seed 1] [--log FILE] [--replay FILE] [--patience 120]

The program runs under an Xvfb of its own, in an empty folder. It gets random keys, clicks, drags,
scrolls, texts and new sizes through the X server (XTest), like input of a user. Half of
the clicks go to a random widget, whose position --print-state gives: nothing here knows how the
window is laid out. Some events choose another kernel, TILE, PAD, size, GPU or page.
Every 50 events the window must answer a ping (_NET_WM_PING) within --patience.

The same seed gives the same choices. Because widgets depend on the machine's speed, each event is also
logged as it was sent, and --replay sends a log again. The test fails if the program ends, does not
answer, prints anything on stderr (for example a sanitizer's report), exits with an error, or if its
memory grows: the smallest resident size in the last quarter of the events may be at most 1.25 times
that of the second quarter, plus 32 MiB, not counting times with a race or a measurement for races. If
the program does not answer, the test prints the state and the stack of each thread.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from screen import Screen

WIDTH, HEIGHT = 1366, 768
PING_EVERY = 50
MOST_EVENTS_OF_A_RACE = 100  # events until a race is cancelled
# Keys of the window's table of keys ("?"), by their X11 names -> how often each is chosen.
KEYS = {
    "space": 8, "Left": 6, "Right": 10, "Prior": 4, "Next": 10, "Home": 4, "End": 2,
    "bracketleft": 2, "bracketright": 2, "p": 6, "b": 4, "w": 6, "l": 6, "o": 3, "r": 1, "t": 3,
    "plus": 2, "minus": 2, "h": 5, "i": 4, "f": 1, "F11": 1, "1": 6, "2": 3, "3": 1, "4": 1,
    "0": 3, "question": 2, "F1": 1, "Return": 4, "Tab": 5, "Escape": 10, "Up": 2, "Down": 2,
    "c": 2, "g": 2, "n": 2, "s": 2, "e": 2, "comma": 1, "period": 1, "BackSpace": 2, "Delete": 1,
}
SHIFTED = {"plus", "question"}
TEXTS = ["1", "4", "8", "16", "32", "64", "100", "0", "-1", "99999", "17", "abc"]


class Program:
    """The program under test; its states come line by line, and its errors are kept."""

    def __init__(self, command, display, folder):
        environment = dict(os.environ, DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1", HOME=folder,
                           XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder, LP_NUM_THREADS="1")
        environment.pop("WAYLAND_DISPLAY", None)
        self.errors = open(os.path.join(folder, "..", "stderr"), "w+", encoding="utf-8",
                           errors="replace")
        self.process = subprocess.Popen(command, cwd=folder, env=environment,
                                        stdout=subprocess.PIPE, stderr=self.errors,
                                        encoding="utf-8", errors="replace")
        self.widgets, self.states = {}, 0
        self.kernels, self.races, self.racing, self.raced = set(), 0, False, False
        self.measuring = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            try:
                state = json.loads(line)
            except ValueError:
                continue
            self.widgets = state.get("widgets", {})
            self.racing = state.get("racing", False)
            self.measuring = state.get("measuring", False)
            self.races += self.racing and not self.raced
            self.raced = self.racing
            self.kernels.add((state.get("kernel"), state.get("m"), state.get("tile"),
                              state.get("pad")))
            self.states += 1

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def wait_for(self, widget):
        """Waits until the widget is drawn, for a second at most."""
        end = time.monotonic() + 1
        while widget not in self.widgets and time.monotonic() < end:
            time.sleep(0.02)

    def wait_for_rest(self):
        """Waits for two seconds at most until nothing races: a cancelled race finishes its launch."""
        end = time.monotonic() + 2
        while self.racing and time.monotonic() < end:
            time.sleep(0.02)

    def threads(self):
        """The state, wait channel and CPU time of each thread, twice, and then its stack."""
        lines = []
        for _ in range(2):
            for task in sorted(os.listdir(f"/proc/{self.process.pid}/task"), key=int):
                folder = f"/proc/{self.process.pid}/task/{task}"
                try:
                    with open(f"{folder}/stat", encoding="utf-8", errors="replace") as stat:
                        name, fields = stat.read().rsplit(")", 1)
                    with open(f"{folder}/wchan", encoding="ascii") as wchan:
                        waits_for = wchan.read()
                except OSError:
                    continue  # it has ended
                state, user, system = (fields.split()[i] for i in (0, 11, 12))
                lines.append(f"thread {task} {name.split('(', 1)[1]}: {state} {waits_for}, "
                             f"{user} + {system} ticks")
            time.sleep(2)
        if shutil.which("gdb"):
            lines.append(subprocess.run(
                ["gdb", "-batch", "-p", str(self.process.pid), "-ex", "thread apply all bt 30"],
                capture_output=True, encoding="utf-8", errors="replace", check=False).stdout)
        return "\n".join(lines)

    def done(self):
        return f"{self.states} states, {len(self.kernels)} launches, {self.races} races"


class User:
    """Chooses events at random; do() carries one out."""

    def __init__(self, screen, program, seed):
        self.screen, self.program, self.random = screen, program, random.Random(seed)
        self.size = [WIDTH, HEIGHT]
        self.next = []  # widgets to use before the next random event
        self.raced = 0  # events since the race began
        self.cancelled = False  # by the last event

    def somewhere(self):
        widgets = list(self.program.widgets.values())
        if widgets and self.random.random() < 0.5:
            x, y, width, height = self.random.choice(widgets)
            return [int(x + width * self.random.random()), int(y + height * self.random.random())]
        return [self.random.randrange(self.size[0]), self.random.randrange(self.size[1])]

    def choose(self):
        if self.cancelled:
            self.cancelled = False
            self.program.wait_for_rest()
        while self.next:
            self.program.wait_for(self.next[0])
            name = self.next.pop(0)
            event = self.use(name)
            if event is not None:
                self.cancelled = name == "race.cancel"
                return event
        self.raced = self.raced + 1 if self.program.racing else 0
        if self.raced % MOST_EVENTS_OF_A_RACE == MOST_EVENTS_OF_A_RACE - 1:
            return self.cancel_race()
        kind = self.random.choices(
            ["key", "click", "move", "drag", "scroll", "text", "resize", "change"],
            [44, 23, 12, 6, 7, 3, 2, 3])[0]
        if kind == "change":
            return self.change()
        if kind == "key":
            key = self.random.choices(list(KEYS), list(KEYS.values()))[0]
            return [kind, key, key in SHIFTED or self.random.random() < 0.15]
        if kind == "click":
            return [kind, *self.somewhere(), self.random.choices([1, 2, 3], [20, 1, 2])[0]]
        if kind == "move":
            return [kind, *self.somewhere()]
        if kind == "drag":
            return [kind, *self.somewhere(), *self.somewhere()]
        if kind == "scroll":
            return [kind, *self.somewhere(), self.random.choice([4, 5]), self.random.randint(1, 4)]
        if kind == "text":
            return [kind, *self.somewhere(), self.random.choice(TEXTS)]
        return [kind, self.random.randint(640, 1920), self.random.randint(400, 1080)]

    def cancel_race(self):
        """Cancels the race, because memory is measured only while nothing races. Clicks the tab twice: the
        first click may only close a menu."""
        # Only small windows have race.tabs.Run.
        self.next += ["tab.race", "tab.race", "race.tabs.Run", "race.cancel"]
        return ["key", "Escape", False]

    def change(self):
        """Chooses another kernel, TILE, PAD, size, GPU, comparison or page. Escape first closes any menu
        or card over the page."""
        self.next.append(self.random.choice(
            [name for name in sorted(self.program.widgets)
             if name.startswith(("chip.", "tab."))] or ["tab.replay"]))
        return ["key", "Escape", False]

    def use(self, name):
        """An event on the widget at its current position; None if there is no such widget."""
        if name not in self.program.widgets:
            return None
        x, y, width, height = self.program.widgets[name]
        place = [int(x + width / 2), int(y + height / 2)]
        if name.startswith("chip.extents."):
            return ["text", *place, self.random.choice(TEXTS)]
        if name.startswith("chip."):
            return ["menu", *place, self.random.choice(["Up", "Down"]), self.random.randint(1, 8)]
        return ["click", *place, 1]

    def do(self, event):
        screen, kind = self.screen, event[0]
        if kind == "key":
            screen.key(event[1], event[2])
        elif kind == "resize":
            self.size = event[1:3]
            screen.resize(*self.size)
        else:
            screen.move(event[1], event[2])
        if kind == "click":
            screen.button(event[3], True)
            time.sleep(0.01)
            screen.button(event[3], False)
        elif kind == "drag":
            screen.button(1, True)
            for step in range(1, 5):
                screen.move(*(event[i] + (event[i + 2] - event[i]) * step / 4 for i in (1, 2)))
                time.sleep(0.004)
            screen.button(1, False)
        elif kind == "scroll":
            for _ in range(event[4]):
                screen.button(event[3], True)
                screen.button(event[3], False)
        elif kind == "menu":
            screen.button(1, True)
            screen.button(1, False)
            time.sleep(0.2)  # a menu takes keys from its first frame on
            for _ in range(event[4]):
                screen.key(event[3])
            screen.key("Return")
            time.sleep(0.3)
        elif kind == "text":
            screen.button(1, True)
            screen.button(1, False)
            time.sleep(0.02)
            for letter in event[3]:
                screen.key("minus" if letter == "-" else letter)
            screen.key("Return")


def soak(arguments, folder, log):
    screen = Screen(arguments.patience)
    # Small recordings, so that the memory in use does not depend on what was recorded last.
    command = [arguments.program, "--print-state", "--size", f"{WIDTH}x{HEIGHT}",
               "--memory-limit", "24MiB"]
    program = Program(command, screen.name, folder)
    memory = []
    begin = time.monotonic()
    try:
        screen.find_window()
        user = User(screen, program, arguments.seed)
        replayed = None
        if arguments.replay:
            with open(arguments.replay, encoding="utf-8") as file:
                replayed = [json.loads(line) for line in file]
        events = len(replayed) if replayed else arguments.events
        for i in range(events):
            event = replayed[i] if replayed else user.choose()
            log.write(json.dumps(event) + "\n")
            user.do(event)
            time.sleep(arguments.pause)
            if i % PING_EVERY == 0:
                log.flush()
                if program.process.poll() is not None:
                    return [f"it ended with code {program.process.returncode} by event {i}"], memory
                if not screen.answers_ping(i + 1):
                    threads = program.threads()
                    program.process.send_signal(signal.SIGABRT)
                    return [f"it does not answer after event {i}\n{threads}"], memory
                # The memory of a race's matrices or of a measurement's copies would look like
                # growth.
                if not program.racing and not program.measuring:
                    memory.append((i, program.resident_kib()))
            if i % 1000 == 0:
                print(f"{i} events, {time.monotonic() - begin:.0f} s, {program.resident_kib() >> 10} MiB, "
                      f"{program.done()}", flush=True)
        print(f"{events} events in {time.monotonic() - begin:.0f} s: {program.done()}", flush=True)
        return end(program, screen), memory
    finally:
        if program.process.poll() is None:
            program.process.kill()
        screen.close()


def end(program, screen):
    """Closes the window as a window manager does; a sanitizer reports what leaked."""
    screen.ask_to_close()
    try:
        code = program.process.wait(timeout=screen.patience)
    except subprocess.TimeoutExpired:
        return ["it does not close\n" + program.threads()]
    return [f"it ended with code {code}"] if code != 0 else []


def growth(memory):
    """The least resident size, in KiB, of the second and of the last quarter."""
    quarter = len(memory) // 4
    if quarter < 2:
        return 0, 0
    return (min(kib for _, kib in memory[quarter:2 * quarter]),
            min(kib for _, kib in memory[-quarter:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--events", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.01, help="seconds after each event")
    parser.add_argument("--patience", type=float, default=120, help="seconds for an answer")
    parser.add_argument("--log", default="soak.log", help="where the events are written")
    parser.add_argument("--replay", help="send the events of this log instead")
    arguments = parser.parse_args()
    if shutil.which("Xvfb") is None or shutil.which("xdotool") is None:
        print("Xvfb or xdotool is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory() as scratch, \
            open(arguments.log, "w", encoding="utf-8") as log:
        folder = os.path.join(scratch, "work")
        os.mkdir(folder)
        faults, memory = soak(arguments, folder, log)
        with open(os.path.join(scratch, "stderr"), encoding="utf-8", errors="replace") as errors:
            printed = errors.read()
    before, after = growth(memory)
    print(f"memory: {before >> 10} MiB at least in the second quarter, {after >> 10} MiB in the "
          f"last, {max((kib for _, kib in memory), default=0) >> 10} MiB at most")
    if arguments.events >= 2000 and len(memory) < arguments.events // PING_EVERY // 4:
        faults.append(f"memory was measured only {len(memory)} times: something raced nearly all the time")
    if after > before * 1.25 + (32 << 10):
        faults.append("its memory grows")
    if printed.strip():
        faults.append("it printed:\n" + printed[:20000])
    for fault in faults:
        print("FAULT", fault)
    print(f"seed {arguments.seed}, events in {arguments.log}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
