#!/usr/bin/env bash
# Gradescope runs this once, when it makes the image (Ubuntu, as root). Beside it in the archive:
# the Debian package of Tilereel for that release of Ubuntu, run_autograder, and the two files of
# the exercise. Grades the file that is handed out, so that a computer or an exercise that cannot be
# graded is seen here and not by the first student; it also compiles what is compiled once.
set -euo pipefail
apt-get update
apt-get install --yes /autograder/source/tilereel_*.deb
code=0
tilereel grade /autograder/source/exercise.cu --exercise /autograder/source/exercise.toml || code=$?
if [[ $code -gt 1 ]]; then
    echo "the handed-out file cannot be graded here (exit code $code)" >&2
    exit "$code"
fi
