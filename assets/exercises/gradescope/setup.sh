#!/usr/bin/env bash
# Gradescope runs this once, when it makes the image (Ubuntu, as root). Beside it in the archive:
# the Debian package of Tilereel, run_autograder, and the two files of the exercise.
set -euo pipefail
apt-get update
apt-get install --yes /autograder/source/tilereel_*.deb
# Compiles what is compiled once, so that the first submission need not wait.
tilereel grade /autograder/source/exercise.cu --exercise /autograder/source/exercise.toml || true
