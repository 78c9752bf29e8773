#!/usr/bin/env python3
"""Each function of the toolkit's cuda_runtime_api.h is in our headers or has a sentence.

runtime_functions_test.py REPOSITORY; skipped (77) without the toolkit."""
import pathlib
import re
import sys

HEADER = pathlib.Path("/usr/local/cuda/include/cuda_runtime_api.h")


def main():
    if not HEADER.exists():
        return 77
    cuda = pathlib.Path(sys.argv[1]) / "instrumentation/cuda"
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    functions = sorted(set(re.findall(r"CUDARTAPI\s+(cuda\w+)\s*\(", text)))
    ours = set()
    for header in (cuda / "include").rglob("*"):
        if header.is_file():
            ours.update(re.findall(r"\bcuda\w+", header.read_text()))
    for node in ("Kernel", "Memset", "Host", "Memcpy"):  # made by a macro
        ours.update((f"cudaGraphAdd{node}Node", f"cudaGraph{node}NodeSetParams",
                     f"cudaGraphExec{node}NodeSetParams"))
    table = (cuda / "text/unsupported.cpp").read_text()
    families = re.findall(r'Family\{"(\w+)",\s*(?:\w+|"[^"]*")(, true)?\}', table)
    told = lambda name: any(name == begin if exact else name.startswith(begin)
                            for begin, exact in families)
    missing = [name for name in functions if name not in ours and not told(name)]
    print(f"{len(functions)} functions; neither supported nor explained: {missing}")
    return len(functions) < 200 or bool(missing)


if __name__ == "__main__":
    sys.exit(main())
