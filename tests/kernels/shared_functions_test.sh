#!/usr/bin/env bash
# The CPU's kernels are compiled once for each instruction set. Each of these builds may define only
# one function with external linkage, cpu_table_*(). If two builds defined the same function, the
# linker would keep one of them, which might use instructions that this CPU does not have.
#   shared_functions_test.sh NM LIBRARY
set -euo pipefail
defined=$("$1" -A --defined-only --extern-only "$2" | grep 'instruction_set' | grep -v ' [bBdDrR] ')
[[ -n $defined ]] || { echo "FAILED: no build of the kernels was found" && exit 1; }
others=$(grep -v '_ZN8tilereel[0-9]*cpu_table_[a-z0-9]*E' <<<"$defined" || true)
[[ -z $others ]] || { printf 'FAILED: shared between builds:\n%s\n' "$others" && exit 1; }
