#!/bin/sh
# Parallel tempering on groups of ranks: the stream does not depend on the number of groups, on the ranks of a group, or
# on what they are, threads or processes; it continues with any other number; and a group that fails, or is killed,
# ends the run with nothing lost.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
. ./tests/ensemble/replica_stream.sh
. ./tests/ensemble/stream.sh
. "$clock_folder/tests/ensemble/rank_processes.sh"

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 31 }
start: { from: hot, heatbath: { sweeps: 10 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - { kind: wilson, name: pair, determinants: [ { flavors: 2, mass: 1 } ],
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
  - { kind: wilson, name: one, determinants: [ { flavors: 1, mass: 1 } ],
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
tempering: { replicas: 3, factors: [ { c: 1 }, { c: 0.8 }, { c: 0.6 } ], defect: { size: 1 } }
hmc:
  trajectory_length: 0.3
  levels: [ { integrator: omelyan, steps: 1, monomials: [gauge, pair, one] } ]
  trajectories: 6
  thermalization: 1
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

same_as_whole() {
    wrong=$(must_be_same whole "$1")
    [ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

run whole --threads 1 || { cat said; exit 99; }
holds "replicas change places in every pair" sh -c '
    [ "$(grep -o "\"swaps\": [^]]*" whole/run.jsonl | grep -c "accepted\": true.*dS")" -gt 0 ] &&
    [ "$(grep -o "\"swaps\": [^]]*" whole/run.jsonl | grep -c "dS.*dS.*accepted\": true")" -gt 0 ]'
for of in '2 2' '3 3' '4 2' '6 3'; do
    set -- $of
    holds "$1 ranks in $2 groups run" run threads_$1 --ranks "$1" --replica-groups "$2"
    holds "and make the stream of one rank" same_as_whole threads_$1
done
holds "a grid is that of each group" run grid --replica-groups 2 --grid 1,1,2,1
holds "and the stream is the same" same_as_whole grid
holds "the log says how replicas are divided" \
    grep -q '3 replicas in 2 groups of 2 ranks, at most 2 in each (group 0: ranks 0-1, group 1: ranks 2-3)' \
    threads_4/run.log

none "stopped after any trajectory, and continued on another number of groups, it is the uninterrupted one" "$(
    for n in 1 3; do
        case="after $n"
        must run stopped_$n --trajectories $n --ranks 3 --replica-groups 3
        must run stopped_$n --trajectories 1 --ranks 2
        must run stopped_$n --trajectories 1 --ranks 4 --replica-groups 2
        must run stopped_$n --ranks 2 --replica-groups 2
        must_be_same whole stopped_$n
        must nothing_set_aside stopped_$n
    done)"

# ---- a solve that fails: in which replica, does not depend on the groups

# failed FOLDER OPTIONS...: the run ends, and `said` has the reason; sentence.FOLDER has it without the folder.
failed() {
    failed_folder=$1
    ends 1 run "$@" --set monomials.1.max_iterations=7 || return 1
    grep -o 'trajectory 1, .*replica [0-9]*: [a-z]*' said >"sentence.$failed_folder" || { cat said; return 1; }
    [ -d "$failed_folder/failure.000001" ]
}
holds "a solve that does not converge ends the run of one group" failed fail_1
for n in 2 3; do
    holds "and that of $n groups, which save the replica" failed fail_$n --ranks $n --replica-groups $n
    holds "the same one" cmp sentence.fail_1 sentence.fail_$n
    holds "with the same links and momenta" sh -c "
        cmp fail_1/failure.000001/links.npy fail_$n/failure.000001/links.npy &&
        cmp fail_1/failure.000001/momenta.npy fail_$n/failure.000001/momenta.npy"
done
holds "kiln replay repeats it" ends 1 "$KILN_PROGRAM" replay fail_3/failure.000001
holds "and with more iterations without the failure" sh -c '
    "$KILN_PROGRAM" replay fail_3/failure.000001 --set monomials.1.max_iterations=2000 >replayed 2>&1'

# ---- memory and time of one group

plan() {
    "$KILN_PROGRAM" plan run.yaml --device cpu --json --probe 0 "$@" >plan.json 2>said || return 1
    replicas_bytes=$(sed 's/.*"replicas_of_the_links_bytes": \([0-9]*\).*/\1/' plan.json)
}
plan && all=$replicas_bytes
plan --ranks 3 --replica-groups 3 && each=$replicas_bytes
holds "the memory of replicas is that of one group: $each of $all bytes" [ "$((3 * each))" = "$all" ]
# number KEY: of plan.json
number() {
    sed "s/.*\"$1\": \([0-9]*\).*/\1/" plan.json
}
# gpus GIB OPTIONS...: a plan for GPUs of this memory, whether the run fits or not.
gpus() {
    memory=$1
    shift
    "$KILN_PROGRAM" plan run.yaml --json --device-memory "$memory" "$@" >plan.json 2>said
    grep -q '"memory": {"links_bytes"' plan.json
}
holds "on the CPU no links are copied on their way between groups" [ "$(grep -c links_between_groups plan.json)" = 0 ]
gpus 1 --ranks 3 --replica-groups 3
holds "on GPUs the host has copies of those that a swap sends and receives" \
    [ "$(number links_between_groups_bytes)" = $((2 * $(number links_bytes))) ]
gib=$(sed 's/.*"memory": {[^}]*"total_bytes": \([0-9]*\).*/\1/' plan.json | awk '{ printf "%.9f", ($1 + 16) / 2^30 }')
gpus "$gib" --ranks 3 --replica-groups 3
holds "GPUs with the memory of a group are enough, one for each group" grep -q '"fits_from": {"ranks": 3, ' plan.json
"$KILN_PROGRAM" plan run.yaml --device-memory "$gib" --ranks 3 --replica-groups 3 >plan.txt 2>said
holds "and the plan says so" grep -q 'fits from 3 GPUs on: grid 1x1x1x1 in each of 3 groups, ' plan.txt
gpus "$gib"
holds "without groups they are not: each GPU holds all replicas" \
    sh -c '! grep -q "\"fits_from\": {\"ranks\": 1, " plan.json'
holds "kiln plan says how replicas are divided" sh -c '"$KILN_PROGRAM" plan run.yaml --device cpu --probe 0 --ranks 6 \
    --replica-groups 3 2>said | grep -q \
    "3 replicas in 3 groups of 2 ranks, 1 in each (group 0: ranks 0-1, ..., group 2: ranks 4-5)"'

# ---- what is refused

refused() {
    name=$1 pattern=$2
    shift 2
    holds "$name: status 2" ends 2 run none "$@"
    holds "with the reason" says "$pattern"
}
refused "groups of different sizes" '--replica-groups 2 does not divide the number of ranks, 3' --ranks 3 \
    --replica-groups 2
refused "more groups than replicas" '--replica-groups 4: there are only 3 replicas' --ranks 4 --replica-groups 4
refused "a grid of all ranks" '--grid 1x1x1x2 has 2 blocks, but --ranks 2 in --replica-groups 2' --ranks 2 \
    --replica-groups 2 --grid 1,1,1,2
sed '/^tempering/d' run.yaml >plain.yaml
holds "groups without tempering: status 2" ends 2 sh -c \
    '"$KILN_PROGRAM" run plain.yaml --ranks 2 --replica-groups 2 --set output.directory=none 2>said'
holds "with the reason" says '--replica-groups 2 is for tempering, but plain.yaml has no "tempering"'
[ -z "$no_mpi" ] || { skip "groups of processes" "$no_mpi"; facts_end; }

# ---- groups of processes

limit="timeout -k 5 600"
for of in '3 3' '4 2'; do
    set -- $of
    holds "$1 processes in $2 groups run" with_mpi "$1" run mpi_$1 --replica-groups "$2"
    holds "and make the stream of one" same_as_whole mpi_$1
done
holds "a solve that fails in a group of processes ends them all" with_mpi 3 failed fail_mpi --replica-groups 3
holds "in the same replica" cmp sentence.fail_1 sentence.fail_mpi

# begin FOLDER RANK PROCESSES GROUPS: starts a long run in the background; $victim is the process of this rank.
begin() {
    with_mpi "$3" start "$1" --replica-groups "$4" --set hmc.trajectories=100000
    wait_for_lines "$1" 2
    victim=$(rank_of $process "$2")
}

# hurt SIGNAL FOLDER RANK PROCESSES GROUPS: that process gets the signal; the run ends within a minute, but not well.
hurt() {
    begin "$2" "$3" "$4" "$5"
    end_by "$1" || { cat said; return 1; }
}

# goes_on FOLDER RANKS GROUPS: two trajectories later, threads have made the stream of one rank.
goes_on() {
    until=$(($(wc -l <"$1/run.jsonl") + 2))
    run "$1" --ranks "$2" --replica-groups "$3" --set hmc.trajectories=$until || { cat said; return 1; }
    run "$1.alone" --set hmc.trajectories=$until || { cat said; return 1; }
    same_stream_at_any_cadence "$1.alone" "$1" && same_fields "$1.alone" "$1" && nothing_set_aside "$1"
}

holds "a killed process of another group ends the run" hurt KILL killed 2 3 3
holds "and another number of groups continues it to the same stream" goes_on killed 2 2
KILN_RANK_LIMIT=6
export KILN_RANK_LIMIT
holds "a stopped process of another group ends the run" hurt STOP stopped 3 4 2
holds "with a sentence that names its rank and group" says 'rank 3 (group 1) has given no sign of life for '
holds "and the same stream continues" goes_on stopped 3 3
unset KILN_RANK_LIMIT
holds "a signal to a process of another group stops the run" hurt TERM told 2 3 3
holds "with status 1" says '^status 1 after '
holds "and the log says which" says 'stopped by SIGTERM after trajectory '
holds "and the same stream continues" goes_on told 3 3

facts_end
