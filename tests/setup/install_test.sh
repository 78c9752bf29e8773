#!/usr/bin/env bash
# Installs a built tree into an empty folder, and uses it there as a user would: the program with its
# recorded races and libraries, the manual page, the completions, the files for the desktop, and the
# Debian package.
#   install_test.sh BUILD_FOLDER CMAKE CPACK [PROGRAM.cu]
# PROGRAM.cu is compiled and run with what is installed; that needs strace.
set -uo pipefail
build=$1 cmake=$2 cpack=$3 program=${4:-}
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/usr
id=org.tilereel.Tilereel

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

"$cmake" --install "$build" --prefix "$prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
for file in bin/tilereel share/applications/$id.desktop share/icons/hicolor/scalable/apps/$id.svg \
    share/mime/packages/$id.xml share/metainfo/$id.metainfo.xml share/man/man1/tilereel.1 \
    share/bash-completion/completions/tilereel share/doc/tilereel/copyright share/tilereel/races/h100_ladder.json \
    share/tilereel/lessons/bank_conflicts.toml share/tilereel/programs/reduction.cu \
    share/tilereel/exercises/coalescing.toml share/tilereel/exercises/coalescing.cu; do
    [[ -s $prefix/$file ]] || fail "$file is not installed"
done
[[ $("$prefix/bin/tilereel" --version) =~ ^tilereel\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version says no version"

# A CUDA program is linked with the libraries that are installed, not with those of the build folder.
if [[ -n $program ]]; then
    said=$(XDG_CACHE_HOME=$folder/cache strace -f -qq -e trace=openat -o "$folder/opened" \
        "$prefix/bin/tilereel" run "$program" 2>&1) || fail "the installed program does not run $program: $said"
    if grep -q "\"$build/.*\.a\"" "$folder/opened"; then fail "a library of the build folder was used"; fi
fi
"$prefix/bin/tilereel" lesson bank_conflicts --check >"$folder/log" 2>&1 || fail "a lesson that is installed: $(cat "$folder/log")"

# The manual page is sound, and names every command and option that --help names.
page=$prefix/share/man/man1/tilereel.1
if type -P groff >/dev/null; then
    complaints=$(groff -man -Tascii -ww -z "$page" 2>&1)
    [[ -z $complaints ]] || fail "the manual page: $complaints"
fi
plain=$(sed 's/\\-/-/g; s/\\f.//g' "$page")
commands=$("$prefix/bin/tilereel" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 10 ]] || fail "--help names no commands"
for command in "" $commands; do
    # shellcheck disable=SC2086
    for option in $("$prefix/bin/tilereel" $command --help | grep -o '^  [^ ]*' | grep -o -- '--[a-z-]*'); do
        grep -q -- "$option" <<<"$plain" || fail "the manual page lacks $option of '$command'"
    done
    [[ -z $command ]] || grep -q "tilereel $command" <<<"$plain" || fail "the manual page lacks $command"
done

# Completion in bash as the user's shell does it.
PATH=$prefix/bin:$PATH
# shellcheck source=/dev/null
source "$prefix/share/bash-completion/completions/tilereel"
completed() { # completed WORDS...: what the last word can become
    COMP_WORDS=(tilereel "$@") COMP_CWORD=$#
    _tilereel
    printf '%s ' "${COMPREPLY[@]}"
}
expect() { # expect WANTED WORDS...
    local wanted=$1 got
    shift
    got=$(completed "$@")
    [[ $got == "$wanted " || $got == "$wanted" ]] || fail "completion of '$*' is '$got', not '$wanted'"
}
expect "report run race" r
expect "09_tiled" report 09
expect "--json" report --js
expect "--generation" explain --g
expect "gpu cpu auto" trace --device ""
expect "8.9 8.6 8.0" report 09_tiled --generation 8
expect "" report --json --memory-limit ""
expect "" report -- ma
expect "" export 09_tiled --png pic
if type -P zsh >/dev/null; then
    zsh -n "$(find "$prefix/share/zsh" -name _tilereel)" || fail "zsh does not take its completion"
fi

# What the desktop reads.
for xml in share/mime/packages/$id.xml share/metainfo/$id.metainfo.xml share/icons/hicolor/scalable/apps/$id.svg; do
    ! type -P xmllint >/dev/null || xmllint --noout "$prefix/$xml" || fail "$xml"
done
! type -P desktop-file-validate >/dev/null ||
    desktop-file-validate "$prefix/share/applications/$id.desktop" || fail "$id.desktop"
! type -P appstreamcli >/dev/null ||
    appstreamcli validate --no-net "$prefix/share/metainfo/$id.metainfo.xml" || fail "$id.metainfo.xml"

# The package: what it installs, and that its libraries were found.
if type -P dpkg-shlibdeps dpkg-deb >/dev/null && [[ -n $cpack ]]; then
    if (cd "$folder" && "$cpack" --config "$build/CPackConfig.cmake" -B "$folder/package") >"$folder/log" 2>&1; then
        package=$(echo "$folder"/package/*.deb)
        [[ $(dpkg-deb --contents "$package") == *" ./usr/bin/tilereel"* ]] || fail "the package lacks the program"
        [[ $(dpkg-deb --field "$package" Depends) == *libc6* ]] || fail "the package depends on no library"
        [[ $(dpkg-deb --field "$package" Recommends) == *plugin-dev* ]] || fail "the package recommends no compiler"
    else
        cat "$folder/log"
        fail "cpack makes no package"
    fi
fi
((failures == 0)) && echo "installed and used"
exit $((failures > 0))
