#!/bin/sh
# kiln status, watch and report after a run that failed: the reason, what to do, and the trajectories that have a line
# in the record but no state.  They show neither while a run is active nor after one that did not fail.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# json FOLDER PATTERN: so has its JSON.
json() {
    "$KILN_PROGRAM" status "$1" --json | grep -e "$2"
}
is_idle() {
    has "$1" "^$1: idle\$" && ! has "$1" 'last process\|without a state' && json "$1" '"failed_run": null, ' &&
        json "$1" '"lines_without_state": 0, '
}
# on_one_line FOLDER COLUMNS: the page of kiln watch, which has no line that is longer, without its breaks of lines.
on_one_line() {
    COLUMNS=$2 LINES=40 "$KILN_PROGRAM" watch "$1" --once --ascii >page
    awk -v most="$2" 'length > most' page | grep . && return 1
    tr -s ' \n' ' ' <page
}
# limited BLOCKS COMMAND...: no file may have more than so many blocks of 512 bytes.
limited() (
    ulimit -f "$1"
    shift
    "$@"
)

run whole --set output.checkpoint_every=3 || { cat said; exit 99; }
holds "nothing failed in a run that is complete" is_idle whole

# ---- a file cannot be written: the state after trajectory 3 is due

files="--set output.checkpoint_every=3 --set output.configuration_every=100"
holds "a run begins" run full $files --trajectories 1
holds "its state cannot be written" ends 1 limited 200 run full $files
holds "kiln status says that the run failed" has full '^full: failed$'
holds "when and why" \
    has full '^  last process  *failed at 20[0-9T:-]*Z: .*/full/c.checkpoint.000003.lime: .*File too large'
holds "what is lost, and what to do" \
    has full '^  *stopped; .* after trajectory 1 (trajectories 2 to 3 are lost.*ulimit -f.* then the same command'
again='2 of them without a state (2 to 3), which the next run generates again'
holds "which trajectories have no state yet" has full "^  trajectories  *3 of 6, 2 of them thermalization, $again\$"
holds "and in JSON" eval 'json full "\"failed_run\": {\"time\": \"20.*Z\", \"reason\": \"/.*File too large\", " &&
    json full "\"advice\": \"stopped; the newest .* the same command continues the run\"}" &&
    json full "\"lines_without_state\": 2, "'
for columns in 80 60; do
    on_one_line full $columns >joined
    holds "kiln watch says so in whole lines of $columns columns" eval 'grep -q "^failed .*$again" joined &&
        tr -d " " <joined | grep -q "failedat20.*Filetoolarge.*stopped;.*thesamecommandcontinuestherun"'
done
holds "and kiln report" eval '"$KILN_PROGRAM" report full --output - >page && grep "<b>state</b>failed" page &&
    grep "<b>last process</b>failed at .*File too large; stopped; .* continues the run" page &&
    grep "<b>trajectories</b>3 of 6, $again" page'
"$KILN_PROGRAM" status full >before
holds "a run that is refused changes nothing of this" eval 'ends 1 run full --set monomials.0.beta=5 &&
    "$KILN_PROGRAM" status full | cmp - before'
start full $files --set hmc.trajectories=100000
while [ "$(grep -c trajectory full/run.log)" -lt 15 ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
"$KILN_PROGRAM" status full >page
kill -TERM $process
wait $process
holds "nor does a run show it that is active" \
    eval 'grep "^full: running\$" page && ! grep "failed\|without a state" page'
holds "and one that was told to stop has not failed" is_idle full

# ---- without a state at the beginning, and without the lines of the log

holds "the first checkpoint cannot be written" ends 1 limited 20 run 'no state'
holds "kiln status says this, too" \
    has 'no state' '^  last process  *failed at .*/c.checkpoint.000000.lime: .*File too large'
holds "and how to begin" \
    has 'no state' "^  *remove the cause.*give the same command again, or kiln run 'no state/parame"
holds "the log has the reason" grep ' error: .*File too large' 'no state/run.log'
cp -R whole cut
rm cut/c.*6.lime
holds "trajectories without a state are there also where the log does not have the failure" eval \
    'has cut "^cut: idle\$" && has cut "2 of them without a state (5 to 6)"'

holds "but not without any state" eval 'rm -f cut/*.lime; ! has cut "without a state"'

# ---- a solve does not converge

holds "a solve fails" ends 1 "$KILN_PROGRAM" run "$clock_folder/input/quickstart.yaml" --quiet \
    --device "${KILN_DEVICE:-auto}" --share-gpu --set output.directory=solve --set monomials.1.max_iterations=3
holds "kiln status has the reason" \
    has solve '^  last process  *failed at .*: trajectory 1, refresh of quarks: .*did not conv'
holds "and kiln watch has all of it" eval \
    'on_one_line solve 80 | tr -d " " | grep "raisemax_iterations.*killnreplay\|raisemax_iterations.*repeatsthisstep"'

facts_end
