#!/bin/sh
# Ranks that are processes: the same facts as for threads (test_comm.c), and no rank that is killed, stopped, ends or
# fails leaves the others waiting.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh

program=${KILN_PROGRAM:-kiln}
folder=$(dirname "$program")
ranks_program=$folder/tests/comm/test_comm
[ -x "$ranks_program" ] || ranks_program="$folder/../libexec/kiln-tests test_comm"    # in the bundle
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# says STATUS PIECE COMMAND...: the command ends within a minute with this status (any: but 0) and says this.
says() {
    wanted=$1 piece=$2
    shift 2
    timeout -k 5 60 "$@" >"$scratch/said" 2>&1
    status=$?
    echo "status $status" >>"$scratch/said"
    cat "$scratch/said"
    case $status in
        124) return 1 ;;
        0) [ "$wanted" = 0 ] || return 1 ;;
        *) [ "$wanted" = any ] || [ "$wanted" = "$status" ] || return 1 ;;
    esac
    grep -q -e "$piece" "$scratch/said"
}

# once PATTERN COMMAND...: one line of what the command says has the pattern.
once() {
    pattern=$1
    shift
    timeout -k 5 60 "$@" >"$scratch/said" 2>&1
    once_status=$?
    cat "$scratch/said"
    [ "$(grep -c -e "$pattern" "$scratch/said")" = 1 ]
}

# ---- without a launcher

holds "a limit that is not a number is refused" says 1 'KILN_RANK_LIMIT=1m is not a number of seconds' \
    env KILN_RANK_LIMIT=1m "$program" version
# A job of 4 tasks: its batch script is one process, whatever SLURM says about the job.
holds "a program in a batch script of SLURM is no rank" says 0 . \
    env SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_NPROCS=4 SLURM_PROCID=0 SLURM_NNODES=1 "$program" version
# What each launcher sets for the third of 4 processes.  Without the others the program refuses in any case.
while read -r launcher size rank; do
    holds "$launcher starts ranks, with their number and how many there are" \
        says 1 "$launcher started 4 processes, but " env "$size=4" "$rank=2" "$program" version
    holds "one process alone of $launcher is no rank" says 0 . env "$size=1" "$rank=0" "$program" version
done <<'END'
mpirun OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK
mpiexec PMI_SIZE PMI_RANK
mpiexec MV2_COMM_WORLD_SIZE MV2_COMM_WORLD_RANK
flux.run FLUX_JOB_SIZE FLUX_TASK_RANK
srun SLURM_STEP_NUM_TASKS SLURM_PROCID
END
if [ "$no_mpi" = "this program was built without MPI" ]; then
    holds "a program without MPI refuses to be one of several" \
        says 1 'rank 1: mpirun started 4 processes, but this program was built without MPI' \
        env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 "$program" version
    holds "unless each is to be a run of its own" says 0 . env KILN_ALONE=1 OMPI_COMM_WORLD_SIZE=4 "$program" version
fi
if [ -n "$no_mpi" ]; then
    skip "ranks that are processes" "$no_mpi"
    facts_end
fi
holds "a process that MPI does not connect with the others refuses" says 1 'mpirun started 4 processes, but MPI ' \
    env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 "$program" version

# on RANKS STATUS PIECE COMMAND...
on() {
    ranks=$1 status=$2 piece=$3
    shift 3
    # shellcheck disable=SC2086
    says "$status" "$piece" $mpirun -n "$ranks" "$@"
}

# on_once RANKS PATTERN COMMAND...
on_once() {
    ranks=$1 pattern=$2
    shift 2
    # shellcheck disable=SC2086
    once "$pattern" $mpirun -n "$ranks" "$@"
}

# ---- the program

holds "results are printed once" on_once 3 '^ *MPI ' "$program" version
holds "and those of a command that runs on all ranks" on_once 3 '^usage: kiln run' "$program" run --help
holds "rank 0 alone prints a usage error" on_once 3 'no-such-command' "$program" no-such-command
holds "and that a file is not there" on_once 3 'nothing.yaml: expected an input' "$program" run "$scratch/nothing.yaml"
echo 'lattice: [4, 4, 4, 4]' >"$scratch/bad.yaml"
holds "and the faults of an input" on_once 3 'faults\{0,1\} in ' "$program" run "$scratch/bad.yaml"
holds "the status of a command is that of all" on 3 2 . "$program" run --no-such-option

# ---- ranks that are not alike

# apart PIECE PROGRAM1 COMMAND1 PROGRAM2 COMMAND2: two ranks with programs and commands of their own.
apart() {
    piece=$1
    # shellcheck disable=SC2086
    says 1 "$piece" $mpirun -n 1 "$2" $3 : -n 1 "$4" $5
}

holds "ranks with different inputs are refused" apart 'error: the command of rank 1 differs from that of rank 0' \
    "$program" "run one.yaml" "$program" "run two.yaml"
holds "so are ranks with different subcommands" apart 'error: the command of rank 1 differs from that of rank 0' \
    "$program" "measure one.lime" "$program" "audit one.lime"
# The same program but for a letter of its name in front of the version.
if LC_ALL=C sed 's/kiln \([0-9][0-9.]* (\)/Kiln \1/g' "$program" >"$scratch/other" && chmod +x "$scratch/other" &&
    ! cmp -s "$program" "$scratch/other" && "$scratch/other" version >"$scratch/said" 2>&1; then
    holds "ranks with different versions of the program are refused" \
        apart 'error: the version of Kiln of rank 1 differs from that of rank 0' \
        "$program" version "$scratch/other" version
else
    skip "ranks with different versions of the program are refused" "no other version can be made of this program"
fi

# ---- the functions

# ranks RANKS STATUS PIECE BODY: one of rank_bodies.h
ranks() {
    # shellcheck disable=SC2086
    on "$1" "$2" "$3" $ranks_program "$4"
}

for count in 2 3; do
    for what in knows-itself broadcasts gathers shifts decides agrees compares splits; do
        holds "$count ranks: $what" ranks $count 0 '' $what
    done
done
holds "4 ranks: groups of 2" ranks 4 0 '' splits
for which in first second last; do
    holds "3 ranks: the largest status of a rank is that of all: of the $which" ranks 3 5 '' $which-answers
done

# A rank that cannot open shared memory: the node works without, and says so once.
if ${CC:-cc} -shared -fPIC -o "$scratch/no_shared_memory.so" tests/comm/no_shared_memory.c -ldl \
    >"$scratch/made" 2>&1; then
    without() {         # RANK BODY
        on_once 3 'no shared memory on this node' env LD_PRELOAD="$scratch/no_shared_memory.so" \
            ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" WITHOUT_SHARED_MEMORY="$1" $ranks_program "$2" &&
            [ "$once_status" = 0 ]
    }
    for rank in 0 1 2; do
        holds "without shared memory on rank $rank all ranks agree to do without: a warning, and they work" \
            without $rank gathers
    done
else
    skip "a node without shared memory" "no library can be made here: $(head -n 1 "$scratch/made")"
fi
[ -z "$KILN_NIGHTLY" ] || holds "messages above 2 GiB" ranks 2 0 '' large

# ---- ranks that do not reach the end

KILN_RANK_LIMIT=2
export KILN_RANK_LIMIT
holds "a rank that works for longer than the limit is waited for" ranks 4 0 '' busy
holds "a rank that is killed ends all" ranks 4 any '' killed
holds "a rank that is stopped ends all, with its number" \
    ranks 4 1 'rank 3 has given no sign of life for ' stopped
holds "a fatal error of a rank ends all, with its number" ranks 4 1 'kiln: rank 3: the disk is full' \
    last-fails
holds "a rank that leaves while others wait ends all, with its number" \
    ranks 4 1 'rank 3 has ended while rank [0-2] waits for it in barrier' leaves
holds "ranks in different calls end with a sentence" ranks 3 1 'internal error: rank .* is in .*, rank .* in ' \
    differs-in-call
holds "ranks with different sizes end with a sentence" \
    ranks 3 1 'internal error: rank .* is in broadcast, rank .* in broadcast of another size' \
    differs-in-size
holds "shifts to other ranks than expected end with a sentence" \
    ranks 3 1 'all ranks have waited for each other for .* s, in exchange' differs-in-partner
facts_end
