#!/usr/bin/env python3
"""Checks that the manual lists the program's commands as --help does, and that the README stays short.

  manual_test.py TILEREEL SOURCE_FOLDER

The manual's keys are checked in tests/panels/keys/manual_keys_test.cpp.
"""
import pathlib
import re
import subprocess
import sys

MOST_WORDS = 900  # of the README: a newcomer reads it to the end


def commands_of_help(tilereel):
    text = subprocess.run([tilereel, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\w+) {2,}(\S.*)$", text[text.index("Subcommands:"):], re.MULTILINE)


def commands_of(manual):
    table = manual[manual.index("## All commands"):]
    return re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE)


def main():
    tilereel, source = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = []
    expected = commands_of_help(tilereel)
    found = commands_of((source / "app/MANUAL.md").read_text(encoding="utf-8"))
    if not expected or found != expected:
        problems.append("app/MANUAL.md lists other commands than --help: "
                        + ", ".join(str(row) for row in set(found) ^ set(expected)))
    words = len((source / "README.md").read_text(encoding="utf-8").split())
    if words > MOST_WORDS:
        problems.append(f"README.md has {words} words, more than {MOST_WORDS}: details belong into app/MANUAL.md")
    print("\n".join(problems) or f"{len(found)} commands, {words} words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
