#!/bin/sh
# Several processes that begin or continue one ensemble at the same instant: one works, the others say so and go.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

small="--set lattice=[2,2,2,2]"
run whole $small || { cat said; exit 99; }

# rivals COUNT FOLDER: at once; whoever does not work on it says who does, or found all done.
rivals() {
    processes=
    for n in $(seq "$1"); do
        (folder=$2
        "$KILN_PROGRAM" run run.yaml --quiet --device cpu --threads 1 --set output.directory="$folder" $small 2>said.$n
        echo $? >status.$n) &
        processes="$processes $!"
    done
    wait $processes
    done=0
    for n in $(seq "$1"); do
        cp said.$n said
        case $(cat status.$n) in
            0) done=$((done + 1)) ;;
            1) must says "$2/lock: another process runs this ensemble (process " ;;
            *) echo "$case: status $(cat status.$n): $(cat said)" ;;
        esac
    done
    [ $done -gt 0 ] || echo "$case: nobody has made the ensemble"
    must same_stream whole "$2"
}

rounds=$(how_many 8 100)
none "$rounds times two processes at once on an ensemble that is not there yet: one stream, the other one told" "$(
    for round in $(seq "$rounds"); do
        case="round $round"
        rm -rf both
        rivals 2 both
    done)"
none "$((rounds / 2)) times four processes at once on one that goes on: the same" "$(
    for round in $(seq $((rounds / 2))); do
        case="round $round"
        rm -rf both
        must run both $small --trajectories $((1 + round % 5))
        rivals 4 both
    done)"

facts_end
