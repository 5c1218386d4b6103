#!/bin/sh
# A script for SLURM that goes on, job after job, with a batch system that is made of a few lines of shell.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/hmc/stream.sh

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

# One trajectory of some seconds, and its script.
prepare() {         # STEPS
    rm -rf whole ensemble
    slow="--set hmc.trajectories=1 --set hmc.levels.0.steps=$1"
    run whole $slow --threads 1 || { cat said; exit 99; }
    submit $slow --set output.directory=ensemble --time 11:55:00 --partition gpu --account "lat tice" --memory 64G \
        --name chain --request --qos=long --setup 'echo set up' --signal-seconds 30
}
steps=$(steps_of 5)
prepare "$steps"
holds "a script is written" [ $? = 0 ]
holds "the shell has nothing against it" sh -n job.sh
none "it asks for what was asked for" "$(
    for line in job-name=chain time=0-11:55:00 nodes=1 ntasks=1 cpus-per-task=1 mem=64G partition=gpu \
        "account=lat tice" qos=long signal=B:USR1@30; do
        grep -qx -e "#SBATCH --$line" job.sh || echo "$line"
    done)"
holds "without GPUs, it asks for none" sh -c '! grep -q -e --gpus job.sh'
jobs 3
for attempt in 1 2; do      # steps that were timed while others were at work may take less than a job
    [ "$jobs" = 1 ] || break
    prepare $((steps *= 2))
    jobs 3
done
holds "a trajectory longer than a job takes several jobs" [ "$jobs" -gt 1 ]
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

# A signal in place of the time, and one that means what it says.
signalled() {       # SIGNAL FOLDER
    submit $slow --set output.directory="$2"
    rm -rf "$SPOOL"
    mkdir "$SPOOL"
    sh job.sh >out 2>err &
    job=$!
    for attempt in $(seq 500); do
        [ ! -e "$2/c.checkpoint.000000.lime" ] || break
        sleep 0.02
    done
    sleep 0.3
    kill -s "$1" $job
    wait $job
}
signalled USR1 told
holds "told that its time is nearly up, a job has the next one submitted" [ -e "$SPOOL/script.1" ]
holds "and ends well" grep -q '"by": "SIGUSR1".*"advanced": true' out
signalled TERM cancelled
holds "a cancelled job is the last one" [ ! -e "$SPOOL/script.1" ]
holds "and says so" grep -q 'cancelled; no other job follows' out

# What would go on for ever.
submit $slow --set output.directory=short
jobs 0
holds "a job without time for anything is not followed by another" [ "$jobs" = 1 ]
holds "it says why, with status 1" grep -q 'too short for anything' out.1
holds "with status 1" [ "$(cat status.1)" = 1 ]
submit $slow --set output.directory=/dev/null/nowhere
jobs 60
holds "neither is one whose run fails" [ "$jobs" = 1 ]
holds "that says why, too" grep -q 'The run failed' out.1
holds "with status 1" [ "$(cat status.1)" = 1 ]
submit $slow --set output.directory=crash
sed -i.orig 's/^run=\$!/&; kill -s KILL $run/' job.sh
jobs 60
holds "nor one whose run is killed" [ "$jobs" = 1 ]

# Words that the shell would take apart.
mkdir "it's a folder"
cp run.yaml "it's a folder/in put.yaml"
(cd "it's a folder" && "$KILN_PROGRAM" submit "in put.yaml" --gpus 0 --set "output.directory=\$HOME is 'here'" \
    --set hmc.trajectories=1 >../job.sh)
jobs 60
holds "names with blanks, quotes and dollars come through" [ -d "it's a folder/\$HOME is 'here'" ]

# Without SLURM's word for the end of the job, its length.
submit $slow --set output.directory=length --time 2s
rm -rf "$SPOOL"
mkdir "$SPOOL"
sh job.sh >out 2>err
holds "where SLURM does not tell when the job ends, its length counts" grep -q '"by": "walltime"' out

holds "an input with a fault is refused" ends 2 submit --set hmc.trajectories=many
holds "a time that is none is refused" ends 2 submit --time 1:2:3:4
holds "so is a line break in a request" ends 2 submit --request "--qos=a
rm -rf /"
holds "a script that cannot be written is a failure" ends 1 "$KILN_PROGRAM" submit run.yaml --output nowhere/job.sh
cp run.yaml mine.yaml
holds "a file that is no such script is not overwritten" ends 1 "$KILN_PROGRAM" submit run.yaml --output mine.yaml
holds "not even in part" cmp run.yaml mine.yaml
facts_end
