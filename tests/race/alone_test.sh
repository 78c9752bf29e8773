#!/usr/bin/env bash
# Fails if tilereel_race_alone needs a shared library other than the C library's and a sanitizer's,
# or if it does not race.
#   alone_test.sh PROGRAM
set -euo pipefail
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -Ev '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64|lib(a|t|ub)san)\.so' || true)
if [[ -n $needed ]]; then
    printf 'FAILED: it needs\n%s\n' "$needed"
    exit 1
fi
"$1" cpu_tiled:16 --no-reference --sizes 32 --repeats 1 | grep -q 'cpu_tiled.*yes' ||
    { echo "FAILED: it does not race" && exit 1; }
