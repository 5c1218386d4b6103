#!/bin/sh
# A stream does not depend on how many ranks share the lattice: the same files, wherever it stops and however it ends.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/staggered_input.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# ranks N FOLDER OPTIONS...
ranks() {
    number=$1
    shift
    run "$@" --ranks "$number"
}

# The same names in both folders, and the same bytes in all files but those with times.
same_files() {
    same_stream "$1" "$2" || return 1
    ls "$1" >names.1
    ls "$2" >names.2
    diff names.1 names.2 && cmp "$1/parameters.yaml" "$2/parameters.yaml" && same_logs "$1" "$2"
}

# run.log has a line for each fact, not for each rank.  Several GPUs have lines of their own: what connects them, and
# that fewer would be faster.
same_logs() {
    for folder in "$1" "$2"; do
        sed "s/^[^ ]* //; s/[0-9.]* s\$//; s|$folder||g; /^device: /d; /^input /d; /^program /d
            /^transport: /d; / times faster than /d" "$folder/run.log" >"log.$folder"
    done
    diff "log.$1" "log.$2"
}

# ---- gauge fields alone

sed -i.orig 's/^lattice: .*/lattice: [4, 4, 4, 8]/; s/^  trajectories: 6/  trajectories: 4/' run.yaml
run gauge_1 || { cat said; exit 99; }
for n in 2 4; do
    holds "$n ranks write the files of one rank: gauge action" ranks $n gauge_$n
    holds "with the same bytes in all" same_files gauge_1 gauge_$n
done
heatbath="--set heatbath.sweeps=1 --set hmc.levels=[] --set hmc.trajectory_length=1"
holds "2 ranks make a stream with a heat bath" ranks 2 heatbath_2 $heatbath
holds "one rank makes it, too" run heatbath_1 $heatbath
holds "with the same files" same_files heatbath_1 heatbath_2

none "continued after any trajectory with another number of ranks, the stream is the uninterrupted one" "$(
    case=ranks
    must ranks 2 changing --trajectories 1
    must run changing --trajectories 1
    must ranks 4 changing --trajectories 1
    must ranks 2 changing
    must same_stream_at_any_cadence gauge_1 changing)"

half="--set hmc.trajectories=2"
every="--checkpoint-minutes 0 $half"
run half_1 $half
if count_calls 100 counted $every --ranks 2; then
    holds "mid-trajectory checkpoints of 2 ranks at every step do not change the stream" same_stream half_1 counted
    none "killed before one of its calls that change files, a run of 2 ranks continues with 4 or 1" "$(
        for k in $(seq 20 "$(how_many 61 7)" "$calls"); do
            kill_before "$k" killed $every --ranks 2
            must ranks $((k % 2 ? 4 : 1)) killed $half
            must same_stream_at_any_cadence half_1 killed
            must nothing_set_aside killed
        done)"
    none "if one of these calls fails, all ranks end with the sentence of rank 0, or the stream is whole" "$(
        for k in $(seq 1 "$(how_many 37 3)" "$calls"); do
            rm -rf hurt
            name=$(with_mishap "error 28 $k" hurt $every --ranks 2)
            status=$?
            case="call $k ($name) fails"
            if [ $status = 0 ]; then
                must same_stream half_1 hurt
            else
                [ $status = 1 ] || echo "$case: status $status"
                must says "^error: hurt.*: No space left on device\|^error: --device cuda: no usable GPU"
                [ "$(grep -c '^error: .*\(No space\|no usable GPU\)' said)" = 1 ] || echo "$case: it is not said once"
            fi
            must ranks 2 hurt $half
            must same_stream_at_any_cadence half_1 hurt
        done)"
    with_mishap list listed $every --ranks 2 >calls.list
    # fails_at CALL FILE SENTENCE: the first such call fails.
    fails_at() {
        rm -rf hurt
        case="$1 of $2 fails"
        line=$(grep -n "^$1.*/$2\$" calls.list | sed -n '1s/:.*//p')
        must ends 1 with_mishap "error 28 $line" hurt $every --ranks 2
        [ "$(grep -c "^error: .*$3.*: No space left on device" said)" = 1 ] || echo "$case: it says $(heard)"
        must ranks 2 hurt $half
        must same_stream_at_any_cadence half_1 hurt
    }
    none "the first failure of each kind of call ends all ranks with one sentence, and the stream continues" "$(
        fails_at open lock 'cannot be opened'
        fails_at open run.log 'cannot write the log'
        fails_at write run.jsonl 'the record of trajectory 1 cannot be written'
        fails_at fsync run.jsonl 'the record of trajectory 1 cannot be written'
        fails_at open 'c.checkpoint.000000.lime.*' 'cannot be created'
        fails_at fsync 'c.checkpoint.000000.lime.*' 'cannot be written'
        fails_at rename.* 'c.checkpoint.000000.lime' 'cannot be renamed')"
else
    skip "killed before calls that change files" "the system lets no process listen to another's calls"
fi

# ---- staggered quarks, with everything that a run writes

staggered_input trajectories=3 every=2 quarks="measure_every: 2" more="sdc_check: { rate: 1 }"
run quarks_1 || { cat said; exit 99; }
for n in 2 4; do
    holds "$n ranks write the files of one rank: staggered quarks" ranks $n quarks_$n
    holds "with the same bytes in all, too" same_files quarks_1 quarks_$n
done

# The files of a mid-trajectory checkpoint, and of a failed trajectory, but for times and versions.
same_folders() {
    (cd "$1" && ls) >names.1
    (cd "$2" && ls) >names.2
    [ -s names.1 ] && diff names.1 names.2 || return 1
    while read -r name; do
        case $name in
            *.npy | *.yaml) cmp "$1/$name" "$2/$name" || return 1 ;;
        esac
    done <names.1
}
midtrajectory_of() {
    ls -d "$1"/midtrajectory.*
}

if make_stepped_clock; then
    # Stopped at a limit of time, on the clock of rank 0, which is read equally often with every number of ranks: in the
    # middle of trajectory 2.
    one="--trajectories 1"
    before=$(readings_of run begun $one)
    two=$(readings_of run all --trajectories 2)
    for n in 1 2 4; do
        run stopped_$n $one
    done
    stop="STEPPED_AT=$(((two - before) / 2)) STEPPED_SIGNAL=TERM"
    holds "a signal stops one rank within a trajectory" ends 1 on_clock "$stop" run stopped_1
    for n in 2 4; do
        holds "and $n ranks" ends 1 on_clock "$stop" ranks $n stopped_$n
        holds "they say so once" [ "$(grep -c 'stopped by SIGTERM after trajectory 1' said)" = 1 ]
        holds "and leave a mid-trajectory checkpoint" midtrajectory_of stopped_$n
    done
    none "with which another number of ranks continues to the same stream" "$(
        for n in 1 2 4; do
            case="stopped with $n ranks"
            must ranks $((n == 4 ? 2 : 2 * n)) stopped_$n
            must same_stream_at_any_cadence quarks_1 stopped_$n
            must nothing_set_aside stopped_$n
        done)"
else
    skip "stopped within a trajectory" "no library can be loaded before the program here: $(head -n 1 made)"
fi

# ---- grids

none "any grid that divides the lattice makes the same stream" "$(
    for grid in 1,1,1,2 1,1,2,1 1x1x2x2; do
        case=$grid
        must run grid_$grid --grid $grid
        must same_stream quarks_1 grid_$grid
    done)"
holds "a number of ranks that does not divide the lattice is refused with status 2" ends 2 ranks 3 impossible
holds "with the possible ones, once" [ "$(grep -c '3 ranks: lattice 4x4x8x8 cannot.* numbers of ranks: .*4' said)" = 1 ]
holds "so is a grid that does not" ends 2 run impossible --grid 1,1,1,8
holds "with the possible ones" says 'grid 1x1x1x8 does not divide lattice 4x4x8x8'
holds "and a word that is no grid" ends 2 run impossible --grid 1,1,2
holds "nothing was made" [ ! -e impossible ]

# ---- rank 0 alone prints what ends a run

# limited BLOCKS COMMAND...: no file may be longer.
limited() {
    blocks=$1
    shift
    (ulimit -f "$blocks" && "$@")
}
holds "a disk that is full ends 2 ranks with status 1" ends 1 limited 100 ranks 2 full
holds "with one sentence" says '^error: full/.*: cannot be written: File too large'
holds "and nothing half-written" nothing_half_written full

holds "a solve that does not converge ends 2 ranks with status 1" ends 1 ranks 2 short_2 \
    --set monomials.1.max_iterations=3
holds "says which, once" [ "$(grep -c 'trajectory 1, refresh of quarks: pseudofermion 0: a solve did not' said)" = 1 ]
run short_1 --set monomials.1.max_iterations=3
holds "and leaves the folder of one rank" same_folders short_1/failure.000001 short_2/failure.000001

start rival --ranks 2 --set hmc.trajectories=100000
while [ ! -s rival/run.jsonl ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
done
holds "a second run of the same ensemble is refused" ends 1 ranks 2 rival
holds "once" [ "$(grep -c 'another process runs this ensemble' said)" = 1 ]
kill -9 $process
wait $process 2>/dev/null

holds "a faulty input is refused with status 2" ends 2 ranks 4 faulty --set random.sed=3
holds "and a sentence for each fault, once" [ "$(grep -c 'random' said)" = 1 ]

facts_end
