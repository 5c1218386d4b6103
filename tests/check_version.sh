#!/bin/sh
# The version stands in the file VERSION; where another format needs it as a literal, it is the same.  So does the
# license in CITATION.cff.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

version=$(cat VERSION)
holds "VERSION is one line MAJOR.MINOR.PATCH: $version" sh -c \
    '[ "$(wc -l <VERSION)" = 1 ] && grep -qxE "(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}" VERSION'

# says FILE FOUND: the version that FILE names.
says() { holds "$1 names $version: $2" [ "$2" = "$version" ]; }
says CITATION.cff "$(sed -n 's/^version: *//p' CITATION.cff)"
says "the newest section of CHANGELOG.md" "$(sed -n 's/^## \([0-9][^ ]*\) .*/\1/p' CHANGELOG.md | head -n 1)"
says "python/kiln/VERSION" "$(cat python/kiln/VERSION)"
if [ -n "${KILN_PROGRAM-}" ]; then
    says "kiln version --json" "$("$KILN_PROGRAM" version --json | sed -n 's/^{"version": "\([^"]*\)".*/\1/p')"
fi
none "no recipe, script or package has a version of its own" "$(
    grep -nE '(^|[^0-9.])'"$(echo "$version" | sed 's/\./\\./g')"'([^0-9.]|$)' -r configure.ac m4 packaging python \
        --include='*' --exclude=VERSION --exclude-dir=__pycache__ --exclude-dir='*.egg-info' --exclude-dir=build)"

none "REUSE finds the text of the license, the same as in LICENSE" "$(
    cmp LICENSE "LICENSES/$(sed -n 's/^license: *//p' CITATION.cff).txt" 2>&1)"
holds "and REUSE.toml gives every file this license" sh -c \
    'grep -qx "path = \"\*\*\"" REUSE.toml &&
     grep -qx "SPDX-License-Identifier = \"$(sed -n "s/^license: *//p" CITATION.cff)\"" REUSE.toml'
facts_end
