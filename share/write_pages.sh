#!/bin/sh
# write_pages.sh KILN FOLDER - writes what the program says about itself: FOLDER/man1/*.1, a manual page for each
# command, and completions, FOLDER/completion/kiln for bash and _kiln for zsh.
set -e
kiln=$1
folder=$2

# A build on a cluster may itself have been started by srun or mpirun.
KILN_ALONE=1
export KILN_ALONE

rm -rf "$folder/man1" "$folder/completion"
mkdir -p "$folder/man1" "$folder/completion"
"$kiln" --help=names >"$folder/names"
while read -r program words; do
    page=$(echo "$program $words" | sed 's/ --[a-z-]*//g; s/ *$//; s/ /-/g')
    # shellcheck disable=SC2086  # several words
    "$kiln" $words --help=man >"$folder/man1/$page.1"
done <"$folder/names"
"$kiln" --help=bash >"$folder/completion/kiln"
"$kiln" --help=zsh >"$folder/completion/_kiln"
