#!/bin/sh
# Two processes under mpirun, one of which is killed within a trajectory: all end soon, with a status and a sentence.
# The same command, and one process without mpirun, continue from the step where that was, and have every bit of an
# undisturbed run: also with open boundaries and on an anisotropic lattice.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
[ -z "$no_mpi" ] || { skip "a killed process of several" "$no_mpi"; facts_end; }
. ./tests/ensemble/stream.sh
. "$clock_folder/tests/ensemble/rank_processes.sh"

# use INPUT OPTIONS...: run.yaml is an input of tests/streams whose outermost level has several steps.
use() {
    cp "$clock_folder/tests/streams/$1.yaml" run.yaml
    shift
    options="--set output.name=c --set output.checkpoint_every=1 --set output.configuration_every=2 $*"
}

# hurt FOLDER: the last of two ranks is killed (SIGKILL) within a trajectory after the first one.  Which step that is
# depends on the machine.  Where it was between two trajectories, the run goes on, and a rank is killed again.
hurt() {
    for attempt in $(seq 50); do
        limit="timeout -k 5 600"
        with_mpi 2 start "$1" $options --checkpoint-minutes 0 --set hmc.trajectories=100000
        limit= victim=
        until [ -n "$victim" ] && is_inside "$1" || ! kill -0 $process 2>/dev/null; do
            victim=$(ranks_of $process | tail -n 1)
            sleep 0.02
        done
        end_by KILL || { cat said; return 1; }
        is_inside "$1" && return 0
    done
    echo "no kill within a trajectory:"
    ls "$1"
    return 1
}
# complete FOLDER: the number of trajectories in its record.
complete() {
    cat "$1/run.jsonl" 2>/dev/null | wc -l
}
is_inside() {
    [ "$(complete "$1")" -gt 0 ] && is_within $(($(complete "$1") + 1)) "$1"
}
# With Open MPI it is mpirun that sees a process end by a signal.
names_the_kill() {
    grep -i 'killed\|signal 9\|given no sign of life' said || { cat said; return 1; }
}
# none_left FOLDER: no process has the ensemble.
none_left() {
    "$KILN_PROGRAM" status "$1" >status_text && head -n 1 status_text | grep ': idle'
}

# goes_on FOLDER COMMAND...: the run continues within the trajectory after $reached, and then generates another one.
goes_on() {
    goes_on_in=$1
    shift
    "$@" "$goes_on_in" $options --set hmc.trajectories=$until || { cat said; return 1; }
    grep "continuing within trajectory $((reached + 1)), at step" "$goes_on_in/run.log"
}
is_undisturbed() {
    [ "$(complete "$1")" = $until ] || { echo "not $until trajectories"; return 1; }
    same_stream_at_any_cadence undisturbed "$1" && nothing_set_aside "$1"
}

# restarts_exactly WHAT
restarts_exactly() {
    rm -rf same alone undisturbed
    holds "$1: a process that is killed ends all within a minute, with a status" hurt same
    holds "with a sentence that says so" names_the_kill
    holds "and none is left" none_left same
    reached=$(complete same)
    until=$((reached + 2))
    cp -r same alone
    run undisturbed $options --set hmc.trajectories=$until || { cat said; exit 99; }
    holds "the same command continues within that trajectory" goes_on same with_mpi 2 run
    holds "and every bit is that of the undisturbed run" is_undisturbed same
    holds "so does one process without mpirun" goes_on alone run
    holds "with every bit" is_undisturbed alone
}

use open_gauge --set hmc.levels.0.steps=4
restarts_exactly "gauge fields with open boundaries"
use open_stout --set hmc.levels.0.steps=4
restarts_exactly "clover quarks with open boundaries on an anisotropic lattice"
use anisotropic_quarks --set hmc.levels.0.steps=4
restarts_exactly "quarks on an anisotropic lattice"

facts_end
