# fields_stream.sh - what tests share of streams whose state has fields beside its checkpoints, in folders c.fields.N:
# such a stream does not depend on where it stops, and damaged fields are not taken for a state.
#
# Sourced before stream.sh, which leaves the folder.  The stream to compare with is in the folder `whole`.  The test
# defines
#     same_rest A B        what else must be the same in two folders, beside links and fields

# The fields beside the newest checkpoint are the same files.
same_fields() {
    newest_fields=$(ls "$1" | grep '^c\.fields\.[0-9]*$' | tail -n 1)
    [ -n "$newest_fields" ] && diff -r "$1/$newest_fields" "$2/$newest_fields"
}

# must_be_same A B: a line for each difference, as must puts them out.
must_be_same() {
    must same_stream_at_any_cadence "$1" "$2"
    must same_fields "$1" "$2"
    must same_rest "$1" "$2"
}

# stopped_facts MORE: a stream stopped after 1 and 3 trajectories, that makes MORE of them on two ranks.
stopped_facts() {
    none "stopped after any trajectory, and continued with other threads and ranks, it is the uninterrupted one" "$(
        for n in 1 3; do
            case="after $n"
            must run stopped_$n --trajectories $n --threads 2
            must run stopped_$n --trajectories "$1" --ranks 2
            must run stopped_$n --threads 3
            must_be_same whole stopped_$n
            must nothing_set_aside stopped_$n
        done)"
}

# killed_facts STEP OPTIONS...: a run with these options, killed before every STEP-th call that changes files.  The file
# `within` lists the calls after which it continued within a trajectory.  Status 1 where no process may watch another's
# calls.
killed_facts() {
    step=$1
    shift
    run short "$@" || { cat said; exit 99; }
    if ! count_calls 100 counted "$@"; then
        skip "killed before calls that change files" "the system lets no process watch another's calls"
        return 1
    fi
    none "killed before one of its $calls calls that change files, it continues" "$(
        for k in $(seq 20 "$(how_many "$(step_of "$step")" 7)" "$calls"); do
            kill_before "$k" killed "$@"
            must run killed "$@"
            grep -q 'continuing within trajectory' killed/run.log && echo "$k" >>within
            must_be_same short killed
        done)"
}

# damaged_facts KIND FILE: a copy of the stream whose newest checkpoint has a damaged FILE beside it, of that KIND.
damaged_facts() {
    cp -r whole bad
    printf x | dd of="bad/$2" bs=1 seek=900 conv=notrunc 2>dd
    holds "kiln audit finds a damaged $1" ends 1 sh -c '"$KILN_PROGRAM" audit bad >said 2>&1'
    holds "and names it" says "$2: is damaged"
    holds "a run sets the state aside, and makes the trajectory again" run bad
    holds "says why" says "warning: .*$(dirname "$2"): is damaged, or belongs to another state"
    holds "to the same state" same_stream_at_any_cadence whole bad
    holds "with the same ${1}s" same_fields whole bad
}
