#!/usr/bin/env python3
"""Every source file is formatted as .clang-format says.

Other versions of clang-format break lines in other places, so only version 14 (Debian 12) checks.
Exits with 77, which CTest shows as skipped, where another version is installed or none.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSION = 14
FOLDERS = ("app", "instrumentation", "kernels", "shaders", "tests")
ENDINGS = {".cpp", ".h", ".cu", ".cuh"}
AS_IT_CAME = "tests/fuzz/corpus/"  # inputs, not code


def main(root):
    try:
        said = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        print("skipped: there is no clang-format; apt-get install clang-format")
        return 77
    found = re.search(r"version (\d+)", said)
    if found is None or int(found[1]) != VERSION:
        print(f"skipped: the rules are those of clang-format {VERSION}, this is {said.strip()}")
        return 77
    files = sorted(
        path
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in ENDINGS and not path.relative_to(root).as_posix().startswith(AS_IT_CAME)
    )
    if len(files) < 500:
        print(f"only {len(files)} files found")
        return 1

    def check(part):
        return subprocess.run(["clang-format", "-n", *part], capture_output=True, text=True, check=True).stderr

    parts = [files[at : at + 50] for at in range(0, len(files), 50)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = "".join(pool.map(check, parts))
    names = sorted({line.split(":")[0] for line in wrong.splitlines() if "warning:" in line})
    for name in names:
        print(f"{name} is not formatted; run clang-format -i on it")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
