#!/usr/bin/env python3
"""Checks properties of the PTX in the builds of the ladder's kernels.

native:     accesses as wide as in the file, sums in registers, fused multiply-adds
as written: one instruction for each access that the CUDA file writes, and no other access

  ptx_test.py native|as_written NVCC SOURCE_FOLDER INCLUDE_FOLDERS OPTIONS FOLDER
INCLUDE_FOLDERS are folders with files that CMake generates from the kernels. OPTIONS are nvcc's
options that compile a file as written. Both are separated by ;. The PTX is left in FOLDER, for other
tests: native_compute_90.ptx. Exit code 77: there is no nvcc.
"""
import functools
import pathlib
import re
import subprocess
import sys

ARCHITECTURES = ("compute_75", "compute_90")
SKIPPED = 77


def compile_ptx(nvcc, source, includes, architecture, ptx, options=()):
    """Writes the file `ptx`. Returns its text."""
    subprocess.run(
        [nvcc, "-std=c++20", "-O3", "-ptx", f"-arch={architecture}", "-o", ptx, source,
         '-DLADDER_KERNELS="ladder_kernels_75.h"',
         '-DLADDER_KERNEL_ROWS="ladder_kernel_rows_75.h"', "-DNATIVE_KERNELS=kernels"]
        + [f"-I{path}" for path in includes]
        + list(options), check=True)
    return ptx.read_text()


# Before 8.0 there are no asynchronous copies, and loads and stores take their place: there the
# kernels only have to compile.
COPYING = ("async_pipeline",)


def is_without_its_copies(name, architecture):
    return architecture == "compute_75" and name.startswith(COPYING)


def native_kernels_of(ptx):
    """{("09_tiled", "tiled<16, 0>"): text}: each file is compiled in a namespace of its own."""
    kernels = {}
    for entry in re.finditer(r"\.visible \.entry _ZN(\d+)(\w+)\((.*?)\n}\n", ptx, re.DOTALL):
        length, mangled = int(entry.group(1)), entry.group(2)
        stem, rest = mangled[len("rung_"):length], mangled[length:]
        length, rest = re.match(r"(\d+)(\w+)", rest).groups()
        name = f"{rest[:int(length)]}<{', '.join(re.findall(r'Li([0-9]+)E', rest))}>"
        kernels[stem, name] = entry.group(3)
    return kernels


def is_compiled_for_75(path):
    """Whether the file is among those that are compiled here: it needs no newer GPU."""
    return "// compute_capability" not in path.read_text()


GLOBAL_ACCESS = r"(?:ld|st)\.global[\w.]*"


def faults_of_native(source, text, architecture):
    """What is wrong with the PTX of a kernel whose file reads `source`."""
    faults = []
    if ".local" in text:
        faults.append("keeps an array in local memory")
    if re.search(r"\b(?:mul|add)(?:\.rn)?\.f32", text):
        faults.append("multiplies and adds in two instructions")
    accesses = re.findall(GLOBAL_ACCESS, text)
    if "load4(" in source and not all(".v4." in access for access in accesses):
        faults.append("moves fewer than 16 bytes in an access to global memory")
    if "__pipeline_memcpy_async" in source and architecture != "compute_75":
        if "cp.async.cg.shared.global" not in text or any(a.startswith("ld") for a in accesses):
            faults.append("copies through registers")
    return faults


def check_native(nvcc, root, includes, architecture, folder):
    kernels = native_kernels_of(compile_ptx(nvcc, root / "kernels" / "cuda" / "native.cu",
                                            includes, architecture,
                                            folder / f"native_{architecture}.ptx"))
    failures = []
    for path in sorted((root / "kernels" / "ladder").glob("*.cu")):
        if not is_compiled_for_75(path):
            continue
        own = {name: text for (stem, name), text in kernels.items() if stem == path.stem}
        if not own:
            failures.append(f"{path.stem} is not compiled")
        for name, text in own.items():
            failures += [f"{name} {fault}"
                         for fault in faults_of_native(path.read_text(), text, architecture)]
    print(f"{architecture}: {len(kernels)} kernels looked at")
    return failures


# The accesses, copies and barriers that each CUDA file writes, counted by hand in its text. The
# CPU's kernels are not run on a GPU. The hardware's counts check the files that need a newer
# GPU than 7.5 instead.
FROM_GLOBAL = {"global_load": 2, "global_store": 1}
TILED = FROM_GLOBAL | {"shared_store": 2, "shared_load": 2, "barrier": 2}
ONE_BARRIER = TILED | {"barrier": 1}
A_SHARED = FROM_GLOBAL | {"shared_store": 1, "shared_load": 1}
IN_FOURS = {"wide_global_load": 2, "shared_store": 4, "wide_shared_store": 1, "wide_shared_load": 2,
            "wide_global_store": 1, "barrier": 2}
WRITTEN = {
    "01_naive_by_column": FROM_GLOBAL, "02_naive": FROM_GLOBAL, "03_guide_simple": FROM_GLOBAL,
    "04_guide_a_shared": A_SHARED, "05_guide_ab_shared": ONE_BARRIER,
    "06_single_block": ONE_BARRIER, "07_tiled_b_uncoalesced": TILED, "08_tiled_b_transposed": TILED,
    "09_tiled": TILED, "10_tiled_any_size": TILED, "11_tiled_dynamic": TILED,
    "12_outer_product": A_SHARED | {"barrier": 2},
    "13_outer_product_unrolled": A_SHARED | {"barrier": 2},
    # A's first tile is loaded before the loop, too.
    "14_outer_product_prefetch": A_SHARED | {"global_load": 3, "shared_store": 2, "barrier": 2},
    "15_register_tile": TILED, "16_vectorized": IN_FOURS, "17_swizzled": IN_FOURS,
    "18_warp_tiled": IN_FOURS,
    "19_async_pipeline": {"copy": 2, "wide_shared_load": 2, "wide_global_store": 1, "barrier": 1},
}
WRITTEN_INSTRUCTIONS = {
    "global_load": r"ld\.global(?:\.nc)?\.[fu]32", "global_store": r"st\.global\.[fu]32",
    "shared_load": r"ld\.shared\.[fu]32", "shared_store": r"st\.shared\.[fu]32",
    "wide_global_load": r"ld\.global(?:\.nc)?\.v4\.[fu]32",
    "wide_global_store": r"st\.global\.v4\.[fu]32",
    "wide_shared_load": r"ld\.shared\.v4\.[fu]32",
    "wide_shared_store": r"st\.shared\.v4\.[fu]32",
    # A call of the function in CUDA's header.
    "copy": r"\w*__pipeline_memcpy_async\w*, *$", "barrier": r"bar(?:rier)?\.sync",
}
# Any access to memory. Parameters, constants and a thread's own arrays (local) do not count.
ANY_ACCESS = r"\b(?:ld|st|atom|red|cp)\.(?!param|const|local|async\.(?:commit|wait)_group)[\w.:]*"


def check_as_written(nvcc, root, includes, architecture, folder, options):
    kernels = native_kernels_of(compile_ptx(nvcc, root / "kernels" / "cuda" / "native.cu",
                                            includes, architecture,
                                            folder / f"as_written_{architecture}.ptx", options))
    failures = []
    for path in sorted((root / "kernels" / "ladder").glob("[0-9]*.cu")):
        if not is_compiled_for_75(path):
            continue
        if path.stem not in WRITTEN:
            print(f"note: what {path.stem} writes is not counted here")
            continue
        own = {name: text for (stem, name), text in kernels.items() if stem == path.stem}
        if not own:
            failures.append(f"{path.stem} is not compiled")
        for name, text in own.items():
            if is_without_its_copies(name, architecture):
                continue
            found = {what: count for what, pattern in WRITTEN_INSTRUCTIONS.items()
                     if (count := len(re.findall(r"(?m)^\s*(?:@\S+ )?" + pattern, text)))}
            others = len(re.findall(ANY_ACCESS, text)) - sum(
                count for what, count in found.items() if what not in ("copy", "barrier"))
            if found != WRITTEN[path.stem] or others != 0:
                failures.append(f"{name}: {found} and {others} other accesses instead of "
                                f"{WRITTEN[path.stem]}")
    print(f"{architecture}: {len(kernels)} kernels counted")
    return failures


def main():
    build, nvcc, root, includes, options, folder = sys.argv[1:]
    if not nvcc:
        print("skipped: there is no nvcc")
        return SKIPPED
    check = {"native": check_native,
             "as_written": functools.partial(check_as_written,
                                             options=options.split(";"))}[build]
    failures = []
    for architecture in ARCHITECTURES:
        failures += [f"{architecture}: {failure}" for failure
                     in check(nvcc, pathlib.Path(root), includes.split(";"), architecture,
                              pathlib.Path(folder))]
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
