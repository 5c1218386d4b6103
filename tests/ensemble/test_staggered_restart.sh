#!/bin/sh
# A stream with staggered quarks does not depend on where it stops, on threads, or on how it ended; a trajectory that
# cannot go on is kept, and can be repeated.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/staggered_input.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1                                # where the facts do not say otherwise
export OMP_NUM_THREADS

# 2+1 flavors; the spectrum is looked at often.
staggered_input lattice="4, 4, 4, 4" light=0.3 strange=0.5 residual=1e-9 quarks="measure_every: 2" length=0.5 \
    trajectories=6 thermalization=6 hmc="reunitarize_every: 2" every=2

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }

# Range of the rational functions at the end of each trajectory.
ranges() {
    sed -n 's/.*"range_end": \([0-9.]*\).*/\1/p' "$1/run.jsonl"
}
holds "every line of the record has the range of the rational functions" [ "$(ranges whole | wc -l)" = 6 ]
measured=$(sed -n 's/^{"trajectory": \([0-9]*\),.*"largest_eigenvalue".*/\1/p' whole/run.jsonl | tr '\n' ' ')
holds "where the spectrum was measured, the record has it: first, and before every second trajectory" [ \
    "$measured" = "1 2 4 6 " ]

none "stopped after any trajectory and continued with other threads, the stream is the uninterrupted one" "$(
    for n in 1 2 5; do
        case="after $n"
        must run stopped_$n --trajectories $n --threads 2
        must run stopped_$n --threads $((n % 3 + 1))
        must same_stream_at_any_cadence whole stopped_$n
    done)"

# stop_and_continue NAME OPTIONS...: the stream NAME, stopped after 1 and after 2 trajectories and continued.
stop_and_continue() {
    name=$1
    shift
    for n in 1 2; do
        case="$name, after $n"
        must run "${name}_$n" "$@" --trajectories "$n"
        must run "${name}_$n" "$@"
        must same_stream_at_any_cadence "$name" "${name}_$n"
    done
}

# S at the start from the random numbers of new pseudofermions, except in every third trajectory.
seldom="--set hmc.start_action_every=3"
run seldom $seldom --set output.configuration_every=1 || { cat said; exit 99; }
compared=$(sed -n 's/^{"trajectory": \([0-9]*\),.*"refresh_error".*/\1/p' seldom/run.jsonl | tr '\n' ' ')
holds "where S at the start was compared with |eta|^2, the record has the difference" [ "$compared" = "1 4 " ]
none "and in a stream that is stopped and continued, the same trajectories compare" "$(
    stop_and_continue seldom $seldom)"

# Naive quarks on unit links that become random ones: the spectrum leaves its range.
grows="--set monomials.1.action=naive --set monomials.0.beta=0.5 --set start.from=cold --set random.seed=13"
run growing $grows --set output.configuration_every=1 || { cat said; exit 99; }
holds "where the spectrum leaves its range, the range is renewed" [ "$(ranges growing | sort -u | wc -l)" -gt 1 ]
none "and stays so in a stream that is stopped and continued" "$(
    stop_and_continue growing $grows)"

# Other parameters on the way: what the terms have measured is not theirs.
none "a new segment measures the spectrum anew, whether it is begun by the process that goes on or by another one" "$(
    case=segment
    must run at_once --trajectories 2
    cp -R at_once in_steps
    must run at_once --new-segment --set hmc.levels.0.steps=3 --trajectories 2
    must grep -q '^{"trajectory": 3,.*"largest_eigenvalue"' at_once/run.jsonl
    must run in_steps --new-segment --set hmc.levels.0.steps=3 --trajectories 0
    must run in_steps --set hmc.levels.0.steps=3 --trajectories 1
    must run in_steps --set hmc.levels.0.steps=3 --trajectories 1
    must same_stream at_once in_steps)"

# Killed in its third trajectory or wherever it is by then.
start killed
while [ "$(cat killed/run.jsonl 2>/dev/null | wc -l)" -lt 2 ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
none "killed and continued, the stream is the uninterrupted one" "$(
    case=killed
    must run killed
    must same_stream_at_any_cadence whole killed)"

# A solve that does not converge.
holds "a solve that does not converge ends the run with status 1" ends 1 run short \
    --set monomials.1.max_iterations=3
holds "says which" says 'trajectory 1, refresh of quarks: pseudofermion 0: a solve did not converge'
holds "and leaves all of it in a folder" test -d short/failure.000001
replay() {
    "$KILN_PROGRAM" replay "$@" --device "${KILN_DEVICE:-auto}" >said 2>&1
}
holds "kiln replay repeats it: it fails again" ends 1 replay short/failure.000001
holds "for the same reason" says 'fails: .*a solve did not converge: after 3 of at most 3 iterations'
holds "with more iterations it succeeds" ends 0 replay short/failure.000001 --set monomials.1.max_iterations=2000
none "the run goes on once it may iterate longer, and is the uninterrupted one" "$(
    case=continued
    must run short --set monomials.1.max_iterations=2000
    must same_stream_at_any_cadence whole short)"

# A range of the rational functions that is too short.
holds "a largest_eigenvalue below the spectrum ends the run" ends 1 run range \
    --set monomials.1.largest_eigenvalue=2 --trajectories 1
holds "with a sentence" says \
    'prepare of quarks: the largest eigenvalue of C^+C is .*, above 2.0000, .* raise largest_eigenvalue'

facts_end
