#!/usr/bin/env python3
"""Writes variants of kernels/cuda/champion/champion_bulk.cuh, each with one of its ideas removed or changed, for
champion_steps_benchmark.

  champion_steps.py --count           how many variants there are
  champion_steps.py KERNEL FOLDER     writes FOLDER/step_0.cu and so on, and steps.cu

A variant is the kernel's text with some passages replaced. The text must contain each of these
passages exactly once.
"""
import pathlib
import sys

ORDER = """            for (int r = 0; r < kThreadRows; ++r) {
#pragma unroll
                for (int i = 0; i < kThreadColumns; ++i) {
                    const int c = r % 2 == 0 ? i : kThreadColumns - 1 - i;
                    sum[r][c] = fmaf(a[r][k % 4], b[k % 2][c], sum[r][c]);
                }
                if (k % 4 == 3) read_a(a[r], a_now, r, next_chunk);
            }
"""
BY_COLUMN = """            for (int c = 0; c < kThreadColumns; ++c)
#pragma unroll
                for (int r = 0; r < kThreadRows; ++r) {
                    sum[r][c] = fmaf(a[r][k % 4], b[k % 2][c], sum[r][c]);
                    if (c == kThreadColumns - 1 && k % 4 == 3)
                        read_a(a[r], a_now, r, next_chunk);
                }
"""
ZIGZAG = """            for (int r = 0; r < kThreadRows; r += 2) {
#pragma unroll
                for (int i = 0; i < 2 * kThreadColumns; ++i) {
                    const int row = r + (i % 4 == 2 || i % 4 == 3);
                    const int c = i / 4 * 2 + (i % 4 == 1 || i % 4 == 2);
                    sum[row][c] = fmaf(a[row][k % 4], b[k % 2][c], sum[row][c]);
                }
                if (k % 4 == 3) read_a(a[r], a_now, r, next_chunk);
                if (k % 4 == 3) read_a(a[r + 1], a_now, r + 1, next_chunk);
            }
"""
# Variant -> its replacements (old, new). The names are those of tests/hardware/champion_steps.csv.
VARIANTS = {
    "as it is": [],
    "rows left to right": [(
        "const int c = r % 2 == 0 ? i : kThreadColumns - 1 - i;", "const int c = i;")],
    "in zigzags of 2 x 2": [(ORDER, ZIGZAG)],
    "column by column": [(ORDER, BY_COLUMN)],
    "without keep_order()": [("            if (k % 4 > 0) keep_order();\n", "")],
    "4 k a turn": [("constexpr int kTurn = 8;", "constexpr int kTurn = 4;")],
    "16 k a turn": [("constexpr int kTurn = 8;", "constexpr int kTurn = 16;")],
    "stored as they are": [(
        """make_float4(alpha * sum[r][c], alpha * sum[r][c + 1], alpha * sum[r][c + 2],
                           alpha * sum[r][c + 3]);""",
        "make_float4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);")],
    "without stream-K": [],  # turned off at launch, by ChampionChoice::stream_k
    "asked late": [("next_full = done + 1 < stages && full[after].ended(after_parity);",
                      "next_full = false && full[after].ended(after_parity);")],
    "one warp asks": [("warp == (done & (Tile::kWarps - 1))", "warp == 0")],
    "not swizzled": [("                         : kDepth == 16 ? lane_row / 2 % 4\n"
                 "                                        : lane_row / 4 % 2) * 4;",
                 "                         : kDepth == 16 ? lane_row / 2 % 4\n"
                 "                                        : lane_row / 4 % 2) * 0;")],
    "8 x 8 sums": [("int ThreadColumns = 16", "int ThreadColumns = 8")],
    "3 stages": [("int Stages = 4", "int Stages = 3")],
    "2 stages": [("int Stages = 4", "int Stages = 2")],
}

SOURCE = """// Written by champion_steps.py: 20_champion, {name}.
#include "kernels/cuda/champion/bulk_copy.cuh"
#include "kernels/cuda/champion/champion_split.cuh"
#include "tests/benchmarks/champion_steps.h"

namespace step_{number} {{
{text}
}}  // namespace step_{number}

namespace tilereel {{

ChampionStep champion_step_{number}() {{
    using Tile = step_{number}::ChampionTile<256, 128, 32, 1>;
    return {{"{name}",
            {{reinterpret_cast<const void*>(step_{number}::champion<Tile, false, false>),
             Tile::kThreads, Tile::kSharedBytes, {swizzle_bytes}}}}};
}}

}}  // namespace tilereel
"""


def all_steps(count):
    declared = "\n".join(f"ChampionStep champion_step_{i}();" for i in range(count))
    called = ", ".join(f"champion_step_{i}()" for i in range(count))
    return ('// Written by champion_steps.py.\n#include "tests/benchmarks/champion_steps.h"\n\n'
            f"namespace tilereel {{\n{declared}\n\n"
            f"std::vector<ChampionStep> champion_steps() {{ return {{{called}}}; }}\n"
            "}  // namespace tilereel\n")


def variant(text, name):
    for old, new in VARIANTS[name]:
        if text.count(old) != 1:
            raise ValueError(f"champion_steps.py: {name}: this is {text.count(old)} "
                             f"times in the kernel, not once:\n{old}")
        text = text.replace(old, new)
    return text


def main(arguments):
    names = list(VARIANTS)
    if arguments == ["--count"]:
        print(len(names))
        return 0
    kernel, out = map(pathlib.Path, arguments)
    text = kernel.read_text(encoding="utf-8")
    try:
        variants = [variant(text, name) for name in names]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    out.mkdir(parents=True, exist_ok=True)
    for i, name in enumerate(names):
        (out / f"step_{i}.cu").write_text(
            SOURCE.format(number=i, name=name, text=variants[i],
                          swizzle_bytes=0 if name == "not swizzled" else 128), encoding="utf-8")
    (out / "steps.cu").write_text(all_steps(len(names)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
