#!/usr/bin/env bash
# Runs app/run, tests/run and .ci/run in a made-up world: copies of the scripts, and a PATH that
# holds nothing but stand-ins for dpkg-query, apt-get, cmake, ninja, nvcc and such, and a few real
# tools.
#   scripts_test.sh SOURCE_FOLDER
# shellcheck disable=SC2016
set -uo pipefail
source_folder=$1
failures=0
world=$(mktemp -d)
first=$world-first
trap 'rm -rf "$world" "$first"' EXIT

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

# The world as each case finds it. It is made once and copied, because a hundred programs start where it
# is made.
new_world() {
    if [[ ! -d $first ]]; then
        make_world
        mkdir "$first" && cp -a "$world/." "$first/"
    else
        rm -rf "${world:?}"/* && cp -a "$first/." "$world/"
    fi
    : >"$world/calls"
}

make_world() {
    mkdir -p "$world"/{bin,repo/app,repo/tests,repo/.ci,"elsewhere with spaces"}
    cp "$source_folder"/app/{run,setup*.sh} "$world/repo/app/"
    cp "$source_folder/tests/run" "$world/repo/tests/"
    cp "$source_folder/.ci/run" "$world/repo/.ci/"
    local tool
    for tool in bash env dirname readlink grep mktemp cat nproc rm tput; do
        ln -s "$(type -P "$tool")" "$world/bin/$tool"
    done
    echo 'ID=debian' >"$world/os-release"
    # All packages are installed but those in the file $world/missing. The program that is built
    # prints the current folder and its arguments.
    stand_in dpkg-query '[[ -e "'"$world"'/missing" ]] && mapfile -t missing <"'"$world"'/missing"
        for p; do case $p in -*|*db:*) ;; *) [[ " ${missing[*]} " == *" $p "* ]] ||
        echo "$p installed";; esac; done'
    stand_in cmake '/bin/mkdir -p build/$2; : >build/$2/build.ninja
        printf "#!/bin/bash\nprintf \"<%%s>\" \"\$PWD\" \"\$@\"\n" >build/$2/tilereel
        /bin/chmod 755 build/$2/tilereel'
    stand_in ninja 'echo "[1/2] Building"; echo "[2/2] Linking"'
    stand_in apt-cache 'for p; do printf "%s:\n  Installed: (none)\n  Candidate: 1.0\n" "$p"; done'
    stand_in ctest ''
    stand_in c++ 'echo "g++ 14.2.0"'
    chmod -R a+rwX "$world"
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

for script in app/run app/setup{,_packages,_cuda}.sh tests/run .ci/run; do
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
[[ $calls == *"ninja -C $world/repo/build/release -j"[0-9]*" tilereel"* ]] || fail "a second start builds what changed"

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
[[ $stderr == *"no Debian packages"* && $stderr == *"libglfw3-dev"* && $stderr != *"libgtest-dev"* ]] ||
    fail "not Debian: it lists what the program needs"
try "$world/repo/tests/run"
[[ $status == 1 && $stderr == *"libgtest-dev"* ]] || fail "not Debian: it lists what the tests need"
variables=(TILEREEL_SKIP_PACKAGES=1)
try "$run" kernels
[[ $status == 0 && $stdout == *"<kernels>" ]] || fail "not Debian, but told that all is installed: it builds"

# systems of Debian's family: os-release as they have it
family=(
    $'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian'
    $'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nID=ubuntu\nID_LIKE=debian'
    $'PRETTY_NAME="Linux Mint 21.3"\nID=linuxmint\nID_LIKE="ubuntu debian"'
    $'PRETTY_NAME="elementary OS 7"\nID=elementary\nID_LIKE=ubuntu'
    $'PRETTY_NAME="Raspbian GNU/Linux 12"\nID=raspbian\nID_LIKE=debian'
)
variables=()
for os_release in "${family[@]}"; do
    new_world
    echo "$os_release" >"$world/os-release"
    echo libzip-dev >"$world/missing"
    stand_in sudo '"$@"'
    stand_in apt-get ''
    try "$run" kernels
    [[ $status == 0 && $calls == *"apt-get"*"install"*"libzip-dev"* ]] ||
        fail "packages are installed on ${os_release%%$'\n'*}"
    try "$world/repo/tests/run"
    [[ $stderr == *"the tests passed on $(. "$world/os-release" && echo "$PRETTY_NAME") with g++ 14.2.0" ]] ||
        fail "the tests say on which system they ran: ${os_release%%$'\n'*}"
done
stand_in ctest 'exit 8'
try "$world/repo/tests/run"
[[ $status == 1 && $stderr == *"the tests failed on Raspbian"* ]] || fail "tests that fail make tests/run fail"
for os_release in 'ID=fedora' $'ID=rocky\nID_LIKE="rhel centos fedora"' 'ID=debianoid'; do
    new_world
    echo "$os_release" >"$world/os-release"
    try "$run" kernels
    [[ $status == 1 && $calls == "" ]] || fail "not of Debian's family: ${os_release//$'\n'/ }"
done

variables=()
new_world
printf 'libzip-dev\nxvfb\n' >"$world/missing"
stand_in sudo '"$@"'
stand_in apt-get 'case " $* " in *" install "*) [[ -e "'"$world"'/lists" ]] || { echo stale; exit 100; };;
    *" update "*) echo >"'"$world"'/lists";; esac'
try "$run" kernels
[[ $status == 0 && $stderr == *"installing 1 missing packages: libzip-dev"* ]] || fail "it says what it installs"
[[ $(grep -c '^apt-get.* update' <<<"$calls") == 1 && $stderr != *stale* ]] ||
    fail "stale package lists are fetched again, without a complaint"
[[ $calls == *"--no-install-recommends libzip-dev"* ]] || fail "it installs no more than what is missing"
try "$run" kernels
[[ $calls != *" update"* ]] || fail "package lists that offer what is missing are not fetched again"

# A system whose archive lacks two of the packages by these names.
printf 'libzip-dev\nlibimgui-dev\npython3-glad\nxvfb\n' >"$world/missing"
printf 'PRETTY_NAME="Ubuntu 22.04.5 LTS"\nID=ubuntu\nID_LIKE=debian\n' >"$world/os-release"
stand_in apt-cache 'printf "libzip-dev:\n  Installed: (none)\n  Candidate: 1.7.3\n"
    printf "libimgui-dev:\n  Installed: (none)\n  Candidate: (none)\n"'
stand_in apt-get 'case " $* " in *" install "*) echo "E: Unable to locate package"; exit 100;; esac'
try "$run" kernels
[[ $status == 1 && -z $stdout ]] || fail "a package of another name: it stops with 1"
[[ $(tail -n 1 "$world/stderr") == *"Ubuntu 22.04.5 LTS offers no package named python3-glad libimgui-dev;"* ]] ||
    fail "a package of another name: one sentence names the system and the packages"
[[ $(tail -n 1 "$world/stderr") == *"TILEREEL_SKIP_PACKAGES=1"* && $stderr != *"Unable to locate"* ]] ||
    fail "a package of another name: it says what to do"
echo 'ID=debian' >"$world/os-release"
printf 'libzip-dev\nxvfb\n' >"$world/missing"

# A system without the compiler's headers for plugins: CUDA programs are recorded without them.
printf 'libzip-dev\ngcc-14-plugin-dev\n' >"$world/missing"
stand_in g++ '[[ $1 == -dumpversion ]] && echo 14'
stand_in apt-cache 'printf "libzip-dev:\n  Installed: (none)\n  Candidate: 1.7.3\n"'
stand_in apt-get 'case " $* " in *plugin-dev*) echo "E: Unable to locate package"; exit 100;; esac'
try "$run" kernels
[[ $status == 0 && $stderr == *"offers no package gcc-14-plugin-dev"* && $stderr != *"Unable to locate"* ]] ||
    fail "without headers for plugins: it says so and goes on"
[[ $calls == *"--no-install-recommends libzip-dev"* ]] || fail "without headers for plugins: the rest is installed"
echo gcc-14-plugin-dev >"$world/missing"
try "$run" kernels
[[ $status == 0 && $calls != *"apt-get"* ]] || fail "without headers for plugins: it does not look for them each time"
rm "$world/bin/g++" "$world/bin/apt-cache"
printf 'libzip-dev\nxvfb\n' >"$world/missing"

# A recommended package: it is installed with the first build, or the program does without it.
new_world
echo bubblewrap >"$world/missing"
stand_in sudo '"$@"'
stand_in apt-get ''
try "$run" kernels
[[ $status == 0 && $calls == *"apt-get"*"install"*"bubblewrap"* && $stderr != *"going on without"* ]] ||
    fail "what is recommended is installed"
new_world
echo bubblewrap >"$world/missing"
stand_in sudo '"$@"'
stand_in apt-get 'echo "E: no route to the mirror"; exit 100'
try "$run" kernels
[[ $status == 0 && $stderr == *"going on without bubblewrap"* && $stderr != *"E: "* && $calls != *" update"* ]] ||
    fail "without what is recommended: it says so and goes on"
try "$run" kernels
[[ $status == 0 && $calls != *"apt-get"* ]] || fail "without what is recommended: it does not try at each start"

new_world
stand_in sudo '"$@"'
printf 'libzip-dev\nxvfb\n' >"$world/missing"
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

# fake_nvcc VERSION NEWEST_GXX CAPABILITIES...: nvcc of a CUDA Toolkit that takes g++ up to
# NEWEST_GXX and makes machine code for the compute capabilities given. g++ is 14, g++-13 is 13.
fake_nvcc() {
    mkdir -p "$world/cuda/bin"
    stand_in nvcc '
        case " $* " in
        *" --version "*) echo "Cuda compilation tools, release '"$1, V$1"'.88" ;;
        *" --list-gpu-code "*) printf "sm_%s\n" '"${*:3}"' ;;
        *" -E "*)
            gxx=14
            if [[ " $* " == *" -ccbin "*g++-13" "* ]]; then gxx=13; fi
            ((gxx <= '"$2"')) && exit
            echo "#error -- unsupported GNU version! gcc versions later than '"$2"' are not supported!" >&2
            exit 1 ;;
        esac'
    mv "$world/bin/nvcc" "$world/cuda/bin/"
}

new_world
try "$run" kernels
if [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    [[ $(grep -c "without the GPU" <<<"$stderr") == 1 && $calls == *"TILEREEL_CUDA=OFF"* ]] ||
        fail "no nvcc: it builds without the GPU and says so in one line"
fi
variables=(CUDA_HOME="$world/cuda")
fake_nvcc 13.0 15 75 80 86 87 88 89 90 100 110 103 120 121
try "$run" kernels
[[ $stderr != *"without the GPU"* && $calls == *"TILEREEL_NVCC_PROGRAM=$world/cuda/bin/nvcc"* ]] ||
    fail "an nvcc that appears is taken up: the build is configured anew"
[[ $calls == *"-DTILEREEL_GPU_ARCHITECTURES=80-virtual"* ]] || fail "no GPU at hand: PTX is built"
stand_in nvidia-smi 'echo 9.0; echo 9.0'
try "$run" kernels
[[ $calls == *"-DTILEREEL_GPU_ARCHITECTURES=90-real "* && $stderr != *"too old"* ]] ||
    fail "a GPU that appears: the build is configured anew, for it"
try "$run" kernels
[[ $calls != *$'\ncmake'* ]] || fail "the same GPU: nothing is configured again"

# What is built for a GPU with each toolkit: VERSION CAPABILITY ARCHITECTURES
while read -r version capability architectures; do
    new_world
    fake_nvcc "$version" 14 50 60 70 75 80 86 87 89 90 $([[ $version < 12.8 ]] || echo 100 101 120)
    stand_in nvidia-smi "echo $capability"
    try "$run" kernels
    [[ $status == 0 && $calls == *"-DTILEREEL_GPU_ARCHITECTURES=$architectures "* ]] ||
        fail "CUDA $version builds $architectures for compute capability $capability"
    says=$(grep -c "CUDA $version is too old for machine code of compute capability $capability" <<<"$stderr")
    [[ $says == "$([[ $architectures == *real ]] && echo 0 || echo 1)" ]] ||
        fail "CUDA $version says in one sentence whether it is too old for $capability"
done <<'END'
12.0 7.5 75-real
12.0 8.9 89-real
12.4 9.0 90-real
12.4 12.0 90-virtual
12.8 12.0 120-real
12.8 12.1 120-virtual
END

new_world
fake_nvcc 11.8 11 75 80 86 89 90
try "$run" kernels
[[ $status == 0 && $calls == *"TILEREEL_CUDA=OFF"* ]] || fail "CUDA 11.8: it builds without the GPU"
[[ $(grep -c "CUDA 11.8 is too old: .*C++20.*CUDA 12.0 or later; building without the GPU" <<<"$stderr") == 1 ]] ||
    fail "CUDA 11.8: one sentence says what it is too old for"

new_world
fake_nvcc 12.4 13 75 80 86 89 90
try "$run" kernels
[[ $status == 0 && $calls == *"TILEREEL_CUDA=OFF"* &&
    $stderr == *"CUDA 12.4 is too old for this system's g++: install g++-13, or a later CUDA"* ]] ||
    fail "a g++ that is too new for nvcc: one sentence says which would do"
stand_in g++-13 ''
fake_nvcc 12.4 13 75 80 86 89 90
rm -r "$world/repo/build"
try "$run" kernels
[[ $status == 0 && $calls == *"TILEREEL_CUDA=ON"*"-DCMAKE_CUDA_HOST_COMPILER=$world/bin/g++-13"* &&
    $stderr != *"too old"* ]] || fail "an older g++ that nvcc takes is used for the kernels"

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
