#!/usr/bin/env python3
"""Checks that the files of a folder include each other one way only.

x.h and x.cpp are one unit. A unit includes another if one of its files does. Within each folder of
FOLDERS no chain of includes between units may lead back to where it began, so that every unit can
be read, tested and changed without those above it.

  units_test.py SOURCE_FOLDER
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = ("app/race", "app/replay", "app/shell", "app/window", "instrumentation/base")
INCLUDE = re.compile(r'^ *# *include *"([^"]+)"', re.MULTILINE)


def units_of(root, folder):
    """{unit: the other units of the folder that it includes}"""
    units = {}
    for file in sorted((root / folder).iterdir()):
        if file.suffix not in (".h", ".cpp"):
            continue
        included = units.setdefault(file.stem, set())
        for path in INCLUDE.findall(file.read_text()):
            header = pathlib.PurePosixPath(path)
            if str(header.parent) == folder and header.stem != file.stem:
                included.add(header.stem)
    return units


def circle_in(units):
    """A chain of units that leads back to its first, or none"""
    done = set()

    def walk(unit, chain):
        if unit in chain:
            return chain[chain.index(unit):] + [unit]
        if unit in done:
            return None
        for included in sorted(units.get(unit, ())):
            if circle := walk(included, chain + [unit]):
                return circle
        done.add(unit)
        return None

    return next((circle for unit in units if (circle := walk(unit, []))), None)


def test_itself():
    """A folder with a circle is found, and one without passes."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "app").mkdir()
        (root / "app/low.h").write_text("")
        (root / "app/middle.h").write_text('#include "app/low.h"\n')
        (root / "app/middle.cpp").write_text('#include "app/middle.h"\n')
        (root / "app/low.cpp").write_text('#include "app/low.h"\n')
        if circle_in(units_of(root, "app")) is not None:
            sys.exit("FAILED: found a circle where there is none")
        (root / "app/low.cpp").write_text('#include "app/middle.h"\n')
        if circle_in(units_of(root, "app")) != ["low", "middle", "low"]:
            sys.exit("FAILED: missed a circle of two units")


def main():
    root = pathlib.Path(sys.argv[1])
    test_itself()
    for folder in FOLDERS:
        units = units_of(root, folder)
        if not units:
            sys.exit(f"FAILED: {folder} has no files")
        if circle := circle_in(units):
            sys.exit(f"FAILED: {folder} includes in a circle: {' -> '.join(circle)}")
        print(f"{folder}: {len(units)} units, includes go one way")


main()
