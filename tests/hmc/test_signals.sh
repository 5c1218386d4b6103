#!/bin/sh
# Signals end a run soon and cleanly; two processes do not work on one ensemble.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/hmc/stream.sh

run whole --set hmc.trajectories=3 || { cat said; exit 99; }

# Trajectories of a second, with short steps: what is interrupted does not end by itself meanwhile.  The state is
# written because of the stop only.
seconds_of_last() {
    sed -n '$s/.*"seconds": \([0-9.]*\), "timers.*/\1/p' "$1/run.jsonl"
}
run trial --trajectories 2 --set hmc.levels.0.steps=50 || { cat said; exit 99; }      # the first one loads kernels
steps=$(seconds_of_last trial | awk '{ print int(50 / $1) + 1 }')
slow="--set hmc.trajectories=2 --set hmc.levels.0.steps=$steps"
slow="$slow --set output.checkpoint_every=50 --set output.configuration_every=50"
run slow $slow || { cat said; exit 99; }
trajectory=$(seconds_of_last slow)

wait_for() {        # PATTERN FILE
    for attempt in $(seq 1500); do
        ! grep -q "$1" "$2" 2>/dev/null || return 0
        sleep 0.02
    done
    return 1
}

seconds_since() {
    awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { print to - from }'
}

# A process that was begun with hangups ignored (nohup) cannot make them count again for its children.
hangups=HUP
sh -c 'kill -HUP $$' && hangups=
[ -n "$hangups" ] || skip "SIGHUP in a trajectory" "hangups are ignored here"

for signal in INT TERM $hangups USR1; do
    none "SIG$signal in a trajectory: stopped within it, status 1, the state valid, the stream continued" "$(
        case=$signal
        start $signal $slow
        wait_for 'trajectory 1/' $signal/run.log || echo "no first trajectory: $(cat said)"
        sleep "$(awk -v t="$trajectory" 'BEGIN { print 0.2 * t }')"
        began=$(date +%s.%N)
        kill -$signal $process
        wait $process
        status=$?
        took=$(seconds_since "$began")
        [ $status = 1 ] || echo "status $status"
        awk -v a="$took" -v t="$trajectory" 'BEGIN { exit !(a < 0.5 * t) }' ||
            echo "it took $took s to stop; a trajectory has $trajectory s"
        must says "stopped by .* after trajectory 1; the same command continues"
        must "$KILN_PROGRAM" verify "$(newest $signal)"
        must run $signal $slow
        must same_stream slow $signal)"
done

if count_calls 40 counted --set hmc.trajectories=3; then
    none "SIGTERM before any call that changes files: a clean stop or the end, then the same stream" "$(
        for k in $(seq 1 "$calls"); do
            rm -rf stopped
            with_mishap "signal 15 $k" stopped --set hmc.trajectories=3 >name
            status=$?
            case="signal before call $k ($(cat name))"
            [ $status = 1 ] || { [ $status = 0 ] && same_stream whole stopped; } || echo "$case: status $status"
            must nothing_half_written stopped
            must run stopped --set hmc.trajectories=3
            must same_stream whole stopped
        done)"
else
    skip "SIGTERM before any call that changes files" "the system lets no process listen to another's calls"
fi

# nohup: the terminal goes, the run stays.
nohup "$KILN_PROGRAM" run run.yaml --device "${KILN_DEVICE:-auto}" --set output.directory=hangup $slow >out 2>&1 &
process=$!
wait_for 'trajectory 1/' hangup/run.log
kill -HUP $process
wait $process
holds "under nohup a hangup does not stop the run" [ $? = 0 ]

# A second process finds the ensemble taken while the first one sleeps.
start shared $slow
wait_for 'trajectory 1/' shared/run.log
kill -STOP $process
first=$process
before=$(inventory shared)
holds "a second process on the same ensemble is refused" ends 1 run shared $slow
holds "it says who works there" says "shared/lock: another process works on this ensemble (process $first on "
holds "and touches nothing" [ "$before" = "$(inventory shared)" ]
kill -CONT "$first"
wait "$first"
holds "the first one ends as if nothing had been" [ $? = 0 ]
holds "with its stream" same_stream slow shared

facts_end
