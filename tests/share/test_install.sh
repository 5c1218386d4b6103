#!/bin/sh
# make install puts everything below DESTDIR and prefix, complete and usable there; make uninstall takes it away again
# and nothing else.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
source_folder=$(pwd)
build=$(dirname "$KILN_PROGRAM")
if ! [ -f "$build/Makefile" ] || ! [ -f configure.ac ]; then
    skip "make install" "the source tree is not here"
    facts_end
fi
scratch=$(cd "$(mktemp -d)" && pwd -P) || exit 99
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
root=$scratch/root
at=$root$prefix
unset MAKEFLAGS MFLAGS MAKELEVEL
in_build() { make -C "$build" prefix="$prefix" DESTDIR="$root" "$@"; }

mkdir -p "$at/bin" "$at/share/doc/kiln"
echo mine >"$at/bin/mine"
echo mine >"$at/share/doc/kiln/mine"
holds "make install succeeds" in_build install
holds "with DESTDIR nothing goes to prefix itself" [ ! -e "$prefix" ]
none "and nothing stands beside it" "$(find "$root" -type f ! -path "$at/*")"
holds "the program runs" "$at/bin/kiln" version
holds "it is the one that was built" \
    [ "$("$at/bin/kiln" version | head -n 2)" = "$("$KILN_PROGRAM" version | head -n 2)" ]
none "it has no symbols" "$(nm "$at/bin/kiln" 2>/dev/null | head -n 3)"

pages() { "$at/bin/kiln" --help=names | sed 's/ --[a-z-]*//g; s/ /-/g; s/$/.1/' | sort; }
none "each command has its manual page, and nothing else has" "$(
    pages >"$scratch/wanted"
    (cd "$at/share/man/man1" && ls | sort) | diff "$scratch/wanted" -)"
none "a page is what the program writes" "$("$at/bin/kiln" run --help=man | diff - "$at/share/man/man1/kiln-run.1")"
none "so is the completion for bash" "$(
    "$at/bin/kiln" --help=bash | diff - "$at/share/bash-completion/completions/kiln")"
none "and for zsh" "$("$at/bin/kiln" --help=zsh | diff - "$at/share/zsh/site-functions/_kiln")"

documents=$at/share/doc/kiln
none "links between documents, pictures and inputs lead to files" "$(
    cd "$documents" && for page in *.md docs/*.md docs/*/*.md; do
        grep -oE '\]\([^)#:]+\.(md|svg|html|yaml)[)#]' "$page" | sed 's/^](//; s/[)#]$//' | sort -u |
            while read -r link; do
                [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
            done
    done)"
none "all inputs are there" "$(diff -r "$source_folder/input" "$documents/input")"
holds "and can be read" "$at/bin/kiln" check "$documents/input/quickstart.yaml"
none "license, citation and changes are there" "$(
    for file in LICENSE CITATION.cff CHANGELOG.md README.md; do
        cmp "$source_folder/$file" "$documents/$file"
    done 2>&1)"
package=$(find "$at" -type d -path '*/kiln' -exec test -f '{}/record.py' ';' -print)
none "the Python package is complete" "$(diff -r -x __pycache__ "$source_folder/python/kiln" "$package" 2>&1)"

mkdir "$package/__pycache__"
echo compiled >"$package/__pycache__/record.cpython-38.pyc"
holds "make uninstall succeeds" in_build uninstall
none "and leaves the files of others alone" "$(find "$root" -type f ! -name mine)"
holds "which are there" [ "$(find "$root" -name mine | wc -l)" = 2 ]
none "no folder of Kiln's own is left empty" "$(find "$root" -depth -type d -empty -path '*kiln*')"
facts_end
