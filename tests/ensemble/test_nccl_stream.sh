#!/bin/sh
# A stream that two ranks make with NCCL between their GPUs is that of one rank; where NCCL fails, all ranks end with a
# sentence, and the same command continues the stream.  With a stand-in for NCCL (tests/gpu/nccl_stand_in.c), by which
# ranks may share a GPU; with NVIDIA's library where there are two GPUs.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
if [ "${KILN_DEVICE:-auto}" = cpu ] || ! "${KILN_PROGRAM:-kiln}" version | grep -q '^  GPU 0 '; then
    skip "a stream by NCCL" "no usable GPU: $("$KILN_PROGRAM" version | sed -n 's/^  GPU.*: //p' | head -n 1)"
    facts_end
fi
if [ -z "$KILN_NCCL_STAND_IN" ]; then
    skip "a stream by NCCL" "no stand-in for NCCL was built"
    facts_end
fi
. ./tests/ensemble/staggered_input.sh
. ./tests/ensemble/stream.sh
gpus=$("$KILN_PROGRAM" version | grep -c '^  GPU [0-9]')

staggered_input lattice="4, 4, 4, 16" more="measurements:
  - { kind: condensate, masses: [{ mass: 0.4 }] }"

# stream FOLDER OPTIONS...: as `run`, with log lines.
stream() {
    folder=$1
    shift
    timeout -k 5 600 $clock "$KILN_PROGRAM" run run.yaml --device cuda --share-gpu \
        --set output.directory="$folder" "$@" >said 2>&1
}
with_mpi() {
    clock="$mpirun -n 2"
    "$@"
    mpi_status=$?
    clock=
    return $mpi_status
}

# broken FAULT FOLDER: rank 1 (or 0) of two fails; all end soon, with a status and a sentence.
broken() {
    began=$(date +%s)
    (KILN_NCCL_FAULT=$1 && KILN_RANK_LIMIT=3 && export KILN_NCCL_FAULT KILN_RANK_LIMIT &&
        $ranks stream "$2" --transport nccl $options)
    status=$?
    lasted=$(($(date +%s) - began))
    echo "status $status after $lasted s" >>said
    [ $status != 0 ] && [ $status != 124 ] && [ $lasted -lt 60 ] || { cat said; return 1; }
}

# goes_on FOLDER: the same command without the fault makes the stream of one rank.
goes_on() {
    $ranks stream "$1" --transport nccl $options || { cat said; return 1; }
    same_stream alone "$1" && nothing_set_aside "$1"
}

stream alone || { cat said; exit 99; }
KILN_NCCL_LIBRARY=$KILN_NCCL_STAND_IN
export KILN_NCCL_LIBRARY

# ---- ranks that are processes (with_mpi), or threads

try_ranks() {
    name=$1
    holds "two $name make the stream of one rank" $ranks stream "$name" --transport nccl $options
    holds "by NCCL" says 'transport: ghosts and sums travel between GPUs by NCCL 2.14.0 (as --transport'
    holds "with the same bytes" same_stream alone "$name"
    for fault in error:300:1 refuse:301:0 busy:302:1 stall:303:0; do
        folder=$name.${fault%%:*}
        holds "two $name end if NCCL fails in the run ($fault)" broken $fault "$folder"
        holds "with a sentence that names it" says 'NCCL: .*; look at the logs and machines of the other ranks'
        holds "and the same command continues to the same stream" goes_on "$folder"
    done
    for fault in refuse:0:1 wrong:1:0 busy:2:1; do
        holds "two $name end if NCCL fails at the start ($fault)" broken $fault "$name.start"
        holds "with a sentence that names it" says '--transport or KILN_TRANSPORT is nccl, but NCCL cannot be used: '
    done
}

ranks=
options="--ranks 2"
try_ranks threads
if [ -z "$no_mpi" ]; then
    ranks=with_mpi
    options=
    try_ranks processes
else
    skip "two processes make the stream of one" "$no_mpi"
fi

# ---- the library

ranks=
KILN_NCCL_LIBRARY=$scratch/none.so
holds "where the library is missing, --transport nccl is refused" \
    ends 1 stream missing --ranks 2 --transport nccl
holds "with the reason" says 'NCCL: the library cannot be opened: .*none.so'

# libnccl.so.2 of this machine.
unset KILN_NCCL_LIBRARY
stream refused --ranks 2 --transport nccl
if says 'the library cannot be opened' >/dev/null; then
    skip "NVIDIA's library makes the same stream" "there is none"
elif [ "$gpus" -lt 2 ]; then
    holds "NVIDIA's library refuses ranks that share a GPU" \
        says 'NCCL needs a GPU for each rank, but 2 ranks share 1 GPU'
    skip "NVIDIA's library makes the same stream" "there is one GPU"
else
    holds "NVIDIA's library makes the same stream" same_stream alone refused
    holds "as the log says" says 'transport: ghosts and sums travel between GPUs by NCCL 2'
    if [ -z "$no_mpi" ]; then
        ranks=with_mpi
        holds "so do two processes" with_mpi stream real --transport nccl
        holds "with the same bytes" same_stream alone real
    fi
fi

facts_end
