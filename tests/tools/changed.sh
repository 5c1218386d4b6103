#!/bin/sh
# changed.sh SOURCE COMMIT - reads names of source files, and prints those that differ from COMMIT in the working
# tree, or whose header does; all, if COMMIT is empty.  New files that git does not know yet count as changed.
source_folder=$1
commit=$2
[ -n "$commit" ] || exec cat
cd "$source_folder" || exit 1
there=$(git diff --name-only --relative --diff-filter=d "$commit" -- && git ls-files --others --exclude-standard) || {
    echo "changed.sh: git cannot compare with $commit" >&2
    exit 1
}
stems=$(printf '%s\n' "$there" | sed -n 's/\.[ch]$/.c/p' | sort -u)
[ -n "$stems" ] || exit 0
grep -xF -e "$stems" || :
