#!/bin/sh
# Full disks, forbidden folders, absent GPUs, too little memory: said with the reason, nothing lost.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run whole --set hmc.trajectories=3 || { cat said; exit 99; }

# advises REMEDY: after the reason stands what is lost, the remedy, and what the same command then does.
advises() {
    says "^error: stopped before the first checkpoint; no trajectory is lost: $1, then the same command begins again" ||
        says "^error: stopped before the first step; no trajectory is lost: $1, then the same command continues" ||
        says "^error: stopped; the newest valid state is intact, after trajectory .*: $1, then the same command "
}

# fails_at ERRNO K REASON REMEDY: the K-th call fails.  Either that is no harm, or the run says path, reason and remedy
# and ends with status 1; in any case the states that were there are good, and the stream goes on.  (On a GPU some calls
# are those of its driver, which then is not to be had.)
fails_at() {
    rm -rf hurt
    name=$(with_mishap "error $1 $2" hurt --set hmc.trajectories=3)
    status=$?
    case="call $2 ($name) fails with \"$3\""
    if [ $status = 0 ]; then
        must same_stream whole hurt
        case $name in
            fsync | rename*) echo "$case: the run goes on as if nothing had happened" ;;
        esac
    else
        [ $status = 1 ] || echo "$case: status $status"
        must says "^error: hurt.*: $3\|^error: --device cuda: no usable GPU"
        grep -q "no usable GPU" said || [ -z "$4" ] || must advises "$4"
        [ ! -d hurt ] || must nothing_half_written hurt
    fi
    for state in hurt/*.lime; do
        [ ! -e "$state" ] || "$KILN_PROGRAM" verify "$state" >verified 2>&1 || echo "$case: $state is not valid"
    done
    must run hurt --set hmc.trajectories=3
    must same_stream whole hurt
}

# written_in_parts BYTES K: the K-th call, if it writes, takes so many bytes; the program writes the rest or says why.
written_in_parts() {
    rm -rf hurt
    name=$(with_mishap "short $1 $2" hurt --set hmc.trajectories=3)
    status=$?
    case="call $2 ($name) takes $1 bytes"
    if [ $status = 0 ]; then
        must same_stream whole hurt
    else
        [ $status = 1 ] || echo "$case: status $status"
        must says "^error: hurt"
        must run hurt --set hmc.trajectories=3
        must same_stream whole hurt
    fi
}

# no_folder ERRNO REASON: the call that makes the folder fails.
no_folder() {
    for k in $(seq 1 "$calls"); do
        rm -rf hurt
        made=$(KILN_DEVICE=cpu; with_mishap "error $1 $k" hurt)     # a GPU's driver makes folders of its own
        status=$?
        case $made in mkdir*) break ;; esac
    done
    [ $status = 1 ] && says "^error: hurt: cannot create this folder: .*$2" && [ ! -e hurt ]
}

if count_calls 40 counted --set hmc.trajectories=3; then
    every=$(step_of 1)
    cases=$(((calls + every - 1) / every))
    none "a full disk at $cases of $calls calls: said with path and reason, then the same stream" "$(
        for k in $(seq 1 "$every" "$calls"); do
            fails_at 28 "$k" "No space left on device" "free space in hurt"
        done)"
    every=$(step_of "$(how_many 4 1)")
    none "an input/output error at $(((calls + every - 1) / every)) of them: the same" "$(
        for k in $(seq 1 "$every" "$calls"); do
            fails_at 5 "$k" "Input/output error"
        done)"
    none "a call that writes no more than 7 bytes, $(((calls + every - 1) / every)) in turn: the same stream" "$(
        for k in $(seq 1 "$every" "$calls"); do
            written_in_parts 7 "$k"
        done)"
    none "a folder on a read-only disk, or in a forbidden one, is refused with the reason" "$(
        must no_folder 30 "Read-only file system"
        must no_folder 13 "Permission denied")"
else
    skip "a full disk at any call" "the system lets no process listen to another's calls"
fi

# A disk that is full for good: its own file system where one can be mounted.
mkdir small
if mount -t tmpfs -o size=1000k none small 2>/dev/null; then
    trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
    holds "a small disk takes some of the configurations, then status 1" \
        ends 1 run small/ensemble --set output.configuration_every=1
    holds "the reason and the file are told" says "small/ensemble.*: No space left on device"
    last=$(newest small/ensemble | sed 's/.*\.0*\([1-9][0-9]*\)\.lime$/\1/')
    holds "and the state from which the run will continue, what is lost, and what to do" \
        says "^error: stopped; the newest valid state is intact, after trajectory $last (trajectory $((last + 1)) is \
lost, and will be generated again, with the same bits): free space in small/ensemble, then the same command continues"
    none "what is there is valid, and there is something" "$(
        case=small
        must nothing_half_written small/ensemble
        must "$KILN_PROGRAM" verify small/ensemble/*.lime)"
    holds "on the full disk nothing more happens" ends 1 run small/ensemble --set output.configuration_every=1
    run six --set output.configuration_every=1
    holds "which has no room for the first checkpoint of an ensemble, either" ends 1 run small/first
    holds "and says what to do" says "^error: stopped before the first checkpoint; no trajectory is lost: free space \
in small/first, then the same command begins again with the start links"
    mount -o remount,size=10m small
    holds "with more room it begins" run small/first --trajectories 3
    rm -r small/first
    holds "with more room the run continues" run small/ensemble --set output.configuration_every=1
    holds "to the same stream" same_stream six small/ensemble
    mkdir small/other
    mount -o remount,ro small
    holds "a new ensemble on a read-only disk is refused" ends 1 run small/new
    holds "for that reason" says "^error: small/new.*: Read-only file system"
    holds "with what to do" advises "make it possible to write in small/new"
    holds "an old one too" ends 1 run small/ensemble --trajectories 1
    holds "for that reason" says "^error: small/ensemble.*: Read-only file system"
    holds "with what to do" says "^error: stopped before the first step; no trajectory is lost: make it possible to \
write in small/ensemble, then the same command continues the run"
else
    skip "a small disk" "no file system can be mounted here"
fi

# Files no larger than half a configuration: a limit, not a signal.
limited() {
    (ulimit -f 300 && run "$@")         # blocks of 512 bytes, of 1024 in some shells: 225 KiB are too much for either
}
if [ "$(sh -c 'ulimit -f 300; ulimit -f')" = 300 ]; then
    holds "a limit on the size of files ends the run with status 1" ends 1 limited short --set 'lattice=[4, 4, 8, 8]'
    holds "the reason and the file are told" says "^error: short/c.checkpoint.000000.lime.*: File too large"
    holds "and what to do" advises "raise the limit on the size of files (ulimit -f) for short"
else
    skip "a limit on the size of files" "the shell has none"
fi

# Folders that are none, or not ours.
echo text >occupied
holds "a file in the place of the folder is refused" ends 1 run occupied
holds "for that reason" says "^error: occupied: .*Not a directory; choose as output.directory the name of a folder"
holds "a file in the place of a folder above is refused" ends 1 run occupied/ensemble
holds "for that reason" says "^error: occupied/ensemble: .*Not a directory"
holds "and the file is as it was" [ "$(cat occupied)" = text ]

mkdir forbidden
cp -R whole forbidden/old
chmod 555 forbidden forbidden/old
unprivileged=
[ "$(id -u)" != 0 ] || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$scratch"
as_nobody() {
    $unprivileged "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory="$1" 2>said
}
if $unprivileged "$KILN_PROGRAM" version >version 2>&1; then
    holds "a new ensemble in a folder that may not be written is refused" ends 1 as_nobody forbidden/new
    holds "for that reason" says "^error: forbidden/new: .*Permission denied"
    holds "with what to do" advises "give this user permission to read and write in forbidden/new"
    before=$(inventory forbidden/old)
    holds "an ensemble that may not be written is not continued" ends 1 as_nobody forbidden/old
    holds "for that reason" says "^error: forbidden/old/.*Permission denied"
    holds "and is as it was" [ "$before" = "$(inventory forbidden/old)" ]
else
    skip "folders that may not be written" "root may write all, and cannot be another user here"
fi
chmod 755 forbidden forbidden/old

# What is not there is not asked for twice.
on_gpu() {
    "$KILN_PROGRAM" run run.yaml --device cuda --set output.directory=gpu 2>said
}
if "$KILN_PROGRAM" version --json | grep -q '"devices": \[{'; then
    skip "a GPU that is not there" "there is one"
else
    holds "a GPU asked for but absent: status 1" ends 1 on_gpu
    holds "the reason is told, and what to do" says "^error: --device cuda: .*--device cpu"
    holds "nothing is created" [ ! -e gpu ]
fi

holds "a lattice larger than any memory: status 1" ends 1 run large --set 'lattice=[64, 64, 128, 256]'
holds "what needs how much, and what is free" \
    says "a lattice of 64x64x128x256 needs .*iB .* are free: links "
holds "nothing is created" [ ! -e large ]

confined() {
    (ulimit -v 500000 && KILN_DEVICE=cpu && run "$@")     # KiB
}
if (ulimit -v 500000 && "$KILN_PROGRAM" run --help) >help 2>&1; then
    holds "more memory than a process may have: status 1" ends 1 confined large --threads 1 \
        --set 'lattice=[16, 32, 32, 32]'
    holds "what needs how much" says "out of host memory: .* needs [0-9]* bytes"
    holds "nothing is created" [ ! -e large ]
else
    skip "more memory than a process may have" "the program does not start under such a limit"
fi

facts_end
