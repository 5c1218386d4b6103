#!/bin/sh
# What subcommands print and find does not depend on how many ranks share the lattice: kiln measure, replay, audit,
# tune, plan.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
. ./tests/ensemble/staggered_input.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

staggered_input more="measurements:
  - { kind: flow, t_max: 0.1 }
  - { kind: flow, name: zeuthen, action: zeuthen, t_max: 0.05, tolerance: 0.01 }
  - { kind: wilson_loops, ape_levels: 3 }
  - { kind: wilson_loops, name: smeared, ape_levels: 2, off_axis: true, time_links: hyp1 }
  - { kind: polyakov }
  - { kind: gauge_fixing, gauge: coulomb, quality: 1e-4 }
  - { kind: condensate, masses: [{ mass: 0.4 }] }"
run stream --grid 1,1,2,2 || { cat said; exit 99; }

# prints FILE SUBCOMMAND OPTIONS...: standard output in FILE; what else it says in the file `said`.
prints() {
    to=$1
    name=$2
    shift 2
    $clock "$KILN_PROGRAM" "$name" --device "${KILN_DEVICE:-auto}" --share-gpu "$@" >"$to" 2>said
}
# same_output STATUS OPTIONS... -- SUBCOMMAND OPERANDS...: with these options it prints what one rank prints.
same_output() {
    wanted=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    ends "$wanted" prints alone "$@" && ends "$wanted" prints together "$@" $options || return 1
    [ -s alone ] && cmp alone together
}

# ---- kiln measure

files="stream/c.000001.lime stream/c.000002.lime"
for options in "--ranks 2" "--ranks 4" "--grid 1,1,4,1" "--grid 1x2x2x1"; do
    holds "measure $options prints the bytes of one rank: all observables" same_output 0 \
        $options -- measure --json $files
done
holds "so it does as text" same_output 0 --ranks 2 -- measure $files
holds "with the measurements of an input" \
    same_output 0 --ranks 4 -- measure --json --input run.yaml stream/c.000002.lime
holds "as text, too" same_output 0 --ranks 2 -- measure --input run.yaml stream/c.000002.lime
for format in scidac nersc milc; do
    bits=64
    [ $format != milc ] || bits=32
    "$KILN_PROGRAM" convert --format $format --precision $bits stream/c.000002.lime links.$format >convert.said 2>&1
done
holds "with files of other formats" same_output 0 --grid 1,1,2,2 -- measure --json links.scidac links.nersc links.milc
holds "a file that is none is an error in the same place" same_output 1 --ranks 2 -- \
    measure --json stream/c.000001.lime run.yaml
holds "rank 0 alone prints the fault" [ "$(grep -c '^error: run.yaml' said)" = 1 ]
holds "a lattice that so many ranks cannot divide is an error of its file" ends 1 prints out measure --ranks 3 $files
holds "with the possible numbers" says 'c.000002.lime: 3 ranks: lattice 4x4x8x8 cannot.* numbers of ranks: .*4'
holds "a grid that contradicts the number of ranks has status 2" \
    ends 2 prints out measure --ranks 3 --grid 1,1,1,2 $files
holds "an input that so many ranks cannot divide has status 2" ends 2 prints out \
    measure --ranks 8 --grid 1,1,1,8 --input run.yaml $files

# ---- how data travels between GPUs

holds "--transport host prints the bytes of one rank" same_output 0 \
    --ranks 2 --transport host -- measure --json stream/c.000002.lime
holds "a transport that there is not has status 2" ends 2 prints out measure --ranks 2 --transport pear $files
holds "with the list" says '"pear" is not one of peer, nccl, host; did you mean "peer"?'
KILN_TRANSPORT=pear
export KILN_TRANSPORT
holds "so has one in the environment" ends 2 prints out measure --ranks 2 $files
holds "with its name" says 'KILN_TRANSPORT: "pear" is not one of peer, nccl, host'
unset KILN_TRANSPORT
on_cpus() {
    (KILN_DEVICE=cpu && "$@")
}
for way in peer nccl; do
    holds "--transport $way is refused where ranks compute on CPUs" \
        on_cpus ends 1 prints out measure --ranks 2 --transport $way $files
    holds "with the reason" says "--transport $way is for ranks on GPUs, but they compute on CPUs (--device cpu)"
done

# ---- kiln audit

holds "audit of a stream that a grid made: 2 ranks print the bytes of one rank" same_output 0 --ranks 2 -- audit stream
holds "so do 4, as JSON" same_output 0 --ranks 4 -- audit --json stream stream/
sed -i.kept '2s/"accepted"/"Accepted"/' stream/run.jsonl
holds "they find a changed line" same_output 1 --ranks 2 -- audit stream
mv stream/run.jsonl.kept stream/run.jsonl
cp -r stream damaged
printf '\377' | dd of=damaged/c.000002.lime bs=1 seek=20000 conv=notrunc 2>dd.said
holds "and a changed byte of a configuration" same_output 1 --grid 1,1,2,2 -- audit damaged
holds "ranks that cannot divide its lattice are no fault of a stream: status 2" ends 2 prints out audit --ranks 3 stream
holds "says which, once" [ "$(grep -c 'stream: 3 ranks: lattice 4x4x8x8 cannot' said)" = 1 ]
holds "and nothing about faults" [ ! -s out ]

# ---- kiln replay

holds "a solve that does not converge on 2 ranks leaves a folder" ends 1 run short --ranks 2 \
    --set monomials.1.max_iterations=3 --set sdc_check.rate=0
for options in "--ranks 2" "--grid 1,1,2,2"; do
    holds "replay $options fails as one rank does" same_output 1 $options -- replay short/failure.000001
    holds "and succeeds as one rank does" same_output 0 $options -- replay short/failure.000001 --json \
        --set monomials.1.max_iterations=5000
done
holds "a folder that is none has status 1" ends 1 prints out replay --ranks 2 stream
holds "with one sentence" [ "$(grep -c '^error: ' said)" = 1 ]

# ---- kiln tune, kiln plan

cat >gluons.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 31 }
start: { from: hot, heatbath: { sweeps: 30 } }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.5 }
hmc:
  trajectory_length: 1
  levels: [ { integrator: omelyan, steps: 4, monomials: [gauge] } ]
  trajectories: 10
output: { directory: unused }
END_OF_INPUT

# tuned NAME OPTIONS...: in NAME the new input without its comments and the date; in NAME.said what tune measured of dH.
tuned() {
    result=$1
    shift
    rm -f new.yaml
    ends 0 prints report tune --keep-integrator --learn 4 --prove 12 --target 0.5 \
        --output new.yaml --quiet gluons.yaml "$@" || return 1
    grep -v '^#\|tuning:' new.yaml >"$result"
    grep '^learned from\|^  dH relative\|^  the same start\|<dH^2>.*predicted\|<exp(-dH)>' report >"$result.said"
    sed -n 's/^\(independent configuration, .*\): before .*/\1/p' report >"$result.tau"
    [ -s "$result" ] && [ -s "$result.said" ]
}
holds "one rank tunes an input" tuned one
for options in "--ranks 2" "--grid 1,1,2,2"; do
    holds "tune $options writes one new input" tuned several $options
    holds "with the values that one rank chooses" cmp one several
    holds "and the dH that one rank measures" cmp one.said several.said
done
# Start links and tau from the record of the ensemble, which stays as it is.
holds "an ensemble of gluons gets a record" ends 0 prints out run gluons.yaml --quiet --set output.directory=recorded \
    --set hmc.trajectories=20
before=$(inventory recorded)
holds "one rank tunes it for another folder" tuned one --set output.directory=recorded --directory next
holds "with tau of its record, once" [ "$(grep -c 'in the record (tau ' one.tau)" = 1 ]
holds "and on links of its state" grep -q 'links: .*recorded' report
for options in "--ranks 2" "--grid 1,1,2,2"; do
    holds "tune $options of a folder with a record writes one new input" tuned several $options \
        --set output.directory=recorded --directory next
    holds "with the values that one rank chooses from it" cmp one several
    holds "the dH that one rank measures from its links" cmp one.said several.said
    holds "and the same tau" cmp one.tau several.tau
done
holds "the ensemble is unchanged" [ "$before" = "$(inventory recorded)" ]
# timed OPTIONS...: a plan, once, with the times of the parts of a trajectory
timed() {
    ends 0 prints plan.json plan --json --probe 0.1 gluons.yaml "$@" &&
        [ "$(grep -c '"parts_timed_once"' plan.json)" = 1 ]
}
holds "plan times a trajectory on 2 ranks" timed --ranks 2
holds "without a probe it starts none, and has no times" eval \
    'ends 0 prints plan.json plan --json --ranks 2 gluons.yaml && ! grep parts_timed_once plan.json'

# ---- processes

if [ -z "$no_mpi" ]; then
    # with_mpi COMMAND...: with two processes
    with_mpi() {
        clock="$mpirun -n 2"
        "$@"
        mpi_status=$?
        clock=
        return $mpi_status
    }
    # same_with_mpi STATUS SUBCOMMAND OPERANDS...
    same_with_mpi() {
        wanted=$1
        shift
        ends "$wanted" prints alone "$@" && ends "$wanted" with_mpi prints together "$@" || return 1
        [ -s alone ] && cmp alone together
    }
    holds "two processes print the bytes of one: measure" same_with_mpi 0 measure --json --input run.yaml $files
    holds "audit" same_with_mpi 0 audit stream
    holds "replay" same_with_mpi 1 replay short/failure.000001
    if [ "${KILN_DEVICE:-auto}" != cpu ] && "$KILN_PROGRAM" version | grep -q '^  GPU 0 '; then
        holds "so do two that store into each other's GPU memory" \
            same_with_mpi 0 measure --json --input run.yaml --transport peer stream/c.000002.lime
        holds "which the log says" says 'transport: ghosts and sums travel between GPUs by stores into peer memory'
        holds "and two that exchange ghosts by way of the host" \
            same_with_mpi 0 measure --json --input run.yaml --transport host stream/c.000002.lime
        holds "which the log says, too" says 'transport: ghosts and sums travel between GPUs by way of the host'
    else
        skip "so do two that store into each other's GPU memory" \
            "no usable GPU: $("$KILN_PROGRAM" version | sed -n 's/^  GPU.*: //p' | head -n 1)"
    fi
    holds "plan times a trajectory on the processes that were started" with_mpi timed
    holds "a number of ranks that mpirun did not start has status 2" ends 2 with_mpi prints out measure --ranks 4 $files
else
    skip "two processes print the bytes of one" "$no_mpi"
fi

facts_end
