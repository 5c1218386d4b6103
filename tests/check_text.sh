#!/bin/sh
# The outer form of the sources: what a reader of any file may rely on.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

widest=120      # columns
longest=400     # lines

sources() {
    find src gpu actions integrators lime tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' |
        grep -v 'version_build\.h$' | sort
}
scripts() {
    find src gpu actions integrators lime tests python share packaging validation \
        -name '*.py' -o -name '*.sh' -o -path tests/mutate -o -path tests/streams/compare -o -path tests/gpu/check \
        -o -path gpu/bench/scaling -o -path validation/reproduce | sort
}
tab=$(printf '\t')

none "no tabs in C" "$(sources | xargs grep -n "$tab")"
none "no line ends in blanks" "$(sources | xargs grep -n ' $')"
none "no line is longer than $widest columns" "$(
    { sources; scripts; } | LC_ALL=C.UTF-8 xargs grep -nE ".{$((widest + 1))}" | cut -c 1-"$widest")"
none "no file is longer than $longest lines, but tables of golden numbers" "$(
    { sources | grep -v '/golden_[a-z_]*\.h$'; scripts; } |
        xargs awk -v most=$longest 'FNR == most + 1 { print FILENAME }')"
none "every file begins with a comment that names it and says its idea" "$(
    sources | xargs awk '
        FNR == 1 {
            name = FILENAME
            sub(/.*\//, "", name)
            if (index($0, "/* " name " - ") != 1)
                print FILENAME ": does not begin with \"/* " name " - \""
        }')"
none "headers are guarded by KILN_<PATH>_H" "$(
    sources | grep '\.h$' | grep -v '^lime/' | while read -r file; do
        guard=KILN_$(echo "${file#src/}" | tr 'a-z/.' 'A-Z__')
        grep -q "^#ifndef $guard\$" "$file" || echo "$file: no #ifndef $guard"
    done)"
build_files=$(find Makefile.am src gpu actions integrators lime tests share -name 'Make*.am')
none "every file is in the build: some Make.am names it" "$(
    sources | while read -r file; do
        grep -qF -e "$file" -e "${file%.c}" $build_files || echo "$file"
    done)"
none "file names are unique in the tree, save a kernel and its tuned twin" "$(
    sources | awk '
        {
            name = $0
            sub(/.*\//, "", name)
            twin = $0 ~ /^gpu\// && (name in first) && first[name] ~ /^src\/kernels\//
            if ((name in first) && !twin && !(first[name] ~ /^gpu\// && $0 ~ /^src\/kernels\//))
                print first[name] " and " $0
            else
                first[name] = $0
        }')"

# Automake names the log of a test without its ending: of two with one stem, only one would run.
none "no test program and test script have the same stem" "$(
    find tests -name 'test_*.c' -o -name 'test_*.sh' | sed 's/\.[a-z]*$//' | sort | uniq -d)"

# fmax(worst, NaN) is worst, so that an array with NaN would be equal to any other: worse() of facts.h keeps NaN.
none "no test takes the largest of many deviations by fmax" "$(
    find tests -name '*.[ch]' | xargs grep -nE '([A-Za-z_.>*-]+) = fmax\(\1, .*( - |difference|distance)')"

facts_end
