#!/bin/sh
# The folder of a run is removed, moved away, or closed to it, at any moment: said, and what was there is not lost.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

small="--set lattice=[2,2,2,2] --set hmc.trajectories=3"
run whole $small || { cat said; exit 99; }
echo 'rm -rf hurt' >remove
echo 'mv hurt away' >move
chmod +x remove move

# A run that has ended well, or with a reason that names the folder.
ended() {
    [ "$1" = 0 ] || { [ "$1" = 1 ] && says "^error: hurt"; }
}

# With the folder the states are gone: the run must not say that one is there to continue from.
no_state_is_promised() {
    ! grep 'state is intact' said
}

# The folder is gone for good: the same command begins the same stream again.
removed() {
    rm -rf hurt
    name=$(with_mishap "before ./remove $1" hurt $small)
    status=$?
    case="removed before call $1 ($name)"
    must ended $status
    must no_state_is_promised
    [ ! -d hurt ] || must nothing_half_written hurt
    rm -rf hurt                         # what was written behind its back is no ensemble
    must run hurt $small
    must same_stream whole hurt
}

# It comes back: the run goes on where it was.
moved() {
    rm -rf hurt away
    name=$(with_mishap "before ./move $1" hurt $small)
    status=$?
    case="moved away before call $1 ($name)"
    must ended $status
    [ ! -d away ] || must all_valid away
    [ ! -e away ] || { rm -rf hurt && mv away hurt; }
    must run hurt $small
    must same_stream whole hurt
}

all_valid() {
    for state in "$1"/*.lime; do
        [ ! -e "$state" ] || "$KILN_PROGRAM" verify "$state" || return 1
    done
}

if count_calls 40 counted $small; then
    every=$(step_of "$(how_many 3 1)")
    cases=$(((calls + every - 1) / every))
    none "removed before any of $cases calls that change files: a reason that names the folder, or all was done" "$(
        for k in $(seq 1 "$every" "$calls"); do removed "$k"; done)"
    none "moved away before any of $cases calls: what was there is valid, and goes on when it is back" "$(
        for k in $(seq 1 "$every" "$calls"); do moved "$k"; done)"
else
    skip "the folder of a run vanishes" "the system lets no process listen to another's calls"
fi

# From one moment to the next nothing may be created in it, as on a disk that has become read-only.
chmod 755 .
unprivileged=
[ "$(id -u)" != 0 ] || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$calls" -gt 0 ] && $unprivileged "$KILN_PROGRAM" version >version 2>&1; then
    echo 'chmod 555 open/hurt' >close
    chmod +x close
    closed() {
        rm -rf open
        mkdir open && chmod 777 open
        name=$(mishaps before ./close "$1" $unprivileged "$KILN_PROGRAM" run run.yaml --quiet --device cpu $small \
            --set output.directory=open/hurt 2>said)
        status=$?
        case="closed before call $1 ($name)"
        [ $status = 0 ] || { [ $status = 1 ] && must says "^error: open/hurt.*: Permission denied"; } ||
            echo "$case: status $status"
        [ ! -d open/hurt ] || must all_valid open/hurt
        chmod 755 open/hurt
        must $unprivileged "$KILN_PROGRAM" run run.yaml --quiet --device cpu $small --set output.directory=open/hurt
        must same_stream whole open/hurt
    }
    none "closed before any of $cases calls: said, what was there is valid, and goes on when it is open again" "$(
        for k in $(seq 3 "$every" "$calls"); do closed "$k"; done)"
else
    skip "the folder of a run is closed to it" "root may write all, and cannot be another user here"
fi

facts_end
