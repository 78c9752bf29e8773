#!/usr/bin/env bash
# Includes go one way: a folder may include those below it and itself, nothing else.
#   layers_test.sh SOURCE_FOLDER
set -uo pipefail

models="instrumentation/analysis instrumentation/trace instrumentation/base"
drawing="app/workbench app/lesson app/race app/replay app/ui kernels $models"

# may_include FOLDER: the folders it may include, besides itself; "all" for any.
may_include() {
    case $1 in
    instrumentation/base) echo "" ;;
    instrumentation/trace) echo "instrumentation/base" ;;
    kernels) echo "instrumentation/base" ;;
    instrumentation/analysis) echo "instrumentation/trace instrumentation/base" ;;
    instrumentation/record) echo "kernels instrumentation/trace instrumentation/base" ;;
    instrumentation/plain) echo "instrumentation/record kernels $models" ;;
    app/replay) echo "$models" ;;
    app/race) echo "kernels instrumentation/base" ;;
    app/lesson) echo "app/race app/replay instrumentation/plain instrumentation/record kernels $models" ;;
    app/workbench) echo "app/lesson app/race app/replay instrumentation/plain instrumentation/record kernels $models" ;;
    app/ui) echo "instrumentation/base" ;;
    app/stage | app/panels) echo "$drawing" ;;
    app/shell) echo "app/stage app/panels $drawing" ;;
    app/export | app/cli | app/window | app) echo "all" ;;
    *) echo "unknown" ;;
    esac
}

# Which folder of the table a path is in: two names deep, but kernels and what lies in app itself.
folder_of() {
    case $1 in
    kernels/*) echo kernels ;;
    */*/*) cut -d/ -f1-2 <<<"$1" ;;
    *) cut -d/ -f1 <<<"$1" ;;
    esac
}

# Lines `file: #include ...` that go against the table, in the folder given.
violations() {
    local file folder included allowed
    (cd "$1" && grep -rEo --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
        '^ *# *include *"(app|instrumentation|kernels|tests)/[^"]+"' app instrumentation kernels) |
        while IFS=: read -r file included; do
            included=${included#*\"} && included=${included%\"}
            folder=$(folder_of "$file")
            allowed=" $folder $(may_include "$folder") "
            if [[ $allowed != *" all "* && $allowed != *" $(folder_of "$included") "* ]]; then
                echo "$file: #include \"$included\""
            fi
        done
    # The models and what records know no window and no GPU. CUDA's headers are included by
    # kernels/cuda and, because it defines CUDA's names itself, by the plain build.
    (cd "$1" && grep -rE --include='*.h' --include='*.cpp' --exclude-dir=plain \
        '^ *# *include *[<"](GLFW|glad|GL|EGL|imgui|cuda)' \
        instrumentation kernels app/replay app/lesson app/workbench |
        grep -vE '^kernels/cuda/[^:]*: *# *include *<cuda')
    return 0
}

found=$(violations "$1")
if [[ -n $found ]]; then
    printf 'FAILED: these includes go against the layers:\n%s\n' "$found"
    exit 1
fi

# The test itself is tried on a tree that breaks the rules.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{app/{replay,workbench,cli},instrumentation/{analysis,base},kernels/cuda}
echo '#include "app/workbench/x.h"' >"$tree/app/replay/upwards.h"
echo '#include <GLFW/glfw3.h>' >"$tree/app/workbench/window.cpp"
echo '#include "instrumentation/trace/trace.h"' >"$tree/kernels/cuda/sideways.cuh"
echo '#include <cuda.h>' >"$tree/kernels/cuda.h"
echo '#include <cuda.h>' >"$tree/kernels/cuda/fine.h"
echo '#include "app/main.h"' >"$tree/instrumentation/analysis/top.cpp"
echo '#include "app/replay/x.h"' >"$tree/app/cli/fine.cpp"
echo '#include "instrumentation/base/check.h"' >"$tree/instrumentation/analysis/fine.cpp"
if [[ $(violations "$tree" | wc -l) != 5 ]]; then
    printf 'FAILED: of 5 wrong includes these were found:\n%s\n' "$(violations "$tree")"
    exit 1
fi
echo "all includes go one way"
