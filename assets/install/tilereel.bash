# Completion for bash: the program says what a word can become; where it says nothing, files.
_tilereel() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tilereel tilereel
