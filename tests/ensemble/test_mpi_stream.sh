#!/bin/sh
# A stream that processes make together under mpirun: the same as that of one process, also after one of them was
# killed or stopped.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
[ -z "$no_mpi" ] || { skip "a stream of several processes" "$no_mpi"; facts_end; }
. ./tests/ensemble/stream.sh
. "$clock_folder/tests/ensemble/rank_processes.sh"

sed -i.orig 's/^lattice: .*/lattice: [4, 4, 4, 8]/' run.yaml

# hurt SIGNAL FOLDER: the last of two processes gets a signal while they work; $status and `said` are those of mpirun.
hurt() {
    limit="timeout -k 5 600"
    with_mpi 2 start "$2" --set hmc.trajectories=100000
    limit=
    wait_for_lines "$2" 3
    victim=$(ranks_of $process | tail -n 1)
    end_by "$1" || { cat said; return 1; }
}

# goes_on FOLDER N: two trajectories later N processes have made the stream of one process.
goes_on() {
    until=$(($(wc -l <"$1/run.jsonl") + 2))
    with_mpi $2 run "$1" --set hmc.trajectories=$until || { cat said; return 1; }
    run "$1.alone" --set hmc.trajectories=$until || { cat said; return 1; }
    same_stream_at_any_cadence "$1.alone" "$1" && nothing_set_aside "$1"
}

run alone || { cat said; exit 99; }
for n in 2 4; do
    holds "$n processes make the stream of one" with_mpi $n run together_$n
    holds "with the same bytes" same_stream alone together_$n
done

# ---- all kinds of quarks in one action

mv run.yaml gluons.yaml
cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 41 }
start: { from: hot, heatbath: { sweeps: 20 } }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 7 }
  - { kind: staggered, name: hisq, determinants: [ { quarks: [ { mass: 1, flavors: 2 } ] } ],
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }, errors: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
  - { kind: domain_wall, name: walls, Ls: 4, determinants: [ { flavors: 2, mass: 0.7 } ], solver: double-half,
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
  - { kind: wilson, name: clover, c_sw: 1, determinants: [ { flavors: 2, mass: 1 } ], method: bicgstab,
      residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 } }
hmc:
  trajectory_length: 0.1
  levels: [ { integrator: omelyan, steps: 1, monomials: [hisq, walls, clover, gauge] } ]
  trajectories: 1
  thermalization: 1
measurements:
  - { kind: flow, t_max: 0.1 }
  - { kind: condensate, masses: [ { mass: 1 } ] }
output: { directory: unnamed, name: c, configuration_every: 1, checkpoint_every: 1 }
END_OF_INPUT
run quarks || { cat said; exit 99; }
holds "2 processes make the stream of one with staggered, domain-wall and clover quarks" with_mpi 2 run quarks_2
holds "with the same bytes" same_stream quarks quarks_2
mv gluons.yaml run.yaml

# ---- processes that do not reach the end

holds "a process that is killed ends the run with a status" hurt KILL killed
holds "the same command continues it to the same stream, also with four" goes_on killed 4

KILN_RANK_LIMIT=2
export KILN_RANK_LIMIT
holds "a process that is stopped ends the run with a status" hurt STOP stopped
holds "and a sentence that names it" grep 'rank [01] has given no sign of life for ' said
holds "which is the last line of the log if rank 0 says it" eval \
    'grep "rank 0 has given" said || tail -n 1 stopped/run.log | grep "Z error: rank 1 has given no sign of life for "'
holds "and the same command continues it to the same stream" goes_on stopped 2
unset KILN_RANK_LIMIT

with_mpi 2 start asked --set hmc.trajectories=100000
while [ ! -s asked/run.jsonl ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
kill -USR1 $process
wait $process
holds "SIGUSR1 to mpirun stops all processes with a checkpoint, and rank 0 alone prints it" \
    [ $?/"$(grep -c 'stopped by SIGUSR1' said)" = 1/1 ]
holds "and the same command continues to the same stream" goes_on asked 2

with_mpi 2 start told --set hmc.trajectories=100000
while [ ! -s told/run.jsonl ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
kill -TERM "$(rank_of $process 1)"
wait $process
holds "SIGTERM to rank 1 alone stops all processes with a checkpoint, and rank 0 prints it" \
    [ $?/"$(grep -c 'stopped by SIGTERM' said)" = 1/1 ]
holds "which another number of processes continues to the same stream" goes_on told 4

# The ensemble of an input is in the current folder.
mkdir elsewhere
cp run.yaml elsewhere
apart() {
    words="run run.yaml --quiet --device ${KILN_DEVICE:-auto} --share-gpu --set output.directory=apart"
    $mpirun -n 1 "$KILN_PROGRAM" $words : -n 1 -wdir "$scratch/elsewhere" "$KILN_PROGRAM" $words 2>said
}
holds "processes whose inputs mean different folders are refused" ends 1 apart
holds "with one sentence" [ "$(grep -c 'error: the input of rank 1 differs from that of rank 0' said)" = 1 ]
holds "before anything is made" [ ! -e apart -a ! -e elsewhere/apart ]

mkdir small
if mount -t tmpfs -o size=1000k none small 2>/dev/null; then
    trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
    holds "a disk that is full ends all processes with status 1" \
        ends 1 with_mpi 2 run small/full --set output.configuration_every=1
    holds "with one sentence, of rank 0" [ "$(heard | grep -c '^error: small/full.*: No space left on device')" = 1 ]
    none "what is there is valid" "$(
        case=small
        must nothing_half_written small/full
        must "$KILN_PROGRAM" verify small/full/*.lime)"
    mount -o remount,size=20m small
    holds "with more room the same command continues to the same stream" goes_on small/full 2
else
    skip "a disk that is full" "no file system can be mounted here"
fi

facts_end
