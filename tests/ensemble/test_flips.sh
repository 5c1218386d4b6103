#!/bin/sh
# Every byte of what an ensemble keeps, changed; every file cut at its seams: the run says what is wrong, or goes on to
# the same stream, or the damage is one that kiln audit finds.  Nothing is wrong in silence.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

small="--set lattice=[2,2,2,2]"
run whole $small || { cat said; exit 99; }
run base $small --trajectories 5 || { cat said; exit 99; }
# The sixth, stopped in the middle and kept there: a mid-trajectory checkpoint beside the states.
with_mishap "signal 15 25" base $small --trajectories 1 --checkpoint-minutes 0 >name
watched=$?
checkpoint=$(cd base && ls -d midtrajectory.* 2>/dev/null)

flip_at() {         # FILE OFFSET: its bits turned over
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

is_whole() {
    same_stream whole hurt && "$KILN_PROGRAM" audit --device cpu hurt
}

# After damage to hurt/$1.  Where the run goes on, it does so to the same stream: but for the damaged bytes, if they are
# some that nobody reads; or kiln audit says what is wrong, and of the record the run does, too.  Where it stops, it
# says why, and with the file as it was the stream is the same.
judge() {
    if run hurt $small; then
        is_whole >judged 2>&1 && return
        "$KILN_PROGRAM" audit --device cpu hurt >audited 2>&1
        if [ $? = 1 ] && grep -q "where *hurt/" audited; then
            [ "$1" != run.jsonl ] || must says "^warning: hurt/run.jsonl: "
            return
        fi
        case $1 in *.lime) [ ! -e hurt/"$1" ] || cp base/"$1" hurt/ ;; esac
        must is_whole
    else
        status=$?
        [ $status = 1 ] || [ $status = 2 ] || echo "$case: status $status"
        must says "hurt"
        rm -rf hurt/"$1"
        cp -R base/"$1" hurt/"$1"
        must run hurt $small
        must same_stream whole hurt
    fi
}

# flipped FILE FIRST STEP LAST
flipped() {
    [ "$(count "$2" "$3" "$4")" -gt 0 ] || echo "$1: no byte is turned over"
    for at in $(seq "$2" "$3" "$4"); do
        case="$1, byte $at"
        rm -rf hurt
        cp -R base hurt
        flip_at hurt/"$1" "$at"
        judge "$1"
    done
}

# cut_at FILE LENGTH...
cut_at() {
    short=$1
    shift
    [ $# -ge 4 ] || echo "$short: it is cut to $# lengths only"
    for length in "$@"; do
        case="$short, cut to $length bytes"
        rm -rf hurt
        cp -R base hurt
        head -c "$length" base/"$short" >hurt/"$short"
        judge "$short"
    done
}

size_of() {
    stat -c %s "base/$1"
}

# How many offsets a loop has.
count() {
    seq "$1" "$2" "$3" | grep -c .
}

state=c.checkpoint.000005.lime
links=$(grep -abo 'ildg-binary-data' base/$state | head -n 1 | sed 's/:.*//')
links=$((links + 128))                  # where they begin: the type is 16 bytes behind the head of its record
behind=$((links + 16 * 576))

step=$(step_of "$(how_many 37 1)")
last=$(($(size_of parameters.yaml) - 1))
none "parameters.yaml, $(count 0 "$step" $last) bytes of $((last + 1)) turned over one at a time" \
    "$(flipped parameters.yaml 0 "$step" $last)"
last=$(($(size_of segments.jsonl) - 1))
none "segments.jsonl, $(count 0 "$step" $last) bytes of $((last + 1))" "$(flipped segments.jsonl 0 "$step" $last)"

step=$(step_of "$(how_many 97 5)")
last=$(($(size_of run.jsonl) - 1))
line=$(tail -n 1 base/run.jsonl | wc -c)
first=$((last + 1 - line))
none "the last line of run.jsonl, $(count $first "$step" $last) bytes of $line" \
    "$(flipped run.jsonl $first "$step" $last)"
first=$(head -n 1 base/run.jsonl | wc -c)
none "a line before it, $(count $first "$step" $((first + 1000)))" \
    "$(flipped run.jsonl $first "$step" $((first + 1000)))"

step=$(step_of "$(how_many 131 3)")
none "the newest state, $(count 0 "$step" $((links - 1))) bytes of $links before its links" \
    "$(flipped $state 0 "$step" $((links - 1)))"
step=$(step_of "$(how_many 4001 211)")
none "of its links, $(count $links "$step" $((behind - 1)))" "$(flipped $state $links "$step" $((behind - 1)))"
step=$(step_of "$(how_many 131 3)")
last=$(($(size_of $state) - 1))
none "and behind them, $(count $behind "$step" $last)" "$(flipped $state $behind "$step" $last)"

if [ $watched != 77 ]; then
    holds "a stop within a trajectory leaves a mid-trajectory checkpoint of it" [ -n "$checkpoint" ]
    for part in midtrajectory.json links.npy momenta.npy forces.npy; do
        step=$(step_of "$(how_many 53 2)")
        last=$(($(size_of "$checkpoint/$part") - 1))
        [ $last -lt 400 ] || last=400
        none "$part of a trajectory kept within, $(count 0 "$step" $last) of the first $((last + 1)) bytes" \
            "$(flipped "$checkpoint/$part" 0 "$step" $last)"
    done
else
    skip "a trajectory kept within" "the system lets no process listen to another's calls"
fi

# At the seams, and a byte to either side of them.
seams() {           # ends of lines
    LC_ALL=C awk '{ n += length($0) + 1; print n - 1, n, n + 1 }' "base/$1"
}
records() {         # of LIME: where headers begin
    LC_ALL=C grep -abo "$(printf '\105\147')" "base/$1" | sed 's/:.*//' | while read -r start; do
        [ "$start" = 0 ] ||
            echo $((start - 1)) "$start" $((start + 1)) $((start + 143)) $((start + 144)) $((start + 145))
    done
}
for lines in run.jsonl segments.jsonl; do
    places=$(seams $lines | tr '\n' ' ')
    none "$lines cut at the end of any line, and a byte before or behind: $(echo $places | wc -w) lengths" \
        "$(cut_at $lines 0 $places)"
done
places=$(records $state | tr '\n' ' ')
none "the newest state cut at the seams of its records, and a byte before or behind: $(echo $places | wc -w) lengths" \
    "$(cut_at $state 0 1 $places)"

facts_end
