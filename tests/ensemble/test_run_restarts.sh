#!/bin/sh
# A run whose process is killed starts again, and ends with every bit of an undisturbed run: parallel tempering on
# groups of ranks, killed at any moment.  What would fail again is not started again.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
. ./tests/ensemble/replica_stream.sh
. ./tests/ensemble/stream.sh
. "$clock_folder/tests/ensemble/rank_processes.sh"

cat >run.yaml <<'END_OF_INPUT'
lattice: [2, 2, 2, 4]
random: { seed: 23 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - { kind: wilson, name: pair, determinants: [ { flavors: 2, mass: 1 } ],
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
tempering: { replicas: 4, factors: [ { c: 1 }, { c: 0.9 }, { c: 0.8 }, { c: 0.7 } ], defect: { size: 1 } }
hmc:
  trajectory_length: 0.3
  levels: [ { integrator: omelyan, steps: 1, monomials: [gauge, pair] } ]
  trajectories: 7
  thermalization: 1
output: { directory: unnamed, name: c, configuration_every: 3, checkpoint_every: 2 }
END_OF_INPUT
groups="--ranks 2 --replica-groups 2"

# same_as FOLDER ONE: every bit of the stream in ONE.
same_as() {
    wrong=$(must_be_same "$1" "$2"; must nothing_set_aside "$2")
    [ -z "$wrong" ] || { echo "$wrong"; return 1; }
}
restart_count() {
    heard | grep -c '^The process of the run was killed by .*; starting it again$'
}

# ---- killed by others, in the middle of the run

# begin FOLDER LINES OPTIONS...: a run in the background, until its record has LINES lines; $victim is its child, the
# process that computes.
begin() {
    begun_folder=$1 lines=$2
    shift 2
    start "$begun_folder" "$@"
    wait_for_lines "$begun_folder" "$lines"
    victim=$(ranks_of $process)
}
# killed SIGNAL FOLDER OPTIONS...: the child gets the signal after two trajectories; the run ends well.
killed() {
    signal=$1 killed_folder=$2
    shift 2
    begin "$killed_folder" 2 "$@" --set hmc.trajectories=100
    kill "-$signal" $victim && wait $process || { cat said; return 1; }
}
# repeats_right LOG: each warning of a restart has the trajectories from its state on whose lines the record lost.
repeats_right() {
    awk '/ the record has [0-9]* lines? after that state/ { sub(/.* the record has /, ""); lost = $1 }
        / started again from the state of trajectory / {
            state = $0
            sub(/.* the state of trajectory /, "", state)
            first = state + 1
            last = state + lost
            words = "after trajectory " last ": started again from the state of trajectory " (0 + state)
            if (lost == 1)
                words = words ", the run repeats trajectory " last
            if (lost > 1)
                words = words ", the run repeats trajectories " first " to " last
            seen++
            wrong += !index($0, words " (restart")
            lost = 0
        }
        END { print seen + 0 " restarts, " wrong + 0 " wrong"; exit !seen || wrong }' "$1"
}
# is_alone OPTIONS...: a run with these options is one process.
is_alone() {
    begin single 1 "$@" --set hmc.trajectories=1000000
    kill -KILL $process
    wait $process
    status=$?
    [ -z "$victim" ] && [ $status = 137 ]
}

run hundred --set hmc.trajectories=100 || { cat said; exit 99; }
holds "an undisturbed run of groups" run undisturbed $groups --set hmc.trajectories=100
holds "is the stream of one rank" same_as hundred undisturbed
holds "and says nothing of a restart" sh -c '! grep restart undisturbed/run.log said'
for signal in KILL ABRT; do                     # sanitizers catch SIGSEGV
    holds "groups whose process gets SIG$signal go on" killed $signal by_$signal $groups
    holds "after one restart" [ "$(restart_count)" = 1 ]
    holds "the log says of what, from where, and what is repeated" grep -q "warning: SIG$signal killed the process of \
all 2 groups of ranks after trajectory [0-9]*: started again from the state of trajectory [0-9]*[02468].* (restart 1; \
at most 3 in a row without a new state)" by_$signal/run.log
    "$KILN_PROGRAM" status by_$signal >status_text
    holds "and kiln status counts it" grep -q "restarts  *1 after kills .*: SIG$signal after trajectory" status_text
    holds "of trajectories after that state" repeats_right by_$signal/run.log
    holds "every bit is that of the undisturbed run" same_as hundred by_$signal
done
holds "--restarts does this without groups" killed KILL alone --restarts 1
holds "with every bit" same_as hundred alone
holds "without it there is no second process" is_alone --ranks 2
holds "nor in groups with --restarts 0" is_alone $groups --restarts 0

# ---- what an option asks for, is asked for once

some() {
    begin some 2 $groups --trajectories 80
    kill -KILL $victim && wait $process || { cat said; return 1; }
}
holds "--trajectories 80, killed, makes 80 trajectories" some
holds "and no more" [ "$(wc -l <some/run.jsonl)" = 80 ]

segment="--new-segment --reason why --set monomials.0.beta=5.7 --set hmc.trajectories=100"
run segment --trajectories 2
cp -r segment segment.whole
run segment.whole $segment || { cat said; exit 99; }
new_segment() {
    begin segment 4 $groups $segment
    kill -KILL $victim && wait $process || { cat said; return 1; }
}
holds "a new segment, killed" new_segment
holds "is one new segment" [ "$(wc -l <segment/segments.jsonl)" = 2 ]
holds "with every bit" same_as segment.whole segment

# A walltime that began again would end after 27 s.
in_time() {
    began=$(date +%s)
    begin timed 1 $groups --walltime 16s --set hmc.trajectories=1000000
    sleep 11
    kill -KILL $victim
    wait $process
    status=$?
    lasted=$(($(date +%s) - began))
    echo "status $status after $lasted s" >>said
    [ $status = 1 ] && [ $lasted -lt 25 ]
}
holds "a restart does not lengthen the walltime" in_time
holds "which ends it" says 'stopped by walltime after trajectory '

# ---- signals, and the end of the parent

told() {
    begin told 2 $groups --set hmc.trajectories=1000000
    kill -TERM $process
    wait $process
    [ $? = 1 ]
}
holds "SIGTERM stops the run" told
holds "the log says so" grep -q 'stopped by SIGTERM after trajectory ' told/run.log
none_left() {
    "$KILN_PROGRAM" status "$1" >status_text && head -n 1 status_text | grep ': idle'
}
holds "and no process of it is left" none_left told

stuck() {
    begin stuck 2 $groups --set hmc.trajectories=1000000
    kill -STOP $victim && has_stopped $victim
    kill -TERM $process
    sleep 1
    kill -KILL $victim
    wait $process
    [ $? = 1 ]
}
holds "a process that is killed after SIGTERM ends the run" stuck
holds "with the reason" says '^error: SIGKILL killed the process of all 2 groups of ranks, which had been told to stop'

orphan() {
    begin orphan 2 $groups --set hmc.trajectories=1000000
    kill -KILL $process
    wait $process
    for attempt in $(seq 100); do
        is_alive "$victim" || return 0
        sleep 0.1
    done
    kill -KILL $victim
    return 1
}
holds "a parent that is killed takes the process with it" orphan

# ---- what would fail again

holds "a solve that fails ends the run" ends 1 run solve $groups --set monomials.1.max_iterations=3
holds "once" [ "$(restart_count)" = 0 ]
holds "with its failure" says 'replica [0-9]*: [a-z]'
holds "a bad input has status 2" ends 2 run bad $groups --set hmc.trajectories=-1
holds "once" [ "$(restart_count)" = 0 ]
if [ -z "$no_mpi" ]; then
    holds "--restarts of processes that mpirun started is refused" with_mpi 2 ends 2 run mpi --restarts 1
    holds "with the reason" \
        says 'restarts 1: mpirun ends all processes when one is killed, so that Kiln cannot start them again'
else
    skip "--restarts under mpirun" "$no_mpi"
fi

# ---- at every moment of two trajectories, with and without a checkpoint at the end: at a reading of the clock,
# whichever rank makes it.  The timers of the record are such readings: of sweeps, swaps, measurements and files.

make_stepped_clock || { skip "killed at any moment" "no library can be loaded here: $(head -n 1 made)"; facts_end; }
sed -i.quarks '/kind: wilson/,/residuals/d; /trajectory_length/d; /levels/d
    s/^hmc:/heatbath: { sweeps: 1 }\nhmc:/' run.yaml
run whole || { cat said; exit 99; }
swap='"swaps": \[{[^}]*"accepted": true'
holds "links of the periodic replica are swapped in trajectories 4 and 5" \
    [ "$(sed -n 4,5p whole/run.jsonl | grep -c "$swap")" -ge 1 ]

# killed_once N FOLDER OPTIONS...: the process is killed at reading N, and not again.
killed_once() {
    rm -rf "$2" once
    on_clock "STEPPED_AT=$1 STEPPED_SIGNAL=KILL STEPPED_ONCE=$scratch/once" run_after "$@"
}
run_after() {
    shift
    run "$@"
}
killed_at_reading() {
    case="killed at reading $1 of the clock"
    must killed_once "$1" hurt $2
    must test -e once
    must says "^warning: SIGKILL killed the process of $3 after trajectory [3-6]: started again from the state of"
    must test "$(restart_count)" = 1
    must same_as whole hurt
}
for of in "all 2 groups of ranks:$groups" "this run:--restarts 1"; do
    whose=${of%%:*} options=${of#*:}
    rm -rf three five
    begun=$(readings_of run three $options --trajectories 3)
    ended=$(readings_of run five $options --trajectories 5)
    none "$whose: killed at one of $((ended - begun)) readings of the clock in two trajectories, no bit differs" "$(
        [ $((ended - begun)) -ge 30 ] || echo "too few readings: $begun to $ended"
        for n in $(seq $((begun + 1)) "$(step_of 1)" "$ended"); do
            killed_at_reading "$n" "$options" "$whose"
        done)"
done

# ---- every process is killed

rm -rf three
at=$(readings_of run three $groups --trajectories 3)
holds "killed in every process, after a new state in each, the run ends well" \
    at_reading "$at" KILL run often $groups --restarts 1
holds "after some restarts" [ "$(restart_count)" -ge 2 ]
holds "it is the undisturbed stream" same_as whole often

# done_once: killed once, after the last state: the child after that has nothing to do.
done_once() {
    rm -rf finished once
    on_clock "STEPPED_AT=$(readings_of run five --restarts 1) STEPPED_SIGNAL=KILL STEPPED_ONCE=$scratch/once" \
        run finished --restarts 1 --json >json && test -e once
}
rm -rf five
holds "a run that is killed after its last state ends well" done_once
holds "JSON tells the progress of all its processes" \
    grep -q '"complete", "by": null, "reason": null, "trajectory": 7, "until": 7, "advanced": true, "restarts": 1}' json

# late: the first process is killed before a new state, the second one after some.
late() {
    rm -rf late once
    run late --trajectories 2 || return 1
    opened=$(readings_of run late --restarts 1 --trajectories 0)
    clock=$(stepped_clock "STEPPED_AT=$((opened + 10))" STEPPED_SIGNAL=KILL "STEPPED_ONCE=$scratch/once")
    begin late 12 --restarts 1 --set hmc.trajectories=1000000
    clock=
    test -e once && kill -KILL $victim || { kill -TERM $process; return 1; }
    while [ "$(restart_count)" -lt 2 ] && kill -0 $process 2>/dev/null; do
        sleep 0.02
    done
    kill -TERM $process
    wait $process
    says 'stopped by SIGTERM' && says 'after trajectory 2: started again from the state of trajectory 2 (restart 1;'
}
holds "restarts before new states that a killed process made do not count" late

crashes() {
    rm -rf faulty
    ends 1 at_reading "$at" ABRT run faulty $groups --restarts 1 --json >json || return 1
    [ "$(restart_count)" = 1 ] || { echo "$(restart_count) restarts:"; cat said; return 1; }
}
holds "a program that crashes after each new state ends after as many restarts as --restarts allows" crashes
holds "with the number of faults, and what to do" says "SIGABRT killed the process of all 2 groups of ranks: it is not \
started again, after 2 faults of the program.  This is a fault of Kiln or of the machine: run .* --restarts 0"
holds "in the log, too" grep -q ' error: SIGABRT killed the process .* after 2 faults of the program' faulty/run.log
holds "and in JSON" \
    grep -q '"failed", "by": "SIGABRT", "reason": "SIGABRT .*"until": 7, "advanced": true, "restarts": 1}' json
holds "the same command continues" run faulty $groups
holds "with every bit" same_as whole faulty

# hopeless LIMIT OPTIONS...: each process is killed within the first trajectory.
hopeless() {
    rm -rf hopeless
    ends 1 at_reading "$(readings_of run one $groups --trajectories 0)" KILL run hopeless $groups --json $2 >json ||
        return 1
    [ "$(restart_count)" = "$1" ] || { echo "$(restart_count) restarts:"; cat said; return 1; }
    says "^error: SIGKILL killed the process of all 2 groups of ranks: it is not started again, after \
$1 restart$3 without a new state.  Often the reason is lack of memory: .*, the same command continues the run"
}
holds "without a new state the run ends after 3 restarts" hopeless 3 "" s
holds "after as many as --restarts allows" hopeless 1 "--restarts 1"
holds "which the log says, too" grep -q ' error: SIGKILL .* after 1 restart without a new state' hopeless/run.log
holds "and JSON, which knows of no progress" \
    grep -q '"failed", "by": "SIGKILL", "reason": "SIGKILL .*"advanced": false, "restarts": 1}' json
holds "the same command continues" run hopeless $groups
holds "with every bit" same_as whole hopeless

# ---- without replicas: within one long trajectory, mid-trajectory checkpoints are new states, too

cat >run.yaml <<'END_OF_INPUT'
lattice: [2, 2, 2, 4]
random: { seed: 24 }
start: { from: hot }
monomials: [ { kind: gauge, name: gauge, action: wilson, beta: 5.6 } ]
hmc:
  trajectory_length: 0.3
  levels: [ { integrator: leapfrog, steps: 60, monomials: [gauge] } ]
  trajectories: 2
  thermalization: 0
output: { directory: unnamed, name: c, configuration_every: 1, checkpoint_every: 1 }
END_OF_INPUT
steps="--checkpoint-minutes 0 --restarts 1"
run plain || { cat said; exit 99; }
at=$(($(readings_of run none $steps --trajectories 0) + ($(readings_of run both $steps)) / 5))
holds "killed in every process within a trajectory, after some steps in each, the run ends well" \
    at_reading "$at" KILL run within $steps
holds "after several restarts" [ "$(restart_count)" -ge 3 ]
holds "the log says from which steps" \
    says 'this run after trajectory 0: started again from step [0-9]* of trajectory 1 (restart'
holds "it is the undisturbed stream" same_stream plain within
holds "without such checkpoints it is hopeless" ends 1 at_reading "$at" KILL run without --restarts 1

facts_end
