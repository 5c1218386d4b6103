#!/bin/sh
# Files of results while the system fails or another process gets in the way: kiln measure --results keeps whole lines,
# says what failed and completes the file later; kiln export replaces no file.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run made --set lattice=[2,2,2,2] --set hmc.trajectories=3 --set output.configuration_every=1 || { cat said; exit 99; }

# measure RESULTS MISHAP...: the summary is in the file `out`, what it says in `said`.
measure() {
    results=$1
    shift
    "$@" "$KILN_PROGRAM" measure made --quiet --device cpu --what plaquette --results "$results" >out 2>said
}
summary() { grep -q ": $1\$" out || { echo "\"$1\" is not in: $(cat out said)"; return 1; }; }
# What was measured, without times and checksums of lines.
values() { sed 's/.*"links": //; s/, "version": .*//' "$1"; }
same_values() { values "$1" >values.1; values "$2" >values.2; [ -s values.1 ] && cmp values.1 values.2; }

measure whole.jsonl || { cat said; exit 99; }
measure listed.jsonl mishaps list
if [ $? = 77 ]; then
    skip "files of results while the system fails" "the system lets no process listen to another's calls"
    facts_end
fi
grep '^[a-z0-9]* /' out >listed
calls=$(wc -l <listed)
holds "measurements of three configurations make 8 calls at least that change files ($calls)" [ "$calls" -ge 8 ]

# fails_at ERRNO K REASON: the K-th call fails.  The command says so with status 1 and leaves the lines that it counts,
# all whole; the next one measures the others.
fails_at() {
    rm -f hurt.jsonl
    case="call $2 fails with \"$3\""
    must ends 1 measure hurt.jsonl mishaps error "$1" "$2"
    must says "^error: hurt.jsonl: .*$3"
    lines=0
    [ ! -e hurt.jsonl ] || lines=$(wc -l <hurt.jsonl)
    head -n "$lines" whole.jsonl >first.jsonl
    [ "$lines" = 0 ] || must same_values hurt.jsonl first.jsonl
    ! grep -q 'configurations: ' out || must summary "3 configurations: $lines measured, .*"
    must ends 0 measure hurt.jsonl
    must summary "3 configurations: $((3 - lines)) measured, $lines done before, 0 failed, 0 left"
    must same_values hurt.jsonl whole.jsonl
}
none "a full disk at any call: status 1 with path and reason, whole lines, then the same results" "$(
    for k in $(seq 1 "$calls"); do
        fails_at 28 "$k" "No space left on device"
    done)"
none "an input/output error at the last calls: the same" "$(
    for k in $((calls - 1)) "$calls"; do
        fails_at 5 "$k" "Input/output error"
    done)"
none "a call that writes no more than 7 bytes: the same results" "$(
    for k in $(grep -n '^write' listed | cut -d : -f 1); do
        rm -f hurt.jsonl
        case="call $k takes 7 bytes"
        must ends 0 measure hurt.jsonl mishaps short 7 "$k"
        must same_values hurt.jsonl whole.jsonl
    done)"

# Two processes and one file: the second begins when the first is about to write its first line.
second="$KILN_PROGRAM measure made --quiet --device cpu --what plaquette --results shared.jsonl"
holds "two processes and one file of results: the first measures" ends 0 \
    measure shared.jsonl mishaps before "$second >out.2 2>said.2; echo \$? >status.2" 3
holds "and the second is refused" [ "$(cat status.2)" = 1 ]
holds "for that reason" grep -q '^error: shared.jsonl: another process writes measurements to this file' said.2
holds "each configuration is measured once" same_values shared.jsonl whole.jsonl

if "$KILN_PROGRAM" version | grep -q '^ *HDF5  *[0-9]'; then
    mishaps list "$KILN_PROGRAM" export made --output whole.h5 >out 2>said
    grep '^[a-z0-9]* /' out >listed
    last=$(grep -n '^link\|^rename' listed | sed -n '$s/:.*//p')
    export_fails() {        # K: the K-th call fails
        ends 1 mishaps error 28 "$1" "$KILN_PROGRAM" export made --output full.h5 2>said &&
            says '^error: full.h5: .*No space left on device'
    }
    none "a full disk at any of $last calls: kiln export ends with status 1 and the reason, and leaves no file" "$(
        for k in $(seq 1 "$last"); do
            case="call $k"
            must export_fails "$k"
            must [ "$(echo full.h5*)" = 'full.h5*' ]
            rm -f full.h5*
        done)"
    holds "a file that appears while kiln export writes ends it with status 1" \
        ends 1 mishaps before "echo mine >mine.h5" "$last" "$KILN_PROGRAM" export made --output mine.h5
    holds "that file stays as it is" [ "$(cat mine.h5)" = mine ]
    holds "and nothing is left over" [ "$(echo mine.h5*)" = mine.h5 ]
else
    holds "without HDF5 kiln export is refused" ends 1 "$KILN_PROGRAM" export made --output none.h5 2>said
    holds "for that reason, and makes no file" sh -c 'grep -q "built without HDF5" said && [ ! -e none.h5 ]'
fi
facts_end
