# completion.bash SCRIPT WORD...: what the completion in SCRIPT offers for the last WORD, one a line.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_kiln
printf '%s\n' "${COMPREPLY[@]}" | sed '/^$/d'
