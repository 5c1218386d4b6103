#!/bin/sh
# SIGKILL at any instant: what is continued is the uninterrupted stream, and no configuration is written twice.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run whole --set hmc.trajectories=3 || { cat said; exit 99; }

# Before every call that changes a file, in turn.
if count_calls 40 counted --set hmc.trajectories=3; then
    total=$calls
    every=$(step_of 1)
    none "killed before $(((total + every - 1) / every)) of its $total calls that change files: the same stream" "$(
        for k in $(seq 1 "$every" "$total"); do
            kill_before "$k" killed --set hmc.trajectories=3
            must run killed --set hmc.trajectories=3
            must same_stream whole killed
            must nothing_set_aside killed
        done)"
    # A trajectory that is kept at every step: the last mid-trajectory checkpoints are removed when all is done.
    inside="--set lattice=[2,2,2,2] --set hmc.trajectories=2 --set hmc.levels.0.steps=2"
    run stepped $inside
    count_calls 200 counted.too $inside --checkpoint-minutes 0
    checkpoints=$calls
    every=$(step_of "$(how_many 7 1)")
    cases=$(((checkpoints + every - 1) / every))
    none "killed before $cases of $checkpoints calls of a run that keeps every step: the same" "$(
        for k in $(seq "$checkpoints" "-$every" 1); do
            rm -rf killed
            name=$(with_mishap "signal 9 $k" killed $inside --checkpoint-minutes 0)
            case="killed before call $k ($name)"
            must run killed $inside
            must same_stream stepped killed
            must nothing_set_aside killed
        done)"
    # A life that ends in the middle of mending what an earlier death has left.
    none "killed twice, the second time while it continues" "$(
        for k in $(seq 2 "$(step_of 4)" "$total"); do
            rm -rf twice
            case="killed before call $k, then $((k / 3 + 1))"
            with_mishap "signal 9 $k" twice --set hmc.trajectories=3 >name
            with_mishap "signal 9 $((k / 3 + 1))" twice --set hmc.trajectories=3 >name
            must run twice --set hmc.trajectories=3
            must same_stream whole twice
        done)"
else
    skip "killed before any call that changes files" "the system lets no process listen to another's calls"
fi

# At random instants, until so many lives have ended.
kills_wanted=$(($(how_many 50 1000) / $(step_of 1)))
seed=${KILN_TEST_SEED:-$(date +%s)}
options="--set hmc.trajectories=24 --set hmc.levels.0.steps=8"
run long $options || { cat said; exit 99; }
began=$(date +%s.%N)
run long --trajectories 0
ended=$(date +%s.%N)
# A third of the lives end before their first trajectory.  Where a run ended before it was killed (the machine has
# become faster since a run was timed), later lives are shorter.
awk -v seed="$seed" -v start="$began $ended" -v n=$((100 * kills_wanted)) 'BEGIN {
    srand(seed)
    split(start, t)
    for (i = 0; i < n; i++)
        printf "%.3f\n", i % 3 ? 0.7 * (t[2] - t[1]) + 0.15 * rand() : (t[2] - t[1]) * rand()
}' >naps

exec 3<naps
kills=0
round=0
trouble=
shorter=1
while [ $kills -lt $kills_wanted ] && [ $round -lt $((2 * kills_wanted)) ]; do
    round=$((round + 1))
    : >seen
    while [ $kills -lt $kills_wanted ] && read -r nap <&3; do
        # Every third life keeps its trajectory at each step, and begins within the one that was kept.
        inside=
        [ $((kills % 3)) != 0 ] || inside="--checkpoint-minutes 0"
        start random $options $inside
        sleep "$(awk -v nap="$nap" -v shorter=$shorter 'BEGIN { print nap / shorter }')"
        kill -9 "$process"
        wait "$process"
        [ $? = 137 ] || { shorter=$((2 * shorter)); break; }
        kills=$((kills + 1))
        [ ! -d random ] || (cd random && stat -c '%n %i %y' c.0*.lime 2>/dev/null) >>seen
    done
    run random $options || trouble="$trouble$(cat said) "
    (cd random && stat -c '%n %i %y' c.0*.lime) >>seen
    trouble="$trouble$(same_stream long random)"
    trouble="$trouble$(sort -u seen | awk 'n[$1]++ { print $1 " was written twice" }')"
    trouble="$trouble$(nothing_set_aside random)"
    rm -rf random
done 2>/dev/null
none "killed at $kills random instants (KILN_TEST_SEED=$seed), the stream is the uninterrupted one" "$trouble"
holds "so many times that it means something" [ $kills -ge $kills_wanted ]

facts_end
