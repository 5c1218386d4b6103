#!/bin/sh
# The tarball of make dist has every file that a build or a test needs, and knows its commit.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
source_folder=$(pwd)
build=$(dirname "$KILN_PROGRAM")
if ! [ -f "$build/Makefile" ] || ! [ -f configure.ac ]; then
    skip "make dist" "the source tree is not here"
    facts_end
fi
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir "$scratch/source" "$scratch/alone"

# The files and folders that make dist copies; each line is one.
cat >"$scratch/list.mk" <<'END'
show_dist:
	@:$(foreach file,$(DISTFILES),$(info $(file:$(srcdir)/%=%)))
END
make -s -C "$build" -f Makefile -f "$scratch/list.mk" show_dist >"$scratch/dist" 2>"$scratch/faults"
holds "make tells what it packs" grep -qx src/main.c "$scratch/dist"

# not_packed FILE...: those of the files that are neither in the list nor in one of its folders.
not_packed() {
    printf '%s\n' "$@" | awk -v list="$scratch/dist" '
        BEGIN { while ((getline line <list) > 0) packed[line] = 1 }
        { for (path = $0; !(path in packed); ) if (!sub(/\/[^\/]*$/, "", path)) { print; break } }'
}
if [ -e .git ] && git ls-files >"$scratch/tracked" 2>/dev/null; then
    # The names have no white space.  What is left out serves the work on a clone: git, continuous integration.
    none "make dist packs every file of the clone" "$(
        not_packed $(grep -vxE '\.ci/.*|share/git_hooks/.*|\.gitignore' "$scratch/tracked"))"
    holds "and the comparison finds a file that it does not" \
        [ "$(not_packed src/main.c src/no_such.c)" = src/no_such.c ]
    wanted=$(git describe --always --dirty)
else
    skip "make dist packs every file of the clone" "there is no clone"
    wanted=$(cat COMMIT)
fi
holds "make dist-hook succeeds" make -s -C "$build" dist-hook distdir="$scratch/source"
found=$(cat "$scratch/source/COMMIT")
holds "the tarball names the commit $wanted: $found" [ "$found" = "$wanted" ]

# What version_build.sh writes as the commit of the source folder $1.
commit_in_header() {
    (cd "$scratch" && CC=: SHELL=${SHELL:-/bin/sh} sh "$source_folder/src/base/version_build.sh" "$1" 7.8.9 header.h &&
        sed -n 's/^#define KILN_COMMIT *"\(.*\)"$/\1/p' header.h)
}
found=$(commit_in_header source)
holds "a build from the tarball has it: $found" [ "$found" = "$wanted" ]
found=$(commit_in_header alone)
holds "a source without git and without that file has the release: $found" [ "$found" = 7.8.9 ]
found=$(sh src/base/version_commit.sh "$scratch/source" 7.8.9)
holds "a tarball of a tarball names the commit of the first: $found" [ "$found" = "$wanted" ]
facts_end
