#!/bin/sh
# Names that were given up stay away: code, documents and inputs use one term for one thing (tests/retired_names.txt).
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

files() {
    find README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff Makefile.am configure.ac quickstart docs src gpu \
        actions integrators lime share packaging tests python input validation yyjson/Make.am -type f \
        ! -name retired_names.txt ! -path '*/__pycache__/*' ! -name '*.[oa]' |
        sort
}

grep -v '^#' tests/retired_names.txt | {
    while IFS="$(printf '\t')" read -r name instead; do
        none "$name is written as $instead" "$(
            { files | xargs grep -InE -e "$name"; files | grep -E "$name"; } | head -n 20)"
    done
    facts_end
}
