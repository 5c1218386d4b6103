#!/bin/sh
# kiln tune --checkpoint: one process at a time tunes in a folder; another one says so, goes, and changes nothing.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# tune FOLDER OPTIONS...: a tuning that needs few trajectories; what it says is in the file `said`.
tune() {
    folder=$1
    shift
    "$KILN_PROGRAM" tune run.yaml --device "${KILN_DEVICE:-auto}" --checkpoint "$folder" --thermalization 2 --learn 2 \
        --prove 0 --target 0.5 "$@" >out 2>said
}

# begin FOLDER: in the background, as $process, one that goes on until a signal; returns when the folder has a
# checkpoint.
begin() {
    "$KILN_PROGRAM" tune run.yaml --device "${KILN_DEVICE:-auto}" --checkpoint "$1" --thermalization 1000000 \
        >first.out 2>first.said &
    process=$!
    for attempt in $(seq 600); do
        [ ! -e "$1/tuning.json" ] || return 0
        kill -0 $process 2>/dev/null || break
        sleep 0.1
    done
    echo "there is no checkpoint: $(cat first.said)"
    return 1
}

begin tuning || exit 99
kill -STOP $process
holds "the first tuning is stopped" has_stopped $process
before=$(inventory tuning)
holds "a second tuning in the same folder is refused" ends 1 tune tuning
holds "it says where, who tunes there, and what to do" says \
    "tuning/lock: another process tunes with this checkpoint (process $process on .*); wait until it ends, or choose "
holds "and touches nothing" [ "$before" = "$(inventory tuning)" ]
holds "another folder is free" ends 0 tune other
kill -CONT $process
kill -TERM $process
wait $process
holds "the first one ends at a signal" [ $? = 1 ]
holds "as a tuning that continues" grep -q "tuning keeps what was learned" first.said
holds "then the folder is free: the next tuning continues" ends 0 tune tuning
holds "from its checkpoint" says 'continued from tuning: [0-9]* trajectories of thermalization'
holds "and nobody was killed before it" eval '! says "worked here before"'

begin killed || exit 99
kill -KILL $process
wait $process 2>/dev/null
holds "a process that was killed holds no lock" ends 0 tune killed
holds "the next one names it" says "process $process on .* worked here before, and did not end normally"
holds "once" eval 'ends 0 tune killed && ! says "worked here before"'
holds "it makes no trial of integrators again" says '[0-9]* measurements of trials are reused from killed$'
sed 's/"conditions": "kiln/"conditions": "another/' killed/tuning.json >changed && mv changed killed/tuning.json
holds "but on another device, all" eval 'ends 0 tune killed && says "trials in killed are made again: they were \
made by another .*, and this is kiln .* on 1 rank, .*, input "'

# changed PROVE OPTIONS...: a tuning that chooses another integrator; without times what it reports is in `out`.
changed() {
    prove=$1
    shift
    "$KILN_PROGRAM" tune run.yaml --device "${KILN_DEVICE:-auto}" --share-gpu --checkpoint changed --thermalization 2 \
        --learn 10 --prove "$prove" --target 0.9 "$@" >report 2>said
    status=$?
    grep -v '^lattice' report >out
    return $status
}
for ranks in 1 2; do
    rm -rf changed
    changed 2 --ranks "$ranks"
    ended=$?
    holds "$ranks: trials choose another integrator" grep -q '<- chosen' out
    cp out before
    holds "the same command reuses its verification" eval "ends $ended changed 2 --ranks $ranks && \
        says '2 trajectories with the chosen values are reused from changed$' && ! says 'made again'"
    holds "and prints the same report" cmp before out
    holds "more trajectories of verification are added" eval "changed 3 --ranks $ranks; \
        says '2 trajectories with' && grep -q 'verified by 3 trajectories' out"
    holds "other keys of output change nothing" eval "changed 3 --ranks $ranks --set output.checkpoint_every=2; \
        says '3 trajectories with the chosen values are reused from changed$' && ! says 'made again'"
    sed 's/"depends_on": "0x/"depends_on": "0x1/' changed/verification.json >copy && mv copy changed/verification.json
    holds "a verification under other conditions is made again" eval "changed 3 --ranks $ranks; \
        says 'the verification in changed is made again: it is of other values, trials or conditions'"
done

# What a folder has already stays, and the user hears of it.
holds "the same command says nothing of its options" eval 'ends 0 tune other && ! says "is ignored"'
# other_than OPTIONS...: the tuning in the folder `other` with other options.
other_than() {
    "$KILN_PROGRAM" tune run.yaml --device "${KILN_DEVICE:-auto}" --checkpoint other --learn 2 --prove 0 --target 0.5 \
        "$@" >out 2>said
}
holds "another thermalization" ends 0 other_than --thermalization 3
holds "is ignored with a warning" says "^warning: a thermalization of 3 trajectories is ignored: other has links \
after 2 of them; choose another folder"
cp other/links.*.lime given.lime
holds "so are other start links" ends 0 tune other --from given.lime
holds "with a warning" says "^warning: --from given.lime is ignored: other has links of a hot start; choose another"
holds "the report names the links of the first call" grep -q "links: a hot start, tuned" out

# The end of --minutes in the thermalization, which a checkpoint completes in the next call.
ended() {
    "$KILN_PROGRAM" tune run.yaml --device "${KILN_DEVICE:-auto}" --checkpoint thermal --thermalization 1000000 \
        --minutes 0.01 "$@" >out 2>said
}
holds "--minutes ends a tuning in its thermalization: status 1" ends 1 ended --json
reason="stopped after [0-9]* of 1000000 trajectories of thermalization; thermal keeps what was learned: the same \
command continues"
holds "with the reason" says "^warning: $reason (by --minutes)$"
holds "and its JSON" grep -q "^{\"end\": \"stopped\", \"by\": \"--minutes\", \"reason\": \"$reason\"}$" out
holds "without --json it prints no result" eval 'ends 1 ended && [ ! -s out ]'

# Folders that are none, or those of ensembles.
holds "a file is no folder" ends 1 tune run.yaml
holds "and the message says so" says "--checkpoint run.yaml: expected a folder, found a file; choose another name"
mkdir ensemble
: >ensemble/run.jsonl
holds "the folder of an ensemble is refused" ends 1 tune ensemble
holds "as that" says "--checkpoint ensemble: is the folder of an ensemble; choose another folder"
holds "and gets no file" [ "$(ls ensemble)" = run.jsonl ]
holds "so is the folder of this ensemble" ends 1 tune unnamed
holds "before it is there" eval 'says "is the folder of the ensemble;" && [ ! -e unnamed ]'

# On the CPU: the driver of a GPU changes files, too.
# refused_at K FOLDER OPTIONS...: a tuning whose K-th call that changes files meets a full disk.
refused_at() {
    call=$1
    folder=$2
    shift 2
    mishaps error 28 "$call" "$KILN_PROGRAM" tune run.yaml --device cpu --checkpoint "$folder" \
        --thermalization 2 --prove 0 --target 0.5 "$@" >out 2>said
}
# advised FOLDER OPTIONS...: at each of the first calls, a tuning that fails says what to do, one of them $advice.
advised() {
    heard=no
    for at in $(seq 14); do
        rm -rf full
        [ ! -e "$1" ] || cp -R "$1" full
        refused_at "$at" full --learn "$2"
        status=$?
        [ $status != 77 ] || return 0
        [ $status = 0 ] || grep -q "free space in .*, or choose another folder\|: free space in full, then" said ||
            { echo "call $at:"; cat said; return 1; }
        ! grep -q "$advice" said || heard=yes
    done
    [ $heard = yes ] || { echo "$advice was never said"; return 1; }
}
advice="^error: full has no checkpoint yet: free space in full, then the same command begins again$"
holds "a full disk at the beginning has a remedy" advised none 2
advice="^error: full keeps what was learned before: free space in full, then the same command continues$"
holds "and later" advised other 3

# without ERROR FILE OPTIONS...: a tuning that meets this error number where it first changes the disk, or at $call.
call=1
without() {
    error=$1
    output=$2
    shift 2
    mishaps error "$error" "$call" "$KILN_PROGRAM" tune run.yaml --device cpu --output "$output" \
        --thermalization 2 --learn 2 --prove 0 --target 0.5 "$@" >out 2>said
}

mkdir written
without 13 written/tuned.yaml
status=$?
if [ $status = 77 ]; then
    skip "a folder that refuses the tuned input" "no process may watch another's calls"
else
    holds "a folder that refuses the tuned input ends the tuning" [ $status = 1 ]
    holds "with the remedy" says "^error: --output written/tuned.yaml: cannot be created: Permission denied; give \
this user permission to read and write in written, or choose another --output$"
    holds "before it begins" eval '! says plaquette'
    holds "a full disk, too" ends 1 without 28 written/tuned.yaml
    holds "with its remedy" says "; free space in written, or choose another --output$"
    holds "and leaves nothing there" [ -z "$(ls written)" ]
    # full_at_end: each of the next calls meets the full disk; $advice follows where the tuned input is written.
    full_at_end() {
        for call in 2 3 4 5 6 7 8; do
            rm -f written/*
            without 28 written/tuned.yaml
            ! says "$advice" >unsaid || return 0
        done
        cat unsaid
        return 1
    }
    advice="^error: the chosen values are in the report: free space in written, then the same command tunes again$"
    holds "after the tuning a full disk has its remedy, too" full_at_end
    holds "and the report" grep -q "^target acceptance" out
fi

facts_end
