# What app/run and tests/run share: the Debian packages, and how to configure and build.
# Sourced, not run. Everything it prints goes to stderr: stdout belongs to the program.
#
# Variables that change what it does:
#   CUDA_HOME                where the CUDA Toolkit is, if nvcc is not in PATH
#   TILEREEL_SKIP_PACKAGES   not empty: trust that everything needed is installed
#   TILEREEL_OS_RELEASE      the file that names the system (default /etc/os-release)
# shellcheck shell=bash disable=SC2034

# The compiler and what the program links, then what it opens when it runs.
program_packages=(
    g++ cmake ninja-build pkg-config python3-glad
    libglfw3-dev libcairo2-dev libfontconfig-dev libimgui-dev libstb-dev libgl-dev libegl-dev libboost-context-dev libzip-dev zlib1g-dev
    libdw-dev libopenblas-dev
    nlohmann-json3-dev libcli11-dev libtomlplusplus-dev
    libgl1-mesa-dri libegl1 libxcursor1 libxi6 libxinerama1 libxrandr2
    fonts-inter fonts-jetbrains-mono fonts-dejavu-core ffmpeg
)
# Without these the program says what it cannot do.
recommended_packages=(bubblewrap)
# The tests also need these.
test_packages=(
    libgtest-dev libgmock-dev libbenchmark-dev python3-numpy
    xvfb xauth xdotool
)

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)

say() { printf 'tilereel: %s\n' "$*" >&2; }

stop() {
    say "$@"
    exit 1
}

# run_logged COMMAND...: runs the command without output. If it fails, prints its whole output.
run_logged() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then cat "$log" >&2; fi
    rm -f "$log"
    return "$status"
}

source "$root/app/setup_packages.sh"
source "$root/app/setup_cuda.sh"

# The source folder, toolkit and GPUs that a build folder was configured for. If they have changed, the
# folder is configured from scratch.
configured_for() {
    local nvcc
    nvcc=$(find_nvcc)
    printf '%s\n' "source $root" "nvcc $nvcc"
    if [[ -n $nvcc ]]; then printf '%s\n' "CUDA $(cuda_version "$nvcc")" "GPUs $(gpus_at_hand)"; fi
}

is_configured() {
    local folder=$1
    [[ -f $folder/build.ninja && -f $folder/configured_for ]] &&
        [[ $(<"$folder/configured_for") == "$(configured_for)" ]]
}

# configure PRESET OPTIONS...: makes build/PRESET.
configure() {
    local preset=$1 folder=$root/build/$1 gpu
    shift
    mapfile -t gpu < <(cuda_options)
    if ! is_configured "$folder"; then rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"; fi
    # --preset reads the presets of the current folder.
    (cd "$root" && run_logged cmake --preset "$preset" "${gpu[@]}" "$@") ||
        stop "CMake could not configure build/$preset; the reason is above"
    configured_for >"$folder/configured_for"
}

# Reads ninja's output. On a terminal, its progress is one line that is overwritten at each step; elsewhere
# it is one message. All other output, such as compiler errors, is shown in full.
show_progress() {
    local line counting=no columns
    columns=$(tput cols 2>/dev/null) || columns=80
    while IFS= read -r line; do
        if [[ $line =~ ^\[[0-9]+/[0-9]+\]\  ]]; then
            if [[ -t 2 ]]; then
                printf '\r\033[K%s' "${line:0:columns-1}" >&2
            elif [[ $counting == no ]]; then
                say "building; the first time takes a few minutes"
            fi
            counting=yes
        elif [[ $line != "ninja: no work to do." && $line != "ninja: Entering directory"* &&
            $line != "-- "* ]]; then # what CMake says when a CMakeLists.txt has changed
            if [[ -t 2 && $counting == yes ]]; then printf '\r\033[K' >&2; fi
            printf '%s\n' "$line" >&2
        fi
    done
    if [[ -t 2 && $counting == yes ]]; then printf '\r\033[K' >&2; fi
}

# build PRESET TARGETS...
build() {
    local preset=$1
    shift
    # By default ninja starts more jobs than there are processors: on two, it starts three and takes 1.13
    # times as long.
    ninja -C "$root/build/$preset" -j"$(nproc)" "$@" 2>&1 | show_progress ||
        stop "the build failed; the reason is above"
}
