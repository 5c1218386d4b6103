#!/bin/sh
# Job scripts for PBS, LSF and Flux, with schedulers that are made of a few lines of shell: what they are asked for, and
# chains of jobs.  test_submit.sh has SLURM, and what is common to all.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# The stand-ins put a copy of the script into a list, as with test_submit.sh; a job runs when the one before has ended.
# Of `flux run` the ranks become threads of one process; `flux job kill` signals it.
mkdir bin
cat >bin/enqueue <<'END'
#!/bin/sh
n=$(($(ls "$SPOOL" | grep -c '^script') + 1))
cat >"$SPOOL/script.$n"
END
cat >bin/qsub <<'END'
#!/bin/sh
[ $# = 1 ] && enqueue <"$1"
END
cat >bin/bsub <<'END'
#!/bin/sh
[ $# = 0 ] && enqueue
END
cat >bin/flux <<'END'
#!/bin/sh
# Within a job, `flux batch` alone would submit to the job's own instance.
if [ -n "$IN_JOB" ] && [ "$1" = --parent ]; then
    shift
elif [ -n "$IN_JOB" ] && [ "$1" = batch ]; then
    exit 1
fi
case $1 in
batch) enqueue <"$2" ;;
run)
    shift
    while [ "${1#-}" != "$1" ]; do
        echo "$1" >>"$SPOOL/launcher"
        shift
    done
    echo $$ >"$SPOOL/rank"
    exec "$@" ;;
job)
    echo "$*" >>"$SPOOL/signals"
    [ "$2" != last ] || echo f1
    [ "$2" != kill ] || [ "$4" != f1 ] || kill -s USR1 "$(cat "$SPOOL/rank")" ;;
*) exit 1 ;;
esac
END
cat >bin/mpirun <<'END'
#!/bin/sh
echo "$1 $2 $3 $4" >>"$SPOOL/launcher"
shift 4
exec "$@"
END
chmod +x bin/*
PATH=$PWD/bin:$PATH
SPOOL=$PWD/spool
export PATH SPOOL

wide="--set lattice=[8,8,8,16]"
# requests WANTED OPTION...: the requests of a script, joined by " | ", are these.
requests() {
    wanted=$1
    shift
    found=$("$KILN_PROGRAM" submit run.yaml --output job.sh "$@" 2>said && sh -n job.sh &&
        sed -n 's/^#\(PBS\|BSUB\|flux:\) //p' job.sh | tr '\n' '|' | sed 's/|$//; s/|/ | /g')
    holds "$2 $3 $4: $found" [ "$found" = "$wanted" ]
}
common="--name chain --time 90m --partition gpu --account lat"
requests "-N chain | -l walltime=01:30:00 | -l select=1:ncpus=8:mpiprocs=1:ngpus=1:mem=64G | -q gpu | -A lat | -j oe | \
-l filesystems=home" --scheduler pbs --gpus 1 --cpus 8 --memory 64G --request "-l filesystems=home" $common
requests "-N chain | -l walltime=30:00:01 | -l select=2:ncpus=48:mpiprocs=6:ngpus=6 | -l place=scatter | -j oe" \
    --scheduler pbs --grid 1,1,2,6 --gpus 12 --cpus 8 --set "lattice=[8,8,8,12]" --time 108001s --name chain
requests "-N chain | -l walltime=12:00:00 | -l select=4:ncpus=2:mpiprocs=1:mem=4G | -j oe" \
    --scheduler pbs --ranks 4 $wide --gpus 0 --cpus 2 --memory 4G --name chain
requests "-J chain | -W 1:30 | -n 1 | -R \"span[ptile=1]\" | -R \"affinity[core(8)]\" | \
-gpu \"num=1:j_exclusive=yes\" | -R \"rusage[mem=64G]\" | -q gpu | -P lat | -o chain.%J.out | -wa USR1 | -wt 2" \
    --scheduler lsf --gpus 1 --cpus 8 --memory 64G $common
requests "-J chain | -W 12:01 | -n 16 | -R \"span[ptile=8]\" | -gpu \"num=8:j_exclusive=yes\" | -o chain.%J.out | \
-wa USR1 | -wt 3" --scheduler lsf --ranks 16 --gpus 16 $wide --time 43201s --name chain --signal-seconds 121
requests "--job-name='chain' | --time-limit=5400s | --nodes=1 | --nslots=1 | --cores-per-slot=8 | --gpus-per-slot=2 | \
--queue='gpu' | --bank='lat' | --output='chain.{{id}}.out' | --signal=USR1@30s" \
    --scheduler flux --cpus 8 --gpus 2 --signal-seconds 30 $common
cp said said.two
requests "--job-name='my chain' | --time-limit=43200s | --nodes=2 | --nslots=16 | --gpus-per-slot=1 | \
--output='my chain.{{id}}.out' | --signal=USR1@120s" --scheduler flux --ranks 16 --gpus 16 $wide --name "my chain"

holds "a rank uses one GPU, and a second one makes a warning" grep -q 'its one rank uses one' said.two
device=cpu
"$KILN_PROGRAM" version --json | grep -q '"nvcc": null' || device=cuda
"$KILN_PROGRAM" submit run.yaml --scheduler flux --output plain.sh 2>said
holds "without --gpus, the job runs where this program can: --device $device" grep -q -e "--device $device" plain.sh
holds "Flux has no request for memory" ends 2 "$KILN_PROGRAM" submit run.yaml --scheduler flux --memory 64G
for scheduler in pbs lsf; do
    holds "$scheduler: a script on standard output could not be submitted again" \
        ends 2 "$KILN_PROGRAM" submit run.yaml --scheduler $scheduler
done
holds "another scheduler is refused" ends 2 "$KILN_PROGRAM" submit run.yaml --scheduler slrum
# The stand-ins hide what this machine may have.
chosen() {
    PATH=$1 "$KILN_PROGRAM" submit run.yaml --output chosen.sh 2>said && sed -n '3s/^#\([A-Za-z]*\).*/\1/p' chosen.sh
}
mkdir none some
cp bin/qsub bin/flux some/
holds "without a scheduler the script is for SLURM" [ "$(chosen "$PWD/none")" = SBATCH ]
holds "else for the one whose command is there" [ "$(chosen "$PWD/none:$PWD/some")" = PBS ]
holds "and the command that submits it is printed" grep -q 'submit the first job with: qsub chosen.sh' said

# Chains, on a clock that the test provides: a minute passes between two readings.
slow="--set hmc.trajectories=1 --set hmc.levels.0.steps=40 --gpus 0 --cpus 1"
if make_stepped_clock && run whole --set hmc.trajectories=1 --set hmc.levels.0.steps=40 --threads 1; then
    before=$(readings_of run begun --set hmc.trajectories=1 --set hmc.levels.0.steps=40 --threads 1 --trajectories 0)
    trajectory=$(($(readings_of run all --set hmc.trajectories=1 --set hmc.levels.0.steps=40 --threads 1) - before))
    clocked="export $(stepped_clock STEPPED_SECONDS=60 | sed 's/^env //')"
else
    trajectory=
fi
# chain SCHEDULER COMMAND OPTION...: the first job submitted by COMMAND, and all that follow; how many there were.
chain() {
    scheduler=$1
    command=$2
    shift 2
    rm -rf "$SPOOL"
    mkdir "$SPOOL"
    "$KILN_PROGRAM" submit run.yaml --scheduler $scheduler $slow --set output.directory=$scheduler \
        --output "$scheduler.sh" --setup "$clocked" --time $((60 * (before + trajectory / 3)))s "$@" 2>said || return
    IN_JOB= sh -c "$command" || return
    jobs=1
    # Elsewhere, as a scheduler's own copy is.
    while [ -e "$SPOOL/script.$jobs" ] && [ $jobs -lt 40 ]; do
        (cd / && IN_JOB=yes sh "$SPOOL/script.$jobs" >"$SPOOL/out.$jobs" 2>&1)
        jobs=$((jobs + 1))
    done
    jobs=$((jobs - 1))
}
verify_chain() {
    holds "$scheduler: a trajectory longer than a job takes several jobs: $jobs" [ "$jobs" -gt 2 ]
    none "$scheduler: each but the last was stopped by its time" "$(
        for n in $(seq 1 $((jobs - 1))); do
            grep -q '"end": "stopped", "by": "walltime".*"advanced": true' "$SPOOL/out.$n" || cat "$SPOOL/out.$n"
        done)"
    holds "$scheduler: the last one says that all is there" grep -q 'The ensemble is complete' "$SPOOL/out.$jobs"
    holds "$scheduler: together they made the undisturbed stream" same_stream whole $scheduler
}
if [ -n "$trajectory" ]; then
    chain pbs "qsub pbs.sh"
    verify_chain
    chain lsf "bsub <lsf.sh"
    verify_chain
    chain flux "flux batch flux.sh"
    verify_chain
else
    skip "chains of jobs" "no library can be loaded before the program here: $(head -n 1 made)"
fi

# Ranks, and what starts them.
clocked=true
before=60
trajectory=0
slow="--set hmc.trajectories=1 --set hmc.levels.0.steps=2 --gpus 0 --cpus 1"
run two --set hmc.trajectories=1 --set hmc.levels.0.steps=2 --threads 1
launched() {        # SCHEDULER WANTED: what its launcher was told, and the ensemble that the ranks made
    holds "$1 starts the ranks: $(tr '\n' ' ' <"$SPOOL/launcher")" [ "$(tr '\n' ' ' <"$SPOOL/launcher")" = "$2 " ]
    holds "$1: they make the ensemble of one rank" same_stream two $1
}
rm -rf pbs lsf flux
chain pbs "qsub pbs.sh" --grid 1,1,2,1
launched pbs "--bind-to none -n 2"
chain flux "flux batch flux.sh" --grid 1,1,2,1
launched flux "--ntasks=2 --cores-per-task=1"
chain lsf "bsub <lsf.sh" --grid 1,1,2,1 --launcher "mpirun -a -b -c -d"
launched lsf "-a -b -c -d"

# Flux: a signal to `flux run` would not reach the ranks.
rm -rf "$SPOOL" flux
mkdir "$SPOOL"
if make_stepped_clock; then
    readings=$(readings_of run signaled --set hmc.trajectories=1 --set hmc.levels.0.steps=2 --threads 1)
    "$KILN_PROGRAM" submit run.yaml --scheduler flux $slow --set output.directory=flux --grid 1,1,2,1 --output flux.sh \
        --setup "export $(stepped_clock STEPPED_SECONDS=0.001 STEPPED_SIGNAL=STOP STEPPED_AT=$((readings / 2)) |
            sed 's/^env //')" 2>said
    IN_JOB=yes sh flux.sh >out 2>&1 &
    job=$!
    for attempt in $(seq 3000); do
        [ -s "$SPOOL/rank" ] && break
        sleep 0.1
    done
    process=$(cat "$SPOOL/rank")
    has_stopped $process && kill -s TERM $job
    for attempt in $(seq 3000); do
        grep -q '^job kill' "$SPOOL/signals" 2>/dev/null && break
        sleep 0.1
    done
    kill -CONT $process
    wait $job
    holds "a cancelled job of Flux signals its ranks by flux job kill: $(tail -n 1 "$SPOOL/signals")" \
        [ "$(tail -n 1 "$SPOOL/signals")" = "job kill --signal=SIGUSR1 f1" ]
    holds "they stop with a checkpoint" grep -q '"by": "SIGUSR1".*"advanced": true' out
    holds "and no job follows" sh -c "grep -q 'cancelled; no job follows' out && [ ! -e '$SPOOL/script.1' ]"
else
    skip "a cancelled job of Flux" "no library can be loaded before the program here: $(head -n 1 made)"
fi
facts_end
