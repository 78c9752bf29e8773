# Which system this is, and how its packages are installed. Sourced by setup.sh.
# shellcheck shell=bash

# os_release FIELDS...: their values, each followed by a space. The file is written for shells:
# os-release(5).
os_release() {
    local file=${TILEREEL_OS_RELEASE:-/etc/os-release} field
    if [[ ! -r $file ]]; then return; fi
    (
        unset ID ID_LIKE PRETTY_NAME
        # shellcheck disable=SC1090
        source "$file"
        for field in "$@"; do printf '%s ' "${!field:-}"; done
    )
}

system_name() {
    local name
    name=$(os_release PRETTY_NAME)
    name=${name% }
    printf '%s\n' "${name:-this system}"
}

# "g++ (Debian 14.2.0-19) 14.2.0", or as the compiler names itself.
compiler_name() {
    local first_line=''
    read -r first_line < <("${CXX:-c++}" --version 2>/dev/null) || true
    printf '%s\n' "$first_line"
}

# Debian, Ubuntu, and the systems that say they are like one of them. Their packages have the same
# names.
has_debian_packages() { [[ " $(os_release ID ID_LIKE) " == *" "@(debian|ubuntu)" "* ]]; }

# The package with the headers for a plugin of the g++ that is installed: CUDA programs are recorded by
# one. Prints nothing where there is no g++.
compiler_plugin_package() {
    local version
    version=$(g++ -dumpversion 2>/dev/null) || return 0
    printf 'gcc-%s-plugin-dev\n' "${version%%.*}"
}

# missing_packages NAMES...: those that are not installed, one a line. One call of dpkg-query.
missing_packages() {
    local installed name
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null) || true
    for name in "$@"; do
        if [[ $'\n'$installed$'\n' != *$'\n'"$name installed"$'\n'* ]]; then printf '%s\n' "$name"; fi
    done
}

# unknown_packages NAMES...: those that the package lists at hand do not offer, one a line.
unknown_packages() {
    local offered=' ' name='' line
    while IFS= read -r line; do
        if [[ $line =~ ^([^[:space:]]+):$ ]]; then name=${BASH_REMATCH[1]}; fi
        if [[ $line =~ ^\ +Candidate:\ [0-9] ]]; then offered+="$name "; fi
    done < <(LC_ALL=C apt-cache policy "$@" 2>/dev/null)
    for name in "$@"; do
        if [[ $offered != *" $name "* ]]; then printf '%s\n' "$name"; fi
    done
}

say_no_plugin_headers() {
    say "$(system_name) offers no package $1, the headers for plugins of g++: CUDA programs cannot be" \
        "recorded on the CPU until they are installed; all else works"
}

# apt_install NAMES...: installs them as root. The package lists are fetched only if the ones at
# hand do not do. The first failure says nothing: stale or absent lists are the usual reason.
apt_install() {
    local as_root=() apt unknown wanted
    if ((EUID != 0)); then as_root=(sudo); fi
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    "${apt[@]}" install --no-install-recommends "$@" >/dev/null 2>&1 </dev/null && return
    run_logged "${apt[@]}" update || return
    mapfile -t unknown < <(unknown_packages "$@")
    # Without these, programs are recorded all the same.
    if [[ ${unknown[*]} == gcc-+([0-9])-plugin-dev ]]; then
        say_no_plugin_headers "${unknown[0]}"
        mapfile -t wanted < <(printf '%s\n' "$@" | grep -Fxv "${unknown[0]}")
        if ((${#wanted[@]} == 0)); then return; fi
        set -- "${wanted[@]}"
        unknown=()
    fi
    if ((${#unknown[@]} > 0)); then
        stop "$(system_name) offers no package named ${unknown[*]}; install packages with the same content" \
            "instead, then run with TILEREEL_SKIP_PACKAGES=1"
    fi
    run_logged "${apt[@]}" install --no-install-recommends "$@"
}

# is_recommended NAME: whether it is one of recommended_packages.
is_recommended() { [[ " ${recommended_packages[*]} " == *" $1 "* ]]; }

# install_recommended NAMES...: installs them from the package lists at hand, if that is possible.
install_recommended() {
    local as_root=()
    if ((EUID != 0)); then as_root=(sudo -n); fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        install --no-install-recommends "$@" >/dev/null 2>&1 </dev/null ||
        say "going on without $*: the program says what it cannot do"
}

# install_packages NAMES...: returns with all of them installed but recommended ones, or stops with
# what to do.
install_packages() {
    if [[ -n ${TILEREEL_SKIP_PACKAGES:-} ]]; then return; fi
    if ! has_debian_packages; then
        say "$(system_name) has no Debian packages; what is needed, by Debian's names:"
        printf '  %s\n' "$@" >&2
        stop "install these with your system's package manager, then run with TILEREEL_SKIP_PACKAGES=1"
    fi
    local missing=() recommended=() name
    while IFS= read -r name; do
        if is_recommended "$name"; then recommended+=("$name"); else missing+=("$name"); fi
    done < <(missing_packages "$@")
    # Recommended ones are tried when something is set up, not at each start.
    local sets_up=no
    if ((${#missing[@]} > 0)) || [[ ! -d $root/build ]]; then sets_up=yes; fi
    if ((${#missing[@]} > 0)); then install_needed "${missing[@]}"; fi
    if ((${#recommended[@]} > 0)) && [[ $sets_up == yes ]]; then install_recommended "${recommended[@]}"; fi
}

# install_needed NAMES...: none of them is installed.
install_needed() {
    local missing=("$@")
    local command="apt-get install --no-install-recommends ${missing[*]}"
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        stop "packages are missing and there is neither root nor sudo; as root, run: $command"
    fi
    say "installing ${#missing[@]} missing packages: ${missing[*]}"
    apt_install "${missing[@]}" ||
        stop "apt-get could not install them (is there a network?); put that right, or run: $command"
}

# install_packages_and_plugin_headers NAMES...: the plugin headers in the same call if g++ is installed,
# else after it.
install_packages_and_plugin_headers() {
    local headers missing
    headers=$(compiler_plugin_package)
    if [[ -n $headers && -z ${TILEREEL_SKIP_PACKAGES:-} ]] && has_debian_packages; then
        mapfile -t missing < <(missing_packages "$@" "$headers")
        # Nothing else is missing: not worth fetching the package lists each time.
        if [[ ${missing[*]} == "$headers" && -n $(unknown_packages "$headers") ]]; then
            say_no_plugin_headers "$headers"
            return
        fi
    fi
    install_packages "$@" ${headers:+"$headers"}
    if [[ -n $headers ]]; then return; fi
    headers=$(compiler_plugin_package)
    if [[ -n $headers ]]; then install_packages "$headers"; fi
}
