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
    must says "^SIG$1: the run stops at the next step"
    must says "stopped by .* after trajectory 1, at step [0-9]* of trajectory 2; the same command continues"
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

# In measurements, which are completed: a line tells so at once, before that of the trajectory.  Each of them reads the
# clock twice.
{ cat run.yaml; echo 'measurements: [ { kind: flow, t_max: 0.1, eps: 0.05, measure_every: 1 } ]'; } >flow.yaml
many=
for n in 1 2 3 4 5 6 7 8 9 10; do
    many=$many,'{"kind":flow,"name":'f$n',"t_max":0.1,"eps":0.05,"measure_every":1}'
done
aloud() {
    folder=$1
    shift
    $clock "$KILN_PROGRAM" run flow.yaml --device "${KILN_DEVICE:-auto}" --set output.directory="$folder" "$@" 2>said
}
if [ -n "$trajectory" ]; then
    short="--set hmc.trajectories=2 --trajectories 1"
    without=$(readings_of aloud plain $short --set measurements=[])
    with=$(readings_of aloud flowed $short --set measurements=["${many#,}"])
    at_reading $(((without + with) / 2)) INT aloud flowing --set hmc.trajectories=2 --set measurements=["${many#,}"]
    holds "SIGINT in a measurement: status 1" [ $? = 1 ]
    lines='^SIGINT: the run stops\|^trajectory 1/2\|stopped by SIGINT after trajectory 1'
    holds "a line tells when the run stops, before the line of the trajectory" \
        [ "$(grep -o "$lines" said | tr '\n' ,)" = \
        "SIGINT: the run stops,trajectory 1/2,stopped by SIGINT after trajectory 1," ]
    holds "all measurements are in the record" grep -q '"f1": {.*"f10": {' flowing/run.jsonl
fi

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
        says "shared/lock: another process runs this ensemble (process $first_process on .*; kiln watch .*shared"
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
holds "with the reason" says 'stopped in the sweeps of start.heatbath; .* (by walltime)'
holds "the same command begins them again" ends 1 run sweeps $endless
holds "in the same folder" says 'stopped in the sweeps of start.heatbath; .* (by walltime)'

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
        holds "with the reason" says "stopped in the sweeps of start.heatbath; .* begins them again (by $by)"
        holds "and its JSON" [ "$(cat object)" = "{\"end\": \"stopped\", \"by\": \"$by\", \"reason\": \
\"stopped in the sweeps of start.heatbath; the same command begins them again\"}" ]
    done
    SLURM_JOB_END_TIME=$(($(date +%s) + 2)) "$KILN_PROGRAM" "$command" run.yaml --device cpu $endless >said 2>&1
    holds "the end of the batch job ends kiln $command: status 1" [ $? = 1 ]
    holds "with the reason" says 'stopped in the sweeps of start.heatbath; .* begins them again (by walltime)'
done
"$KILN_PROGRAM" tune run.yaml --device cpu --minutes 0.02 $endless >said 2>&1
holds "so does --minutes of kiln tune: status 1" [ $? = 1 ]
holds "with the reason" says 'stopped in the sweeps of start.heatbath; .* begins them again (by --minutes)'

# And of its comparisons, whose start links are made of a file here: 4 copies of the lattice in each direction.
endless="--set lattice=[16,16,16,24] --set start.from=file --set start.copies=[4,4,4,4]"
endless="$endless --set start.file=$(ls "$PWD"/whole/c.*.lime | head -n 1) --set start.heatbath.sweeps=16384"
compare="tune flow.yaml --device cpu --lengths 1 --streams compared"
"$KILN_PROGRAM" $compare --json --minutes 0.05 $endless >object 2>said
holds "--minutes ends kiln tune --lengths in these sweeps: status 1" [ $? = 1 ]
holds "with the reason" says 'the time was over before the start links were made; .* (by --minutes)'
holds "and its JSON" [ "$(cat object)" = '{"end": "stopped", "by": "--minutes", "reason": "the time was over '\
'before the start links were made; the same command continues"}' ]
"$KILN_PROGRAM" $compare --json $endless >object 2>said &
process=$!
until grep -q 'start from' said || ! kill -0 "$process"; do sleep 0.1; done
sleep 0.5
kill -TERM "$process"
wait "$process"
holds "so does SIGTERM: status 1" [ $? = 1 ]
holds "with the reason" says 'stopped; the same command continues (by SIGTERM)'
holds "and its JSON" [ "$(cat object)" = '{"end": "stopped", "by": "SIGTERM", "reason": '\
'"stopped; the same command continues"}' ]

# The probe of kiln plan.
SLURM_JOB_END_TIME=$(($(date +%s) + 2)) "$KILN_PROGRAM" plan run.yaml --device cpu --probe 60 >said 2>&1
holds "the end of the batch job ends the probe: status 1" [ $? = 1 ]
holds "with the reason" says 'stopped in the probe (by walltime)'

# A signal at the last reading of the clock: kiln tune has its result, and goes on to write it.
tuned() {
    $clock "$KILN_PROGRAM" tune run.yaml --device cpu --learn 2 --prove 2 --set output.directory="$PWD/whole" \
        --directory elsewhere --output tuned.yaml "$@"
}
if [ -n "$trajectory" ]; then
    at=$(readings_of tuned 2>said)
    rm -f tuned.yaml
    clock=$(stepped_clock STEPPED_AT=$at STEPPED_SIGNAL=TERM STEPPED_COUNT=/dev/null)
    (trap '' XFSZ; ulimit -f 0; tuned --json 2>&1 >/dev/null | cat) | cat >said
    holds "kiln tune: a file that cannot be written is a failure, even after a signal" \
        says 'error: tuned.yaml: cannot be written: .*; nothing written'
    (trap '' XFSZ; ulimit -f 0; tuned --json 2>/dev/null | cat) | cat >object
    holds "and the result is printed, without a file" eval 'grep -q "^{\"links\".*\"output\": null}$" object'
    clock=
else
    skip "a failure after a signal" "no library can be loaded before the program here: $(head -n 1 made)"
fi

facts_end
