#!/usr/bin/env python3
"""Checks that a folder is small enough to be looked through, and that a file's name says which file it is.

A folder holds at most 30 files. No two files of code have the same name, so that nobody opens the wrong one.

  rooms_test.py SOURCE_FOLDER
"""
import collections
import pathlib
import sys
import tempfile

TOPS = ("app", "instrumentation", "kernels", "shaders", "tests")
CODE = (".h", ".cpp", ".cu", ".cuh")
MOST_FILES = 30
# A file for each case, and CUDA's headers, whose names and places are NVIDIA's.
COLLECTIONS = ("tests/program", "tests/hardware", "tests/fuzz/corpus", "instrumentation/cuda/include",
               "kernels/ladder")
# Programs that begin alike, and headers of which NVIDIA has two.
MAY_BE_TWICE = {"main.cpp", "main.cu", "nvToolsExt.h"}


def is_in(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def problems_of(root):
    files = [file.relative_to(root) for top in TOPS for file in sorted((root / top).rglob("*"))
             if file.is_file() and "__pycache__" not in file.parts]
    sizes = collections.Counter(str(file.parent) for file in files)
    problems = [f"{folder} has {count} files: make rooms of it" for folder, count in sizes.items()
                if count > MOST_FILES and not is_in(folder, COLLECTIONS)]
    names = collections.defaultdict(list)
    for file in files:
        if file.suffix in CODE and not is_in(str(file), COLLECTIONS[:3]) and file.suffix != ".cu":
            names[file.name].append(str(file.parent))
    headers = COLLECTIONS[3]
    for name, folders in names.items():
        if len(folders) == 1 or name in MAY_BE_TWICE or all(is_in(folder, [headers]) for folder in folders):
            continue
        problems.append(f"{name} is in {' and in '.join(folders)}: rename one of them")
    return problems


def test_itself():
    """Finds a folder that is too full and a name that is used twice, and nothing else."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        paths = [f"app/full/file_{number}.h" for number in range(MOST_FILES + 1)]
        paths += [f"app/fits/part_{number}.h" for number in range(MOST_FILES)]
        paths += ["app/left/one.h", "app/right/one.h", "app/main.cpp", "tests/main.cpp"]
        for path in paths:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        found = sorted(problem.split()[0] for problem in problems_of(root))
    if found != ["app/full", "one.h"]:
        sys.exit(f"FAILED: the test itself found {found}")


test_itself()
if problems := problems_of(pathlib.Path(sys.argv[1])):
    sys.exit("FAILED: " + "\n".join(problems))
print("every folder is small, and every name says which file it is")
