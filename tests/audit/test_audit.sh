#!/bin/sh
# kiln audit: a whole stream passes, however it came to be; every kind of fault is found, and named where it is.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

audit() {
    "$KILN_PROGRAM" audit --device cpu "$@" >audited 2>said
}

# A stream with a change on the way, stopped and continued; and what others are like.
new="--set hmc.levels.0.steps=4 --set hmc.trajectories=8"
run whole --trajectories 3 && run whole $new --new-segment --trajectories 2 && run whole $new || { cat said; exit 99; }
run other_seed --trajectories 4 --set random.seed=12
run plain --trajectories 5
run thin --set output.configuration_every=4 --set hmc.trajectories=9
run single --set output.bits=32
run none --trajectories 0

none "a whole stream passes: changed on the way, continued, with other cadences, of 32 bits, just begun" "$(
    for folder in whole other_seed plain thin single none; do
        case=$folder
        must audit $folder
        ! grep '^  note' audited
    done
    must run single --set hmc.trajectories=7 --set output.configuration_every=3
    must run single --set hmc.trajectories=9
    must audit single/
    must audit whole other_seed)"
audit whole
holds "what was looked at is counted" grep -q '8 trajectories, 4 configurations, 1 checkpoint' audited
audit --json whole other_seed
holds "the same as JSON" grep -q '^{"streams": \[{"directory": "whole", "ok": true, "seed": 11, "stream": 0, "traj.*'\
'"fault": null, "notes": \[\]}, {"directory": "other_seed", .*"notes": \[\]}\], "between": \[\], "ok": true}$' audited

before=$(inventory whole)
audit whole
holds "nothing is touched" [ "$before" = "$(inventory whole)" ]

flip_at() {         # FILE OFFSET: the other byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# finds FAULT WHERE COMMAND...: what is changed in a copy is the first fault, of this kind and in this place.
finds() {
    fault=$1
    place=$2
    shift 2
    rm -rf hurt
    cp -R whole hurt
    (cd hurt && "$@") || { echo "$* fails"; return 1; }
    audit hurt && { echo "nothing was found"; return 1; }
    if [ $? != 1 ] || ! grep -q "^  fault  *$fault\$" audited || ! grep -q "^  where  *$place\$" audited; then
        echo "not \"$fault\" at \"$place\", but"
        cat audited
        return 1
    fi
    grep -q '^  expected  *.' audited && grep -q '^  found  *.' audited && grep -q '^  to do  *.' audited
}
expects() {         # EXPECTED FOUND of the last fault
    grep -q "^  expected  *.*$1" audited && grep -q "^  found  *.*$2" audited || { cat audited; return 1; }
}
advises() {         # ADVICE on the last fault, which may go on in further lines
    tr -s '\n ' ' ' <audited | grep -q " to do .*$1" || { cat audited; return 1; }
}
swap() { sed -n "$2p" "$1" >l && sed -i -e "$3r l" -e "$2d" "$1" && rm l; }
replace() { cp "../$1" "$2"; }

none "lines of the record: removed, repeated, exchanged, changed, cut off, another run's" "$(
    case=line
    must finds 'a missing line' 'hurt/run.jsonl: line 3' sed -i 3d run.jsonl
    must expects 'trajectory 3' 'trajectory 4'
    must finds 'a repeated line' 'hurt/run.jsonl: line 4' sed -i 3p run.jsonl
    must expects 'trajectory 4' 'trajectory 3 a second time'
    must finds 'lines in the wrong order' 'hurt/run.jsonl: line 3' swap run.jsonl 3 4
    must expects 'trajectory 3' 'trajectory 4'
    must finds 'missing lines at its end' 'hurt/run.jsonl' sed -i 8d run.jsonl
    must finds 'a missing line' 'hurt/run.jsonl: line 1' sed -i 1d run.jsonl
    must finds 'missing lines at its end' 'hurt/run.jsonl' rm run.jsonl
    must finds 'a changed line' 'hurt/run.jsonl: line 2' sed -i '2s/"dH": -/"dH": /' run.jsonl
    must finds 'a changed line' 'hurt/run.jsonl: line 5' sed -i '5s/"trajectory": 5/"trajectory": 6/' run.jsonl
    must finds 'a changed line' 'hurt/run.jsonl: line 5' sed -i '5s/"seconds": 0/"seconds": 1/' run.jsonl
    must finds 'an unreadable line' 'hurt/run.jsonl: line 5' sed -i '5s/.*/{}/' run.jsonl
    sed -n 2p other_seed/run.jsonl >of_other_seed
    must finds 'other parameters' 'hurt/run.jsonl: line 2' sed -i -e '2r ../of_other_seed' -e 2d run.jsonl
    sed 's/, "digest": "[^"]*"}$/}/' whole/run.jsonl | sed -n 4p >nodigest
    must finds 'a line without its digests' 'hurt/run.jsonl: line 4' sed -i -e '4r ../nodigest' -e 4d run.jsonl)"

# The same parameters and seed from other links: only the chain tells.
run from_4 --set start.from=file --set start.file=whole/c.000004.lime --trajectories 4
run from_6 --set start.from=file --set start.file=whole/c.000006.lime --trajectories 4
none "a line and a configuration of another past" "$(
    case=past
    sed -n 3p from_6/run.jsonl >of_from_6
    mv whole kept && cp -R from_4 whole
    must finds 'a line that does not follow from the one before' 'hurt/run.jsonl: line 3' \
        sed -i -e '3r ../of_from_6' -e 3d run.jsonl
    must finds 'a state with another past' 'hurt/c.000004.lime' replace from_6/c.000004.lime c.000004.lime
    rm -r whole && mv kept whole)"

none "parameters: changed, exchanged, gone; segments: changed, gone" "$(
    case=parameters
    must finds 'changed parameters' 'hurt/parameters.yaml' sed -i 's/beta: 4.5/beta: 4.6/' parameters.yaml
    must finds 'changed parameters' 'hurt/parameters.yaml' sed -i 's/seed: 11/seed: 12/' parameters.yaml
    must finds 'changed parameters' 'hurt/parameters.000003.yaml' sed -i 's/steps: 3/steps: 4/' parameters.000003.yaml
    must finds 'a changed file of parameters' 'hurt/parameters.yaml' \
        sed -i 's/configuration_every: 2/configuration_every: 4/' parameters.yaml
    must finds 'no parameters' 'hurt/parameters.000003.yaml' rm parameters.000003.yaml
    must finds 'no parameters' 'hurt/parameters.yaml' rm parameters.yaml
    must finds 'an invalid record of segments' 'hurt/segments.jsonl' \
        sed -i 's/"first_trajectory": 4/"first_trajectory": 5/' segments.jsonl
    must finds 'an ensemble without a chain' 'hurt/segments.jsonl' rm segments.jsonl
    must advises 'restore it from a copy'
    must finds 'an ensemble without a chain' 'hurt/segments.jsonl' rm segments.jsonl run.jsonl
    must advises 'restore it from a copy'
    must finds 'an ensemble without a chain' 'hurt/segments.jsonl' sh -c 'rm segments.jsonl *.lime'
    must advises 'restore it from a copy'
    must finds 'changed parameters' 'hurt/parameters.yaml' sed -i 2d segments.jsonl)"

none "configurations and checkpoints: another stream's, missing, damaged, under another name" "$(
    case=states
    must finds 'a file of another stream' 'hurt/c.000004.lime' replace other_seed/c.000004.lime c.000004.lime
    must expects 'seed 11, stream 0' 'seed 12, stream 0'
    must finds 'a missing configuration' 'hurt/c.000004.lime' rm c.000004.lime
    must expects 'the configuration listed in line 4 of the record' 'no such file'
    must finds 'a damaged file' 'hurt/c.000006.lime' flip_at c.000006.lime 100000
    must finds 'a damaged file' 'hurt/c.checkpoint.000007.lime' flip_at c.checkpoint.000007.lime 100000
    must finds 'a file that cannot be read' 'hurt/c.000002.lime' dd if=/dev/null of=c.000002.lime
    must finds 'a file under the name of another trajectory' 'hurt/c.000004.lime' mv c.000006.lime c.000004.lime
    must finds 'a file under the name of another trajectory' 'hurt/c.checkpoint.000012.lime' \
        cp c.000006.lime c.checkpoint.000012.lime
    must finds 'a state with other parameters' 'hurt/c.000004.lime' replace plain/c.000004.lime c.000004.lime
    must finds 'no state' 'hurt' rm -f c.000002.lime c.000004.lime c.000006.lime c.000008.lime c.checkpoint.000007.lime
    must finds 'a file of another stream' 'hurt/d.000004.lime' replace other_seed/c.000004.lime d.000004.lime)"

# A configuration of the same trajectory that names another one as the configuration before.
mkdir sparse && cp plain/*.yaml plain/segments.jsonl plain/run.jsonl sparse
cp plain/*.lime sparse && cp thin/c.000004.lime sparse
holds "a state that does not follow the configuration before: a note if an older one is named" audit sparse
holds "that is said" grep -q 'note .*sparse/c.000004.lime: names an older configuration' audited

none "what is no fault is noted: set aside, later lines, other files" "$(
    case=notes
    cp -R whole noted
    cp noted/c.000004.lime noted/c.000004.lime.corrupt
    echo text >noted/readme
    "$KILN_PROGRAM" report noted 2>/dev/null
    mkdir noted/ildg
    mkdir noted/failure.000009
    printf '{"trajectory": 9, "acc' >>noted/run.jsonl
    must audit noted
    must grep -q 'note .*c.000004.lime.corrupt: a damaged file that a run renamed' audited
    must grep -q 'note .*noted/readme: not a file of the ensemble' audited
    must sh -c '! grep -e report.html -e ildg audited'
    must grep -q 'note .*failure.000009: a failed trajectory' audited
    must grep -q 'note .*the last line of the record is incomplete' audited
    case=later
    cp -R plain later
    rm later/c.checkpoint.000005.lime
    must audit later
    must grep -q 'note .*the record has 1 line after the newest state' audited)"

# Two folders.
between() {         # FAULT A B
    audit "$2" "$3" && { echo "nothing was found"; return 1; }
    grep -q "^  fault  *$1\$" audited && grep -q "^  where  *$2 and $3\$" audited || { cat audited; return 1; }
}
cp -R plain copy
cp -R plain forked
run plain --trajectories 2
run forked --new-segment --set hmc.levels.0.steps=5 --trajectories 2
none "folders side by side: copies, forks, the same random numbers" "$(
    case=pairs
    must between 'a copy' plain copy
    must between 'a fork' plain forked
    must grep -q 'the same trajectories up to 5, then different ones' audited
    must between 'a repeated seed' plain from_4
    must audit plain other_seed
    audit --json plain forked
    must grep -q '"between": \[{"where": "plain and forked", "fault": "a fork", ' audited)"

none "one folder under two names is no copy" "$(
    case=names
    ln -s plain link
    must audit plain link plain/ "$PWD/plain"
    must grep -q '^plain and link: the same folder' audited
    ! grep -e FAULTY -e 'a copy' audited
    cp -R link/. real_copy && must between 'a copy' plain real_copy
    rm link)"

# What status, report and watch say of a record that the audit calls faulty.
shown() {           # STATUS FAULT COMMAND...: in the second line of the text, in JSON, in the report, on the page
    wanted=$1
    fault=$2
    shift 2
    rm -rf hurt
    cp -R whole hurt
    (cd hurt && "$@") || { echo "$* fails"; return 1; }
    "$KILN_PROGRAM" status hurt >text 2>/dev/null
    [ $? = "$wanted" ] || { echo "status does not end with $wanted"; return 1; }
    "$KILN_PROGRAM" status hurt --json >json 2>/dev/null
    "$KILN_PROGRAM" report hurt --output - >html 2>/dev/null
    [ $? = "$wanted" ] || { echo "report does not end with $wanted"; return 1; }
    COLUMNS=200 "$KILN_PROGRAM" watch hurt --once >page 2>/dev/null
    if [ "$wanted" = 0 ]; then
        grep -q '"fault": null' json && ! grep FAULTY text html page
        return
    fi
    sed -n 2,5p page | tr -s '\n ' ' ' | grep "^FAULTY: $fault: .*; kiln audit hurt says what to do" ||
        { head -n 3 page; return 1; }
    sed -n 2p text | grep "^  FAULTY  *$fault: .* says what to do\$" &&
        grep "^{\"directory\": \"hurt\", \"fault\": {\"where\": \"$fault\", " json ||
        { head -n 3 text; cut -c 1-300 json; return 1; }
    sed 's/&#39;/'"'"'/g' html | tr -d '\n' | grep "FAULTY</strong><p>$fault: " ||
        { echo "not in the report"; return 1; }
}
none "status, report and watch begin with what is faulty: lines, parameters, segments; and not with what is whole" "$(
    case=shown
    must shown 0 '' true
    must shown 1 'hurt/run.jsonl: line 5' sed -i '5s/"plaquette": {"average": 0./&9/' run.jsonl
    must shown 1 'hurt/run.jsonl: line 3' sed -i 3d run.jsonl
    must shown 1 'hurt/run.jsonl' truncate -s -100 run.jsonl
    must shown 1 'hurt/run.jsonl' rm run.jsonl
    must shown 1 'hurt/parameters.yaml' sed -i 's/seed: 11/seed: 12/' parameters.yaml
    must shown 1 'hurt/parameters.yaml' sed -i 's/^\( *\)beta: .*/&\n\1c1: 0\n\1u0: 1/' parameters.yaml
    must shown 1 'hurt/segments.jsonl' rm segments.jsonl
    case=watch
    sed '5s/"plaquette": {"average": 0./&9/' whole/run.jsonl >hurt/run.jsonl
    must sh -c 'COLUMNS=200 "$KILN_PROGRAM" watch hurt --once | grep "the first is line 5"')"
means() { "$KILN_PROGRAM" status "$1" 2>/dev/null | grep -e '^  <dH>' -e '^  plaquette'; }
none "means leave out a changed line, as if it were not there; its trajectory is no gap of the record" "$(
    for folder in changed shorter; do rm -rf $folder; cp -R whole $folder; done
    sed -i '5s/"plaquette": {"average": 0./&9/' changed/run.jsonl
    sed -i 5d shorter/run.jsonl
    means changed >means.1
    means shorter >means.2
    cmp means.1 means.2
    [ "$(wc -l <means.1)" = 2 ] || cat means.1
    "$KILN_PROGRAM" status changed >text 2>/dev/null
    grep 'no line in the record' text
    grep -q '1 line of the record changed after writing; the means do not include .*; the first is line 5' text &&
        grep -q 'the means below leave out lines, see the warnings' text || cat text
    "$KILN_PROGRAM" status shorter 2>/dev/null | grep -q '1 trajectory has no line in the record' || echo "no gap")"

holds "a folder that is none: status 2" \
    sh -c '"$KILN_PROGRAM" audit nowhere --device cpu >audited 2>said; [ $? = 2 ]'
holds "that is said" grep -q 'nowhere: expected the folder of an ensemble, found nothing' said

facts_end
