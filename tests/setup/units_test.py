#!/usr/bin/env python3
"""Checks that units have no cyclic includes.

x.h and x.cpp are one unit, and so is x_state.h, which holds what x.h hides. A unit includes another
if one of its files does. No chain of includes between units may lead back to where it began, so that
every unit can be read, tested and changed without those above it. The same holds for the subfolders
of a folder; what lies in the folder itself is in none of them.

  units_test.py SOURCE_FOLDER
"""
import pathlib
import re
import sys
import tempfile

TOPS = ("app", "instrumentation", "kernels", "tests")
SUFFIXES = (".h", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'^ *# *include *"([^"]+)"', re.MULTILINE)


def units_of(root, folder):
    """{unit: the other units in the folder and below it that it includes}"""
    files = [file for file in sorted((root / folder).rglob("*")) if file.suffix in SUFFIXES]
    stems = {str(file.relative_to(root / folder).with_suffix("")) for file in files}

    def unit_of(path):
        stem = path.rpartition(".")[0]
        whole = stem.removesuffix("_state")
        return whole if whole in stems else stem

    units = {}
    for file in files:
        unit = unit_of(str(file.relative_to(root / folder)))
        included = units.setdefault(unit, set())
        for path in INCLUDE.findall(file.read_text(errors="replace")):
            if path.startswith(folder + "/") and unit_of(path.removeprefix(folder + "/")) != unit:
                included.add(unit_of(path.removeprefix(folder + "/")))
    return units


def subfolders_of(root, folder):
    """{subfolder: the other subfolders of the folder that it includes}"""

    def subfolder_of(path):
        return path.removeprefix(folder + "/").partition("/")[0]

    subfolders = {}
    for file in sorted((root / folder).glob("*/**/*")):
        if file.suffix not in SUFFIXES:
            continue
        subfolder = subfolder_of(str(file.relative_to(root)))
        included = subfolders.setdefault(subfolder, set())
        for path in INCLUDE.findall(file.read_text(errors="replace")):
            inside = path.startswith(folder + "/") and path.count("/") > folder.count("/") + 1
            if inside and subfolder_of(path) != subfolder:
                included.add(subfolder_of(path))
    return subfolders


def folders_of(root):
    """Every folder with sources"""
    return sorted({str(file.parent.relative_to(root)) for top in TOPS
                   for file in (root / top).rglob("*") if file.suffix in SUFFIXES})


def cycle_in(units):
    """A chain of units that leads back to its first, or none"""
    done = set()

    def walk(unit, chain):
        if unit in chain:
            return chain[chain.index(unit):] + [unit]
        if unit in done:
            return None
        for included in sorted(units.get(unit, ())):
            if cycle := walk(included, chain + [unit]):
                return cycle
        done.add(unit)
        return None

    return next((cycle for unit in units if (cycle := walk(unit, []))), None)


def test_itself():
    """A folder with a cycle is found, and one without passes."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "app").mkdir()
        (root / "app/low.h").write_text("")
        (root / "app/middle.h").write_text('#include "app/low.h"\n')
        (root / "app/middle.cpp").write_text('#include "app/middle.h"\n')
        (root / "app/low.cpp").write_text('#include "app/low.h"\n')
        if cycle_in(units_of(root, "app")) is not None:
            sys.exit("FAILED: found a cycle where there is none")
        (root / "app/low.cpp").write_text('#include "app/middle.h"\n')
        if cycle_in(units_of(root, "app")) != ["low", "middle", "low"]:
            sys.exit("FAILED: missed a cycle of two units")
        (root / "app/low_state.h").write_text('#include "app/low.h"\n')
        (root / "app/low.cpp").write_text('#include "app/low_state.h"\n')
        if cycle_in(units_of(root, "app")) is not None:
            sys.exit("FAILED: treated x_state.h as a unit of its own")
        (root / "app/low_state.h").write_text("")
        (root / "app/left").mkdir()
        (root / "app/right").mkdir()
        (root / "app/left/part.h").write_text('#include "app/right/part.h"\n')
        (root / "app/right/part.h").write_text('#include "app/low.h"\n')
        (root / "app/low.cpp").write_text('#include "app/left/part.h"\n')
        if cycle_in(units_of(root, "app")) != ["left/part", "right/part", "low", "left/part"]:
            sys.exit("FAILED: missed a cycle through subfolders")
        (root / "app/low.cpp").write_text("")
        if cycle_in(subfolders_of(root, "app")) is not None:
            sys.exit("FAILED: found a cycle of subfolders where there is none")
        (root / "app/right/other.cpp").write_text('#include "app/left/part.h"\n')
        if cycle_in(subfolders_of(root, "app")) != ["left", "right", "left"]:
            sys.exit("FAILED: missed a cycle of two subfolders")


def main():
    root = pathlib.Path(sys.argv[1])
    test_itself()
    folders = folders_of(root)
    for top in TOPS:
        if cycle := cycle_in(units_of(root, top)):
            sys.exit(f"FAILED: {top} has cyclic includes: {' -> '.join(cycle)}")
    for folder in folders:
        if folder in ("app", "instrumentation"):  # layers_test.py checks their subfolders
            continue
        if cycle := cycle_in(subfolders_of(root, folder)):
            sys.exit(f"FAILED: subfolders of {folder} have cyclic includes: {' -> '.join(cycle)}")
    print(f"{len(folders)} folders: includes go one way")


main()
