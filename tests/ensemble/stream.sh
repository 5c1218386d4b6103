# stream.sh - what the tests of a stream of trajectories share: a small ensemble, and what "the same stream" is.
#
# Sourced by scripts that have sourced facts.sh.  Works in a folder of its own, $scratch, which is removed at the end.
# KILN_DEVICE (auto, cpu, cuda) says where trajectories are made; ranks may share a GPU.

clock_folder=$(pwd)
scratch=$(cd "$(mktemp -d)" && pwd -P) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 99

# The tools among the test programs: beside the program where it was built, in one program in a bundle.
tools=$(dirname "$KILN_PROGRAM")
mishaps() {
    if [ -x "$tools/tests/ensemble/test_mishaps" ]; then
        "$tools/tests/ensemble/test_mishaps" "$@"
    else
        "$tools/../libexec/kiln-tests" test_mishaps "$@"
    fi
}

# No leaks are sought in processes that are killed or watched.
ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
export ASAN_OPTIONS

cat >run.yaml <<'END'
lattice: [4, 4, 4, 6]
random: { seed: 11 }
start: { from: hot }
monomials:
  - { kind: gauge, action: symanzik_tree, beta: 4.5 }
hmc:
  trajectory_length: 0.5
  levels:
    - { integrator: omelyan, steps: 3, monomials: [gauge] }
  trajectories: 6
  thermalization: 2
  reunitarize_every: 2
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END

# run FOLDER OPTIONS...: what it says is in the file `said`.
run() {
    folder=$1
    shift
    $clock "$KILN_PROGRAM" run run.yaml --quiet --device "${KILN_DEVICE:-auto}" --share-gpu \
        --set output.directory="$folder" "$@" 2>said
}

# The same in the background, as $process.
start() {
    folder=$1
    shift
    $clock "$KILN_PROGRAM" run run.yaml --quiet --device "${KILN_DEVICE:-auto}" --share-gpu \
        --set output.directory="$folder" "$@" 2>said &
    process=$!
}

# with_mishap "count | error NUMBER K | signal NUMBER K | short NUMBER K | before SCRIPT K" FOLDER OPTIONS...:
# the same while test_mishaps watches.
with_mishap() {
    mishap=$1
    folder=$2
    shift 2
    mishaps $mishap "$KILN_PROGRAM" run run.yaml --quiet --device "${KILN_DEVICE:-auto}" --share-gpu \
        --set output.directory="$folder" "$@" 2>said
}

# kill_before K FOLDER OPTIONS...: a run from the start, killed before call K of those that change files; $case says so.
kill_before() {
    rm -rf "$2"
    killed_at=$1
    shift
    name=$(with_mishap "signal 9 $killed_at" "$@")
    status=$?
    case="killed before call $killed_at ($name)"
    [ $status = 137 ] || echo "$case: status $status"
}

# killed_within N FOLDER: starts a run, and kills it (SIGKILL) when it has a checkpoint inside its trajectory N.  Fails
# if no such file remains, or if the record has not N - 1 lines.
killed_within() {
    rm -rf "$2"
    start "$2" --checkpoint-minutes 0
    while kill -0 $process 2>/dev/null && ! is_within "$@"; do
        sleep 0.05
    done
    kill -KILL $process
    wait $process 2>/dev/null
    is_within "$@" && [ "$(wc -l <"$2/run.jsonl")" = $(($1 - 1)) ]
}
is_within() {
    ls "$2" 2>/dev/null | grep -E -q "^midtrajectory\.$(printf %06d "$1")\.[0-9]+\$"
}

# goes_on_within N FOLDER: the same command continues there.
goes_on_within() {
    run "$2" && grep "continuing within trajectory $1, at step" "$2/run.log"
}

# count_calls LEAST FOLDER OPTIONS...: $calls is how many calls that change files a run makes.  A fact: the run ends
# well, and makes LEAST of them at least, so that a loop over "$(seq 1 "$calls")" is never empty.  Status 1 where no
# process may watch another's calls.
count_calls() {
    least=$1
    shift
    calls=$(with_mishap count "$@")
    counted=$?
    [ $counted != 77 ] || { calls=0; return 1; }
    holds "a run whose calls that change files are counted makes $least of them at least ($calls)" are_counted
}
are_counted() {
    [ $counted = 0 ] || { echo "status $counted:"; cat said; return 1; }
    [ "$calls" -ge "$least" ]
}

# make_stepped_clock: builds the clock of tests/ensemble/stepped_clock.c; fails where no library can be loaded before
# the program, with the reason in the file `made`.
clock_source=$clock_folder/tests/ensemble/stepped_clock.c
clock=
make_stepped_clock() {
    ${CC:-cc} -shared -fPIC -o "$scratch/stepped.so" "$clock_source" -ldl >made 2>&1 &&
        readings_of run tried --set lattice=[2,2,2,2] --trajectories 1 >tried.readings 2>>made &&
        [ "$(cat tried.readings)" -gt 0 ]
}

# The variables of the stepped clock, NAME=VALUE each with those given, as a command that a program follows.
stepped_clock() {
    echo "env LD_PRELOAD=$scratch/stepped.so ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0" \
        "STEPPED_COUNT=$scratch/readings $*"
}

# on_clock "NAME=VALUE..." COMMAND...: a command of this file (run, start) on a stepped clock.
on_clock() {
    clock=$(stepped_clock $1)
    shift
    "$@"
    on_clock_status=$?
    clock=
    return $on_clock_status
}

# at_reading N SIGNAL COMMAND...: the same; the program gets the signal when it reads the clock for the N-th time.
at_reading() {
    signal_at="STEPPED_AT=$1 STEPPED_SIGNAL=$2"
    shift 2
    on_clock "$signal_at" "$@"
}

# readings_of COMMAND...: how often a run that ends well reads the clock.
readings_of() {
    rm -f readings
    on_clock "" "$@" >/dev/null || { cat said >&2; return 1; }
    cat readings
}

# has_stopped PROCESS: waits until a signal has stopped it (T in its state).
has_stopped() {
    for attempt in $(seq 3000); do
        case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
            T*) return 0 ;;
            '' | Z*) return 1 ;;
        esac
        sleep 0.1
    done
    return 1
}

# A record without what differs from run to run and from place to place: bytes copied, times.
record_of() {
    sed 's/, "bytes_to_device": .*//' "$1/run.jsonl"
}

# different_links A B: no trajectory of one has the plaquette that the other's has.  (Their lines differ in any case:
# they hold the digest of the input.)
different_links() {
    for folder in "$1" "$2"; do
        sed 's/.*, "plaquette": {"average": \([^,]*\),.*/\1/' "$folder/run.jsonl" >"plaquettes.$folder"
    done
    [ -s "plaquettes.$1" ] && [ -s "plaquettes.$2" ] || { echo "there is no trajectory"; return 1; }
    paste "plaquettes.$1" "plaquettes.$2" |
        awk '$1 == $2 { print "trajectory " NR ": both have plaquette " $1; same = 1 } END { exit same }'
}

# The same trajectories are told in the same words, every configuration that both have has the same bytes, and the
# newest states are the same; nothing half-written is left.
same_stream() {
    record_of "$1" >record.1
    record_of "$2" >record.2
    if ! cmp -s record.1 record.2; then
        echo "the records of $1 and $2 differ"
        diff record.1 record.2 | head -n 3 | cut -c 1-100
        return 1
    fi
    shared=0
    for file in "$1"/*.lime; do
        other=$2/$(basename "$file")
        [ -e "$other" ] || continue
        shared=$((shared + 1))
        ${compare:-cmp} "$file" "$other" || return 1
    done
    [ "$shared" -gt 0 ] || { echo "$1 and $2 share no file"; return 1; }
    [ "$(newest "$1" | sed 's/.*\.\([0-9]*\)\.lime/\1/')" = "$(newest "$2" | sed 's/.*\.\([0-9]*\)\.lime/\1/')" ] ||
        { echo "the newest states are of different trajectories"; return 1; }
    nothing_half_written "$1" && nothing_half_written "$2"
}

# The same, but for which configuration a file names as the one before: that the cadence of files decides.
same_stream_at_any_cadence() {
    compare=same_but_parent
    same_stream "$@"
    same=$?
    compare=
    return $same
}

same_but_parent() {
    parents='s/"parent_digest": "0x[0-9a-f]*"//; s/"digest": "0x[0-9a-f]*"//'
    LC_ALL=C sed "$parents" "$1" >parentless.1
    LC_ALL=C sed "$parents" "$2" >parentless.2
    cmp parentless.1 parentless.2
}

nothing_half_written() {
    ! ls "$1" | grep partial
}

nothing_set_aside() {
    ! ls "$1" | grep corrupt
}

# The newest state in a folder.
newest() {
    ls "$1" | sed -n 's/.*\.\([0-9]*\)\.lime$/\1 &/p' | sort | tail -n 1 | sed "s|^[0-9]* |$1/|"
}

# ends STATUS COMMAND...
ends() {
    wanted=$1
    shift
    "$@"
    got=$?
    [ "$got" = "$wanted" ] || { echo "status $got, not $wanted:"; cat said; return 1; }
}

# What the last run said, with paths as seen from here: messages have absolute ones.
heard() {
    sed "s|$scratch/||g" said
}

# Whether the last run said a pattern.
says() {
    heard | grep -q -e "$1" || { echo "\"$1\" is not in:"; cat said; return 1; }
}

# For a fact about many cases, none SENTENCE "$(...)": must COMMAND... is silent when it succeeds; else a line that
# names the $case and what COMMAND put out.
must() {
    trouble=$("$@" 2>&1) || echo "$case: $* fails: $(echo "$trouble" | head -n 4 | tr '\n' ' ')"
}

# how_many SHORT LONG: the second where KILN_STRESS is long (make stress).
how_many() {
    [ "$KILN_STRESS" = long ] && echo "$2" || echo "$1"
}

# step_of STEP: the step of a loop over many cases, four times as long where runs are made on a GPU: a start of the
# program takes a second there, and what these loops try is code of the host.
step_of() {
    if [ "$KILN_STRESS" != long ] && [ "${KILN_DEVICE:-auto}" != cpu ] &&
        "$KILN_PROGRAM" version 2>/dev/null | grep -q '^  GPU 0 '; then
        echo $((4 * $1))
    else
        echo "$1"
    fi
}

# What every file in a folder is, to the nanosecond; but the lock, which every process writes its name into.
inventory() {
    (cd "$1" && ls | grep -vx lock | while read -r name; do stat -c '%n %i %s %y' "$name" && cksum "$name"; done)
}

# has FOLDER PATTERN: kiln status has a line with it.
has() {
    "$KILN_PROGRAM" status "$1" >page 2>said
    grep -q -e "$2" page || { cat page; return 1; }
}
