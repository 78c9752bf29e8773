#!/usr/bin/env python3
"""Runs the two programs in FORMAT.md: the one that reads a trace prints the same as `tilereel report`,
and `tilereel check` and `tilereel report` accept the trace that the other one writes.

  format_document_test.py TILEREEL FORMAT.md
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
tilereel, document = sys.argv[1:]
try:
    import numpy  # noqa: F401: the programs need it
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(SKIPPED)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def shared_of_report(trace):
    """The counts that report gives for each line and shared array, as the reader prints them"""
    sites = json.loads(run(tilereel, "report", trace, "--json"))["sites"]
    rows = [(site["line"], site["array"], site["operation"], site["requests"], site["wavefronts"])
            for site in sites if "wavefronts" in site]
    return "".join(" ".join(map(str, row)) + "\n" for row in sorted(rows))


reader, writer = re.findall(r"^```python\n(.*?)^```", pathlib.Path(document).read_text(),
                            re.DOTALL | re.MULTILINE)
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    (folder / "read.py").write_text(reader)
    (folder / "write.py").write_text(writer)

    # A warp reads one word from each of 16 rows. Rows 16 words apart start in 2 banks, so the read
    # takes 8 wavefronts. Rows 17 words apart start in 16 banks, so it takes 1.
    for pad, of_columns in ((0, "8192"), (1, "1024")):
        trace = folder / f"pad_{pad}.npz"
        run(tilereel, "trace", "08_tiled_b_transposed", "--m", 32, "--n", 32, "--k", 32, "--tile", 16,
            "--pad", pad, "-o", trace)
        printed = run(sys.executable, folder / "read.py", trace)
        assert printed == shared_of_report(trace), (printed, shared_of_report(trace))
        assert any(line.split()[1:] == ["Bs", "load", "1024", of_columns]
                   for line in printed.splitlines()), printed

    written = folder / "written.npz"
    run(sys.executable, folder / "write.py", written)
    assert "sound: column, recorded by the example" in run(tilereel, "check", written)
    printed = run(sys.executable, folder / "read.py", written)
    assert printed == "1 tile store 1 32\n3 tile load 1 32\n", printed
    assert printed == shared_of_report(written), shared_of_report(written)
print("both programs of FORMAT.md hold")
