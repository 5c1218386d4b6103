#!/bin/sh
# Every decision of docs/decisions has a line in its index and the same five headings, on half a page.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

pages=$(cd docs/decisions && ls ./*.md | sed 's|^\./||' | grep -vx README.md)
most=450        # words of a page

holds "there are ten decisions or more" [ "$(echo "$pages" | wc -l)" -ge 10 ]
none "each is in the index" "$(for page in $pages; do
    grep -qF "| [$page]($page) |" docs/decisions/README.md || echo "$page"
done)"
none "each says what was decided, why, what it costs, the alternatives, and when to think again" "$(
    for page in $pages; do
        for heading in '**Decision.**' '**Why.**' '**Cost.**' '**Alternatives.**' '**Think again when**'; do
            [ "$(grep -cF -e "$heading" "docs/decisions/$page")" = 1 ] || echo "$page: $heading"
        done
    done)"
none "none is longer than $most words" "$(for page in $pages; do
    [ "$(wc -w <"docs/decisions/$page")" -le $most ] || echo "$page"
done)"
none "the files of the sources that they name are there" "$(
    grep -noE '`(src|gpu|actions|tests|m4)/[^` *]*`' docs/decisions/*.md | tr -d '`' |
        while IFS=: read -r page line path; do
            [ -n "$(ls -d "$path" "$path.c" "$path.sh" 2>/dev/null)" ] || echo "$page:$line: $path"
        done)"
facts_end
