"""Reads what Nsight Compute and compute-sanitizer print, and compares counts with the analysis."""
import csv
import io

# Our name -> two metrics of Nsight Compute: a hardware counter, which also counts other
# traffic, and the sum over the SASS instructions of this kernel alone. There is no such sum for bank
# conflicts: see conflicts_by_instruction(). Asynchronous copies, which the hardware counter of global
# loads includes, and ldmatrix are instructions of their own: the metrics in MORE are added to the
# sum.
COUNTERS = {
    "shared_load_requests": ("smsp__inst_executed_op_shared_ld.sum",
                             "smsp__sass_inst_executed_op_shared_ld.sum"),
    "shared_load_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                               "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    "shared_load_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", None),
    "shared_store_requests": ("smsp__inst_executed_op_shared_st.sum",
                              "smsp__sass_inst_executed_op_shared_st.sum"),
    "shared_store_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    "shared_store_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", None),
    "global_load_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                             "smsp__sass_inst_executed_op_global_ld.sum"),
    "global_load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                            "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    "global_store_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                              "smsp__sass_inst_executed_op_global_st.sum"),
    "global_store_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                             "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"),
}
MORE = {
    "shared_load_requests": "smsp__sass_inst_executed_op_ldsm.sum",
    "global_load_requests": "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
    "global_load_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
}
BY_INSTRUCTION = [both[1] for both in COUNTERS.values() if both[1]] + list(MORE.values())


def whole(text):
    """1,048,576 or 1048576.000000 -> 1048576; None for n/a."""
    try:
        return round(float(text.replace(",", "")))
    except (ValueError, OverflowError):  # "inf": a share of nothing
        return None


def read_profile(text):
    """What `ncu --csv` wrote: [(kernel name, {metric: count})] in the order of launches. Takes the
    raw page (a column a metric, a row of units below the header) and the details page (a row a
    metric)."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        raise ValueError("no table in Nsight Compute's output: " + text.strip()[-300:])
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[begin:]))):
        if not row["ID"] or not row["ID"].isdigit():
            continue  # the units
        name, metrics = launches.setdefault(int(row["ID"]), (row["Kernel Name"], {}))
        if row.get("Metric Name"):
            metrics[row["Metric Name"]] = whole(row["Metric Value"])
        else:
            metrics.update({key: whole(value) for key, value in row.items()
                            if key and "__" in key and value is not None})
    return [launches[i] for i in sorted(launches)]


def function_of(kernel):
    """09_tiled -> tiled: the name of the function in the kernel's file."""
    return kernel.split("_", 1)[1]


def match(cases, profile):
    """The metrics of each case; the n-th launch is the n-th case."""
    if len(cases) != len(profile):
        raise ValueError(f"{len(profile)} launches were profiled, {len(cases)} were made")
    for case, (name, _) in zip(cases, profile):
        if function_of(case["kernel"]) not in name:
            raise ValueError(f"{case['kernel']} was profiled as {name}")
    return [metrics for _, metrics in profile]


def conflicts_by_instruction(counter, hardware, by_instruction):
    """Wavefronts, summed up over the instructions, beyond the ideal; None unless all are known.

    The ideal number is the hardware's wavefronts less the hardware's conflicts: where many small
    blocks meet, both see a few wavefronts too many, which cancel out."""
    wavefronts, summed_wavefronts = COUNTERS[counter.replace("conflicts", "wavefronts")]
    parts = (by_instruction.get(summed_wavefronts), hardware.get(wavefronts),
             hardware.get(COUNTERS[counter][0]))
    if None in parts or parts[0] < parts[1] - parts[2]:
        return None  # fewer than the ideal: the noise was in wavefronts alone
    return parts[0] - (parts[1] - parts[2])


def sum_by_instruction(counter, hardware, by_instruction):
    if counter.endswith("_conflicts"):
        return conflicts_by_instruction(counter, hardware, by_instruction)
    loads = by_instruction.get(COUNTERS[counter][1])
    copies = by_instruction.get(MORE.get(counter)) or 0  # unknown to a GPU that has none
    return None if loads is None else loads + copies


def compare(case, hardware, by_instruction):
    """{counter: (analysis, counted, how)} of one case; how is 'hardware', 'instruction' where only
    the sum over instructions agrees, or 'differs'."""
    result = {}
    for counter, (metric, _) in COUNTERS.items():
        expected, counted = int(case[counter]), hardware.get(metric)
        summed = sum_by_instruction(counter, hardware, by_instruction)
        if counted == expected:
            result[counter] = (expected, counted, "hardware")
        elif summed is not None and summed == expected:
            result[counter] = (expected, summed, "instruction")
        else:
            result[counter] = (expected, counted if counted is not None else summed, "differs")
    return result


def errors_of(tool, text):
    """The number in compute-sanitizer's summary, or None if it wrote none."""
    for line in reversed(text.splitlines()):
        if "ERROR SUMMARY:" in line or "RACECHECK SUMMARY:" in line:
            return int(line.split("SUMMARY:")[1].split()[0])
    return None
