#!/bin/sh
# Signals end a run soon and cleanly; two processes do not work on one ensemble.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run whole --set hmc.trajectories=3 || { cat said; exit 99; }

# Signals arrive at exact points of the second trajectory: at a reading of a clock that the test provides.  The state is
# written because of the stop only.
slow="--set hmc.trajectories=2 --set hmc.levels.0.steps=40"
slow="$slow --set output.checkpoint_every=50 --set output.configuration_every=50"
run slow $slow || { cat said; exit 99; }
if make_stepped_clock; then
    first=$(readings_of run first $slow --trajectories 1)
    trajectory=$(($(readings_of run both $slow) - first))
fi

# A process that was begun with hangups ignored (nohup) cannot make them count again for its children.
hangups=HUP
sh -c 'kill -HUP $$' && hangups=
[ -n "$hangups" ] || skip "SIGHUP in a trajectory" "hangups are ignored here"

# stopped_within SIGNAL PERCENT: the run gets the signal so far into its second trajectory.
stopped_within() {
    case="SIG$1 at $2 % of a trajectory"
    folder_of_case=$1.$2
    at=$((first + trajectory * $2 / 100))
    rm -f readings
    must ends 1 at_reading $at "$1" run $folder_of_case $slow
    must says "stopped by .* after trajectory 1; the same command continues"
    must test -s readings
    [ $(($(cat readings) - at)) -lt $((trajectory / 10)) ] ||
        echo "$case: the clock was read $(($(cat readings) - at)) times after it; a trajectory has $trajectory readings"
    must ls -d $folder_of_case/midtrajectory.000002.*
    must "$KILN_PROGRAM" verify "$(newest $folder_of_case)"
    must run $folder_of_case $slow
    must same_stream slow $folder_of_case
}

for signal in INT TERM $hangups USR1 USR2 XCPU; do
    sentence="SIG$signal in a trajectory: stopped within it, status 1, the state valid, the stream continued"
    if [ -n "$trajectory" ]; then
        none "$sentence" "$(for percent in 20 50 80; do stopped_within $signal $percent; done)"
    else
        skip "$sentence" "no library can be loaded before the program here: $(head -n 1 made)"
    fi
done

if count_calls 40 counted --set hmc.trajectories=3; then
    every=$(step_of 1)
    cases=$(((calls + every - 1) / every))
    none "SIGTERM before $cases of $calls calls that change files: a clean stop or the end" "$(
        for k in $(seq 1 "$every" "$calls"); do
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

# Under nohup a hangup is ignored; a second process finds the ensemble taken while the first one is stopped.
if [ -n "$trajectory" ]; then
    at=$((first + trajectory / 2))
    rm -f readings
    nohup $(stepped_clock STEPPED_AT=$at STEPPED_SIGNAL=HUP) "$KILN_PROGRAM" run run.yaml \
        --device "${KILN_DEVICE:-auto}" --set output.directory=hangup $slow >out 2>&1
    holds "under nohup a hangup does not stop the run" [ $? = 0 ]
    holds "and the run got it" [ "$(cat readings)" -gt $at ]
    holds "its stream is the undisturbed one" same_stream slow hangup

    at_reading $at STOP start shared $slow
    holds "the first process is stopped within a trajectory" has_stopped $process
    first_process=$process
    before=$(inventory shared)
    holds "a second process on the same ensemble is refused" ends 1 run shared $slow
    holds "it says who works there" \
        says "shared/lock: another process runs this ensemble (process $first_process on "
    holds "and touches nothing" [ "$before" = "$(inventory shared)" ]
    kill -CONT "$first_process"
    wait "$first_process"
    holds "the first one ends as if nothing had been" [ $? = 0 ]
    holds "with its stream" same_stream slow shared
else
    skip "a hangup under nohup, and a second process" \
        "no library can be loaded before the program here: $(head -n 1 made)"
fi

# The sweeps over the start links, more than any machine makes in a second.
endless="--set lattice=[16,16,16,16] --set start.from=hot --set start.heatbath.sweeps=16384 --walltime 1s"
holds "the walltime ends the sweeps over the start links" ends 1 run sweeps $endless
holds "with the reason" says 'stopped in the sweeps of start.heatbath, before the first checkpoint; .* (by walltime)'
holds "the same command begins them again" ends 1 run sweeps $endless
holds "in the same folder" says 'stopped in the sweeps of start.heatbath, before the first checkpoint; .* (by walltime)'

# They are those of kiln plan and kiln tune as well.
endless=${endless% --walltime*}
for command in plan tune; do
    for by in SIGTERM SIGINT; do
        "$KILN_PROGRAM" "$command" run.yaml --device cpu --json $endless >object 2>said &
        process=$!
        until grep -q 'hot start' said || ! kill -0 "$process"; do sleep 0.1; done
        sleep 0.5
        kill "-${by#SIG}" "$process"
        wait "$process"
        holds "$by ends kiln $command in these sweeps: status 1" [ $? = 1 ]
        holds "with the reason" says "stopped in the sweeps of start.heatbath, before .* begins them again (by $by)"
        holds "and its JSON" [ "$(cat object)" = "{\"end\": \"stopped\", \"by\": \"$by\"}" ]
    done
    SLURM_JOB_END_TIME=$(($(date +%s) + 2)) "$KILN_PROGRAM" "$command" run.yaml --device cpu $endless >said 2>&1
    holds "the end of the batch job ends kiln $command: status 1" [ $? = 1 ]
    holds "with the reason" says 'stopped in the sweeps of start.heatbath, before .* begins them again (by walltime)'
done
"$KILN_PROGRAM" tune run.yaml --device cpu --minutes 0.02 $endless >said 2>&1
holds "so does --minutes of kiln tune: status 1" [ $? = 1 ]
holds "with the reason" says 'stopped in the sweeps of start.heatbath, before .* begins them again (by --minutes)'

facts_end
