# completion.zsh SCRIPT WORD...: what the completion in SCRIPT, named _kiln, tells _arguments and _describe for the last
# WORD, one item a line.
_arguments() { print -l -- ${@:#-S} }
_describe() { print -l -- "${(@P)4}" }
script=$1
shift
words=("$@")
CURRENT=$#
fpath=(${script:h} $fpath)
autoload -U _kiln
_kiln
