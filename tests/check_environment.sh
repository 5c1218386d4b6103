#!/bin/sh
# The table of docs/debugging.md has every environment variable of Kiln, and no other names; it says where each is read.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Names in sources, tests and scripts, but header guards, macros of the build, and names that nobody may use any more.
macros() {
    sed -n 's/.*#define \(KILN_[A-Z0-9_]*\) .*/\1/p' src/base/version_build.sh
    sed -n 's/.*AC_DEFUN(\[\(KILN_[A-Z0-9_]*\)\].*/\1/p' m4/*.m4
    grep -hoE 'm4_define\(\[KILN_[A-Z0-9_]+' m4/*.m4 | grep -oE 'KILN_[A-Z0-9_]+'
}
macros | sort -u >"$scratch/macros"
scripts=$(ls -d .ci/run quickstart Makefile.am configure.ac share packaging 2>/dev/null)
grep -rhoIE 'KILN_[A-Z0-9_]*[A-Z0-9]' src gpu actions integrators lime python tests $scripts \
    --exclude=retired_names.txt --exclude=check_text.sh --exclude=check_environment.sh --exclude=version_build.h \
    --exclude='*.log' --exclude='*.trs' | grep -v '_H$' | sort -u | comm -23 - "$scratch/macros" >"$scratch/used"

# Rows: the name, a tab, the last cell.
sed -n 's/^| `\(KILN_[A-Z0-9_]*\)` |.*| *\(.*\) |$/\1\t\2/p' docs/debugging.md >"$scratch/rows"
cut -f 1 "$scratch/rows" >"$scratch/listed"

holds "the table has twenty variables or more" [ "$(wc -l <"$scratch/listed")" -ge 20 ]
none "each name KILN_... of sources, tests and scripts is in it" "$(
    sort "$scratch/listed" | comm -13 - "$scratch/used")"
none "it has no other names" "$(sort "$scratch/listed" | comm -23 - "$scratch/used")"
none "it is sorted, each name once" "$(sort -u "$scratch/listed" | diff "$scratch/listed" -)"
none "the files where a variable is read have it" "$(
    while IFS="$(printf '\t')" read -r name where; do
        printf '%s\n' "$where" | grep -oE '`[^`]+`' | tr -d '`' | while read -r file; do
            grep -qw -e "$name" "$file" || echo "$name: not in $file"
        done
        printf '%s\n' "$where" | grep -q '`' || echo "$name: no file"
    done <"$scratch/rows")"
none "each file of the program that reads a variable is in its row" "$(
    grep -roE 'getenv\("KILN_[A-Z0-9_]+' src gpu actions integrators lime --include='*.[ch]' --include='*.cu' |
        sed 's/:getenv("/ /' | while read -r file name; do
            grep "^$name	" "$scratch/rows" | grep -qF -e "\`$file\`" || echo "$name: $file"
        done)"
facts_end
