# rank_processes.sh - what tests share of runs whose processes they hurt: start several under mpirun, find one, and end
# a run by a signal to it.
#
# Sourced after stream.sh and, for with_mpi, tests/comm/mpirun.sh.

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

# descendants_of PROCESS: the processes that it has started, and those that these have started, and so on, as the kernel
# keeps them for each of its threads.  (To look at all processes instead may take as long as many trajectories: only
# where a kernel does not keep them.)
descendants_of() {
    for below in $(children_of "$1"); do
        echo "$below"
        (descendants_of "$below")
    done
}
children_of() {
    if [ -r "/proc/$$/task/$$/children" ]; then
        cat "/proc/$1/task/"*/children 2>/dev/null
    else
        for stat in /proc/[0-9]*/stat; do
            # after the name, which may have blanks: state and parent
            [ "$(sed 's/.*) [A-Za-z] //; s/ .*//' "$stat" 2>/dev/null)" != "$1" ] || echo "$stat" | tr -cd '0-9\n'
        done
    fi
}

# ranks_of PROCESS: those of its descendants that make an ensemble; neither mpirun nor a parent (kiln run --restarts).
ranks_of() {
    for one in $(descendants_of "$1"); do
        case $(tr '\0' ' ' 2>/dev/null <"/proc/$one/cmdline") in
            "$KILN_PROGRAM run "*) echo "$one" ;;
        esac
    done
}

# rank_of PROCESS N: the one among them that mpirun has given the number N.
rank_of() {
    for one in $(ranks_of "$1"); do
        [ "$(tr '\0' '\n' 2>/dev/null <"/proc/$one/environ" |
            sed -n 's/^OMPI_COMM_WORLD_RANK=//p; s/^PMI_RANK=//p' | head -n 1)" != "$2" ] || echo "$one"
    done
}

# is_alive PROCESS: it has not ended, whether or not somebody has asked for its status.
is_alive() {
    case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
        '' | Z* | X*) return 1 ;;
    esac
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
