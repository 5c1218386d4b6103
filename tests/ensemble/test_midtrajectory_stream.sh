#!/bin/sh
# Trajectories that are stopped or killed on their way: the same command goes on within, to the same stream.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
sed -i.orig 's/steps: 3,/steps: 2,/; s/^  trajectories: 6/  trajectories: 2/' run.yaml
every="--set output.checkpoint_every=50 --set output.configuration_every=2 --checkpoint-minutes 0"
run whole --set output.checkpoint_every=50 --set output.configuration_every=2 || { cat said; exit 99; }

midtrajectories_in() {
    ls "$1" | grep -c '^midtrajectory\.' || true
}
no_midtrajectory() {
    ! ls "$1" | grep '^midtrajectory\.'
}

# ends_soon FOLDER: what is left behind goes on to the same stream,
# with nothing set aside and no mid-trajectory checkpoint at the end.
goes_on() {
    must run "$1" $every
    must same_stream whole "$1"
    must nothing_set_aside "$1"
    must no_midtrajectory "$1"
}

if count_calls 200 counted $every; then
    holds "mid-trajectory checkpoints at every step do not change the stream" same_stream whole counted
    holds "and are gone at its end" no_midtrajectory counted
    none "killed before one in 23 of $calls calls that change files, a run goes on to the same stream" "$(
        for k in $(seq 7 23 "$calls"); do
            kill_before "$k" killed $every
            goes_on killed
        done)"
    none "told to stop there, it keeps where it is, and goes on to the same stream" "$(
        for k in $(seq 40 61 "$calls"); do
            rm -rf stopped
            name=$(with_mishap "signal 15 $k" stopped --set output.checkpoint_every=50 --checkpoint-minutes 0 \
                --set output.configuration_every=2)
            status=$?
            case="stopped before call $k ($name)"
            [ $status = 1 ] || { [ $status = 0 ] && same_stream whole stopped; } || echo "$case: status $status"
            goes_on stopped
        done)"
    none "a full disk under a mid-trajectory checkpoint is reported and does no harm" "$(
        for k in $(seq 30 37 "$calls"); do
            rm -rf hurt
            name=$(with_mishap "error 28 $k" hurt $every)
            status=$?
            case="call $k ($name) fails"
            if [ $status = 0 ]; then
                must same_stream whole hurt
                grep -q 'warning: .*No space left on device\|cannot remove this\|fsync of this folder failed' said ||
                    case $name in fsync | unlink*) ;; *) echo "$case: nothing is said" ;; esac
                ! grep 'no mid-trajectory checkpoint was written: .*No space' said |
                    grep -v 'a stop now loses the steps since the last checkpoint: free space in .*/hurt$' ||
                    echo "$case: it is not said what to do"
            else
                must says "^error: hurt.*: No space left on device"
            fi
            goes_on hurt
        done)"
else
    skip "killed before calls that change files" "the system lets no process listen to another's calls"
fi

# One trajectory, stopped at exact points of it: at readings of a clock that the test provides.
if ! make_stepped_clock; then
    skip "trajectories stopped within by signals and limits of time" \
        "no library can be loaded before the program here: $(head -n 1 made)"
    facts_end
fi
slow="--threads 1 --set hmc.trajectories=1 --set hmc.levels.0.steps=40"
run long $slow || { cat said; exit 99; }
before=$(readings_of run begun $slow --trajectories 0)
trajectory=$(($(readings_of run all $slow) - before))

none "stopped three times within one trajectory, the stream is the undisturbed one" "$(
    case=once
    checkpoint=
    for signal in USR1 TERM INT; do
        case=$signal
        must ends 1 at_reading $((before + trajectory / 5)) $signal run often $slow
        now=$(ls often | grep '^midtrajectory\.')
        step=$(echo "${now##*.}" | sed 's/^0*//')
        must says "stopped by SIG$signal after trajectory 0, at step $step of trajectory 1; the same command continues"
        [ "$(midtrajectories_in often)" = 1 ] || echo "$case: mid-trajectory checkpoints: $now"
        [ "$now" != "$checkpoint" ] || echo "$case: it did not go on from $checkpoint"
        checkpoint=$now
    done
    case="to its end"
    must run often $slow
    must same_stream long often
    must no_midtrajectory often)"

# A second passes between two readings of the clock: in half a trajectory, half as many as a trajectory has readings.
json_of() {
    folder=$1
    shift
    $clock "$KILN_PROGRAM" run run.yaml --quiet --json --device "${KILN_DEVICE:-auto}" \
        --set output.directory="$folder" "$@" 2>said >json
}
holds "a time limit ends a run with status 1" \
    ends 1 on_clock STEPPED_SECONDS=1 json_of timed $slow --walltime $((before + trajectory / 2))s
holds "it says so" says \
    "stopped by walltime after trajectory 0, at step [0-9]* of trajectory 1; the same command continues"
holds "and in JSON" grep -q '"end": "stopped", "by": "walltime".*"trajectory": 0, "until": 1, "advanced": true' json
holds "it is stopped within the trajectory" [ "$(midtrajectories_in timed)" = 1 ]
holds "SLURM's end of the job is one" ends 1 env SLURM_JOB_END_TIME=$(($(date +%s) + 2)) \
    "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=endless --set hmc.trajectories=1000000
SLURM_JOB_END_TIME=$(($(date +%s) - 5))
export SLURM_JOB_END_TIME
holds "where it is past, nothing is begun" ends 1 json_of endless --set hmc.trajectories=1000000
holds "nor kept" grep -q '"advanced": false' json
holds "an option goes before it" ends 0 json_of timed $slow --walltime 1-00:00:00
unset SLURM_JOB_END_TIME
holds "to the undisturbed stream" same_stream long timed
holds "in JSON it is complete then" grep -q '"end": "complete", "by": null, .*"trajectory": 1' json

# What is damaged is set aside, and the trajectory made anew.
none "a mid-trajectory checkpoint that is damaged is set aside, and the trajectory is made again from its start" "$(
    case=damaged
    must ends 1 at_reading $((before + trajectory / 3)) TERM run hurt_file $slow
    checkpoint=$(ls -d hurt_file/midtrajectory.*)
    printf x | dd of="$checkpoint/momenta.npy" bs=1 seek=5000 conv=notrunc 2>dd
    must run hurt_file $slow
    must says "warning: $checkpoint/momenta.npy: is damaged"
    must says "renamed to $checkpoint.corrupt"
    must same_stream long hurt_file)"

facts_end
