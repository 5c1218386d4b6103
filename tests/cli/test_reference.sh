#!/bin/sh
# The reference page of the input is what the program prints, and links between documents lead somewhere.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

none "docs/input.md is what kiln check --reference prints" \
    "$("$KILN_PROGRAM" check --reference | diff - docs/input.md 2>&1)"

none "python/kiln/keys.json is what kiln check --reference --json prints" \
    "$("$KILN_PROGRAM" check --reference --json | diff - python/kiln/keys.json 2>&1)"

# anchors FILE: of its headings, as GitHub names them.
anchors() {
    awk '/^```/ { code = !code }
         !code && /^#+ / {
             sub(/^#+ /, ""); $0 = tolower($0); gsub(/[^a-z0-9 _\200-\377-]/, ""); gsub(/ /, "-")
             print n[$0]++ ? $0 "-" n[$0] - 1 : $0
         }' "$1"
}

# dead FILE: its relative links that lead to no file or no heading.
dead() {
    folder=$(dirname "$1")
    sed 's/`[^`]*`//g' "$1" | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//' | grep -E '[.#/]' |
        grep -vE '^(https?:|mailto:)' |
        sort -u | while read -r link; do
            target=${link%%#*}
            file=${target:+$folder/$target}
            file=${file:-$1}
            if [ ! -e "$file" ]; then
                echo "$1: $link: no such file"
            elif [ "$link" != "$target" ] && ! anchors "$file" | grep -qxF -e "${link#*#}"; then
                echo "$1: $link: no such heading"
            fi
        done
}

if [ -e CONTRIBUTING.md ]; then
    none "all links of the documents lead to files and headings" "$(
        for document in README.md CONTRIBUTING.md docs/*.md; do
            dead "$document"
        done)"
else
    skip "links between documents" "the source tree is not here"
fi
facts_end
