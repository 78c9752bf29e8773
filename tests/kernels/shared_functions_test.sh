#!/usr/bin/env bash
# The builds of the CPU's kernels for different instruction sets define one function each, for
# others to call: of two with the same name the linker would keep one, for all CPUs.
#   shared_functions_test.sh NM LIBRARY
set -euo pipefail
defined=$("$1" -A --defined-only --extern-only "$2" | grep 'instruction_set' | grep -v ' [bBdDrR] ')
[[ -n $defined ]] || { echo "FAILED: no build of the kernels was found" && exit 1; }
others=$(grep -v '_ZN8tilereel[0-9]*cpu_table_[a-z0-9]*E' <<<"$defined" || true)
[[ -z $others ]] || { printf 'FAILED: shared between builds:\n%s\n' "$others" && exit 1; }
