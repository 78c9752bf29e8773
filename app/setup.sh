# What app/run and tests/run share: the Debian packages, and how to install, configure and build.
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
    libglfw3-dev libimgui-dev libstb-dev libgl-dev libegl-dev libboost-context-dev libzip-dev
    libopenblas-dev
    nlohmann-json3-dev libcli11-dev
    libgl1-mesa-dri libegl1 libxcursor1 libxi6 libxinerama1 libxrandr2
    fonts-inter fonts-jetbrains-mono fonts-dejavu-core ffmpeg
)
# Besides those, for the tests.
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

# run_logged WORDS...: runs the command in silence; what it printed is shown whole if it fails.
run_logged() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then cat "$log" >&2; fi
    rm -f "$log"
    return "$status"
}

is_debian() {
    local os_release=${TILEREEL_OS_RELEASE:-/etc/os-release}
    [[ -r $os_release ]] && grep -Eq '^ID="?debian"?$' "$os_release"
}

# missing_packages NAMES...: those that are not installed, one a line. One call of dpkg-query.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null) || true
    local name
    for name in "$@"; do
        grep -Fxq "$name installed" <<<"$installed" || printf '%s\n' "$name"
    done
}

# apt_install NAMES...: installs them as root; the package lists are fetched only if the ones at
# hand do not do. The first failure says nothing: stale or absent lists are the usual reason.
apt_install() {
    local as_root=() apt
    if ((EUID != 0)); then as_root=(sudo); fi
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    "${apt[@]}" install --no-install-recommends "$@" >/dev/null 2>&1 </dev/null && return
    run_logged "${apt[@]}" update && run_logged "${apt[@]}" install --no-install-recommends "$@"
}

# install_packages NAMES...: returns with all of them installed, or stops with what to do.
install_packages() {
    if [[ -n ${TILEREEL_SKIP_PACKAGES:-} ]]; then return; fi
    if ! is_debian; then
        say "this is not Debian; what is needed, by Debian's package names:"
        printf '  %s\n' "$@" >&2
        stop "install these your system's way, then run with TILEREEL_SKIP_PACKAGES=1"
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then return; fi

    local command="apt-get install --no-install-recommends ${missing[*]}"
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        stop "packages are missing and there is neither root nor sudo; as root, run: $command"
    fi
    say "installing ${#missing[@]} missing packages: ${missing[*]}"
    apt_install "${missing[@]}" ||
        stop "apt-get could not install them (is there a network?); put that right, or run: $command"
}

# Where nvcc is, or nothing.
find_nvcc() {
    local candidate
    for candidate in "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" \
        /usr/local/cuda/bin/nvcc; do
        if [[ -x $candidate ]]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

# What a build folder was configured for: if it differs, the folder is configured from nothing.
configured_for() { printf '%s\n' "source $root" "nvcc $(find_nvcc)"; }

is_configured() {
    local folder=$1
    [[ -f $folder/build.ninja && -f $folder/configured_for ]] &&
        [[ $(<"$folder/configured_for") == "$(configured_for)" ]]
}

# configure PRESET OPTIONS...: makes build/PRESET.
configure() {
    local preset=$1 folder=$root/build/$1 gpu=(-DTILEREEL_CUDA=OFF) fresh=() nvcc
    shift
    nvcc=$(find_nvcc)
    if [[ -n $nvcc ]]; then
        gpu=(-DTILEREEL_CUDA=ON "-DTILEREEL_NVCC_PROGRAM=$nvcc")
    else
        say "no nvcc in PATH, CUDA_HOME or /usr/local/cuda: building without the GPU"
    fi
    if ! is_configured "$folder"; then fresh=(--fresh); fi
    # --preset looks for the presets in the folder it is called from.
    (cd "$root" && run_logged cmake --preset "$preset" "${fresh[@]}" "${gpu[@]}" "$@") ||
        stop "CMake could not configure build/$preset; the reason is above"
    configured_for >"$folder/configured_for"
}

# Reads what ninja prints: its steps become one line (on a terminal, one that counts), and anything
# else, which is what compilers complain of, is shown whole.
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
    ninja -C "$root/build/$preset" "$@" 2>&1 | show_progress ||
        stop "the build failed; the reason is above"
}
