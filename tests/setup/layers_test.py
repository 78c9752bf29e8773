#!/usr/bin/env python3
"""Checks that includes go one way: a folder includes only itself and the folders below it.

  layers_test.py SOURCE_FOLDER
"""
import pathlib
import re
import sys
import tempfile

MODELS = "instrumentation/analysis instrumentation/trace instrumentation/base"
RECORDERS = "instrumentation/contract instrumentation/program instrumentation/gpu instrumentation/cuda instrumentation/record"
DRAWING = f"app/workbench app/own_kernel app/subject app/exercise app/lesson app/race app/replay app/ui kernels {MODELS}"
ALL = "all"
# What each folder may include, besides itself.
MAY_INCLUDE = {
    "instrumentation/base": "",
    "instrumentation/trace": "instrumentation/base",
    "instrumentation/contract": "",
    "kernels": "instrumentation/base",
    "instrumentation/analysis": "instrumentation/trace instrumentation/base",
    "instrumentation/record": "instrumentation/trace instrumentation/base",
    "instrumentation/cuda": f"instrumentation/contract instrumentation/record {MODELS}",
    "instrumentation/gpu": f"instrumentation/cuda instrumentation/contract instrumentation/record {MODELS}",
    "instrumentation/program": f"instrumentation/gpu instrumentation/cuda instrumentation/contract instrumentation/record {MODELS}",
    "app/ladder": f"{RECORDERS} kernels {MODELS}",
    "app/subject": f"app/ladder instrumentation/program kernels {MODELS}",
    "app/replay": MODELS,
    "app/race": "kernels instrumentation/base",
    "app/lesson": f"app/subject app/race app/replay app/ladder instrumentation/program kernels {MODELS}",
    "app/exercise": f"app/lesson app/subject app/race app/replay app/ladder {RECORDERS} kernels {MODELS}",
    "app/own_kernel": f"app/subject app/race app/replay app/ladder {RECORDERS} kernels {MODELS}",
    "app/workbench": f"app/subject app/own_kernel app/exercise app/lesson app/race app/replay app/ladder instrumentation/program kernels {MODELS}",
    "app/ui": "instrumentation/base",
    "app/stage": DRAWING,
    "app/panels": DRAWING,
    "app/shell": f"app/stage app/panels {DRAWING}",
    "app/export": ALL, "app/cli": ALL, "app/window": ALL, "app": ALL,
}
TOPS = ("app", "instrumentation", "kernels")
SUFFIXES = (".h", ".cpp", ".cu", ".cuh")
OUR_INCLUDE = re.compile(r'^ *# *include *"((?:app|instrumentation|kernels|tests)/[^"]+)"', re.MULTILINE)
# The models and the recorders know no window and no GPU. Only kernels/cuda includes CUDA's headers, and what
# is CUDA itself: the ladder, what nvcc compiles on the user's machine, and our own definition of CUDA's names.
CUDA_ITSELF = ("instrumentation/cuda", "instrumentation/gpu", "kernels/ladder")
WITHOUT_DEVICES = ("instrumentation", "kernels", "app/ladder", "app/subject", "app/replay", "app/lesson", "app/own_kernel", "app/workbench")
DEVICE_INCLUDE = re.compile(r'^ *# *include *[<"]((?:GLFW|glad|GL|EGL|imgui|cuda)[^>"]*)', re.MULTILINE)


def folder_of(path):
    """The folder of the table that a file is in: two names deep, except kernels and app itself"""
    parts = pathlib.PurePosixPath(path).parts
    return "/".join(parts[:1] if parts[0] == "kernels" or len(parts) < 3 else parts[:2])


def is_below(path, folder):
    return path.startswith(folder + "/")


def violations(root):
    """The includes that the table forbids, as "file: include" """
    found = []
    for file in sorted(file for top in TOPS for file in (root / top).rglob("*")):
        if file.suffix not in SUFFIXES:
            continue
        path, text = str(file.relative_to(root)), file.read_text(errors="replace")
        folder = folder_of(path)
        allowed = MAY_INCLUDE.get(folder)
        for included in OUR_INCLUDE.findall(text):
            if allowed is None or allowed != ALL and folder_of(included) not in [folder, *allowed.split()]:
                found.append(f"{path}: {included}")
        if any(is_below(path, each) for each in WITHOUT_DEVICES) and not any(is_below(path, each) for each in CUDA_ITSELF):
            found += [f"{path}: {included}" for included in DEVICE_INCLUDE.findall(text)
                      if not (is_below(path, "kernels/cuda") and included.startswith("cuda"))]
    return found


def test_itself():
    """Finds each of these includes that is wrong, and no other."""
    files = {
        "app/replay/upwards.h": '#include "app/workbench/x.h"',
        "app/workbench/window.cpp": "#include <GLFW/glfw3.h>",
        "kernels/cuda/sideways.cuh": '#include "instrumentation/trace/trace.h"',
        "kernels/cuda.h": "#include <cuda.h>",
        "instrumentation/analysis/top.cpp": '#include "app/main.h"',
        "app/unknown/new.cpp": '#include "app/ui/x.h"',
        "kernels/cuda/fine.h": "#include <cuda.h>",
        "app/cli/fine.cpp": '#include "app/replay/x.h"',
        "instrumentation/analysis/fine.cpp": '#include "instrumentation/base/check.h"',
        "instrumentation/cuda/fine.h": "#include <cuda.h>",
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text + "\n")
        found = {line.partition(":")[0] for line in violations(root)}
    if wrong := found ^ {path for path in files if "fine" not in path}:
        sys.exit(f"FAILED: the test itself judges these files wrongly: {sorted(wrong)}")


def main():
    test_itself()
    if found := violations(pathlib.Path(sys.argv[1])):
        sys.exit("FAILED: these includes are forbidden:\n" + "\n".join(found))
    print("all includes go one way")


main()
