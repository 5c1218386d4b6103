#!/bin/sh
# start.trajectory: an ensemble that goes on from another one's configuration, and from its number.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

audit() {
    "$KILN_PROGRAM" audit --device cpu "$@" >audited 2>&1 || { cat audited; return 1; }
}
status() {
    "$KILN_PROGRAM" status "$1" >shown 2>&1 || { cat shown; return 1; }
}
shows() {
    grep -q -e "$1" shown || { echo "\"$1\" is not in:"; cat shown; return 1; }
}
numbers() {         # of the lines of a record
    sed -n 's/^{"trajectory": \([0-9]*\),.*/\1/p' "$1/run.jsonl" | tr '\n' ' '
}
states() {
    ls "$1" | grep '\.lime' | tr '\n' ' '
}
is() {
    [ "$1" = "$2" ] || { echo "\"$1\", not \"$2\""; return 1; }
}

sed -i 's/^lattice: .*/lattice: [2, 2, 2, 2]/' run.yaml

# The other ensemble, and its last configuration as MILC (without a number) and as a NERSC archive (with its number, 6).
run other || { cat said; exit 99; }
"$KILN_PROGRAM" convert other/c.000006.lime peer.milc --format milc --precision 32 >milc_printed || exit 99
"$KILN_PROGRAM" convert other/c.000006.lime peer.nersc --format nersc >said 2>&1 || { cat said; exit 99; }
cp run.yaml zero.yaml
sed -i 's/^start: .*/start: { from: file, file: peer.milc, trajectory: 1200 }/' run.yaml

# ---- names and numbers

run whole || { cat said; exit 99; }
none "trajectories, files and states have the numbers after the start; thermalization counts from there" "$(
    case=numbers
    must is "$(numbers whole)" "1201 1202 1203 1204 1205 1206 "
    must is "$(states whole)" "c.001202.lime c.001204.lime c.001206.lime c.checkpoint.001205.lime "
    must is "$(sed -n 's/.*"thermalization": \([a-z]*\),.*/\1/p' whole/run.jsonl | tr '\n' ' ')" \
        "true true false false false false "
    must is "$(sed -n 's/.*"reunitarized": true.*/&/p' whole/run.jsonl |
        sed 's/^{"trajectory": [0-9]*\([0-9]\),.*/\1/' | awk '$1 % 2' | wc -l)" 0
    must is "$(sed 's/.*"target": \([0-9]*\).*/\1/' whole/run.jsonl | sort -u)" 6
    must grep -q '"first_trajectory": 1201,' whole/segments.jsonl
    must grep -q 'trajectories complete, up to number 1206' whole/run.log
    case=provenance
    must grep -q "file: \"$scratch/peer.milc\"" whole/parameters.yaml
    must grep -q 'trajectory: 1200' whole/parameters.yaml
    must grep -q 'start from .*/peer.milc (milc, 32 bit)' whole/run.log
    must grep -q "peer.milc: checksum $(sed -n 's/.*checksum //p' milc_printed)\$" whole/run.log
    must grep -q 'go on from number 1200' whole/run.log)"

run rounded --set start.reunitarize=false --set hmc.trajectories=1201 || { cat said; exit 99; }
holds "links of 32 bits that are not reunitarized: a warning names the key" \
    grep -q 'peer.milc: the links deviate from SU(3) by .*, and start.reunitarize is false: measurements' said
run projected --set hmc.trajectories=1201 || { cat said; exit 99; }
holds "no warning where they are" sh -c '! grep -q reunitarize said'
wilson() {          # COMMAND...: with quarks whose links are SU(3) matrices
    "$KILN_PROGRAM" "$@" --set start.reunitarize=false --set output.directory=wilson --set hmc.trajectories=1201 --set \
        'monomials=[{kind: gauge, action: wilson, beta: 5}, {kind: wilson, determinants: [{mass: 1}]}]' --set \
        'hmc.levels=[{integrator: leapfrog, steps: 1, monomials: [gauge, quarks]}]' >said 2>&1
    status=$?
}
none "quarks that refuse them: check and run name file, monomial and key, and no folder is made" "$(
    for command in check "run --device cpu"; do
        case=$command
        wilson $command run.yaml
        must is $status 2
        must grep -q 'start: reunitarize: .*/peer.milc: .*monomial "quarks".*start.reunitarize: true' said
        must [ ! -e wilson ]
    done)"

# A stream that Kiln itself has made goes on in another folder as it does in its own: links, dH, random numbers.
values() {          # FOLDER FIRST: the lines from trajectory FIRST on, without what names parameters, past and times
    record_of "$1" | sed 's/, "input_digest": .*//' |
        awk -F'[:,]' -v first="$2" '$2 >= first' | sed 's/"thermalization": [a-z]*, //'
}
on="--set start.file=other/c.000002.lime --set start.trajectory=2 --set start.reunitarize=false"
run moved $on --set hmc.thermalization=0 --set hmc.trajectories=4 || { cat said; exit 99; }
values other 3 >values.1
values moved 3 >values.2
holds "from number 2 of a stream, with its seed, come its trajectories 3 to 6, bit for bit" cmp values.1 values.2
holds "they are four" is "$(wc -l <values.2)" 4
run zero --set start.trajectory=0 || { cat said; exit 99; }
holds "without the number the trajectories are 1 to 6" is "$(numbers zero)" "1 2 3 4 5 6 "
holds "and have other random numbers" different_links whole zero
none "a trajectory number of 0 is no parameter that the digests know" "$(
    case=digest
    cp run.yaml saved.yaml
    sed 's/, trajectory: 1200//' saved.yaml >run.yaml
    must run without
    cp saved.yaml run.yaml
    must cmp without/c.000006.lime zero/c.000006.lime)"

# ---- continuing

none "stopped after each trajectory and continued it is the same stream" "$(
    case=stopped
    for n in 1 2 3 4; do must run stopped --trajectories 1; done
    must run stopped
    must same_stream whole stopped
    must audit stopped)"
if count_calls 40 counted --set hmc.trajectories=3; then
    run three --set hmc.trajectories=3
    every=$(how_many 5 1)
    none "killed before every ${every}th of its $calls calls that change files, and continued: the same" "$(
        for k in $(seq 1 "$every" "$calls"); do
            rm -rf killed
            case="killed before call $k"
            with_mishap "signal 9 $k" killed --set hmc.trajectories=3 >name
            must run killed --set hmc.trajectories=3
            must same_stream three killed
            must nothing_set_aside killed
            must audit killed
        done)"
else
    skip "killed before calls that change files" "the system lets no process listen to another's calls"
fi
none "killed within trajectory 1203, with a checkpoint at every step: the same" "$(
    case=within
    must run within --trajectories 2
    with_mishap "signal 9 60" within --checkpoint-minutes 0 >name
    must test -d "within/$(ls within | grep -m 1 '^midtrajectory.001203.[0-9]*$')"
    must run within
    must same_stream whole within)"
none "the record cut or emptied: trajectories without a line are made again, from the start if need be" "$(
    for end in 1000 5000 0; do
        case="cut to $end bytes"
        rm -rf cut
        cp -R whole cut
        truncate -s $end cut/run.jsonl
        must run cut
        must says '^warning: cut/run.jsonl: ends with trajectory 120[0-9], but there are states up to trajectory 1206'
        must same_stream whole cut
        must audit cut
    done
    must says 'begins again from its start links')"
none "another start.trajectory is refused, as a new segment, too, and nothing changes" "$(
    before=$(inventory whole | grep -v '^run.log\|run.log$')
    for number in 0 1199 1201; do
        case=$number
        must ends 1 run whole --set start.trajectory=$number
        must says '^error: whole: the input differs from the parameters of the ensemble:$'
        must says "^  ensemble: start.trajectory: 1200$"
        must says "^  input:    start.trajectory: $number$"
        must ends 1 run whole --set start.trajectory=$number --new-segment
        must says '^error: whole: a new segment cannot change start.trajectory: the trajectories are numbered from it'
    done
    must is "$before" "$(inventory whole | grep -v '^run.log\|run.log$')")"
new="--set hmc.levels.0.steps=4 --set hmc.thermalization=4"
none "a new segment begins with number 1204, and its thermalization counts from the start of the stream" "$(
    case=segment
    must run changed --trajectories 3
    must run changed $new --new-segment
    must test -e changed/parameters.001203.yaml
    must is "$(sed -n 's/.*"thermalization": \([a-z]*\),.*/\1/p' changed/run.jsonl | tr '\n' ' ')" \
        "true true false true false false "
    must audit changed
    must status changed
    must shows 'segments  *trajectories 1201 to 1203$'
    must shows 'trajectories 1204 to 1206$')"

# ---- what reads an ensemble

none "status, watch and report count the trajectories and give their numbers" "$(
    case=status
    must status whole
    must shows 'trajectories  *6 of 6 (numbers 1201 to 1206), 2 of them thermalization$'
    must shows '(from trajectory 1203 on; errors'
    must shows 'checkpoint  *whole/c.checkpoint.001205.lime'
    grep 'no line in the record' shown
    "$KILN_PROGRAM" status --json whole >shown
    must shows '"trajectories": 6, "start_trajectory": 1200, "last_trajectory": 1206, "target": 6'
    must shows '"from": 1203'
    "$KILN_PROGRAM" watch --once whole >shown 2>&1
    must shows 'trajectory 6 of 6 (numbers 1201 to 1206)'
    must "$KILN_PROGRAM" report whole --output whole.html
    must grep -q '6 of 6 (numbers 1201 to 1206)' whole.html
    case="before the first trajectory"
    must run begun --trajectories 0
    must status begun
    must shows 'trajectories  *0 of 6 (the first one has the number 1201)'
    case="within the first trajectory"
    with_mishap "signal 9 60" begun --checkpoint-minutes 0 >name
    must status begun
    must shows 'trajectory 1201 interrupted at step'
    case="a line that is missing"
    cp -R whole hole
    sed -i 1d hole/run.jsonl
    must ends 1 status hole
    must shows 'line 1: a missing line: expected trajectory 1201, found trajectory 1202'
    must shows '1 trajectory has no line in the record')"
cat >about.yaml <<'ABOUT'
collaboration: C
project: p
ensemble: e1
grid: ldg
license: { uri: "https://l.org/by" }
participant: { name: N, institution: I }
machine: { name: m, institution: I, type: t }
code: { date: "2026-11-21T00:00:00Z" }
ABOUT
publish() {         # FOLDER OPTIONS...
    "$KILN_PROGRAM" publish "$@" --about about.yaml >shown 2>&1
}
none "a package has the configurations after thermalization, under their numbers; measurements know them, too" "$(
    case=publish
    must publish whole --output package
    must is "$(ls package | grep '\.lime$' | tr '\n' ' ')" "e1.001204.lime e1.001206.lime "
    must grep -q '<update>1204</update>' package/e1.001204.xml
    case="a stream that is not complete"
    must run half --trajectories 4
    must ends 1 publish half --output half_package
    must shows '4/6 trajectories complete'
    case=measure
    "$KILN_PROGRAM" measure --device cpu whole/c.001204.lime --what plaquette --json >shown 2>&1
    must shows '"trajectory": 1204')"
none "a plan counts what remains" "$(
    case=plan
    must run part --trajectories 2
    "$KILN_PROGRAM" plan --device cpu --probe 0 --json run.yaml --set output.directory=part >shown 2>said
    must shows '"trajectories": 4'
    must shows '"configurations": 2')"
none "tuning an input whose ensemble has production trajectories needs another directory" "$(
    case=tune
    "$KILN_PROGRAM" tune run.yaml --device cpu --set output.directory=whole >said 2>&1
    must is $? 1
    must says 'already has 4 trajectories after thermalization')"

# ---- audit

none "an audit passes, and says the numbers; with faults it names them" "$(
    case=audit
    must audit whole
    must grep -q 'verified  *6 trajectories, 3 configurations' audited
    must grep -q 'numbers  *1201 to 1206' audited
    grep note audited
    faulty() {      # PATTERN COMMAND...
        pattern=$1
        shift
        rm -rf hurt
        cp -R whole hurt
        (cd hurt && "$@")
        audit hurt && { echo "no fault"; return 1; }
        grep -q -e "$pattern" audited || { cat audited; return 1; }
    }
    must faulty 'line 1: *$\|expected  *trajectory 1201' sed -i 1d run.jsonl
    must faulty 'expected  *trajectory 1203' sed -i 3d run.jsonl
    must faulty 'the configuration listed in line 4 of the record' rm c.001204.lime
    must faulty 'thermalization\|a changed line' sed -i '2s/"thermalization": true/"thermalization": false/' run.jsonl
    must faulty 'a state from before the start' cp ../zero/c.000006.lime .
    must faulty 'changed parameters' sed -i 's/trajectory: 1200/trajectory: 1201/' parameters.yaml
    case=run
    rm -rf hurt
    cp -R whole hurt
    cp zero/c.000002.lime hurt
    must ends 1 run hurt
    must says '^error: hurt/c.000002.lime: a state from before the start: expected trajectories from 1200')"
none "a stream that goes on from another by its number has other random numbers; without the number it has the same" "$(
    case=pair
    must run first --set start.trajectory=0 --trajectories 4
    must run second --set start.file=first/c.000004.lime --set start.trajectory=4
    must audit first second
    must run first --set start.trajectory=0 --trajectories 1
    must ends 1 audit first second
    must grep -q 'a repeated seed' audited
    case=copy
    cp -R whole copy
    must ends 1 audit whole copy
    must grep -q 'a copy' audited
    must grep -q 'the same 6 trajectories' audited
    case=fork
    must run left --trajectories 3
    cp -R left right
    must run left --trajectories 1
    must run right $new --new-segment --trajectories 1
    must ends 1 audit left right
    must grep -q 'the same trajectories up to 1203, then different ones' audited)"

# ---- periodic copies

none "periodic copies of a smaller lattice begin an ensemble, on one rank and on several, and the input says so" "$(
    case=copies
    large="--set lattice=[4,2,4,4] --set start.trajectory=0 --set start.file=other/c.000006.lime --trajectories 2"
    must run large $large --set start.copies=[2,1,2,2]
    must grep -q 'start from .*/c.000006.lime (ildg, 64 bit)' large/run.log
    must grep -q 'the links are 2x1x2x2 periodic copies (x, y, z, t) of the lattice 2x2x2x2 in the file' large/run.log
    must grep -q 'copies: \[2, 1, 2, 2\]' large/parameters.yaml
    must audit large
    must run ranks $large --set start.copies=[2,1,2,2] --ranks 2
    must is "$(values ranks 1)" "$(values large 1)"
    case="another number of copies is another start, in a new segment, too"
    must ends 1 run large $large --set start.copies=[1,1,1,1] --set start.file=large/c.000002.lime --new-segment
    must says 'start: the stream has begun already'
    case="copies that do not fill the lattice, or of no file"
    must ends 2 run bad $large --set start.copies=[2,2,2,2]
    must says '2x2x2x2, in 2x2x2x2 copies (x, y, z, t), gives 4x4x4x4, but 4x2x4x4 is wanted'
    must ends 2 run bad $large
    must says 'its lattice is 2x2x2x2, but 4x2x4x4 is wanted'
    must ends 2 run bad --set 'start={ from: hot, copies: [2, 1, 1, 1] }'
    must says 'copies'
    must test ! -e bad)"

# ---- the input

none "a number in the file that differs is a warning; one that the input does not use is mentioned" "$(
    case=nersc
    must run numbered --set start.file=peer.nersc --trajectories 0
    must says '^warning: .*peer.nersc: has the number 6 in its header, but start.trajectory is 1200'
    must run same --set start.file=peer.nersc --set start.trajectory=6 --trajectories 1
    grep warning said
    must is "$(numbers same)" "7 "
    must run unused --set start.file=peer.nersc --set start.trajectory=0 --trajectories 0
    must grep -q 'the file has the number 6; the trajectories of this ensemble begin with 1' unused/run.log
    case="a state"
    state="--set start.file=other/c.000004.lime --trajectories 0"
    must run state_7 $state --set start.trajectory=7
    must says '^warning: .*c.000004.lime: has the number 4 in its header, but start.trajectory is 7'
    must run state_4 $state --set start.trajectory=4
    grep warning said
    must run state_0 $state --set start.trajectory=0
    must grep -q 'the file has the number 4; the trajectories of this ensemble begin with 1' state_0/run.log)"
repeats='^warning: start.file: .*other/c.000004.lime is configuration 4 of seed 11, stream 0, which this input has'
warned() {              # FOLDER: kiln run warns once, and so does its log
    [ "$(grep -c "$repeats" said)" = 1 ] && [ "$(grep -c 'warning: start.file: .*repeat' "$1/run.log")" = 1 ]
}
checked() {             # OPTIONS...: the warnings of kiln check
    "$KILN_PROGRAM" check run.yaml "$@" 2>said >page
}
none "a configuration of Kiln of this seed and stream: a warning that random numbers repeat, and what to do" "$(
    case="no number"
    file="--set start.file=other/c.000004.lime --set random.seed=11"
    must run repeat $file --set start.trajectory=0 --trajectories 1
    must warned repeat
    must says 'from 1 to 4 repeat .*choose another random.stream, or go on with start.trajectory: 4$'
    must run repeat $file --set start.trajectory=0 --trajectories 1
    [ "$(grep -c 'warning: start.file: .*repeat' repeat/run.log)" = 1 ] || echo "it is repeated"
    must checked $file --set start.trajectory=0
    must says "$repeats"
    must checked $file --set start.trajectory=0 --json
    must grep -q '"warnings": \["start.file: .*from 1 to 4 repeat' page
    case="a smaller number"
    must checked $file --set start.trajectory=2
    must says 'from 3 to 4 repeat'
    for other in start.trajectory=4 start.trajectory=5 random.seed=12 random.stream=1; do
        case=$other
        must checked $file --set start.trajectory=0 --set $other
        ! grep repeat said
    done
    case="no state"
    must checked --set start.file=peer.nersc --set start.trajectory=0
    ! grep repeat said)"
none "a number belongs to a start from a file, is not negative, and has room for the trajectories" "$(
    case=input
    must ends 2 run bad --set 'start={ from: hot, trajectory: 5 }'
    must says 'trajectory'
    must ends 2 run bad --set start.trajectory=-1
    must ends 2 run bad --set start.trajectory=4294967290
    must says 'start: trajectory: 4294967290 plus hmc.trajectories (6) is more than 4294967295'
    must test ! -e bad
    case="the last numbers"
    must run last --set start.trajectory=4294967289
    must is "$(numbers last | cut -d ' ' -f 6)" 4294967295
    must audit last
    must ends 1 run last --set start.trajectory=4294967289 --trajectories 1
    must says 'trajectory 4294967296 is beyond 4294967295')"

facts_end
