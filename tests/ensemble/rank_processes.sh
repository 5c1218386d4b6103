# rank_processes.sh - what tests share of streams that processes make together under mpirun: start them, find one, and
# end a run by a signal to it.
#
# Sourced after stream.sh and tests/comm/mpirun.sh.

# with_mpi N COMMAND...: a command of stream.sh (run, start) with N processes; $limit is its limit of time.
limit=
with_mpi() {
    clock="$limit $mpirun -n $1"
    shift
    "$@"
    mpi_status=$?
    clock=
    return $mpi_status
}

# The processes that make an ensemble, without mpirun itself.
ranks_of() {
    for one in /proc/[0-9]*; do
        case $(tr '\0' ' ' 2>/dev/null <"$one/cmdline") in
            "$KILN_PROGRAM run "*"=$1 "*) echo "${one#/proc/}" ;;
        esac
    done
}

# wait_for_lines FOLDER N: until the record of $process has N lines, or the process has ended.
wait_for_lines() {
    while [ "$(wc -l 2>/dev/null <"$1/run.jsonl" || echo 0)" -lt "$2" ] && kill -0 $process 2>/dev/null; do
        sleep 0.02
    done
}

# end_by SIGNAL: $victim gets it, and $process, which is mpirun, ends within a minute, but not well; $status is its own.
end_by() {
    kill "-$1" "$victim" || { echo "no rank to hurt:" >>said; kill $process; wait $process; return 1; }
    began=$(date +%s)
    wait $process
    status=$?
    lasted=$(($(date +%s) - began))
    kill -9 "$victim" 2>/dev/null
    echo "status $status after $lasted s" >>said
    [ $status != 0 ] && [ $status != 124 ] && [ $lasted -lt 60 ]
}
