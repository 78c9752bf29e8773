#!/usr/bin/env bash
# A kernel is added by one file and one row of the ladder: does just that to a copy of the program's
# kernels and recorder, and builds and runs it.
#   added_kernel_test.sh SOURCE_FOLDER SCRATCH_FOLDER CXX_COMPILER COMPILER_LAUNCHER
set -euo pipefail
source=$1 scratch=$2 compiler=$3 launcher=$4
here=$source/tests/added_kernel copy=$scratch/copy

rm -rf "$copy"
mkdir -p "$copy/app"
cp -r "$source/CMakeLists.txt" "$source/kernels" "$source/instrumentation" "$copy"
cp "$source/app/dependencies.cmake" "$copy/app"

cp "$here/99_by_rows.cuh" "$copy/kernels/"                                            # the file
sed -i '/^#define TILEREEL_LADDER(ROW)/,$ {
    $ s|$| \\\n    ROW("99_by_rows", by_rows, TILEREEL_TILES, any_size)|
}' "$copy/kernels/ladder.h"                                                           # the row
added=$(diff -r "$source/kernels" "$copy/kernels" | grep -c '^>\|^Only in' || true)
[[ $added == 3 ]] || { echo "FAILED: $added lines and files differ" && exit 1; }  # one row ends in \

# Another one, whose C is wrong.
cp "$here/98_forgets_first.cuh" "$copy/kernels/"
sed -i '$ s|$| \\\n    ROW("98_forgets_first", forgets_first, TILEREEL_TILES, any_size)|' "$copy/kernels/ladder.h"

cmake -S "$here/project" -B "$scratch/build" -G Ninja -DTILEREEL_COPY="$copy" \
    -DTILEREEL_WINDOW=OFF -DTILEREEL_CUDA=OFF -DTILEREEL_TESTS=OFF -DTILEREEL_BENCHMARKS=OFF \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -DCMAKE_CXX_FLAGS=-O1 >/dev/null
cmake --build "$scratch/build" --target added_kernel --parallel 2 >"$scratch/build.log" ||
    { cat "$scratch/build.log" && exit 1; }
"$scratch/build/added_kernel"
