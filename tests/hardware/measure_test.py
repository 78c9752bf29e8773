#!/usr/bin/env python3
"""Tests measure.py and profiler_output.py without a GPU: the parsing of the profilers' output, and a
whole run with programs that replace the profilers."""
import contextlib
import csv
import io
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import measure  # noqa: E402
import profiler_output  # noqa: E402

# As Nsight Compute 2025.3 writes `--csv --page raw`: log lines, header, a row of units, launches.
RAW = '''==PROF== Connected to process 4711 (/x/ladder_as_written)
==PROF== Profiling "naive" - 0: 0%....50%....100% - 2 passes
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","smsp__inst_executed_op_shared_ld.sum"
"","","","","","","","","","","","sector","inst"
"0","4711","ladder_as_written","127.0.0.1","void rung_02_naive::naive<16>(const float *, const float *, float *, int, int, int)","1","7","(16, 16, 1)","(4, 4, 1)","0","9.0","1,048,576","0"
"1","4711","ladder_as_written","127.0.0.1","void rung_09_tiled::tiled<16, 0>(const float *, const float *, float *, int, int, int)","1","7","(16, 16, 1)","(4, 4, 1)","0","9.0","2048","n/a"
'''

# `--csv --page details` has a row a metric.
DETAILS = '''"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","naive(int)","Command line profiler metrics","a__b.sum","inst","12"
"0","4711","naive(int)","Command line profiler metrics","c__d.sum","inst","1,300"
"1","4711","tiled(int)","Command line profiler metrics","a__b.sum","inst","13"
'''

# Replaces gpu_tables, the ladders, ncu and compute-sanitizer. All launches except the second count what the
# cases say. For the second, the hardware counts 3 more sectors, wavefronts and conflicts than its instructions.
STAND_IN = '''#!/usr/bin/env python3
import os, sys
name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
counters = {counters!r}
cases = [("02_naive", 16, 0, 64, 64, 64), ("09_tiled", 16, 1, 64, 64, 64)]
if name == "gpu_tables":
    if words[0] == "machine":
        if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
            sys.exit(77)
        print("gpu,driver,toolkit\\nFake 9000,1.2,13.0")
    elif words[0] == "cases":
        print("kernel,tile,pad,m,n,k," + ",".join(counters))
        for i, case in enumerate(cases):
            print(",".join(map(str, case + tuple(100 * i + j for j in range(len(counters))))))
    elif words[0] == "recorder":
        print("kernel,tile,pad,m,n,k,records,accesses,multiprocessors,difference")
        print("02_naive,16,0,64,64,64,10,320,4,none")
    elif words[0] == "speed":
        print("kernel,tile,m,n,k,accesses,fill_ms,fill_gaccesses_s,gpu_gaccesses_s,convert_ms,"
              "whole_gaccesses_s")
        print("02_naive,16,64,64,64,1000000,1.0,1.0,0.9,3.0,0.2")
elif name == "ncu":
    if words[0] == "--query-metrics":
        for both in counters.values():
            if both[1]:
                print(both[1].rsplit(".", 1)[0], "Counter inst")
        sys.exit(0)
    metrics = words[words.index("--metrics") + 1].split(",")
    with open(words[words.index("--log-file") + 1], "w") as log:
        log.write('==PROF== Connected\\n"ID","Kernel Name",' + ",".join(f'"{{m}}"' for m in metrics) + "\\n")
        log.write('"",""' + ',"inst"' * len(metrics) + "\\n")
        order = [both[0] for both in counters.values()], [both[1] for both in counters.values()]
        for i, function in enumerate(("naive", "tiled")):
            values = []
            for metric in metrics:
                kind = 0 if metric in order[0] else 1
                value = 100 * i + order[kind].index(metric)
                noisy = kind == 0 and i == 1 and (
                    "sectors_pipe_lsu_mem_global_op_ld" in metric or
                    "wavefronts_mem_shared_op_ld" in metric or
                    "conflicts_pipe_lsu_mem_shared_op_ld" in metric)
                values.append(value + 3 * noisy)
            log.write(f'"{{i}}","void {{function}}<16>(int)",' + ",".join(f'"{{v}}"' for v in values) + "\\n")
elif name == "compute-sanitizer":
    if words[-1] == "champion":
        sys.exit(77)
    racecheck = words[1] == "racecheck"
    print("========= " + ("RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)" if racecheck
                          else "ERROR SUMMARY: 0 errors"))
'''


class Parsing(unittest.TestCase):
    def test_raw_page(self):
        first, second = profiler_output.read_profile(RAW)
        self.assertIn("naive<16>", first[0])
        self.assertEqual(first[1], {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 1048576,
                                    "smsp__inst_executed_op_shared_ld.sum": 0})
        self.assertIsNone(second[1]["smsp__inst_executed_op_shared_ld.sum"])

    def test_details_page(self):
        first, second = profiler_output.read_profile(DETAILS)
        self.assertEqual(first[1], {"a__b.sum": 12, "c__d.sum": 1300})
        self.assertEqual(second[1], {"a__b.sum": 13})

    def test_no_table_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "ERR_NVGPUCTRPERM"):
            profiler_output.read_profile("==ERROR== ERR_NVGPUCTRPERM")

    def test_launches_must_be_the_cases(self):
        cases = [{"kernel": "02_naive"}, {"kernel": "09_tiled"}]
        profile = profiler_output.read_profile(RAW)
        self.assertEqual(len(profiler_output.match(cases, profile)), 2)
        with self.assertRaisesRegex(ValueError, "was profiled as"):
            profiler_output.match(cases[::-1], profile)
        with self.assertRaisesRegex(ValueError, "2 launches were profiled, 1"):
            profiler_output.match(cases[:1], profile)

    def test_sanitizer_summaries(self):
        self.assertEqual(profiler_output.errors_of("memcheck", "x\n========= ERROR SUMMARY: 3 errors\n"), 3)
        self.assertEqual(profiler_output.errors_of(
            "racecheck", "========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"), 2)
        self.assertIsNone(profiler_output.errors_of("memcheck", "no device"))

    def test_conflicts_are_wavefronts_beyond_the_ideal(self):
        wide = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 47,  # 4 requests of 16
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": 31}  # bytes: 16 at best
        exact = {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 40}
        self.assertEqual(profiler_output.sum_by_instruction("shared_load_conflicts", wide, exact), 24)
        self.assertIsNone(profiler_output.sum_by_instruction("shared_load_conflicts", wide, {}))

    def test_copies_are_global_loads(self):
        _, loads = profiler_output.COUNTERS["global_load_sectors"]
        copies = profiler_output.MORE["global_load_sectors"]
        self.assertEqual(
            profiler_output.sum_by_instruction("global_load_sectors", {}, {loads: 3, copies: 4}), 7)
        self.assertEqual(profiler_output.sum_by_instruction("global_load_sectors", {}, {loads: 3}), 3)

    def test_a_counter_that_differs_is_seen(self):
        case = {counter: "5" for counter in profiler_output.COUNTERS}
        hardware = {metric: 5 for metric, _ in profiler_output.COUNTERS.values()}
        exact = {}
        hardware["smsp__inst_executed_op_shared_ld.sum"] = 6
        hows = {c: how for c, (_, _, how) in profiler_output.compare(case, hardware, exact).items()}
        self.assertEqual(hows.pop("shared_load_requests"), "differs")
        self.assertEqual(set(hows.values()), {"hardware"})


class WholeRun(unittest.TestCase):
    def test_over_programs_that_stand_in(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ("gpu_tables", "ladder_as_written", "ladder_as_compiled", "ncu",
                         "compute-sanitizer"):
                path = folder / name
                path.write_text(STAND_IN.format(counters=profiler_output.COUNTERS))
                path.chmod(path.stat().st_mode | stat.S_IXUSR)
            out = folder / "out"
            out.mkdir()
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                result = measure.Measurement(folder, out, folder / "ncu",
                                             folder / "compute-sanitizer").run(measure.STEPS)
            self.assertEqual(result, 0, printed.getvalue())
            self.assertLessEqual(len(list(out.iterdir())), 8)
            with open(out / "as_written.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(rows[0]["instruction"], "")
            self.assertEqual(rows[1]["instruction"],
                             "shared_load_wavefronts shared_load_conflicts global_load_sectors")
            self.assertEqual({row["differs"] for row in rows}, {""})
            self.assertEqual(rows[1]["gpu"], "Fake 9000")
            with open(out / "native.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(rows[1]["native_global_load_sectors"], "107")  # without the noise
            self.assertEqual(rows[1]["native_shared_load_conflicts"], "105")  # as the hardware says
            self.assertEqual(rows[1]["written_global_load_sectors"], "107")
            self.assertIn("all as expected", printed.getvalue())
            with open(out / "sanitizer.csv", encoding="utf-8") as file:
                checks = [(row["build"], row["tool"]) for row in csv.DictReader(file)]
            tools = ("memcheck", "racecheck", "initcheck", "synccheck")
            # 20_champion is not run natively: the replacement reports a GPU of another generation.
            self.assertEqual(checks, [(b, t) for b in ("as_written", "as_compiled", "recorded")
                                      for t in tools])
            self.assertIn("champion does not run on this GPU", printed.getvalue())
            repository = folder / "repository"
            for place in ("tests/hardware", "assets"):
                (repository / place).mkdir(parents=True)
            self.assertIn("native.csv", measure.keep(out, repository))
            self.assertEqual((repository / "assets/as_compiled.csv").read_text(),
                             (out / "native.csv").read_text())
            self.assertTrue((repository / "tests/hardware/sanitizer.csv").exists())


if __name__ == "__main__":
    unittest.main()
