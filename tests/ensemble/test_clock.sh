#!/bin/sh
# A clock of the day that jumps by hours, forwards and backwards, while a run goes on: times are measured by another.
cd "${srcdir:-.}" || exit 99
source=$(pwd)/tests/ensemble/clock_jump.c
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

small="--set lattice=[2,2,2,2] --set hmc.trajectories=12"
run whole $small || { cat said; exit 99; }

# Under a clock that jumps; a sanitizer's library need not come first.
jumping() {
    (LD_PRELOAD=$scratch/jump.so
    ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"
    export LD_PRELOAD ASAN_OPTIONS
    run "$@")
}

# Every number under these keys is a time that can have passed.
no_time_too_long() {
    sed 's/"[a-z_]*seconds": /\n&/g' "$1/run.jsonl" | sed -n 's/^"[a-z_]*seconds": \([-0-9.e+]*\).*/\1/p' |
        awk '$1 < 0 || $1 > 600 { print "a time of " $1 " s"; bad = 1 } END { exit bad || NR == 0 }'
}

stamps_jump() {
    sed -n 's/.*"time": "\([^"]*\)".*/\1/p' "$1/run.jsonl" | sort -c 2>&1 | grep -q .
}

if ${CC:-cc} -shared -fPIC -o jump.so "$source" -ldl 2>made && jumping first $small --trajectories 1; then
    holds "a run under a clock that jumps by hours ends well" jumping jumped $small
    holds "it was asked what time it is, and jumped" stamps_jump jumped
    holds "its stream is the one of a steady clock" same_stream whole jumped
    holds "no time is negative, none longer than the run" no_time_too_long jumped
    rounds=$(how_many 3 30)
    none "stopped and continued $rounds times: the same" "$(
        case=stopped
        for round in $(seq "$rounds"); do
            must jumping stopped $small --set hmc.trajectories=$((rounds + 2)) --trajectories 1
        done
        must jumping stopped $small --set hmc.trajectories=$((rounds + 2))
        must run steady $small --set hmc.trajectories=$((rounds + 2))
        must same_stream steady stopped)"
    holds "a limit of its time counts time that passes: hours that a clock jumps end no run" \
        jumping limited $small --walltime 10m
    holds "and the stream is whole" same_stream whole limited
else
    skip "a clock that jumps" "no library can be loaded before the program here: $(head -n 1 made)"
fi

facts_end
