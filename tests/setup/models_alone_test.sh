#!/usr/bin/env bash
# Fails if the program of analysis and replay needs a GPU, a window or a display library.
#   models_alone_test.sh PROGRAM BUILD_FOLDER
set -euo pipefail
program=$1 build=$2
forbidden='(cuda|cudart|cublas|nvidia|nvrtc|glfw|libGL|lGL|glad|OpenGL|libEGL|lEGL|imgui|libX11|wayland)'
failures=0

expect_none() { # WHAT TEXT
    if grep -Eqi "$forbidden" <<<"$2"; then
        printf 'FAILED: %s:\n' "$1"
        grep -Ei "$forbidden" <<<"$2"
        failures=$((failures + 1))
    fi
}

"$program"
expect_none "it needs" "$(readelf -d "$program" | grep NEEDED)"
expect_none "what it needs, needs" "$(ldd "$program")"
expect_none "it calls" "$(nm -D --undefined-only "$program" | grep -E ' (gl[A-Z]|egl[A-Z]|cu[A-Z]|cuda|glfw)' || true)"
if [[ -f $build/build.ninja ]]; then
    link_line=$(ninja -C "$build" -t commands "$(basename "$program")" | tail -n 1)
    # The folders' own names are no libraries.
    link_line=${link_line//"$build"/}
    [[ $link_line == *tilereel_replay* ]] || { echo "FAILED: no link line" && failures=1; }
    expect_none "its link line names" "$(tr ' ' '\n' <<<"$link_line")"
fi
exit "$((failures > 0))"
