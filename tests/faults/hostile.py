#!/usr/bin/env python3
"""Programs, lessons and traces of an attacker. Tilereel must answer each with a result or a sentence.

    hostile.py TILEREEL          the quick ones
    hostile.py TILEREEL --all    also those that take g++ a minute

An answer is exit code 0 or 1 or 2 and, unless it is 0, a sentence on standard error. A signal, an
uncaught exception or no answer within ten minutes is a failure.
"""
import os
import subprocess
import sys
import tempfile

KERNEL = ("__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
          "int main() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n")
BLANKS = " " * 40_000


def broken(text):
    """A text that cannot compile: what counts is that it is refused with a sentence."""
    return text + "\n#error end\n"


# Name: the text of a program that opens.
OPENS = {
    "a long comment in a call": '#include <cstdio>\nvoid f() { puts(/*' + "c" * 40_000 + '*/"x"); }\n' + KERNEL,
    "a line of blanks": BLANKS + "\n" + KERNEL,
    "blanks in a cast": "void g(" + BLANKS + "void* p) { (void)(" + BLANKS + "void*)p; }\n" + KERNEL,
    "__shared__ before a long comment":
        KERNEL.replace("{ a[", "{ __shared__ /*" + "c" * 40_000 + "*/ int s[32]; s[threadIdx.x] = 1; a[", 1),
    "#elif with blanks": "#if 0\n#elif" + BLANKS + "1\n#endif\n" + KERNEL,
    "lines commented out in a call":
        '#include <cstdio>\nvoid f() { printf("%d",\n' + "// 1,\n" * 200 + "1); }\n" + KERNEL,
    "a byte order mark": "\ufeff" + KERNEL,
    "an exit code of 127": KERNEL.replace("cudaFree(a);", "cudaFree(a); return 127;"),
}
# Name: a text that is refused.
REFUSED = {
    "a long include": '#include "' + "a" * 40_000 + '"\n' + KERNEL,
    "a device as header": '#include "/dev/zero"\n' + KERNEL,
    "a pipe as header": '#include "pipe.h"\n' + KERNEL,
    "__global__ only": "__global__ " * 100_000,
    "__CUDA_ARCH__ only": broken("__CUDA_ARCH__ " * 100_000),
    "a missing symbol of 60,000 letters":
        KERNEL.replace("int main() {", "void " + "f" * 60_000 + "();\nint main() { " + "f" * 60_000 + "();"),
}
# These take g++ long.
SLOW = {
    "100,000 launches": "__global__ void k() {}\nint main() {\n" + "k<<<1, 1>>>();\n" * 100_000 + "}\n",
    "5,000 kernels": "".join(f"__global__ void k{i}() {{}}\n" for i in range(5000)) + KERNEL,
    "20,000 nested conditions": "#if 1\n" * 20_000 + KERNEL + "#endif\n" * 20_000,
    "200,000 braces": broken("{" * 200_000),
    "200,000 template<": broken("template<" * 200_000),
}


def answer(tilereel, *arguments):
    """None if Tilereel answers as it must; else what it did."""
    try:
        ended = subprocess.run([tilereel, *arguments], capture_output=True, timeout=600,
                               errors="replace", text=True)
    except subprocess.TimeoutExpired:
        return "no answer"
    if ended.returncode not in (0, 1, 2):
        return f"exit code {ended.returncode}: {ended.stderr[-300:]}"
    if ended.returncode != 0 and not ended.stderr.strip() and not ended.stdout.strip():
        return "no sentence"
    return None


def programs(tilereel, folder, texts, opens):
    for name, text in texts.items():
        file = os.path.join(folder, "program.cu")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        fault = answer(tilereel, "report", file)
        if fault is None and opens:
            ended = subprocess.run([tilereel, "report", file], capture_output=True, text=True)
            if "a[threadIdx.x]" not in ended.stdout and "32" not in ended.stdout:
                fault = "its launch is not reported: " + ended.stderr[-300:]
        yield name, fault


def files(tilereel, folder):
    """Files that are no programs."""
    sparse = os.path.join(folder, "sparse.cu")
    with open(sparse, "wb") as out:
        out.truncate(40 << 30)
    yield "a sparse file of 40 GiB", answer(tilereel, "report", sparse)
    for name in ("/dev/zero", os.path.join(folder, "pipe.h"), folder):
        yield name, answer(tilereel, "report", name)
    lesson = os.path.join(folder, "lesson.toml")
    for name, text in {"a key of 60,000 parts": "a." * 60_000 + "a = 1\n",
                       "60,000 brackets": "a = " + "[" * 60_000,
                       "a mebibyte of nothing": "\n" * (1 << 20)}.items():
        with open(lesson, "w") as out:
            out.write(text)
        yield name, answer(tilereel, "lesson", lesson, "--check")
    with open(lesson, "w") as out:
        out.write("title = 'T'\n[[scene]]\ntitle = 'S'\nprogram = 'marks.cu'\n")
    mark = os.path.join(folder, "mark")
    with open(os.path.join(folder, "marks.cu"), "w") as out:
        out.write(f'#include <cstdio>\nint main() {{ fopen("{mark}", "w"); }}\n')
    fault = answer(tilereel, "lesson", lesson, "--check")
    yield "--check runs no program", fault or ("it ran" if os.path.exists(mark) else None)


def main():
    tilereel, everything = os.path.abspath(sys.argv[1]), "--all" in sys.argv
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(os.path.join(folder, "pipe.h"))
        results = list(files(tilereel, folder))
        results += programs(tilereel, folder, OPENS, True)
        results += programs(tilereel, folder, REFUSED, False)
        if everything:
            results += programs(tilereel, folder, SLOW, False)
        for name, fault in results:
            print(f"{'ok  ' if fault is None else 'FAIL'} {name}{'' if fault is None else ': ' + fault}")
            faults += fault is not None
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
