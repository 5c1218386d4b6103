#!/bin/sh
# The reference page of the input is what the program says today.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

none "docs/input.md is what kiln check --reference prints" \
    "$("$KILN_PROGRAM" check --reference | diff - docs/input.md 2>&1)"
facts_end
