#!/bin/sh
# Features that meet: inputs drawn at random (tests/fuzz/draw_input.py), each with its own term of the action, algorithm
# and measurements.  Whatever meets, an input that kiln check accepts makes a stream that does not depend on ranks,
# threads or interruptions, that all commands accept, and whose measurements kiln measure repeats.  make check tries
# a few seeds, KILN_STRESS=long many; KILN_CROSSINGS="4 17" names others.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
draw=$(pwd)/tests/fuzz/draw_input.py
. ./tests/ensemble/stream.sh

if ! python3 -c 'import json' 2>/dev/null; then
    skip "inputs drawn at random" "there is no python3"
    facts_end
fi
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# accepted: whether kiln check accepts the input.  A failure that is not a refusal is reported.
accepted() {
    "$KILN_PROGRAM" check run.yaml >checked 2>&1
    status=$?
    [ $status = 0 ] || [ $status = 2 ] || echo "$case: kiln check ends with status $status"
    return $status
}

# The same stream on two ranks, where they can divide the lattice.
divided() {
    run ranks --ranks 2
    status=$?
    if [ $status = 0 ]; then
        must same_stream whole ranks
    elif [ $status != 2 ] || ! grep -q 'possible numbers of ranks\|choose a grid' said; then
        echo "$case: on two ranks: status $status: $(head -n 3 said)"
    fi
}

# A run that ends before it can be killed within its second trajectory is no fault.
interrupted() {
    must run stopped --trajectories 1
    must run stopped --threads 2
    must same_stream_at_any_cadence whole stopped
    if killed_within 2 killed 2>/dev/null; then
        must run killed
        must same_stream_at_any_cadence whole killed
    fi
}

commands() {
    for command in audit verify status report; do
        must "$KILN_PROGRAM" $command whole
    done
    "$KILN_PROGRAM" version | grep -q '^  HDF5 *none' || must "$KILN_PROGRAM" export whole --output whole.h5
}

# The results of kiln measure on the last configuration are those of its line, with every digit.
repeated() {
    "$KILN_PROGRAM" measure --json --what plaquette --input run.yaml whole/c.000003.lime 2>said |
        sed -n 's/.*"measurements": \(.*\)}$/\1/p' >results
    [ -s results ] && tail -n 1 whole/run.jsonl | grep -F -q -f results || { cat said results; return 1; }
}

# crossing SEED: a line for each thing that does not hold.
crossing() {
    case="seed $1"
    rm -rf whole ranks stopped killed whole.h5
    python3 "$draw" "$1" >run.yaml
    accepted || return
    echo "$1" >>tried
    must run whole
    [ -f whole/run.jsonl ] || return
    divided
    interrupted
    commands
    ! grep -q '"measurements"' run.yaml || must repeated
}

: >tried
seeds=${KILN_CROSSINGS:-$(how_many "3 6 7 17 22 23 36 41 43" "$(seq 60 | tr '\n' ' ')")}
for seed in $seeds; do
    none "seed $seed: one stream, whatever interrupts and divides it, and all commands accept it" "$(crossing "$seed")"
done
holds "kiln check accepts most of these inputs" [ $((2 * $(wc -l <tried))) -gt "$(echo $seeds | wc -w)" ]
facts_end
