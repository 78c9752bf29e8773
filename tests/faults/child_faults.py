#!/usr/bin/env python3
"""Repeats the report of a CUDA program and makes another call of the recorded program fail each time.

    child_faults.py PROGRAM INJECTOR [--all] [--kind KIND]

The program that is compiled runs in a process of its own, with the recorder in it. Without memory,
files or threads there, the report is whole, or it is one sentence with exit code 1: never an empty
or a short trace with exit code 0. With --all every call fails once; else as many as LIMITS says.
"""
import concurrent.futures
import json
import os
import sys
import tempfile

from injection import KINDS, Bench, Injected, chosen, parser_of

TIME_LIMIT_S = 120
LIMITS = {"alloc": 18}
OTHER_LIMIT = 6
SOURCE = """
#include <cstdio>
__device__ int total;
__global__ void sum(const float* in, float* out, int n) {
    __shared__ float part[64];
    part[threadIdx.x] = in[(blockIdx.x * 64 + threadIdx.x) % n];
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < 64; ++i) all += part[i];
        out[blockIdx.x] = all;
        atomicAdd(&total, 1);
        if (blockIdx.x == 0) printf("%g\\n", all);
    }
}
__global__ void keep(int** to) {
    int* const mine = (int*)malloc(16);
    if (mine == nullptr) return;
    mine[0] = threadIdx.x;
    *to = mine;
}
float host[4096];
int main() {
    float *in, *out;
    int** kept;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 400 * sizeof(float));
    cudaMalloc(&kept, sizeof *kept);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<400, 64>>>(in, out, 4096);
    keep<<<1, 1>>>(kept);
    cudaMemcpy(host, out, 1600, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(kept);
}
"""


# Stands in for g++: what g++ made in the first run is made again by a copy. Only the program fails here, and
# compiling takes longer than all else in a run.
COMPILER = """#!/bin/bash
for word; do
    if [[ $before == -o ]]; then made=$word; fi
    before=$word
done
case ${made##*/} in *.o | program) ;; *) exec g++ "$@" ;; esac
kept=KEPT/${made##*/}
if [[ ! -e $kept ]]; then
    g++ "$@" || exit
    exec cp "$made" "$kept"
fi
exec cp "$kept" "$made"
"""


class Run(Injected):
    """One report. at: which call of the kind fails, or "all"."""

    def __init__(self, bench, kind=None, at=0):
        self.kind, self.at = kind, at
        with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
            temporary = os.path.join(folder, "temporary")
            os.mkdir(temporary)
            super().__init__(
                bench, [bench.program, "report", bench.source, "--trust", "--json",
                        "--accesses", "20000"],
                os.path.join(folder, "counts"), TIME_LIMIT_S, kind, at,
                {"FAULT_IN": "program", "TMPDIR": temporary, "TILEREEL_RECORD_WORKERS": "2",
                 "TILEREEL_CXX": bench.compiler})
            self.left = os.listdir(temporary)

    def launches(self):
        return [[launch["kernel"], launch["recorded_blocks"], launch["accesses"],
                 launch["report"]["findings"]] for launch in json.loads(self.out)["launches"]]

    def faults(self, reference):
        """What the run did wrong, in words."""
        if found := self.bad_end((0, 1)):
            return found
        found = self.not_one_line()
        if self.code == 0:
            try:
                if self.launches() != reference.launches():
                    found.append(f"exit code 0 with other launches: {self.launches()}"[:300])
            except (ValueError, KeyError) as wrong:
                found.append(f"exit code 0 without a whole report: {wrong!r}: {self.out[:300]}")
        if self.left:
            found.append(f"left behind: {self.left}")
        return found


class Program(Bench):
    """The program that is recorded."""

    def __init__(self, program, injector, folder):
        super().__init__(program, injector, folder)
        self.source = os.path.join(folder, "program.cu")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        self.compiler = os.path.join(folder, "compiler")
        with open(self.compiler, "w", encoding="utf-8") as file:
            file.write(COMPILER.replace("KEPT", folder))
        os.chmod(self.compiler, 0o755)


def main():
    arguments = parser_of(__doc__).parse_args()
    failures, points = [], 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Program(arguments.program, arguments.injector, folder)
        reference = Run(bench)
        if reference.code != 0 or not reference.counts.get("alloc"):
            print("skipped, since it does not run here: " + reference.err.decode(errors="replace"))
            return 77
        runs = []
        for kind in KINDS:
            count = reference.counts[kind]
            if arguments.kind not in (None, kind) or count == 0:
                continue
            runs.append((kind, "all"))
            limit = count if arguments.all else LIMITS.get(kind, OTHER_LIMIT)
            runs += [(kind, at) for at in chosen(count, limit)]
        whole = dict.fromkeys(KINDS, 0)
        for run in pool.map(lambda point: Run(bench, *point), runs):
            points += 1
            whole[run.kind] += run.code == 0
            for what in run.faults(reference):
                failures.append(what)
                print(f"FAULT {run.kind} {run.at} of {reference.counts[run.kind]}: {what}",
                      flush=True)
    for kind in KINDS:
        tried = sum(run[0] == kind for run in runs)
        if tried:
            print(f"{kind}: {tried} of {reference.counts[kind]} ({whole[kind]} with a whole report)")
    print(f"{points} points of failure, {len(failures)} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
