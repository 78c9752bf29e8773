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
    "lines that the file lacks": '#line 4000000000 "missing"\n' + KERNEL,
    "a kernel's name of 2,000 letters":
        "struct " + "n" * 2000 + " {};\ntemplate <class T> " + KERNEL.replace("k<<<", "k<" + "n" * 2000 + "><<<"),
    "launches at the program's end":
        KERNEL.replace("int main", "void late() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); }\n"
                       "struct S { ~S() { late(); } } s;\nint main").replace("cudaFree(a);", "atexit(late);"),
    "names with a dollar sign and letters of any language":
        KERNEL.replace("k<<<", "\u044f$<<<").replace("void k(", "void \u044f$("),
    "floating-point traps in host code":
        "#include <fenv.h>\n" + KERNEL.replace("k<<<", "feenableexcept(FE_DIVBYZERO | FE_INVALID); k<<<").replace(
            "= 1;", "= 1.0f / threadIdx.x > 2;"),
    "other files in the place of the recorder's descriptors":
        "#include <fcntl.h>\n#include <unistd.h>\n" + KERNEL.replace(
            "k<<<", "for (int d = 0; d < 99; d++) close(d); "
            'for (int d = 0; d < 9; d++) open("/dev/null", O_RDWR); k<<<'),
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


def answer(tilereel, *arguments, reports=None):
    """None if Tilereel answers as it must; else what it did. `reports`: a program opens, and one of these is in
    its report."""
    try:
        ended = subprocess.run([tilereel, *arguments], capture_output=True, timeout=600,
                               errors="replace", text=True)
    except subprocess.TimeoutExpired:
        return "no answer"
    if ended.returncode not in (0, 1, 2):
        return f"exit code {ended.returncode}: {ended.stderr[-300:]}"
    if ended.returncode != 0 and not ended.stderr.strip() and not ended.stdout.strip():
        return "no sentence"
    if reports and not any(word in ended.stdout for word in reports):
        return "its launch is not reported: " + ended.stderr[-300:]
    return None


def programs(tilereel, folder, texts, opens):
    for name, text in texts.items():
        file = os.path.join(folder, "program.cu")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        yield name, answer(tilereel, "report", file, reports=("a[threadIdx.x]", "32") if opens else None)


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


def outputs(tilereel, folder):
    """A file that is read is never the one that is written."""
    for number, call in enumerate((["trace", "FILE", "-o", "FILE"], ["export", "FILE", "--png", "FILE"],
                                   ["export", "FILE", "--html", "FILE"], ["lesson", "FILE", "--png", "FILE"],
                                   ["race", "FILE", "--png", "FILE"])):
        file = os.path.join(folder, f"read{number}.cu")
        with open(file, "w", encoding="utf-8") as out:
            out.write(KERNEL)
        fault = answer(tilereel, *[file if word == "FILE" else word for word in call])
        with open(file, "rb") as kept:
            if kept.read() != KERNEL.encode():
                fault = "the file is replaced"
        yield " ".join(call), fault


# Name: a shell command that starts Tilereel ("$@") in odd surroundings, and whether a program opens.
SURROUNDINGS = {
    "a stack of 64 KiB": ('ulimit -Ss 64; "$@"', True),
    "a stack of 64 KiB for ever": ('ulimit -s 64; "$@"', None),
    "20 descriptors": ('ulimit -n 20; "$@"', True),
    "10 descriptors": ('ulimit -n 10; "$@"', None),
    "6 descriptors": ('ulimit -n 6; "$@"', None),
    "files of 100 KiB": ('ulimit -f 100; "$@"', None),
    "no standard input and error": ('"$@" <&- 2>&-', True),
    "a full output": ('"$@" >/dev/full', None),
    "signals ignored": ("trap '' CHLD TERM HUP INT PIPE; \"$@\"", True),
    "no access for the user": ('umask 777; "$@"', True),
    "no folder for temporary files": ('TMPDIR=/missing "$@"', None),
    "an empty TMPDIR": ('TMPDIR= "$@"', True),
    "no home": ('env -u HOME -u XDG_CACHE_HOME "$@"', True),
    "a home that is a device": ('env -u XDG_CACHE_HOME HOME=/dev/null "$@"', True),
    "options of another run": ('TILEREEL_RECORD="folder=/etc;pipe=1;launch=7;" "$@"', True),
    "a g++ that is none": ('TILEREEL_CXX=true "$@"', None),
    "a library to preload that is not there": ('LD_PRELOAD=/missing.so "$@" 2>/dev/null', True),
    "another language": ('LC_ALL=de_DE.UTF-8 LANGUAGE=de "$@"', True),
    "a folder that is gone": ('mkdir gone && cd gone && rmdir ../gone && "$@"', True),
}


def surroundings(tilereel, folder):
    file = os.path.join(folder, "program.cu")
    with open(file, "w", encoding="utf-8") as out:
        out.write(KERNEL)
    for name, (command, opens) in SURROUNDINGS.items():
        try:
            ended = subprocess.run(["bash", "-c", command, "bash", tilereel, "report", file],
                                   capture_output=True, timeout=600, errors="replace", text=True,
                                   cwd=folder)
        except subprocess.TimeoutExpired:
            yield name, "no answer"
            continue
        fault = None
        if ended.returncode not in (0, 1) or (opens and ended.returncode != 0):
            fault = f"exit code {ended.returncode}: {ended.stderr[-300:]}"
        elif ended.returncode == 1 and (ended.stdout or ended.stderr.count("\n") != 1):
            fault = f"not one sentence: {ended.stdout[-300:]} {ended.stderr[-300:]}"
        elif ended.returncode == 0 and "32" not in ended.stdout:
            fault = "its launch is not reported"
        yield name, fault


def main():
    tilereel, everything = os.path.abspath(sys.argv[1]), "--all" in sys.argv
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(os.path.join(folder, "pipe.h"))
        results = list(files(tilereel, folder))
        results += outputs(tilereel, folder)
        results += programs(tilereel, folder, OPENS, True)
        results += programs(tilereel, folder, REFUSED, False)
        results += surroundings(tilereel, folder)
        if everything:
            results += programs(tilereel, folder, SLOW, False)
        for name, fault in results:
            print(f"{'ok  ' if fault is None else 'FAIL'} {name}{'' if fault is None else ': ' + fault}")
            faults += fault is not None
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
