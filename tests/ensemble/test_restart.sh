#!/bin/sh
# A stream does not depend on where it stops, on threads, or on what is written when.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh


run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }

none "stopped after any trajectory and continued, the stream is the uninterrupted one" "$(
    for n in 0 1 2 3 4 5 6; do
        case="after $n"
        must run stopped_$n --trajectories $n
        must run stopped_$n
        must same_stream_at_any_cadence whole stopped_$n
    done)"

none "one trajectory at a time with 1, 2, 3, 7 threads and any cadence of files: the same stream" "$(
    set -- 1 2 3 7 2 1
    for n in 1 2 3 4 5 6; do
        case="trajectory $n"
        must run single --trajectories 1 --threads "$1" --set output.checkpoint_every=$n \
            --set output.configuration_every=$((n % 3 + 1))
        shift
    done
    case=all
    must same_stream_at_any_cadence whole single)"

none "without a stop, the number of threads and the cadence of files do not matter" "$(
    for threads in 2 3 7; do
        case="$threads threads"
        must run threads_$threads --threads $threads --set output.configuration_every=$((threads / 3 + 1)) \
            --set output.checkpoint_every=2
        must same_stream_at_any_cadence whole threads_$threads
    done)"

sed -e 's/^  - { kind: gauge.*/  - { kind: gauge, name: fine, action: wilson, beta: 4.0 }\
  - { kind: gauge, name: coarse, action: rectangle, c1: -0.3, beta: 1.5 }/' \
    -e 's/^    - { integrator.*/    - { integrator: omelyan, steps: 2, monomials: [coarse] }\
    - { integrator: force_gradient, steps: 1, monomials: [fine] }/' run.yaml >nested.yaml
mv run.yaml plain.yaml
mv nested.yaml run.yaml
none "nested levels and force gradients: stopped and continued with other threads, the same stream" "$(
    case=nested
    must run nested --threads 1 --set output.configuration_every=1
    for n in 1 3 5; do
        case="nested, after $n"
        must run nested_$n --trajectories $n --threads 3
        must run nested_$n --threads 2
        must same_stream_at_any_cadence nested nested_$n
    done)"
mv plain.yaml run.yaml

# From a cold start, so that only the random numbers of the trajectories differ.
cold="--set start.from=cold --set hmc.trajectories=2"
run stream_0 $cold
run stream_1 $cold --set random.stream=1
run seed_12 $cold --set random.seed=12
run seed_upper $cold --set random.seed=4294967307
holds "another stream has other trajectories" different_links stream_0 stream_1
holds "another seed has other trajectories" different_links stream_0 seed_12
holds "so has a seed that differs in its upper 32 bits only" different_links stream_0 seed_upper

# A start from a file that is named relative to the input, continued from elsewhere when the file is gone.
mkdir inputs
cp whole/c.000006.lime inputs/start.lime
sed 's/^start: .*/start: { from: file, file: start.lime }/' run.yaml >inputs/run.yaml
from_file() {
    (cd "$1" && "$KILN_PROGRAM" run "$2" --quiet --device "${KILN_DEVICE:-auto}" \
        --set output.directory="$scratch/$3" --trajectories "$4") 2>said
}
none "a start from a file that moves away: the same stream" "$(
    case=uninterrupted
    must from_file inputs run.yaml file 4
    case=continued
    must from_file . inputs/run.yaml moved 2
    mv inputs/start.lime elsewhere.lime
    must from_file . inputs/run.yaml moved 2
    must same_stream file moved)"

# Configurations of 32 bits are kept, and passed by once more after a stop between them and their checkpoint.
none "configurations of 32 bits: continued from checkpoints of 64, none is written twice" "$(
    case=32
    must run single_bits --set output.bits=32 --trajectories 2
    rm single_bits/c.checkpoint.000002.lime
    before=$(stat -c '%i %y' single_bits/c.000002.lime)
    must run single_bits --set output.bits=32
    [ "$before" = "$(stat -c '%i %y' single_bits/c.000002.lime)" ] || echo "c.000002.lime was written again"
    record_of single_bits >record.1
    record_of whole >record.2
    must cmp record.1 record.2
    cp single_bits/c.000002.lime kept
    must run other_bits --set output.bits=32
    must cmp other_bits/c.000002.lime kept)"

facts_end
