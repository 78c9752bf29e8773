#!/usr/bin/env python3
"""What the build says of a kernel's file that breaks a rule of kernels/README.md, and that it leaves
sources alone whose content is the same.

  ladder_writer_test.py WRITER
"""
import pathlib
import subprocess
import sys
import tempfile

GOOD = """// 99 mine: a title
// Idea   one
// [launch]
// built = {TILE = [4, 8]}

template <int TILE>
__global__ void mine(const float* A, float* C, int N) {
    __shared__ float tile[TILE][TILE + 1];
    tile[threadIdx.y][threadIdx.x] = A[threadIdx.x];
    C[threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

template <int TILE>
void launch_mine(const float* A, const float* B, float* C, int M, int N, int K) {
    mine<TILE><<<N / TILE, dim3(TILE, TILE)>>>(A, C, N);
}
"""
# A name for the case, what is replaced, by what, and what is said after the file's path.
MISTAKES = [
    ("an unknown key", "built", "build", ', line 4: "build" is no key of [launch]'),
    ("no TOML", "[4, 8]}", "[4, 8", ", line "),
    ("another name", "launch_mine", "launch_it",
     ": add the function that launches the kernel, void launch_mine("),
    ("no launch", "<<<N / TILE, dim3(TILE, TILE)>>>", "",
     ": launch_mine starts no kernel; write kernel<<<grid, block>>>"),
    ("another type", "const float* A, const float* B", "const double* A, const double* B",
     ": launch_mine takes A and B as const float* or as const __nv_bfloat16*"),
    ("another parameter", "int TILE>\nvoid", "int EDGE>\nvoid",
     ": launch_mine is a template of 'EDGE'; use int TILE and int PAD only"),
    ("two arrays in one declaration", "[TILE + 1];", "[TILE + 1], more[2];",
     ": '__shared__ float tile[TILE][TILE + 1], more[2]' is no array of one type; declare each "
     "shared array by itself"),
]


def write(writer, folder, text):
    source = folder / "99_mine.cu"
    source.write_text(text)
    return source, subprocess.run([writer, folder / "out", source], capture_output=True, text=True,
                                  check=False)


def main():
    writer = sys.argv[1]
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _, run = write(writer, folder, GOOD)
        rows = (folder / "out/recorded/ladder_rows.h").read_text() if run.returncode == 0 else ""
        if "(rung_99_mine::mine<8>), (rung_99_mine::launch_mine<8>))" not in rows:
            failures.append(f"a good file: {run.stderr or rows}")
        written = sorted(path for path in (folder / "out").rglob("*") if path.is_file())
        times = [path.stat().st_mtime_ns for path in written]
        write(writer, folder, GOOD)
        if not written or times != [path.stat().st_mtime_ns for path in written]:
            failures.append("equal sources are written again")
        for case, old, new, expected in MISTAKES:
            source, run = write(writer, folder, GOOD.replace(old, new))
            if run.returncode != 1 or not run.stderr.startswith(f"{source}{expected}"):
                failures.append(f"{case}: exit code {run.returncode}, {run.stderr}")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
