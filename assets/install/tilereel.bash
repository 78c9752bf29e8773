# Completion for bash. `tilereel complete` prints the candidates for a word. If it prints none,
# the shell completes file names.
_tilereel() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tilereel tilereel
