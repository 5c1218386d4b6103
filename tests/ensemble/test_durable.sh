#!/bin/sh
# What a power failure leaves: the order of the calls that write files.  The watcher of calls lists them.
#
#     a file or a folder gets its name       after an fsync of all that was written into it; the next call is the fsync
#     (rename)                               of the folder that holds the name
#     a state gets its name                  after an fsync of the record
#     a folder is made (mkdir)               before the end, an fsync of the folder that holds it
#     a line of results of kiln measure      after an fsync of the folder that holds the file; an fsync of the file
#                                            is the next call
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# in_order NAMES LISTED: what is out of order in a list of calls, or that it has less than NAMES renamed files.
in_order() {
    awk -v root="$(pwd -P)" -v least="$1" '
    function folder_of(path) { sub("/[^/]*$", "", path); return path }
    function is_in(path, folder) { return path == folder || index(path, folder "/") == 1 }
    function fault(text) { print "call " NR " (" $0 "): " text }
    !is_in($2, root) { next }                       # a file of a driver
    wanted != "" && $1 ~ /^unlink/ { next }         # the name before
    wanted != "" {
        if ($1 != "fsync" || $2 != wanted)
            fault("comes after a new name in " wanted ", in the place of its fsync")
        wanted = ""
    }
    $1 ~ /^p?writev?$|^ftruncate$/ { unsafe[$2] = 1 }
    $1 == "fsync" { delete unsafe[$2]; delete unnamed[$2] }
    $1 ~ /^mkdir/ { unnamed[folder_of($2)] = $2 }
    $1 ~ /^rename|^link/ {
        names++
        for (path in unsafe)
            if (is_in(path, $2) || ($3 ~ /[.]lime$/ && path ~ /run[.]jsonl$/))
                fault(path " is not on the disk yet")
        for (path in unnamed)
            if (is_in(path, $2))
                fault("the names in " path " are not on the disk yet")
        wanted = folder_of($3)
    }
    END {
        if (wanted != "")
            print "no fsync of " wanted " follows the last new name"
        for (path in unsafe)
            if (path !~ /run[.]log$|lock$/)
                print "no fsync follows the last write to " path
        for (path in unnamed)
            print "no fsync of " path " follows the making of " unnamed[path]
        if (names < least)
            print "there are " names + 0 " new names, not " least
    }' "$2"
}

# at_once FILE LISTED: what changes FILE and is not on the disk before the next call, or that nothing does.
at_once() {
    awk -v file="$(pwd -P)/$1" '
    function fault(text) { print "call " NR " (" $0 "): " text }
    BEGIN { folder = file; sub("/[^/]*$", "", folder) }
    unsafe && !($1 == "fsync" && $2 == file) { fault("comes before the fsync of " file); unsafe = 0 }
    $1 == "fsync" && $2 == file { unsafe = 0 }
    $1 == "fsync" && $2 == folder { named = 1 }
    $1 ~ /^p?writev?$|^ftruncate$/ && $2 == file {
        if (!named)
            fault("the name of " file " is not on the disk yet")
        unsafe = 1
        changes++
    }
    END {
        if (unsafe)
            print "no fsync follows the last change of " file
        if (!changes)
            print "nothing changes " file
    }' "$2"
}

list() {            # COMMAND...: its calls are in the file `listed`
    mishaps list "$@" >listed 2>said || { status=$?; cat said; return $status; }
}
kiln_run() {        # FOLDER OPTIONS...
    folder=$1
    shift
    list "$KILN_PROGRAM" run run.yaml --quiet --device "${KILN_DEVICE:-auto}" --set output.directory="$folder" "$@"
}

publish() {         # FOLDER MISHAP...: of the ensemble `made`
    folder=$1
    shift
    mishaps "$@" "$KILN_PROGRAM" publish made --about about.yaml --output "$folder" --from 1 2>said
}

small="--set lattice=[4,4,2,2] --set hmc.trajectories=3"
kiln_run made $small >out
if [ $? != 77 ]; then
    none "states, configurations and the record of a run" "$(cat out; in_order 5 listed)"
    none "mid-trajectory checkpoints" "$(kiln_run checkpoints $small --checkpoint-minutes 0 && in_order 50 listed)"
    none "new parameters" "$(kiln_run made $small --set hmc.trajectories=4 --set hmc.levels.0.steps=4 --new-segment &&
        in_order 4 listed)"
    none "a folder within folders that are made, too" "$(kiln_run above/within/made $small && in_order 5 listed)"
    none "a configuration in another format" "$(
        list "$KILN_PROGRAM" convert made/c.000002.lime c.nersc --format nersc && in_order 1 listed)"
    none "results of kiln measure" "$(
        list "$KILN_PROGRAM" measure made --quiet --device cpu --results results.jsonl --what plaquette >out || cat out
        at_once results.jsonl listed
        [ "$(grep -c '^p*writev* .*/results.jsonl' listed)" = 2 ] || cat listed)"
    head -c -10 results.jsonl >torn.jsonl
    none "a torn line of results, which is removed, and what takes its place" "$(
        list "$KILN_PROGRAM" measure made --quiet --device cpu --results torn.jsonl --what plaquette >out || cat out
        at_once torn.jsonl listed
        grep -q '^ftruncate .*/torn.jsonl' listed || cat listed)"
    if "$KILN_PROGRAM" version | grep -q '^ *HDF5  *[0-9]'; then
        none "an HDF5 file" "$(list "$KILN_PROGRAM" export made --output e.h5 >out && in_order 1 listed)"
    fi
    cat >about.yaml <<'END'
collaboration: C
project: P
ensemble: E
grid: ldg
license: { uri: "https://creativecommons.org/licenses/by/4.0/" }
participant: { name: N, institution: I }
machine: { name: M, institution: I, type: T }
code: { date: "2026-01-31T00:00:00Z" }
END
    none "a package for the ILDG" "$(publish package list >listed || cat said; in_order 5 listed)"
    last=$(grep -c '^[a-z0-9]* /' listed)
    holds "a package whose name may not be on the disk yet is there: a warning, no failure" \
        ends 0 publish unsure error 5 "$last"
    holds "which names it" grep -q "warning: unsure: is complete, but fsync of its folder .* failed" said
    holds "and nothing is left over" [ "$(ls package)" = "$(ls unsure)" -a "$(ls -d unsure*)" = unsure ]
else
    skip "the order of calls that write files" "the system lets no process listen to another's calls"
fi

facts_end
