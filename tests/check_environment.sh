#!/bin/sh
# The table of docs/debugging.md has every environment variable of Kiln: those that the program, its tests and scripts
# read, and no others.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

read_by() {
    {
        grep -rhoE 'getenv\("KILN_[A-Z_]+' "$@" --include='*.[ch]' --include='*.cu'
        grep -rhoE '\$\{?KILN_[A-Z_]+' "$@" --include='*.sh' --include=kiln-check
        grep -rhoE 'environ[^)]*KILN_[A-Z_]+' "$@" --include='*.py' --include='*.ipynb' --include=mutate
    } | grep -oE 'KILN_[A-Z_]+' | sort -u
}
# Sections of the document: "program" and "tests" have a table each.
listed() {
    awk -v section="## Variables of the $1" '/^## / { inside = $0 == section } inside && /^\| `KILN_/ { print $2 }' \
        docs/debugging.md | tr -d '`' | sort
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
listed program >"$scratch/program"
listed tests >"$scratch/tests"
sort -u "$scratch/program" "$scratch/tests" >"$scratch/both"
holds "the table of the program has ten variables or more" [ "$(wc -l <"$scratch/program")" -ge 10 ]
none "it has all that the program and the Python package read, and no others" \
    "$(read_by src gpu actions integrators lime python | diff "$scratch/program" -)"
none "those of tests and scripts are in one of the two tables" "$(read_by tests share | comm -13 "$scratch/both" -)"
none "the table of the tests has what they read" "$(read_by tests share | comm -23 "$scratch/tests" -)"
none "and no variable of the program again" "$(comm -12 "$scratch/program" "$scratch/tests")"
facts_end
