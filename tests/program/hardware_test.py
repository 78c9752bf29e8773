#!/usr/bin/env python3
"""Compares expected.py with tests/hardware/program_counts.csv: the counts of Nsight Compute on an H100
for the same programs, compiled by `nvcc -Xcicc -O1 -Xptxas -O1`.

A count is right if it equals the hardware's counter or the sum over the kernel's instructions
(smsp__sass_*), because smsp__inst_executed_op_shared_* also counts instructions without active
threads. Exits with 1 if a count differs.
"""
import csv
import pathlib
import sys

import expected

TABLE = pathlib.Path(__file__).resolve().parent.parent / "hardware/program_counts.csv"
BY_INSTRUCTION = {
    "shared_load_requests": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_requests": "smsp__sass_inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "global_load_requests": "smsp__sass_inst_executed_op_global_ld.sum",
    "global_load_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "smsp__sass_inst_executed_op_global_st.sum",
    "global_store_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
}
# nvcc joins sums[2 * tid] and sums[2 * tid + 1] into accesses of 8 bytes, also at -O1: half the requests
# of eight warps, and one wavefront fewer for each pair.
JOINED = {("scan", "1", f"shared_{way}_{unit}") for way in ("load", "store")
          for unit in ("requests", "wavefronts", "conflicts")}
# smsp__inst_executed_op_shared_atom counts other instructions, and the table has no conflicts of atomics.
NOT_MEASURED = {"shared_atomic_requests", "shared_atomic_conflicts"}


def counted(row, counter, counts):
    """The values that are right for a counter."""
    if counter == "shared_atomic_wavefronts":  # the counter also sees some reductions in global memory
        return [int(row[counter]), int(row[counter]) - counts["global_atomic_requests"]]
    names = [counter, BY_INSTRUCTION.get(counter)]
    return [int(row[name]) for name in names if name in row]


def main():
    wrong, compared = [], 0
    with open(TABLE, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    known = {name: program() for name, program in expected.PROGRAMS.items()}
    for row in rows:
        counts = known[row["program"]][int(row["launch"])]
        for counter, count in counts.items():
            if counter in NOT_MEASURED or (row["program"], row["launch"], counter) in JOINED:
                continue
            compared += 1
            if count not in counted(row, counter, counts):
                wrong.append(f"{row['program']}, {row['kernel']}: {counter} is {count}, "
                             f"the H100 counted {counted(row, counter, counts)}")
    if len(rows) != sum(len(launches) for launches in known.values()):
        wrong.append(f"the table has {len(rows)} launches")
    print("\n".join(wrong) or f"{compared} counts of {len(rows)} launches: as the H100 counted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
