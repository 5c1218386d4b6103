#!/bin/sh
# An ensemble keeps its parameters; what may change, may; a bad input touches nothing.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run whole || { cat said; exit 99; }
cp -R whole kept
before=$(inventory kept)

# refused KEY THEN NOW: the message has the path of the key with the value of the ensemble and that of the input.
refused() {
    ends 1 run kept --set "$1=$3" && says "^error: kept: the input differs .*:\$" && says "ensemble: $1: \"*$2" &&
        says "input:    $1: \"*$3" &&
        says '^  To use those of the input, begin a new ensemble: another output.directory'
}
short_lines() { ! awk 'NF > 20 { print; found = 1 } END { exit !found }' said; }
none "other physics are refused, and the difference is told" "$(
    case=parameters
    must refused random.seed 11 12
    must sh -c '! grep -e --new-segment said'
    must refused random.stream 0 3
    must refused monomials.0.beta 4.5 4.6
    must says '^  monomials.0.beta changes the action, '
    must says '^  Configurations of two actions must not be averaged together.$'
    must says '^  To continue this ensemble, use its parameters.yaml as the input.$'
    must says '^  --new-segment serves only to thermalize '
    must short_lines
    must refused monomials.0.action symanzik_tree iwasaki
    must says 'monomials.0.action changes the action'
    must refused hmc.trajectory_length 0.5 0.25
    must refused hmc.thermalization 2 1
    must refused hmc.reunitarize_every 2 1
    must refused hmc.levels.0.steps 3 4
    must says '^  --new-segment continues the ensemble with those of the input'
    must short_lines
    must sh -c '! grep "changes the action" said'
    must refused hmc.levels.0.integrator omelyan leapfrog
    must refused start.from hot cold
    must refused output.name c d
    must ends 1 run kept --set random.seed=12 --set random.stream=1 --set monomials.0.beta=4.6 --set start.from=cold \
        --set hmc.trajectory_length=1 --set hmc.thermalization=3 --set hmc.levels.0.steps=5 --set output.name=d
    must says '^  and others$'
    must says '^  To continue this ensemble, use its parameters.yaml as the input.$'
    must ends 1 run kept --set 'lattice=[4, 4, 6, 4]'
    must says 'ensemble: lattice: .4, 4, 4, 6.'
    must ends 1 run kept --set 'lattice=[192, 192, 192, 192]'
    must says 'ensemble: lattice: .4, 4, 4, 6.')"
holds "nothing is touched by that" [ "$before" = "$(inventory kept)" ]

# Keys of a monomial that choose how links are updated are none of the action; an intermediate mass may be.
sed 's/^  - { kind: gauge.*/&\
  - { kind: staggered, name: quarks, action: naive, determinants: [ { quarks: [ { mass: 1, flavors: 4 } ],\
      hasenbusch: [ { mass: 2 } ] } ] }/; s/monomials: \[gauge\]/monomials: [gauge, quarks]/' run.yaml >quarks.yaml
mv run.yaml plain.yaml
mv quarks.yaml run.yaml
run quarks --trajectories 1 || cat said
none "a change of how links are updated is not one of the action" "$(
    for change in hasenbusch.0.mass=3 fields=2; do
        case=$change
        must ends 1 run quarks --set "monomials.1.determinants.0.$change"
        must says 'do not change the distribution'
    done
    for change in residuals.force=1e-6 errors.action=1e-12 measure_every=7; do
        case=$change
        must ends 1 run quarks --set "monomials.1.$change"
        must says 'do not change the distribution'
    done
    case=mass
    must ends 1 run quarks --set monomials.1.determinants.0.quarks.0.mass=1.5
    must says 'monomials.1.determinants.0.quarks.0.mass changes the action'
    must says 'unless the product of all weights stays the same')"
sed '/kind: gauge/{h;d;}; /hasenbusch/{G;}' run.yaml >reordered.yaml
mv run.yaml quarks.yaml
mv reordered.yaml run.yaml
holds "nor is another order of the monomials" ends 1 run quarks
holds "with a message that says so" says 'do not change the distribution'
mv plain.yaml run.yaml

# The same lines in the wrong order are other parameters.
sed -e 's/^  - { kind: gauge.*/  - { kind: gauge, name: a, action: wilson, beta: 4.0 }\
  - { kind: gauge, name: b, action: wilson, beta: 1.5 }/' \
    -e 's/^    - { integrator.*/    - { integrator: omelyan, steps: 2, monomials: [a] }\
    - { integrator: leapfrog, steps: 1, monomials: [b] }/' run.yaml >levels.yaml
mv run.yaml plain.yaml
mv levels.yaml run.yaml
run levels --trajectories 1 || cat said
holds "two values that change places are a difference" \
    ends 1 run levels --set monomials.0.beta=1.5 --set monomials.1.beta=4.0
holds "and it is told" says "input: .*beta: 4"
mv plain.yaml run.yaml

# Monomials are compared by name and kind: one that is added or missing shifts no others.
sed 's/^  - { kind: gauge.*/  - { kind: gauge, name: first, action: wilson, beta: 1.5 }\
&/; s/monomials: \[gauge\]/monomials: [first, gauge]/' run.yaml >more.yaml
lines() { [ "$(grep -c "^  [a-z]*: *monomials\." said)" = "$1" ]; }
mv run.yaml plain.yaml
cp more.yaml run.yaml
none "a monomial that is added has one line, one that is removed as well" "$(
    case=added
    must ends 1 run kept
    must says 'input:    monomials.0 (kind: gauge, name: first): the ensemble has none of this kind and name'
    must lines 1
    must ends 0 run more --trajectories 1
    cp plain.yaml run.yaml
    must ends 1 run more
    must says 'ensemble: monomials.0 (kind: gauge, name: first): the input has none of this kind and name'
    must lines 1
    must ends 1 run more --set monomials.0.beta=4.6
    must says 'ensemble: monomials.1.beta: "*4.5'
    must says 'input:    monomials.0.beta: "*4.6')"
mv plain.yaml run.yaml
rm -rf more

free() {
    before=$(record_of kept)
    must ends 0 run kept "$@"
    [ "$before" != "$(record_of kept)" ] || echo "kept is not continued"
}
none "what is written when and where, and how many trajectories, may change" "$(
    case=free
    must free --set hmc.trajectories=7
    must free --set hmc.trajectories=8 --set output.configuration_every=3 --set output.checkpoint_every=2
    must free --set hmc.trajectories=9 --set output.bits=32 --set output.lfn=lfn://kiln/test
    must free --trajectories 1 --threads 1
    run ten --set hmc.trajectories=10
    record_of ten >record.1
    record_of kept >record.2
    must cmp record.1 record.2
    mv kept moved
    must ends 0 run moved --set hmc.trajectories=11
    must [ ! -s said ]
    must ends 0 run moved --set hmc.trajectories=20 --trajectories 1
    "$KILN_PROGRAM" status moved >said
    must says 'trajectories  *12 of 20,')"
rm -rf moved kept

# A run that has nothing left to do.
cp -R whole kept
rm -f kept/run.log
before=$(inventory kept)
done_again() {
    "$KILN_PROGRAM" run run.yaml --device "${KILN_DEVICE:-auto}" --set output.directory=kept "$@" 2>said
}
holds "the same command again, when all is done: status 0" ends 0 done_again
holds "that is said" says "6/6 trajectories complete"
holds "fewer than there are: status 0 as well" ends 0 done_again --set hmc.trajectories=4
holds "which says that there are more than the input requests" says "6 trajectories complete, more than the 4 of hmc"
holds "no trajectory more, by --trajectories" ends 0 done_again --set hmc.trajectories=9 --trajectories 0
holds "which names the number of the input" says "6/6 trajectories complete (--trajectories; hmc.trajectories is 9)"
rm -f kept/run.log
holds "and nothing but the log has changed" [ "$before" = "$(inventory kept)" ]

# Bad inputs.
bad() {
    ends 2 run bad "$@" || return 1
    [ ! -e bad ] || { echo "something was created"; return 1; }
}
none "a bad input: status 2, the fault named, nothing created" "$(
    case=bad
    must bad --set hmc.trajectorys=4
    must says 'hmc: unknown key "trajectorys".*trajectories'
    must bad --set 'lattice=[4, 4, 4, 5]'
    must bad --set random.seed=-1
    must bad --set monomials.0.beta=high
    must bad --set hmc.levels.0.monomials=[glue]
    must says 'there is no monomial "glue"'
    must bad --set hmc.levels.0.steps=0
    must bad --set nothing
    must bad --set start.from=file
    must bad --set output.bits=48
    must bad --set output.name=.hidden
    must says 'output: name: ".hidden" begins with a dot'
    for name in total kinetic H plaquette; do
        must bad --set monomials.0.name=$name --set "hmc.levels.0.monomials=[$name]"
        must says "run.yaml:.*monomials: the name \"$name\" is reserved"
    done
    long=abcdefghijklmnopqrstuvwxyz012345
    must bad --set monomials.0.name=$long --set "hmc.levels.0.monomials=[$long]"
    must says "32 characters; at most 31 are allowed"
    must bad --set 'monomials.0.name="a\tb"' --set 'hmc.levels.0.monomials=["a\tb"]'
    must says "control character"
    must bad --trajectories -1
    must bad --threads many
    must bad --device quantum
    must bad --unknown)"
holds "a missing input: status 2" ends 2 "$KILN_PROGRAM" run missing.yaml

# A start file that is not acceptable is a fault of the input, for a run that begins.
head -c 1000 whole/c.000006.lime >torn.lime
echo text >text.lime
sed 's|from: hot|from: file, file: torn.lime|' run.yaml >torn.yaml
check() {
    "$KILN_PROGRAM" check "$@" >checked 2>said
}
none "a start file that is absent, torn, no configuration, of another lattice: status 2, nothing created" "$(
    for file in none torn text; do
        case=$file
        must bad --set start.from=file --set start.file=$file.lime
        must says "start: file: .*$file.lime: "
        must ends 2 check run.yaml --set start.from=file --set start.file=$file.lime
        must says "start: file: .*$file.lime: "
    done
    case=line
    must ends 2 check torn.yaml
    must says "^torn.yaml:3:28: start: file: "
    case=lattice
    must bad --set start.from=file --set start.file=whole/c.000006.lime --set 'lattice=[4, 4, 4, 4]'
    must says "its lattice is 4x4x4x6, but 4x4x4x4 is wanted"
    case=good
    must ends 0 check run.yaml --set start.from=file --set start.file=whole/c.000006.lime)"

# What metadata do not tell is found when the links are read.
cp whole/c.000006.lime flipped.lime
printf '\377\377' | dd of=flipped.lime bs=1 seek=100000 conv=notrunc 2>/dev/null
holds "a start file with a damaged link: status 1" ends 1 run start --set start.from=file --set start.file=flipped.lime
holds "it is named" says "flipped.lime"
holds "afterwards the folder is as good as new" ends 0 run start

# Steps much too long: nothing is ever accepted.
none "five rejections in a row: said once, with what may be done; rejected links are not reunitarized" "$(
    case=rejected
    must run rejected --set hmc.trajectory_length=20 --set hmc.thermalization=0 --set hmc.trajectories=7
    [ "$(grep -c '5 trajectories rejected in a row (dH about .*hmc.thermalization' said)" = 1 ] || cat said
    [ "$(grep -c '"accepted": false' rejected/run.jsonl)" = 7 ] || echo "some were accepted"
    ! grep '"reunitarized": true' rejected/run.jsonl
    case=few
    must run few --set hmc.trajectory_length=20 --set hmc.thermalization=0 --set hmc.trajectories=4
    ! grep 'in a row' said)"

facts_end
