#!/bin/sh
# The Python package reads what Kiln writes: records, configurations, probes; and sees a byte that changed.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

package=$(pwd)/python
questions=$(pwd)/tests/python/reader.py
. ./tests/python/interpreter.sh
if [ -n "$no_numpy" ]; then
    skip "the Python package reads what Kiln writes" "$no_numpy"
    facts_end
fi
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"

reader() { python3 "$questions" "$@"; }

{
    run run &&
        run run --set hmc.trajectories=10 --set hmc.levels.0.steps=4 --new-segment --reason finer &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.scidac --format scidac --precision 32 &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.milc --format milc --precision 32 &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.openqcd --format openqcd &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.nersc3 --format nersc &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.nersc32 --format nersc --rows 2 --precision 32 &&
        "$KILN_PROGRAM" probe links run/c.000010.lime links.npy &&
        "$KILN_PROGRAM" probe gauge-force --action wilson --beta 6 run/c.000010.lime force.npy &&
        run flowing --set hmc.trajectories=16 --set monomials.0.beta=3.6 --set 'measurements=[
            {kind: flow, t_max: 0.6, eps: 0.05, measure_every: 1},
            {kind: flow, name: short, every: 2, t_max: 0.15, eps: 0.05, measure_every: 1}]' &&
        "$KILN_PROGRAM" status flowing --json >status.json &&
        run skewed --set hmc.trajectories=12 --set monomials.0.beta=3.6 --set monomials.0.xi_0=1.5 --set 'measurements=[
            {kind: flow, t_max: 0.6, eps: 0.05, measure_every: 1, xi: 1.5},
            {kind: flow, name: short, every: 2, t_max: 0.15, eps: 0.05, measure_every: 1, xi: 1.5}]' &&
        "$KILN_PROGRAM" status skewed --json >skewed.json &&
        run opened --set 'lattice=[4,4,4,12]' --set boundary.time=open --set hmc.trajectories=3 --set 'measurements=[
            {kind: wilson_doublet, name: kaon, kappa: 0.12, mu_sigma: 0.5, mu_delta: 0.2, heavy: true,
             masses: [{kappa: 0.12, mu: 0.1}], source: [0, 0, 0, 3]}]' &&
        reader write_spaced spaced && "$KILN_PROGRAM" status spaced --json >spaced.json &&
        reader write_raised raised && "$KILN_PROGRAM" status raised --json >raised.json &&
        for what in plaquette rectangle; do
            "$KILN_PROGRAM" measure run --results measured.jsonl --what $what --quiet || exit 1
        done &&
        "$KILN_PROGRAM" measure run --results measured.jsonl --what plaquette --quiet --input run.yaml \
            --set 'measurements=[{kind: flow, t_max: 0.1, eps: 0.05}]' &&
        cp -r run spoiled && head -n 3 run/run.jsonl >>spoiled/run.jsonl &&
        tail -n 6 flowing/run.jsonl >>spoiled/run.jsonl &&
        run twin --set random.seed=12 &&
        "$KILN_PROGRAM" measure run twin --results streams.jsonl --what plaquette --quiet &&
        reader write_loops loops && "$KILN_PROGRAM" status loops --json >loops.json &&
        reader write_mesons mesons && "$KILN_PROGRAM" status mesons --json >mesons.json
} >said 2>&1 || { cat said; exit 99; }

holds "its own tests" python3 -m unittest discover -s "$package/tests"
holds "the record: numbers, thermalization, segments" reader record run
holds "streams of different actions are not joined, segments with other steps are" reader joined run flowing
holds "t0 and w0 are those of kiln status, with their errors" reader scales flowing status.json 4
holds "so they are on an anisotropic lattice, and w0 of planes in space and with t" reader scales skewed skewed.json 4
holds "numbers of kiln status are asked for, and those of the package are the same" reader status flowing status.json
holds "columns have unit, shape and definition" reader described flowing loops mesons
holds "a program that is missing or fails is reported" reader program flowing
holds "and after t_max was raised on the way" reader scales raised raised.json
holds "V(r), r0 and r1 are those of kiln status, with their errors" reader potential loops loops.json
holds "effective masses are those of kiln status, with their errors" reader effective_masses mesons mesons.json
holds "the results of kiln measure: lines of one configuration are one; torn and changed ones" \
    reader results measured.jsonl run
holds "results of several streams are no series, and joined they are as the records" \
    reader several_streams streams.jsonl run twin
holds "columns with many gaps: error and tau are those of kiln status" reader spaced spaced spaced.json
holds "fits read mesons of a doublet between open boundaries, from the source on" reader doublet_slices opened
holds "a torn last line is told, and nothing else is lost" reader torn run
holds "repeated lines and those of other parameters are left out, as kiln status does" reader left_out spoiled
holds "configurations have the plaquettes that the record says" reader plaquettes run
holds "so they have with open boundaries in time" reader open_plaquettes opened
holds "SciDAC in 32 bits: the same links, rounded" reader same_links run/c.000010.lime c.scidac 32
holds "MILC: the same links, rounded" reader same_links run/c.000010.lime c.milc 32
holds "openQCD: the same links" reader same_links run/c.000010.lime c.openqcd 64
holds "NERSC, three rows: the same links" reader same_links run/c.000010.lime c.nersc3 64
holds "NERSC, two rows in 32 bits: the third one follows" reader same_rows run/c.000010.lime c.nersc32
holds "links and forces of kiln probe" reader probe run/c.000010.lime links.npy force.npy
holds "a byte that changed is seen" reader flipped run/c.000010.lime
for file in c.milc c.nersc3; do
    holds "and one of $file" reader flipped_at_end $file
done
facts_end
