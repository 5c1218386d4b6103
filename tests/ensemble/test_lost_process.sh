#!/bin/sh
# kiln status after the process of a run was killed: that it did not end normally, where its newest checkpoint is, and a
# command that continues to every bit of an undisturbed run.  Processes that end otherwise are not reported so.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# lost FOLDER MEMBER: of lost_process in JSON, without quotes.
lost() {
    "$KILN_PROGRAM" status "$1" --json 2>said |
        sed -n "s/.*\"lost_process\": {[^}]*\"$2\": \(\"[^\"]*\"\|[^,}]*\).*/\1/p" | tr -d '"'
}
nothing_lost() {
    "$KILN_PROGRAM" status "$1" --json | grep '"lost_process": null, '
}
is_not_lost() {
    nothing_lost "$1" && ! has "$1" 'not end normally' && grep "^process [0-9]* on .*, which has ended\$" "$1/lock"
}

# kill_when CONDITION...: SIGKILL for $process as soon as the command succeeds; a fact.
kill_when() {
    while ! "$@" 2>/dev/null && kill -0 $process 2>/dev/null; do
        sleep 0.02
    done
    kill -KILL $process
    wait $process 2>/dev/null
    holds "killed" [ $? = 137 ]
}
has_lines() {
    [ "$(wc -l <"$1/run.jsonl")" -ge "$2" ]
}

long="--set hmc.trajectories=100000"
run whole || { cat said; exit 99; }
holds "a run that is complete has said that it ends" is_not_lost whole
start whole $long
while ! has_lines whole 8 && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
holds "nothing is lost while a process runs" nothing_lost whole
holds "and the lock has its name" [ "$(cut -d ' ' -f 1-2 whole/lock)" = "process $process" ]
kill -TERM $process
wait $process
holds "nor after SIGTERM" is_not_lost whole
holds "nor after a run that is refused" eval 'ends 1 run whole --set monomials.0.beta=5 && is_not_lost whole'

# ---- killed between two checkpoints of trajectories

# A run does not continue from configurations of 32 bits.
start "two words" $long --set output.checkpoint_every=3 --set output.bits=32
kill_when has_lines "two words" 5
holds "the ensemble is idle" has "two words" '^two words: idle$'
holds "kiln status says that the process did not end normally" \
    has "two words" "^  last process  *process $process on .* did not end normally: it was killed, its machine"
holds "what its log says last" has "two words" "^  *its log ends with: $(tail -n 1 "two words/run.log")\$"
holds "and how to continue" has "two words" "^  *to continue, .*, or kiln run 'two words/parameters.yaml'\$"
holds "kiln watch says so, too" eval \
    '"$KILN_PROGRAM" watch "two words" --once | tr -s " \n" " " | grep "process $process on .* not end normally.*; to"'
holds "and kiln report" eval '"$KILN_PROGRAM" report "two words" --output - | grep "process $process on .* not end"'
state=$(lost "two words" trajectory)
holds "and JSON" [ "$(lost "two words" name | cut -d ' ' -f 1-2)/$(lost "two words" step)" = "process $process/null" ]

# ---- then a run is refused, which neither hides the process that was killed nor names itself

refused() {
    "$KILN_PROGRAM" status "two words" >before && ends 1 run "two words" --set monomials.0.beta=5 &&
        grep 'parameters' said && "$KILN_PROGRAM" status "two words" | cmp - before
}
holds "a refused run changes nothing of this" refused
holds "nor does another one" refused
long_name="process 1 on a machine whose name is longer than that of this one, so that its line is longer, too"
holds "nor one that has nothing to do" eval 'ends 0 run "two words" --set hmc.trajectories=1 &&
    [ "$(lost "two words" name | cut -d " " -f 1-2)" = "process $process" ]'
holds "names may have any length" eval 'cp "two words/lock" lock && echo "$long_name" >"two words/lock" && refused &&
    [ "$(cat "two words/lock")" = "$long_name" ] && cp lock "two words/lock"'
holds "the newest checkpoint has its number" has "two words" "^  *the newest checkpoint is of trajectory $state\$"
holds "from which the next run continues" eval \
    'run "two words" --trajectories 0 && grep "continuing after trajectory $state: " "two words/run.log"'
holds "a run without trajectories does not hide the process, either" \
    [ "$(lost "two words" name | cut -d ' ' -f 1-2)" = "process $process" ]
holds "one that continues the ensemble is the last process" eval \
    'run "two words" --trajectories 1 && is_not_lost "two words"'
holds "of a process that was killed when all was done the name goes with the same command" eval \
    'run "two words" && echo "process 1 on there" >"two words/lock" && run "two words" --set hmc.trajectories=1 &&
    has "two words" "process 1 on there did not end" && run "two words" && is_not_lost "two words"'

# ---- killed within a trajectory: the command of kiln status continues there

many="--set hmc.levels.0.steps=60"
start hurt $many $long --checkpoint-minutes 0
kill_when is_within 2 hurt
killed=$process
step=$(ls hurt | sed -n 's/^midtrajectory\.000002\.0*\([0-9]*\)$/\1/p' | sort -n | tail -n 1)
holds "the step is reported" has hurt "newest checkpoint is of trajectory 1, and of step $step of the next one\$"
holds "and in JSON" [ "$(lost hurt trajectory)/$(lost hurt step)" = "1/$step" ]
cp -R hurt halted
start halted $many $long
while ! grep -q 'continuing within' halted/run.log && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
kill -TERM $process
wait $process
holds "a run that is stopped within that trajectory has continued it" is_not_lost halted
lost hurt command >command
holds "the command is that of kiln status" grep -x "kiln run 'hurt/parameters.yaml'" command
kiln() {
    "$KILN_PROGRAM" "$@" --quiet --device "${KILN_DEVICE:-auto}" --share-gpu --trajectories 2 2>said
}
holds "the run continues by it" eval "$(cat command)"
holds "within that trajectory" grep "continuing within trajectory 2, at step $step:" hurt/run.log
holds "the log says which process was lost" \
    grep "process $killed on .* worked here before, and did not end normally\$" hurt/run.log
holds "as it does not where none was" [ "$(grep -c 'did not end normally' whole/run.log)" = 0 ]
holds "and the run says that it ends" is_not_lost hurt
run straight $many --set hmc.trajectories=3 || { cat said; exit 99; }
holds "with the links of an undisturbed run" eval '
    links_of() { sed "s/.*\"plaquette\": {\([^}]*\)}.*/\1/" "$1/run.jsonl"; }
    links_of straight >links.1 && links_of hurt >links.2 && cmp links.1 links.2 && [ "$(wc -l <links.2)" = 3 ]'

# ---- killed before there is a checkpoint

start early --set 'lattice=[8,8,8,16]' --set start.heatbath.sweeps=16384
kill_when grep -q 'input ' early/run.log
holds "there is none" has early '^  *there is no checkpoint yet$'
holds "nor in JSON" [ "$(lost early trajectory)/$(lost early step)" = null/null ]
cp -R early stopped
start stopped --set 'lattice=[8,8,8,16]' --set start.heatbath.sweeps=16384
while [ "$(grep -c 'input ' stopped/run.log)" -lt 2 ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
kill -TERM $process
wait $process
holds "a run that is stopped there has said that it ends" is_not_lost stopped
rm early/parameters.yaml
touch early/run.jsonl
holds "without parameters there is no other command" has early '^  *to continue, give the same command again$'
holds "nor in JSON" [ "$(lost early command)" = null ]

facts_end
