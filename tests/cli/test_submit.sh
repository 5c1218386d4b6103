#!/bin/sh
# A script for SLURM that goes on, job after job, with a batch system that is made of a few lines of shell.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

submit() {
    "$KILN_PROGRAM" submit run.yaml --gpus 0 --cpus 1 --output job.sh "$@" 2>said
}

# sbatch: the job is a copy of the script, as with SLURM, and in the list; it runs when the one before has ended.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
n=$(($(ls "$SPOOL" | grep -c '^script') + 1))
cp "$1" "$SPOOL/script.$n"
echo "Submitted batch job $n"
END
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH
SPOOL=$PWD/spool
export PATH SPOOL

# jobs SECONDS: submit the script and run all jobs that follow, of so many seconds; how many there were.
jobs() {
    rm -rf "$SPOOL"
    mkdir "$SPOOL"
    sbatch job.sh >submitted
    n=1
    while [ -e "$SPOOL/script.$n" ] && [ $n -lt 40 ]; do
        SLURM_JOB_END_TIME=$(($(date +%s) + $1)) sh "$SPOOL/script.$n" >out.$n 2>err.$n
        echo $? >status.$n
        n=$((n + 1))
    done
    jobs=$((n - 1))
}

# One trajectory, and its script, whose runs are on a clock that the test provides where that is possible: a minute
# passes between two readings.  How fast this machine is does not matter then.
slow="--set hmc.trajectories=1 --set hmc.levels.0.steps=40"
run whole $slow --threads 1 || { cat said; exit 99; }
trajectory=
clocked=
if make_stepped_clock; then
    before=$(readings_of run begun $slow --threads 1 --trajectories 0)
    trajectory=$(($(readings_of run all $slow --threads 1) - before))
    clocked="export $(stepped_clock STEPPED_SECONDS=60 | sed 's/^env //')"
fi
no_clock="no library can be loaded before the program here: $(head -n 1 made)"

submit $slow --set output.directory=ensemble --time 11:55:00 --partition gpu --account "lat tice" --memory 64G \
    --name chain --request --qos=long --setup 'echo set up' --setup "$clocked" --signal-seconds 30
holds "a script is written" [ $? = 0 ]
holds "the shell has nothing against it" sh -n job.sh
none "it asks for what was asked for" "$(
    for line in job-name=chain time=0-11:55:00 nodes=1 ntasks=1 cpus-per-task=1 mem=64G partition=gpu \
        "account=lat tice" qos=long signal=B:USR1@30; do
        grep -qx -e "#SBATCH --$line" job.sh || echo "$line"
    done)"
holds "without GPUs, it asks for none" sh -c '! grep -q -e --gpus job.sh'
if [ -n "$trajectory" ]; then
    jobs $((60 * (before + trajectory / 3)))
    holds "a trajectory longer than a job takes several jobs" [ "$jobs" -gt 2 ]
    none "each but the last was stopped by its time, within the trajectory, and submitted the next one" "$(
        for n in $(seq 1 $((jobs - 1))); do
            [ "$(cat status.$n)" = 0 ] || echo "job $n: status $(cat status.$n)"
            grep -q '"end": "stopped", "by": "walltime".*"trajectory": 0.*"advanced": true' out.$n ||
                echo "job $n: $(cat out.$n err.$n)"
        done)"
    holds "the last one says that all is there" grep -q 'The ensemble is complete' out.$jobs
    holds "and that with status 0" [ "$(cat status.$jobs)" = 0 ]
    holds "each set up what it was told to" [ "$(cat out.* | grep -c 'set up')" = "$jobs" ]
    holds "together they made the undisturbed stream" same_stream whole ensemble
else
    skip "a chain of jobs" "$no_clock"
fi

# A signal in place of the time, and one that means what it says.  The run stops itself within its trajectory and goes
# on once the signal that the script passes on waits for it.
is_pending() {      # SIGNAL-NUMBER PROCESS
    for attempt in $(seq 3000); do
        waiting=$(sed -n 's/^ShdPnd:[[:space:]]*//p' "/proc/$2/status")
        [ $((0x${waiting:-0} >> ($1 - 1) & 1)) = 0 ] || return 0
        sleep 0.1
    done
    return 1
}
run_of() {          # FOLDER: the process that works there, once there is one
    for attempt in $(seq 3000); do
        process=$(sed -n 's/^process \([0-9][0-9]*\) .*/\1/p' "$1/lock" 2>/dev/null)
        [ -z "$process" ] || return 0
        sleep 0.1
    done
    return 1
}
signaled() {       # SIGNAL NUMBER FOLDER OPTION...: NUMBER is that of the signal which the run gets
    signal=$1
    number=$2
    folder=$3
    shift 3
    submit $slow --set output.directory="$folder" "$@" \
        --setup "$clocked STEPPED_SIGNAL=STOP STEPPED_AT=$((before + trajectory / 2))"
    rm -rf "$SPOOL"
    mkdir "$SPOOL"
    sh job.sh >out 2>err &
    job=$!
    run_of "$folder" && has_stopped $process && kill -s "$signal" $job && is_pending "$number" $process
    kill -CONT $process
    wait $job
}
if [ -n "$trajectory" ]; then
    signaled USR1 10 told
    holds "told that its time is nearly up, a job has the next one submitted" [ -e "$SPOOL/script.1" ]
    holds "and ends well" grep -q '"by": "SIGUSR1".*"advanced": true' out
    signaled TERM 15 cancelled
    holds "a cancelled job is the last one" [ ! -e "$SPOOL/script.1" ]
    holds "and says so" grep -q 'cancelled; no job follows' out
else
    skip "signals to jobs" "$no_clock"
fi

# What would go on for ever.
submit $slow --set output.directory=short
jobs 0
holds "a job without time for anything is not followed by another" [ "$jobs" = 1 ]
holds "it says why, with status 1" grep -q 'too short for any progress' out.1
holds "with status 1" [ "$(cat status.1)" = 1 ]
submit $slow --set output.directory=/dev/null/nowhere
jobs 3600
holds "neither is one whose run fails" [ "$jobs" = 1 ]
holds "that says why, too" grep -q 'The run failed' out.1
holds "with status 1" [ "$(cat status.1)" = 1 ]
submit $slow --set output.directory=crash
sed -i.orig 's/^run=\$!/&; kill -s KILL $run/' job.sh
jobs 3600
holds "nor one whose run is killed" [ "$jobs" = 1 ]

# Words that the shell would take apart.
mkdir "it's a folder"
cp run.yaml "it's a folder/in put.yaml"
(cd "it's a folder" && "$KILN_PROGRAM" submit "in put.yaml" --gpus 0 --set "output.directory=\$HOME is 'here'" \
    --set hmc.trajectories=1 >../job.sh)
jobs 3600
holds "names with blanks, quotes and dollars come through" [ -d "it's a folder/\$HOME is 'here'" ]

# Without SLURM's word for the end of the job, its length.
if [ -n "$trajectory" ]; then
    submit $slow --set output.directory=length --time $((60 * (before + trajectory / 2)))s --setup "$clocked"
    rm -rf "$SPOOL"
    mkdir "$SPOOL"
    sh job.sh >out 2>err
    holds "where SLURM does not tell when the job ends, its length counts" grep -q '"by": "walltime"' out
else
    skip "the length of a job" "$no_clock"
fi


# What the setup takes is no time for the run: of an hour, of which 600 seconds passed before, 3000 are left.
cat >bin/tell <<'END'
#!/bin/sh
echo "$*" >>"$SPOOL/told"
END
chmod +x bin/tell
submit --time 1h --setup 'begun=$((begun - 600))' --launcher tell
rm -rf "$SPOOL"
mkdir "$SPOOL"
sh job.sh >out 2>err
left=$(sed -n 's/.* --walltime \([0-9]*\)s$/\1/p' "$SPOOL/told")
holds "the time of the setup is not that of the run: $left s of 3600 s are left" \
    [ "$left" -le 3000 -a "$left" -gt 1800 ]

# --time of SLURM is days-hours:minutes:seconds.
for time in 1s=0-00:00:01 3599s=0-00:59:59 86399s=0-23:59:59 24h=1-00:00:00 108001s=1-06:00:01 866096s=10-00:34:56; do
    wanted=${time#*=}
    found=$("$KILN_PROGRAM" submit run.yaml --gpus 0 --time "${time%%=*}" 2>said | sed -n 's/^#SBATCH --time=//p')
    holds "${time%%=*} are $found in SLURM's words" [ "$found" = "$wanted" ]
done

# Ranks: an srun that makes them threads of one process, as many as the grid has blocks.
cat >bin/srun <<'END'
#!/bin/sh
: >"$SPOOL/srun"
while [ "${1#-}" != "$1" ]; do
    echo "$1" >>"$SPOOL/srun"
    shift
done
exec "$@"
END
chmod +x bin/srun
tiny="--set hmc.trajectories=1 --set hmc.levels.0.steps=2"
requests() {        # OPTION...: the requests of the script for these options
    "$KILN_PROGRAM" submit run.yaml "$@" 2>said |
        sed -n 's/^#SBATCH --\([a-z-]*\(nodes\|tasks\|node\|gpus\)=.*\)/\1/p' | tr '\n' ' '
}
wide="--set lattice=[8,8,8,16]"
expect() {          # WHAT WANTED OPTION...
    what=$1
    wanted=$2
    shift 2
    found=$(requests "$@")
    holds "$what: $found" [ "$found" = "$wanted " ]
}
expect "one rank, one GPU" "nodes=1 ntasks=1 gpus=1" --gpus 1
expect "4 ranks share a node of 8 GPUs" "nodes=1 ntasks=4 ntasks-per-node=4 gpus-per-node=4" $wide --ranks 4 --gpus 4
expect "so do those of a grid" "nodes=1 ntasks=4 ntasks-per-node=4 gpus-per-node=4" $wide --grid 1,1,2,2 --gpus 4
expect "16 ranks fill two" "nodes=2 ntasks=16 ntasks-per-node=8 gpus-per-node=8" $wide --ranks 16 --gpus 16
expect "12 ranks are 3 nodes of 4 GPUs" "nodes=3 ntasks=12 ntasks-per-node=4 gpus-per-node=4" \
    --set "lattice=[8,8,8,12]" --grid 1,1,2,6 --gpus 12 --gpus-per-node 4
expect "12 ranks are two halves of 8" "nodes=2 ntasks=12 ntasks-per-node=6 gpus-per-node=6" \
    --set "lattice=[8,8,8,12]" --grid 1,1,2,6 --gpus 12
expect "without GPUs the nodes are free" "ntasks=4" $wide --ranks 4 --gpus 0
submit $tiny --set output.directory=single
jobs 3600
submit $tiny --set output.directory=divided --grid 1,1,2,1
jobs 3600
holds "srun starts the ranks: $(tr '\n' ' ' <"$SPOOL/srun")" \
    [ "$(tr '\n' ' ' <"$SPOOL/srun")" = "--ntasks=2 --kill-on-bad-exit=1 --cpus-per-task=1 " ]
holds "on their grid" grep -q -e '--grid 1,1,2,1' job.sh
holds "which make the ensemble" grep -q 'The ensemble is complete' out.1
holds "the one that a single rank makes" same_stream single divided
holds "srun kills the ranks at SIGTERM: they get SIGUSR1" \
    grep -qx "trap 'cancelled=yes; kill -s USR1 .run' TERM INT" job.sh
if [ -n "$trajectory" ]; then
    signaled TERM 10 cancelled_ranks --grid 1,1,2,1
    holds "a cancelled job with ranks is the last one" [ ! -e "$SPOOL/script.1" ]
    holds "and says so" grep -q 'cancelled; no job follows' out
    holds "with a checkpoint" grep -q '"by": "SIGUSR1".*"advanced": true' out
else
    skip "a cancelled job with ranks" "$no_clock"
fi
holds "ranks that cannot divide the lattice are refused" ends 2 submit --ranks 7
holds "with the possible numbers" grep -q 'possible numbers of ranks' said
holds "so are fewer GPUs than ranks" ends 2 submit --ranks 2 --gpus 1
holds "and a grid of another number" ends 2 submit --ranks 4 --grid 1,1,1,2

holds "an input with a fault is refused" ends 2 submit --set hmc.trajectories=many
holds "a time that is none is refused" ends 2 submit --time 1:2:3:4
holds "so is a line break in a request" ends 2 submit --request "--qos=a
rm -rf /"
holds "a script in no folder: status 2" ends 2 "$KILN_PROGRAM" submit run.yaml --output nowhere/job.sh
cp run.yaml mine.yaml
holds "a file that is no such script is not overwritten" ends 1 "$KILN_PROGRAM" submit run.yaml --output mine.yaml
holds "not even in part" cmp run.yaml mine.yaml
facts_end
