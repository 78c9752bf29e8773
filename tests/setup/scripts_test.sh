#!/usr/bin/env bash
# Runs app/run, tests/run and .ci/run in a made-up world: copies of the scripts, and a PATH that
# holds nothing but stand-ins for dpkg-query, apt-get, cmake, ninja and ctest, and a few real tools.
#   scripts_test.sh SOURCE_FOLDER
# shellcheck disable=SC2016
set -uo pipefail
source_folder=$1
failures=0
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT

fail() {
    printf 'FAILED: %s\n' "$*"
    printf '  %s:\n' "stdout" && cat "$world/stdout"
    printf '  %s:\n' "stderr" && cat "$world/stderr"
    printf '  %s:\n' "calls" && cat "$world/calls"
    failures=$((failures + 1))
}

# stand_in NAME BODY: a command of the made-up world that notes that it was called.
stand_in() {
    printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$world" "$2" >"$world/bin/$1"
    chmod 755 "$world/bin/$1"
}

new_world() {
    rm -rf "${world:?}"/* && mkdir -p "$world"/{bin,repo/app,repo/tests,repo/.ci,"elsewhere with spaces"}
    cp "$source_folder"/app/{run,setup.sh} "$world/repo/app/"
    cp "$source_folder/tests/run" "$world/repo/tests/"
    cp "$source_folder/.ci/run" "$world/repo/.ci/"
    local tool
    for tool in bash env dirname readlink grep mktemp cat rm tput; do
        ln -s "$(type -P "$tool")" "$world/bin/$tool"
    done
    echo 'ID=debian' >"$world/os-release"
    # Every package but $world/missing is installed; the program prints what it was given, and where.
    stand_in dpkg-query 'for p; do case $p in -*|*db:*) ;; *) grep -qsx "$p" "'"$world"'/missing" ||
        echo "$p installed";; esac; done'
    stand_in cmake '/bin/mkdir -p build/$2; : >build/$2/build.ninja
        printf "#!/bin/bash\nprintf \"<%%s>\" \"\$PWD\" \"\$@\"\n" >build/$2/tilereel
        /bin/chmod 755 build/$2/tilereel'
    stand_in ninja 'echo "[1/2] Building"; echo "[2/2] Linking"'
    stand_in ctest ''
    chmod -R a+rwX "$world"
    : >"$world/calls"
}

# try COMMAND...: sets status, stdout, stderr, calls.
try() {
    : >"$world/calls" && chmod a+rw "$world/calls"
    (cd "$world/elsewhere with spaces" && env -i PATH="$world/bin" HOME="$world" \
        TILEREEL_OS_RELEASE="$world/os-release" "${variables[@]}" "$@") \
        >"$world/stdout" 2>"$world/stderr" </dev/null
    status=$?
    stdout=$(<"$world/stdout") stderr=$(<"$world/stderr") calls=$(<"$world/calls")
}
variables=()
run=$world/repo/app/run

for script in app/run app/setup.sh tests/run .ci/run; do
    bash -n "$source_folder/$script" || fail "$script does not parse"
done
for script in app/run tests/run .ci/run; do
    [[ -x $source_folder/$script ]] || fail "$script is not executable"
done

new_world
try "$run" report "two words" "" '*' "it's"
expected="<$world/elsewhere with spaces><report><two words><><*><it's>"
[[ $status == 0 && $stdout == "$expected" ]] || fail "arguments and folder reach the program unchanged"
[[ $calls != *apt-get* ]] || fail "nothing is installed when nothing is missing"
try "$run" kernels
[[ $(grep -c '^cmake' <<<"$calls") == 0 && $(grep -c '^dpkg-query' <<<"$calls") == 1 ]] ||
    fail "a second start configures nothing and asks for the packages once"
[[ $calls == *"ninja -C $world/repo/build/release tilereel"* ]] || fail "a second start builds what changed"

new_world
try "$run"
[[ $status == 0 && $stdout == *"<export><09_tiled>"*"<--gif><tilereel-opening.gif>" ]] ||
    fail "without a display the opening replay is exported"
[[ $stderr == *"no display"* && $stderr == *"$world/elsewhere with spaces/tilereel-opening.gif"* ]] ||
    fail "it says that there is no display and where the film is"
variables=(DISPLAY=:1)
try "$run"
[[ $stdout == "<$world/elsewhere with spaces>" ]] || fail "with a display the window opens"
variables=(WAYLAND_DISPLAY=wayland-0)
try "$run"
[[ $stdout == "<$world/elsewhere with spaces>" ]] || fail "a Wayland display is a display"

variables=()
new_world
echo 'ID=fedora' >"$world/os-release"
try "$run" kernels
[[ $status == 1 && -z $stdout && -z $calls ]] || fail "not Debian: it stops with 1, having done nothing"
[[ $stderr == *"not Debian"* && $stderr == *"libglfw3-dev"* && $stderr != *"libgtest-dev"* ]] ||
    fail "not Debian: it lists what the program needs"
try "$world/repo/tests/run"
[[ $status == 1 && $stderr == *"libgtest-dev"* ]] || fail "not Debian: it lists what the tests need"
variables=(TILEREEL_SKIP_PACKAGES=1)
try "$run" kernels
[[ $status == 0 && $stdout == *"<kernels>" ]] || fail "not Debian, but told that all is installed: it builds"

variables=()
new_world
printf 'libzip-dev\nxvfb\n' >"$world/missing"
stand_in sudo '"$@"'
stand_in apt-get 'case " $* " in *" install "*) [[ -e "'"$world"'/lists" ]] || { echo stale; exit 100; };;
    *" update "*) echo >"'"$world"'/lists";; esac'
try "$run" kernels
[[ $status == 0 && $stderr == *"installing 1 missing packages: libzip-dev"* ]] || fail "it says what it installs"
[[ $(grep -c '^apt-get.* update' <<<"$calls") == 1 && $stderr != *stale* ]] ||
    fail "stale package lists are fetched, and not complained about"
[[ $calls == *"--no-install-recommends libzip-dev"* ]] || fail "it installs no more than what is missing"
try "$run" kernels
[[ $calls != *" update"* ]] || fail "package lists that do are not fetched again"

stand_in apt-get 'echo "E: no route to the mirror"; exit 100'
try "$run" kernels
[[ $status == 1 && -z $stdout && $stderr == *"E: no route to the mirror"* ]] ||
    fail "apt-get's own words are shown when it fails"
[[ $(tail -n 1 "$world/stderr") == *"network"*"apt-get install"*"libzip-dev" ]] ||
    fail "the last line says what to do when apt-get fails"

rm "$world/bin/sudo"
unprivileged=()
if ((EUID == 0)); then unprivileged=("$(type -P setpriv)" --reuid=65534 --regid=65534 --clear-groups); fi
chmod -R a+rwX "$world"
try "${unprivileged[@]}" "$run" kernels
[[ $status == 1 && $stderr == *"as root, run: apt-get install"*"libzip-dev" && $calls != *apt-get* ]] ||
    fail "neither root nor sudo: it says what to run as root"

new_world
stand_in cmake 'echo "CMake Error: reason"; exit 1'
try "$run" kernels
[[ $status == 1 && $stderr == *"CMake Error: reason"* && $stderr == *"could not configure"* ]] ||
    fail "a failed configuration is shown whole"
new_world
stand_in ninja 'echo "[1/2] Building"; echo "FAILED: x.o"; echo "x.cpp:1: error: reason"; exit 1'
try "$run" kernels
[[ $status == 1 && -z $stdout && $stderr == *"x.cpp:1: error: reason"* && $stderr == *"build failed"* ]] ||
    fail "a failed build is shown whole, and nothing is started"
[[ $stderr != *"[1/2]"* ]] || fail "steps of the build are not shown"

new_world
mkdir -p "$world/cuda/bin" && ln -s "$(type -P true)" "$world/cuda/bin/nvcc"
try "$run" kernels
if [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    [[ $(grep -c "without the GPU" <<<"$stderr") == 1 && $calls == *"TILEREEL_CUDA=OFF"* ]] ||
        fail "no nvcc: it builds without the GPU and says so in one line"
fi
variables=(CUDA_HOME="$world/cuda")
try "$run" kernels
[[ $stderr != *"without the GPU"* && $calls == *"TILEREEL_NVCC_PROGRAM=$world/cuda/bin/nvcc"* ]] ||
    fail "an nvcc that appears is taken up: the build is configured anew"

variables=()
new_world
try "$world/repo/.ci/run" -R "a b"
[[ $status == 0 && $calls == *"TILEREEL_WARNINGS_AS_ERRORS=ON"* && $calls == *"ctest "*"-R a b"* ]] ||
    fail "CI: warnings are errors, and ctest gets the arguments"
try "$world/repo/tests/run" --preset asan
[[ $status == 0 && $calls == *"cmake --preset asan"*"WARNINGS_AS_ERRORS=OFF"*"build/asan"* ]] ||
    fail "the tests are built by the preset that was named"

if ((failures > 0)); then exit 1; fi
echo "all scripts do as they should"
