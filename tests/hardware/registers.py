#!/usr/bin/env python3
"""Finds the registers per thread of the native build, compiled by nvcc for compute capability 9.0.

  registers.py NVCC SOURCE_FOLDER INCLUDE_FOLDERS PTX TILEREEL           compares them with assets/registers.csv
  registers.py NVCC SOURCE_FOLDER INCLUDE_FOLDERS PTX TILEREEL --write   writes assets/registers.csv
INCLUDE_FOLDERS, separated by ;, contain the files that CMake generates from the CUDA files. PTX is
the native build of the files that run on any GPU, which the test ptx.native compiles. TILEREEL is the
program, which says what the kernels declare. Needs no GPU.
Exit codes: 0, 1 the table differs, 77 there is no nvcc, or another version than the table's.

TILE 0 stands for every TILE, if the kernel is not a template of TILE.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "kernels"))
from declared_kernels import declared_kernels, parameters_of  # noqa: E402

COLUMNS = ["kernel", "tile", "pad", "registers", "compute_capability", "toolkit"]
COMPUTE_CAPABILITY = "9.0"
DIFFERS, SKIPPED = 1, 77


def toolkit_of(nvcc):
    says = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"release ([\d.]+)", says).group(1)


def compile_registers(nvcc, *source):
    """{mangled name: registers a thread}. `source`: a CUDA or PTX file, and nvcc's options for it"""
    with tempfile.TemporaryDirectory() as folder:
        says = subprocess.run(
            [nvcc, "-std=c++20", "-O3", "-cubin", "-arch=sm_90a", "-Xptxas=-v",
             "-o", pathlib.Path(folder) / "kernels.cubin", *source],
            capture_output=True, text=True, check=True).stderr
    return {name: int(registers) for name, registers in re.findall(
        r"Compiling entry function '(\w+)'.*?Used (\d+) registers", says, re.DOTALL)}


def registers_of_ladder(nvcc, root, includes, ptx, declared):
    """[(kernel, tile, pad, registers)] in the ladder's order, without the CPU's kernels"""
    rows = []
    compiled = compile_registers(nvcc, ptx)
    for capability in (80, 90, "90a"):  # the files that need a newer GPU than 7.5
        compiled |= compile_registers(
            nvcc, root / "kernels/cuda/native.cu", f"-I{root}", *(f"-I{path}" for path in includes),
            f'-DLADDER_KERNELS="ladder_kernels_{capability}.h"',
            f'-DLADDER_KERNEL_ROWS="ladder_kernel_rows_{capability}.h"', "-DNATIVE_KERNELS=kernels")
    for name, registers in compiled.items():
        # Each file is compiled in a namespace of its own: rung_09_tiled::tiled<16, 0>(...)
        length, rest = re.match(r"_ZN(\d+)(\w+)", name).groups()
        stem = rest[len("rung_"):int(length)]
        if stem.startswith("cpu_"):
            continue
        arguments = re.findall(r"Li(\d+)E", rest[int(length):])
        values = dict(zip(parameters_of(declared[stem]["kernel"]), arguments))
        rows.append((stem, int(values.get("TILE", 0)), int(values.get("PAD", 0)), registers))
    return sorted(rows)


def main():
    nvcc, root = sys.argv[1], pathlib.Path(sys.argv[2])
    includes = [path for path in sys.argv[3].split(";") if path]
    ptx, tilereel = sys.argv[4:6]
    if not nvcc:
        print("skipped: there is no nvcc")
        return SKIPPED
    table = root / "assets/registers.csv"
    toolkit = toolkit_of(nvcc)
    if "--write" in sys.argv:
        rows = registers_of_ladder(nvcc, root, includes, ptx, declared_kernels(tilereel))
        with table.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows((*row, COMPUTE_CAPABILITY, toolkit) for row in rows)
        return 0
    with table.open(newline="") as file:
        kept = list(csv.DictReader(file))
    if {row["toolkit"] for row in kept} != {toolkit}:
        print(f"skipped: the table is of another toolkit than {toolkit}")
        return SKIPPED
    kept_rows = [tuple([row["kernel"]] + [int(row[column]) for column in COLUMNS[1:4]])
                 for row in kept]
    today = registers_of_ladder(nvcc, root, includes, ptx, declared_kernels(tilereel))
    for row in sorted(set(kept_rows) ^ set(today)):
        print(f"{'kept' if row in kept_rows else 'today'}: {row}")
    return 0 if kept_rows == today else DIFFERS


if __name__ == "__main__":
    sys.exit(main())
