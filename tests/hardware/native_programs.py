#!/usr/bin/env python3
"""Compiles the programs of tests/program/cuda with nvcc as they are, and runs them on the GPU.

  native_programs.py [NVCC] [--only NAME] [--compile-only]

Each program checks itself, and Tilereel's runtime is tested by the same programs. So a program
that passes there and fails here shows a difference between the runtime and CUDA. Exits with 1 if a
program does not compile or fails, with 77 without nvcc or a GPU. --compile-only needs no GPU.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "program/cuda"
FLAGS = ["-arch=native", "-rdc=true", "--extended-lambda", "--expt-relaxed-constexpr", "-w", "-Xcompiler", "-fopenmp"]
# Programs call cuTensorMapEncodeTiled of the driver by its name.
LIBRARIES = ["-lcublas", "-lcublasLt", "-lcurand", "-lcuda"]


def options_of(program):
    """nvcc's form of the line "// test: --with a.cu -I headers", and the other files."""
    text = program.read_text(encoding="utf-8")
    found = re.search(r"// test: (.*)", text)
    words = found[1].split() if found else []
    options, files, standard = [], [], "c++20"
    for option, value in zip(words[::2], words[1::2]):
        if option == "--with":
            files.append(program.parent / value)
        elif option == "-I":
            options += ["-I", program.parent / value]
        elif option == "-D":
            options += ["-D", value]
        elif option == "--std":
            standard = value
    return [f"-std={standard}", *options], files


def has_main(program):
    """Not a further file of another program, and not launched by a line "tilereel: launch"."""
    return re.search(r"^int main\(", program.read_text(encoding="utf-8"), re.MULTILINE) is not None


def has_gpu():
    return shutil.which("nvidia-smi") is not None and output_of(["nvidia-smi", "-L"], 60)[0] == 0


def output_of(command, seconds, **more):
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, **more)
    except subprocess.TimeoutExpired:
        return 124, f"not done after {seconds} s"
    return run.returncode, (run.stdout + run.stderr).strip()


def compile_one(nvcc, program, folder, compile_only):
    options, files = options_of(program)
    made = folder / program.relative_to(PROGRAMS).with_suffix("").as_posix().replace("/", "_")
    flags = [flag.replace("native", "sm_90") if compile_only else flag for flag in FLAGS]
    # wgmma is of sm_90a alone, which -arch=native does not choose.
    if "wgmma" in program.read_text(encoding="utf-8"):
        flags = ["-gencode=arch=compute_90a,code=sm_90a", *FLAGS[1:]]
    code, output = output_of([nvcc, *flags, *options, program, *files, *LIBRARIES, "-o", made], 500)
    return program, made, f"does not compile:\n{output[-600:]}" if code else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nvcc", nargs="?", default="nvcc")
    parser.add_argument("--only", default="")
    parser.add_argument("--compile-only", action="store_true")
    asked = parser.parse_args()
    nvcc = shutil.which(asked.nvcc or "nvcc")
    if not nvcc:
        print("skipped: there is no nvcc")
        return 77
    if not asked.compile_only and not has_gpu():
        print("skipped: there is no GPU")
        return 77
    programs = [program for program in sorted(PROGRAMS.rglob("*.cu"))
                if asked.only in program.stem and has_main(program)]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            compiled = list(pool.map(
                lambda program: compile_one(nvcc, program, pathlib.Path(folder), asked.compile_only), programs))
        for program, made, problem in compiled:
            if not problem and not asked.compile_only:
                code, output = output_of([made], 60, cwd=program.parent)
                problem = f"ends with {code}:\n{output[-600:]}" if code else None
            if problem:
                problems.append(f"{program.relative_to(PROGRAMS)} {problem}")
    print("\n".join(problems) or f"{len(compiled)} programs: "
          + ("compiled" if asked.compile_only else "compiled, and each passes its own check"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
