#!/usr/bin/env python3
"""Compares how busy each pipe of a GPU is, by an estimate and by Nsight Compute, and writes pipes.csv.

  pipes.py TILEREEL PROFILES --write pipes.csv     estimates, beside what PROFILES holds
  pipes.py TILEREEL --estimates pipes.csv          the same table with the estimates of today
  pipes.py --metrics                               the metrics that a profile needs

PROFILES is a folder: products.csv, seen.csv, aside.csv and fresh.csv are what Nsight Compute wrote of
`ladder_as_compiled estimated`, estimate/launches.cu, set_aside.cu and fresh.cu (`--csv --page raw
--print-units base`), and products_time.csv and so on the same launches several times with their
times alone. README.md here says how. Prints where the estimate and the GPU disagree.
"""
import argparse
import csv
import io
import json
import math
import pathlib
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
OF_PEAK = ".avg.pct_of_peak_sustained_elapsed"
# A pipe of the estimate, and the metrics that say how busy it is; the largest counts. ALU and XU count as
# issue slots: the profiles that were measured have one figure for the three.
AS_ISSUE_SLOTS = ["issue slots", "ALU", "XU"]
PIPES = {
    "memory pipe": ["l1tex__throughput"],
    "FMA pipe": ["sm__inst_executed_pipe_fma"],
    "issue slots": ["sm__inst_issued", "sm__inst_executed_pipe_alu", "sm__inst_executed_pipe_xu"],
    "L2": ["lts__t_sectors"],
    "DRAM": ["dram__throughput"],
}
STALLS = ["barrier", "branch_resolving", "dispatch_stall", "drain", "imc_miss", "lg_throttle", "long_scoreboard",
          "math_pipe_throttle", "membar", "mio_throttle", "no_instruction", "not_selected", "short_scoreboard",
          "sleeping", "wait"]
LOADS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
TIME = "gpu__time_duration.sum"
# In estimate/, by the set.
FILES = {"seen": "launches.cu", "aside": "set_aside.cu", "fresh": "fresh.cu", "blind": "blind.cu", "homework": "homework.cu",
         "coursework": "coursework.cu"}
SETS = ["products", *FILES]
BUSY_ENOUGH = 60  # per cent: kBusyEnough in time_estimate.cpp; below, warps wait
COLUMNS = ["gpu", "set", "launch", "number", "tile", "pad", "n", "measured_us", "estimated_us", "kind", "limiter",
           "busiest", *(f"{pipe} {by}" for pipe in PIPES for by in ("counted", "estimated")), "L2 throughput counted",
           "L1 hits counted", "L1 hits estimated", "L2 hits counted", "L2 hits estimated", "DRAM MB counted", "DRAM MB estimated", "waits"]


def metrics():
    return [TIME, *(each + OF_PEAK for pipe in PIPES.values() for each in pipe), "lts__throughput" + OF_PEAK,
            f"{LOADS}.sum", f"{LOADS}_lookup_hit.sum", "lts__t_sector_hit_rate.pct", "dram__bytes_read.sum",
            "dram__bytes_write.sum",
            *(f"smsp__average_warps_issue_stalled_{each}_per_issue_active.ratio" for each in STALLS)]


def number(text):
    try:
        return float(text.replace(",", ""))
    except (ValueError, AttributeError):
        return math.nan


def profiles_in(path):
    """The launches of what Nsight Compute wrote, once or several times into one file."""
    tables, lines = [], []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith('"ID"'):
            tables.append(lines := [])
        if line.startswith('"') and tables:
            lines.append(line)
    return [[row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["ID"].isdigit()]
            for lines in tables]


def counted(row):
    """The columns of a launch that come from the GPU."""
    def of(metric):
        return number(row.get(metric))
    busy = {pipe: max((of(each + OF_PEAK) for each in PIPES[pipe]), default=math.nan) for pipe in PIPES}
    loads = of(f"{LOADS}.sum")
    stalls = {each: of(f"smsp__average_warps_issue_stalled_{each}_per_issue_active.ratio") for each in STALLS}
    return {**{f"{pipe} counted": f"{share:.0f}" for pipe, share in busy.items()},
            "L2 throughput counted": f"{of('lts__throughput' + OF_PEAK):.0f}",
            "busiest": limiter_of(busy),
            "L1 hits counted": f"{100 * of(f'{LOADS}_lookup_hit.sum') / loads:.0f}" if loads else "",
            "L2 hits counted": f"{of('lts__t_sector_hit_rate.pct'):.0f}",
            "DRAM MB counted": f"{(of('dram__bytes_read.sum') + of('dram__bytes_write.sum')) / 1e6:.4g}",
            "waits": max(stalls, key=lambda each: stalls[each])}


def limiter_of(busy):
    most = max(busy, key=busy.get)
    return most if busy[most] >= BUSY_ENOUGH else "latency"


def launches_of(folder, kind):
    """The launches of one set, with what the GPU counted."""
    profile = profiles_in(folder / f"{kind}.csv")[0]
    times = profiles_in(folder / f"{kind}_time.csv") or [profile]
    for i, row in enumerate(profile):
        us = statistics.median(number(each[i][TIME]) for each in times) / 1e3
        yield {"gpu": "H200", "set": kind, "launch": row["Kernel Name"].split("(")[0].removeprefix("void "),
               "number": i, "threads": row["Block Size"].strip("(").split(",")[0],
               "measured_us": f"{us:.4g}", **counted(row)}


def ladder_of(name, threads):
    """rung_09_tiled::tiled<16, 0> -> 09_tiled, 16, 0. Without TILE: the threads of a row."""
    rung, _, arguments = name.partition("::")
    numbers = [each.strip(">") for each in arguments.partition("<")[2].split(", ") if each]
    if len(numbers) < 2 and numbers != [threads]:
        numbers.insert(0, threads)  # 11_tiled_dynamic<PAD>
    return rung.removeprefix("rung_"), numbers[0], numbers[1] if len(numbers) > 1 else "0"


def arguments_of(row):
    if row["set"] == "products":
        return [row["launch"], "--m", row["n"], "--n", row["n"], "--k", row["n"], "--tile", row["tile"], "--pad",
                row["pad"], "--gpu", "h200", "--only", "--json"]
    return [HERE / "estimate" / FILES[row["set"]], "--gpu", "h200", "--tier", "recording", "--only",
            "--json", "--", str(row["number"])]


def add_estimate(tilereel, row):
    run = subprocess.run([tilereel, "estimate", *arguments_of(row)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"{row['launch']}: {run.stderr.strip()}", file=sys.stderr)
        return row
    found = json.loads(run.stdout)["launches"][0]
    limiter, pipes = found["limiter"], dict(found["pipes"])
    pipes["issue slots"] = max(pipes[each] for each in AS_ISSUE_SLOTS)
    if limiter in AS_ISSUE_SLOTS:
        limiter = "issue slots"
    row.update({"estimated_us": f"{found['seconds'] * 1e6:.4g}", "kind": found["kind"], "limiter": limiter,
                "L1 hits estimated": f"{100 * found['l1_hits']:.0f}" if row["L1 hits counted"] else "",
                "L2 hits estimated": "" if found["l2_hits"] is None else f"{100 * found['l2_hits']:.0f}",
                "DRAM MB estimated": f"{found['dram_bytes'] / 1e6:.4g}",
                **{f"{pipe} estimated": f"{100 * pipes[pipe]:.0f}" for pipe in PIPES}})
    return row


def summary(rows):
    lines = []
    for kind in SETS:
        all_of_kind = [row for row in rows if row["set"] == kind]
        of_kind = [row for row in all_of_kind if row["kind"] == "about"]
        logs = [abs(math.log(number(row["estimated_us"]) / number(row["measured_us"]))) for row in of_kind]
        same = [row for row in all_of_kind if row["limiter"] == row["busiest"]]
        lines.append(f"{kind}: {len(of_kind)} about of {len(all_of_kind)}, typically "
                     f"{math.exp(statistics.mean(logs)):.2f} off, {sum(x <= math.log(1.25) for x in logs)} within "
                     f"1.25, {sum(x <= math.log(1.7) for x in logs)} within 1.7; the limiter is Nsight Compute's at "
                     f"{len(same)}")
        hits = [abs(number(row["L1 hits estimated"]) - number(row["L1 hits counted"])) for row in of_kind
                if row["L1 hits counted"]]
        of_l2 = [abs(number(row["L2 hits estimated"]) - min(100, number(row["L2 hits counted"]))) for row in of_kind
                 if row["L2 hits estimated"]]
        dram = [number(row["DRAM MB estimated"]) / number(row["DRAM MB counted"]) for row in all_of_kind
                if number(row["DRAM MB counted"]) > 1]
        lines.append(f"  L1 hits {statistics.mean(hits):.1f} points off on average, L2 hits "
                     f"{statistics.mean(of_l2) if of_l2 else math.nan:.1f}; DRAM bytes within 15 % at "
                     f"{sum(abs(x - 1) <= 0.15 for x in dram)} of {len(dram)}")
        for row in of_kind:
            times = number(row["estimated_us"]) / number(row["measured_us"])
            words = [f"estimated {times:.2f} of the time"] if abs(math.log(times)) > math.log(1.25) else []
            if row["limiter"] != row["busiest"]:
                words.append(f"limiter {row['limiter']}, Nsight Compute {row['busiest']} (waits: {row['waits']})")
            if words:
                name = " ".join(row[each] for each in ("launch", "tile", "pad", "n") if row.get(each))
                lines.append(f"  {name}: " + "; ".join(words))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilereel", nargs="?")
    parser.add_argument("profiles", nargs="?", type=pathlib.Path)
    parser.add_argument("--estimates", type=pathlib.Path, help="a table whose estimates are made anew")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--metrics", action="store_true")
    asked = parser.parse_args()
    if asked.metrics:
        print(",".join(metrics()))
        return 0
    if asked.tilereel is None or (asked.profiles is None) == (asked.estimates is None):
        parser.error("name the program tilereel, and a folder of profiles or --estimates")
    if asked.estimates:
        with open(asked.estimates, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = [row for kind in SETS if (asked.profiles / f"{kind}.csv").exists()
                for row in launches_of(asked.profiles, kind)]
        products = [row for row in rows if row["set"] == "products"]
        for i, row in enumerate(products):
            row["launch"], row["tile"], row["pad"] = ladder_of(row["launch"], row["threads"])
            row["n"] = "1024" if i < len(products) // 2 else "4096"
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda row: add_estimate(asked.tilereel, row), rows))
    print(summary([row for row in rows if row.get("estimated_us")]))
    target = asked.write or asked.estimates
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
