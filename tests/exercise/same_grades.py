"""Whether grades are the same each time: 10 solutions, each graded 100 times with one seed.

  same_grades.py TILEREEL [TIMES] [SECONDS]     ends after SECONDS (3600) at the latest

Prints how many grades were made and the CPU seconds of one; the exit code is 1 if two grades of one
solution differ in any byte of their JSON.
"""
import collections
import pathlib
import resource
import statistics
import subprocess
import sys
import time

SOLUTIONS = sorted((pathlib.Path(__file__).resolve().parent / "solutions").glob("*.cu"))[:10]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(tilereel, times=100, seconds=3600):
    answers, cpu = collections.defaultdict(set), []
    end = time.monotonic() + float(seconds)
    for _ in range(int(times)):
        for solution in SOLUTIONS:
            if time.monotonic() > end:
                break
            before = cpu_seconds()
            command = [tilereel, "grade", solution, "--exercise", solution.stem, "--seed", "5", "--json"]
            ended = subprocess.run(command, capture_output=True, check=False)
            cpu.append(cpu_seconds() - before)
            answers[solution.stem].add((ended.returncode, ended.stdout))
    print(f"{len(cpu)} grades; {statistics.mean(cpu):.2f} s of CPU each, {max(cpu):.2f} at most")
    different = [name for name, found in answers.items() if len(found) > 1]
    print("different: " + ", ".join(different) if different else "all are the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
