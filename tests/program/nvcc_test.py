#!/usr/bin/env python3
"""Compiles the unchanged programs of cuda/, programs/ and exercises/ with nvcc, and 20 champion's CUDA file.
The build of the race compiles the CUDA files of the other kernels.

  nvcc_test.py --tilereel TILEREEL [--nvcc NVCC] [--arch sm_90] [--run] [PROGRAM ...]

A program's first lines may say how it is compiled: "// test: --with FILE -I FOLDER -D MACRO", and
"// nvcc: OPTIONS" for options that nvcc alone needs. Without --run the programs are compiled and
not linked. With --run each is linked and run on this machine's GPU, and a table of programs and exit
codes is printed. Exits with 1 if a program is refused or fails, with 77 without nvcc.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
sys.path.append(str(ROOT / "tests/kernels"))
from declared_kernels import declared_kernels, with_numbers  # noqa: E402

LIBRARIES = {
    "cublas_v2.h": "-lcublas",
    "cublasLt.h": "-lcublasLt",
    "cublasXt.h": "-lcublas",
    "curand.h": "-lcurand",
}


def words_behind(text, mark):
    """The words of the line that begins with the mark."""
    lines = [line for line in text.splitlines() if line.startswith(mark)]
    return lines[0][len(mark):].split() if lines else []


def options_of(source):
    text = source.read_text()
    files, options = [source], words_behind(text, "// nvcc: ")
    words = words_behind(text, "// test: ")
    for option, value in zip(words[::2], words[1::2]):
        if option == "--with":
            files.append(source.parent / value)
        if option == "-I":
            options.append(f"-I{source.parent / value}")
        if option == "-D":
            options.append(f"-D{value}")
    return files, options, [flag for header, flag in LIBRARIES.items() if f"<{header}>" in text]


def programs_in(folder):
    """The programs of a folder, without files that another program lists with --with."""
    sources = sorted(folder.rglob("*.cu"))
    parts = {part for source in sources for part in options_of(source)[0][1:]}
    return [source for source in sources if source not in parts]


def champion_in(folder, tilereel):
    """A file that instantiates the kernel at each TILE that it says is built in."""
    kernel = ROOT / "kernels/ladder/20_champion.cu"
    declared = declared_kernels(tilereel)[kernel.stem]
    made = pathlib.Path(folder) / "champion.cu"
    launches = [f"template void {with_numbers(declared['launch'], tile, 0)}(const float*, const float*, "
                "float*, int, int, int);\n" for tile in declared["tiles"]]
    made.write_text(f'#include "{kernel}"\n' + "".join(launches))
    return made


def run(command, seconds=None):
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)


class Compiler:
    def __init__(self, nvcc, arch, folder):
        self.base = [nvcc, "-std=c++20", f"-arch={arch}", "-w"]
        self.folder = folder

    def compile(self, source):
        files, options, _ = options_of(source)
        for number, file in enumerate(files):
            made = self.folder / f"{source.stem}_{number}.o"
            done = run([*self.base, *options, "-c", str(file), "-o", str(made)])
            if done.returncode != 0:
                return done
        return done

    def link(self, source):
        files, options, libraries = options_of(source)
        return run([*self.base, *options, *map(str, files), *libraries, "-o",
                    str(self.folder / source.stem)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tilereel", required=True)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    asked = parser.parse_args()
    nvcc = shutil.which(asked.nvcc) or shutil.which("/usr/local/cuda/bin/nvcc")
    if nvcc is None:
        print("nvcc was not found: the programs were not compiled.")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = asked.programs or [*programs_in(FOLDER / "cuda"),
                                      *programs_in(ROOT / "assets/programs"),
                                      *programs_in(ROOT / "assets/exercises"), champion_in(folder, asked.tilereel)]
        compiler = Compiler(nvcc, asked.arch, pathlib.Path(folder))
        for source in (path.resolve() for path in programs):
            name = str(source.relative_to(FOLDER) if FOLDER in source.parents else source.name)
            can_run = asked.run and "main(" in source.read_text()
            made = compiler.link(source) if can_run else compiler.compile(source)
            if made.returncode != 0:
                failures += 1
                print(f"{name}: nvcc refuses it\n{made.stdout}{made.stderr}", flush=True)
                continue
            if not can_run:
                continue
            ended = run([str(pathlib.Path(folder) / source.stem)], 120)
            failures += ended.returncode != 0
            words = "" if ended.returncode == 0 else (ended.stdout + ended.stderr).strip()
            print(f"{name}\t{ended.returncode}\t{words}", flush=True)
    print(f"{len(programs)} programs, {failures} of them refused or failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
