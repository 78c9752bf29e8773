#!/usr/bin/env python3
"""Holds the PTX of the ladder's kernels to what its builds promise.

native:     accesses as wide as in the file, sums in registers, fused multiply-adds
as written: one instruction for each access that the plain CUDA file writes, and no other access
traced:     as many records as the source has accesses, barriers and multiply-adds

  ptx_test.py native|as_written|traced NVCC SOURCE_FOLDER INCLUDE_FOLDERS [OPTIONS]
INCLUDE_FOLDERS, with ; between them, hold what CMake writes of the kernels. OPTIONS, likewise, are
nvcc's options that compile a file as written. Exit code 77: there is no nvcc.
"""
import collections
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

ARCHITECTURES = ("compute_75", "compute_90")
SKIPPED = 77


def compile_ptx(nvcc, source, includes, architecture, defines=(), options=()):
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "kernels.ptx"
        subprocess.run(
            [nvcc, "-std=c++20", "-O3", "-ptx", f"-arch={architecture}", "-o", ptx, source]
            + [f"-I{path}" for path in includes] + [f"-D{define}" for define in defines]
            + list(options), check=True)
        return ptx.read_text()


def kernels_of(ptx):
    """{"tiled<16, 0>": text from the parameters to the closing brace, mangled names taken out}"""
    kernels = {}
    for entry in re.finditer(r"\.visible \.entry (_Z(\d+)(\w+))\((.*?)\n}\n", ptx, re.DOTALL):
        mangled, length, rest = entry.group(1), int(entry.group(2)), entry.group(3)
        template = re.match(r"I((?:Li\d+E)+)E", rest[length:])
        arguments = re.findall(r"[0-9]+", template.group(1)) if template else ["0"]
        name = f"{rest[:length]}<{', '.join(arguments)}>"
        kernels[name] = entry.group(4).replace(mangled, "kernel")
    return kernels


# Before 8.0 there are no asynchronous copies, and loads and stores take their place: there the
# kernels only have to compile.
COPYING = ("async_pipeline",)


def is_without_its_copies(name, architecture):
    return architecture == "compute_75" and name.startswith(COPYING)


def native_kernels_of(ptx):
    """{("09_tiled", "tiled<16, 0>"): text}: each plain file is compiled in a namespace of its own."""
    kernels = {}
    for entry in re.finditer(r"\.visible \.entry _ZN(\d+)(\w+)\((.*?)\n}\n", ptx, re.DOTALL):
        length, mangled = int(entry.group(1)), entry.group(2)
        stem, rest = mangled[len("plain_"):length], mangled[length:]
        length, rest = re.match(r"(\d+)(\w+)", rest).groups()
        name = f"{rest[:int(length)]}<{', '.join(re.findall(r'Li([0-9]+)E', rest))}>"
        kernels[stem, name] = entry.group(3)
    return kernels


GLOBAL_ACCESS = r"(?:ld|st)\.global[\w.]*"


def faults_of_native(source, text, architecture):
    """What is wrong with the PTX of a kernel whose file reads `source`."""
    faults = []
    if ".local" in text:
        faults.append("keeps an array in local memory")
    if re.search(r"\b(?:mul|add)(?:\.rn)?\.f32", text):
        faults.append("multiplies and adds in two instructions")
    accesses = re.findall(GLOBAL_ACCESS, text)
    if "float4" in source and not all(".v4." in access for access in accesses):
        faults.append("moves fewer than 16 bytes in an access to global memory")
    if "__pipeline_memcpy_async" in source and architecture != "compute_75":
        if "cp.async.cg.shared.global" not in text or any(a.startswith("ld") for a in accesses):
            faults.append("copies through registers")
    return faults


def check_native(nvcc, root, includes, architecture):
    kernels = native_kernels_of(compile_ptx(nvcc, root / "kernels" / "cuda" / "native.cu",
                                            includes, architecture))
    failures = []
    for path in sorted((root / "kernels" / "plain").glob("*.cu")):
        if path.stem.startswith("20_"):
            continue  # in translation units of its own
        own = {name: text for (stem, name), text in kernels.items() if stem == path.stem}
        if not own:
            failures.append(f"{path.stem} is not compiled")
        for name, text in own.items():
            failures += [f"{name} {fault}"
                         for fault in faults_of_native(path.read_text(), text, architecture)]
    print(f"{architecture}: {len(kernels)} kernels looked at")
    return failures


# What a thread of each kernel does once, in a trip of the loop over tiles besides the loops in it,
# in a trip of the loop over k, and, where there is one, of the loop that moves the tiles. The
# compiler may unroll each, in part or in full. Counted by hand from the kernels' source.
def expected_accesses(kernel, tile):
    store = {"global_store": 1}
    load_tiles = {"global_load": 2, "shared_store": 2}
    from_global = {"global_load": 2, "multiply_add": 1}
    from_shared = {"shared_load": 2, "multiply_add": 1}
    tiled = (store, load_tiles | {"barrier": 2}, from_shared)
    load_a = {"global_load": tile * tile // 64, "shared_store": tile * tile // 64}
    column = {"global_load": 1, "shared_load": tile, "multiply_add": tile}
    stores = {"global_store": tile}
    # 15 to 18: threads that each have edge x edge elements of C.
    edge = 4 if tile < 64 else 8
    vectorized = ({"wide_global_store": edge * edge // 4}, {"barrier": 2},
                  {"wide_shared_load": 2 * edge // 4, "multiply_add": edge * edge},
                  {"wide_global_load": 2, "shared_store": 4, "wide_shared_store": 1})
    sums = 4 * min(tile, 32)  # of a strip, whose code is there twice: for the middle and the edge
    return {
        "cpu_naive": (store, {}, from_global),
        "cpu_tiled": ({"global_load": 2 * sums, "global_store": 2 * sums},
                      {"global_load": 1, "shared_store": 1},
                      {"global_load": 4, "shared_load": sums, "multiply_add": sums}),
        "naive_by_column": (store, {}, from_global),
        "naive": (store, {}, from_global),
        "guide_simple": (store, {}, from_global),
        "guide_a_shared": ({"global_load": 1, "shared_store": 1, "warp_barrier": 1} | store, {},
                           {"global_load": 1, "shared_load": 1, "multiply_add": 1}),
        "guide_ab_shared": (load_tiles | {"barrier": 1} | store, {}, from_shared),
        "single_block": (load_tiles | {"barrier": 1} | store, {}, from_shared),
        "tiled_b_uncoalesced": tiled,
        "tiled_b_transposed": tiled,
        "tiled": tiled,
        "tiled_any_size": tiled,
        "tiled_dynamic": tiled,
        "outer_product": (stores, load_a | {"barrier": 2}, column),
        "outer_product_unrolled": (stores, load_a | {"barrier": 2}, column),
        "outer_product_prefetch": (load_a | {"barrier": 1} | stores, load_a | {"barrier": 1},
                                   column),
        "register_tile": ({"global_store": edge * edge}, {"barrier": 2},
                          {"shared_load": 2 * edge, "multiply_add": edge * edge},
                          {"global_load": 2, "shared_store": 2}),
        "vectorized": vectorized,
        "swizzled": vectorized,
        "warp_tiled": vectorized,
        # In a trip of the loop over four k: 4 k of each of its rows, its columns of each k.
        "async_pipeline": ({"wide_global_store": edge * edge // 4}, {"barrier": 1},
                           {"wide_shared_load": 2 * edge, "multiply_add": 4 * edge * edge},
                           {"copy_load": 2}),
    }.get(kernel)


def count_instructions(text):
    return collections.Counter({operation: len(re.findall(r"(?m)^\s*(?:@\S+ )?" + pattern, text))
                                for operation, pattern in INSTRUCTIONS.items()})


def expected_of(name, found):
    """What the PTX of `name` must hold, given how often it unrolled its loops; None: not known."""
    kernel, tile = re.match(r"(\w+)<(\d+)", name).groups()
    accesses = expected_accesses(kernel, int(tile))
    if accesses is None:
        print(f"note: what {name} should hold is not written down")
        return None
    once, phase, step, *move = accesses
    steps = found["multiply_add"] // step["multiply_add"]
    mark = "barrier" if "barrier" in phase else "shared_store"  # what tells a phase
    phases = (found[mark] - once.get(mark, 0)) // phase[mark] if phase else 0
    expected = collections.Counter(once)
    moves = []
    for trip in move:
        moved = "shared_store" if "shared_store" in trip else "copy_load"
        moves.append((max(1, found[moved] // trip[moved]), trip))
    for trips, trip in [(max(1, phases) if phase else 0, phase), (max(1, steps), step)] + moves:
        for operation, count in trip.items():
            expected[operation] += trips * count
    return expected


INSTRUCTIONS = {
    "global_load": r"ld\.volatile\.global\.b32", "global_store": r"st\.volatile\.global\.b32",
    "shared_load": r"ld\.volatile\.shared\.b32", "shared_store": r"st\.volatile\.shared\.b32",
    "wide_global_load": r"ld\.volatile\.global\.v4\.b32",
    "wide_global_store": r"st\.volatile\.global\.v4\.b32",
    "wide_shared_load": r"ld\.volatile\.shared\.v4\.b32",
    "wide_shared_store": r"st\.volatile\.shared\.v4\.b32",
    "copy_load": r"cp\.async\.cg\.shared\.global",
    "barrier": r"bar(?:rier)?\.sync", "multiply_add": r"fma\.rn\.f32",
    "warp_barrier": r"bar\.warp\.sync",
}
# The accesses, copies and barriers that each plain CUDA file writes, counted by hand in its text. The
# CPU's kernels are not run on a GPU; of 20_champion the hardware's counts are the test.
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
    # A function of CUDA's header, which is called.
    "copy": r"\w*__pipeline_memcpy_async\w*, *$", "barrier": r"bar(?:rier)?\.sync",
}
# A thread's own arrays are no memory of the block.
ANY_ACCESS = r"\b(?:ld|st|atom|red|cp)\.(?!param|const|local|async\.(?:commit|wait)_group)[\w.:]*"


def check_as_written(nvcc, root, includes, architecture, options):
    kernels = native_kernels_of(compile_ptx(nvcc, root / "kernels" / "cuda" / "native.cu",
                                            includes, architecture, options=options))
    failures = []
    for path in sorted((root / "kernels" / "plain").glob("[0-9]*.cu")):
        if path.stem.startswith("20_"):
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


# The compiler makes copies of these kernels' accesses, and of their records, for K = 0 and the like:
# what is held to is that there are no fewer records than accesses.
COPIED = ("cpu_naive", "cpu_tiled", "async_pipeline")
PLAIN_ACCESSES = {"load": r"ld\.(?:global|shared)\.[fu]32",
                  "store": r"st\.(?:global|shared)\.[fu]32"}
PLAIN_STORE_TO_SHARED = r"st\.shared\.[fu]32"
WORDS_OF_A_SHARED_ARRAY = 3  # that its declaration writes to tell where it lies


def records_of(operation):
    """A store's are where it went, and a record for each word of its value."""
    if "_store" not in operation:
        return 1
    return 5 if operation.startswith("wide_") else 2


def records_of_code(text):
    loads, stores = (len(re.findall(PLAIN_ACCESSES[what], text)) for what in ("load", "store"))
    if "st.shared" in text:
        stores -= WORDS_OF_A_SHARED_ARRAY
    return loads + 2 * stores + count_instructions(text)["multiply_add"]


def check_traced(nvcc, root, includes, architecture):
    here = root / "tests" / "dialect"
    defines = ["TILEREEL_BUILD_TRACED"]
    failures = []
    kernels = kernels_of(compile_ptx(nvcc, here / "ladder.cu", includes, architecture, defines))
    for name, text in sorted(kernels.items()):
        found = count_instructions(text)
        found["shared_store"] = len(re.findall(PLAIN_STORE_TO_SHARED, text))
        operations = expected_of(name, found)
        if operations is None or is_without_its_copies(name, architecture):
            continue
        expected = sum(count * records_of(operation) for operation, count in operations.items())
        found = len(re.findall(r"append_record", text))
        if name.startswith(COPIED):
            expected = max(found, records_of_code(text))
        if found != expected:
            failures.append(f"{name}: {found} records instead of {expected}")
    compile_ptx(nvcc, here / "wide_accesses.cu", includes, architecture, defines)
    print(f"{architecture}: {len(kernels)} kernels compiled")
    return failures


# 20_champion at each TILE: rows and columns of C a thread, stages. Counted by hand from its source.
CHAMPIONS = {"16": (2, 4, 3), "32": (2, 4, 3), "256": (8, 16, 4)}
K_OF_A_TURN = 8
OF_BOXES = {
    "box": r"cp\.async\.bulk\.tensor\.2d", "make": r"mbarrier\.init",
    "arrive": r"mbarrier\.arrive\.shared", "announce": r"mbarrier\.arrive\.expect_tx",
    "wait": r"mbarrier\.try_wait", "ask": r"mbarrier\.test_wait",
}


def champions_of(ptx):
    """{"16": text}: the braces of inlined waits end lines, too, but not paragraphs."""
    return {re.search(r"ChampionTileILi(\d+)E", entry.group(1)).group(1): entry.group(2)
            for entry in re.finditer(r"\.visible \.entry (\w+)\((.*?)\n\n}\n", ptx, re.DOTALL)}


def expected_of_champion(rows, columns, stages):
    """The first stages are asked for in a loop, the others in the loop over K, where a turn reads
    its 8 k of B and twice 4 k of A; what is asked for is waited for before and in that loop."""
    return collections.Counter({
        "make": 2 * stages, "box": 2 * 2, "announce": 2, "arrive": 1, "wait": 3,
        "barrier": 1, "warp_barrier": 1, "multiply_add": K_OF_A_TURN * rows * columns,
        "wide_shared_load": (1 + K_OF_A_TURN // 4) * rows + (1 + K_OF_A_TURN) * columns // 4,
        "wide_global_store": rows * columns // 4, "global_store": rows * columns})


def check_boxes(nvcc, root, includes):
    champions = champions_of(compile_ptx(nvcc, root / "tests" / "dialect" / "boxes.cu", includes,
                                         "compute_90", ["TILEREEL_BUILD_TRACED"]))
    failures = []
    if sorted(champions) != sorted(CHAMPIONS):
        failures.append(f"20_champion has TILE {sorted(champions)}")
    for tile, text in champions.items():
        expected = expected_of_champion(*CHAMPIONS[tile])
        found = count_instructions(text) + collections.Counter(
            {what: len(re.findall(pattern, text)) for what, pattern in OF_BOXES.items()})
        if found["box"] != expected["box"] or text.count("record_box") != expected["box"]:
            failures.append(f"20_champion TILE {tile}: {found['box']} boxes, "
                            f"{text.count('record_box')} of them recorded")
        records = sum(count * records_of(what) for what, count in expected.items()
                      if what != "box")
        # The compiler makes copies of what small tiles do, records included.
        if text.count("append_record") < records or (
                tile == "256" and text.count("append_record") != records):
            failures.append(f"20_champion TILE {tile}: {text.count('append_record')} records "
                            f"instead of {records}")
    print(f"20_champion: {len(champions)} kernels counted")
    return failures


def main():
    build, nvcc, root, includes = sys.argv[1:5]
    if not nvcc:
        print("skipped: there is no nvcc")
        return SKIPPED
    options = sys.argv[5].split(";") if len(sys.argv) > 5 else []
    check = {"native": check_native, "traced": check_traced,
             "as_written": functools.partial(check_as_written, options=options)}[build]
    failures = []
    for architecture in ARCHITECTURES:
        failures += [f"{architecture}: {failure}" for failure
                     in check(nvcc, pathlib.Path(root), includes.split(";"), architecture)]
    if build == "traced":
        failures += check_boxes(nvcc, pathlib.Path(root), includes.split(";"))
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
