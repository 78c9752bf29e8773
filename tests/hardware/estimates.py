#!/usr/bin/env python3
"""Compares estimated times of launches with measured ones, and writes them as estimate.csv.

  estimates.py TILEREEL [--write estimate.csv]

The ladder: medians of the races in assets/races. Other launches: the rows of pipes.csv (pipes.py).
Prints how far the estimates are from what was measured.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor

from pipes import FILES

HERE = pathlib.Path(__file__).resolve().parent
RACES = ["h100_ladder", "h100_sweep", "h100_warm", "h100_one_tile_deep", "h100_ragged"]
COLUMNS = ["gpu", "launch", "tile", "pad", "m", "n", "k", "caches", "measured_us", "estimated_us", "kind",
           "limiter", "from"]
MODELLED = [f"{number:02}" for number in range(1, 20)]


def estimate(tilereel, arguments):
    """The first estimated launch; None where the kernel cannot run so"""
    run = subprocess.run([tilereel, "estimate", *arguments, "--only", "--json"] if "--" not in arguments else
                         [tilereel, "estimate", arguments[0], "--only", "--json", *arguments[1:]],
                         capture_output=True, text=True)
    return json.loads(run.stdout)["launches"][0] if run.returncode == 0 else None


def row(gpu, launch, parameters, caches, seconds, found, source):
    tile, pad, m, n, k = parameters
    return dict(zip(COLUMNS, [gpu, launch, tile, pad, m, n, k, caches, f"{seconds * 1e6:.4g}",
                              f"{found['seconds'] * 1e6:.4g}", found["kind"], found["limiter"], source]))


def of_race(tilereel, name):
    race = json.loads((HERE / f"../../assets/races/{name}.json").read_text())
    contenders, sizes = race["request"]["contenders"], race["request"]["sizes"]
    caches = race["request"]["caches"]
    gflops = {}
    for sample in race["samples"]:
        gflops.setdefault((sample["contender"], sample["size"]), []).append(sample["gflops"])

    def one(point):
        contender, (m, n, k) = contenders[point[0]], sizes[point[1]]
        if contender["kernel"][:2] not in MODELLED:
            return None
        arguments = [contender["kernel"], "--m", str(m), "--n", str(n), "--k", str(k),
                     "--tile", str(contender["tile"]), "--pad", str(contender["pad"])]
        found = estimate(tilereel, arguments + (["--warm"] if caches == "warm" else []))
        seconds = 2 * m * n * k / statistics.median(gflops[point]) * 1e-9
        return found and row("H100", contender["kernel"], (contender["tile"], contender["pad"], m, n, k),
                             caches, seconds, found, name)
    with ThreadPoolExecutor(2) as pool:
        return [each for each in pool.map(one, sorted(gflops)) if each]


def of_launches():
    """The launches of other programs, as pipes.py has compared them."""
    rows = []
    with open(HERE / "pipes.csv", encoding="utf-8") as file:
        for each in csv.DictReader(file):
            if each["set"] == "products":
                continue
            rows.append({**dict.fromkeys(COLUMNS, ""), **{key: each[key] for key in COLUMNS if key in each},
                         "tile": each["number"], "pad": "", "caches": "cold", "from": FILES[each["set"]]})
    return rows


def summary(rows):
    lines = []
    for title, chosen in [("products", lambda r: r["gpu"] == "H100"), ("seen", lambda r: r["from"] == "launches.cu"),
                          ("set aside", lambda r: r["from"] == "set_aside.cu"), ("fresh", lambda r: r["from"] == "fresh.cu")]:
        about = [r for r in rows if chosen(r) and r["kind"] == "about"]
        logs = [math.log(float(r["estimated_us"]) / float(r["measured_us"])) for r in about]
        if not logs:
            continue
        inside = {band: sum(abs(x) <= math.log(band) for x in logs) for band in (1.25, 1.7)}
        lines.append(f"{title}: {len(logs)} about, typically {math.exp(sum(map(abs, logs)) / len(logs)):.2f} off, "
                     f"{inside[1.25]} within 1.25, {inside[1.7]} within 1.7, worst {math.exp(max(map(abs, logs))):.2f}; "
                     f"{sum(chosen(r) for r in rows) - len(about)} at least")
    pairs = right = 0
    products = [r for r in rows if r["from"] in ("h100_ladder", "h100_sweep") and r["kind"] == "about"]
    for i, a in enumerate(products):
        for b in products[:i]:
            if any(a[c] != b[c] for c in ("m", "n", "k", "from")):
                continue
            ma, mb, ea, eb = (float(r[c]) for c in ("measured_us", "estimated_us") for r in (a, b))
            if max(ma, mb) / min(ma, mb) >= 1.1:
                pairs += 1
                right += (ma < mb) == (ea < eb)
    lines.append(f"the faster of two products that differ by 10 % or more: {right} of {pairs}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilereel")
    parser.add_argument("--write")
    options = parser.parse_args()
    rows = [each for race in RACES for each in of_race(options.tilereel, race)]
    rows += of_launches()
    print(summary(rows))
    if options.write:
        with open(options.write, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
