#!/bin/sh
# A damaged state is set aside, not lost; the run goes on from the one before, to the same stream.  What cannot be
# read, or is another's, is not damaged: the run stops before it and touches nothing.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

run whole || { cat said; exit 99; }
run five --trajectories 5          # newest: checkpoint 5, configuration 4
run four --trajectories 4          # newest: configuration 4, checkpoint 3
run other_seed --trajectories 5 --set random.seed=12
run other_beta --trajectories 5 --set monomials.0.beta=4.6
run other_lattice --trajectories 5 --set 'lattice=[4, 4, 4, 4]'
run other_stream --trajectories 5 --set random.stream=1

flip_at() {         # FILE OFFSET: the other byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# damage NAME FILE
damage() {
    size=$(stat -c %s "$2")
    case $1 in
        half)         head -c $((size / 2)) "$2" >cut && cp cut "$2" ;;
        one_byte)     head -c $((size - 1)) "$2" >cut && cp cut "$2" ;;
        empty)        : >"$2" ;;
        magic)        flip_at "$2" 0 ;;
        link)         flip_at "$2" $((size / 2)) ;;
        checksum)     flip_at "$2" "$(grep -abo '<suma>' "$2" | sed 's/:.*//; s/$/ + 6/' | xargs expr)" ;;
        run_state)    flip_at "$2" "$(grep -abo '"seed"' "$2" | tail -n 1 | sed 's/:.*//; s/$/ + 2/' | xargs expr)" ;;
        zeros)        dd if=/dev/zero of="$2" bs="$size" count=1 2>/dev/null ;;
        text)         echo "not a configuration" >"$2" ;;
        folder)       rm "$2" && mkdir "$2" ;;
        *)            cp "other_$1/c.checkpoint.000005.lime" "$2" ;;
    esac
}

falls_back() {      # FOLDER NAME: of the file that must not be used
    says "warning: .*$2" && says "falling back to an earlier state" && says "$2: renamed to .*$2.corrupt" &&
        [ -e "$1/$2.corrupt" ]
}

for newest in c.checkpoint.000005.lime c.000004.lime; do
    base=five
    [ $newest = c.checkpoint.000005.lime ] || base=four
    none "$newest damaged in any way: said, set aside with its bytes, and continued from the state before it" "$(
        for kind in half one_byte empty magic link checksum run_state zeros text folder; do
            case="$kind"
            rm -rf damaged kept
            cp -R $base damaged
            damage $kind damaged/$newest
            cp -R damaged/$newest kept
            must run damaged
            must falls_back damaged $newest
            must diff -r kept damaged/$newest.corrupt
            must same_stream whole damaged
        done)"
done

stops() {           # FOLDER: at a file that must not be touched
    ends 1 run "$1" && ! grep 'renamed to' said && ! grep 'falling back' said
}

# All but what the run itself says.
untouched() {       # FOLDER INVENTORY
    rm -f "$1/run.log"
    [ "$2" = "$(inventory "$1")" ] || { ls "$1"; return 1; }
}

none "another ensemble's state in the place of the newest one: said, status 1, nothing is touched" "$(
    for kind in seed beta lattice stream; do
        case="$kind"
        rm -rf foreign
        cp -R five foreign
        rm foreign/run.log
        damage $kind foreign/c.checkpoint.000005.lime
        before=$(inventory foreign)
        must stops foreign
        must says "^error: foreign/c.checkpoint.000005.lime: .*Kiln did not touch it"
        must untouched foreign "$before"
    done
    case="behind a damaged one"
    damage beta foreign/c.000004.lime
    damage half foreign/c.checkpoint.000005.lime
    before=$(inventory foreign)
    must stops foreign
    must untouched foreign "$before"
    case="moved away"
    cp five/*.lime foreign
    must run foreign
    must same_stream whole foreign)"

chmod 755 .
unprivileged=
[ "$(id -u)" != 0 ] || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $unprivileged "$KILN_PROGRAM" version >version 2>&1; then
    cp -R five locked
    rm locked/run.log
    [ "$(id -u)" != 0 ] || chown -R 65534:65534 locked
    chmod 000 locked/c.checkpoint.000005.lime
    before=$(inventory locked)
    as_nobody() {
        $unprivileged "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=locked 2>said
    }
    holds "a newest state that may not be read: status 1" ends 1 as_nobody
    holds "the reason is told" says "^error: locked/c.checkpoint.000005.lime: cannot be read: Permission denied"
    holds "nothing is touched" untouched locked "$before"
    chmod 300 locked
    holds "a folder that may not be listed is not an empty one: status 1" ends 1 as_nobody
    holds "the reason is told" says "locked: its files cannot be listed: Permission denied"
    chmod 755 locked
    holds "nothing is touched" untouched locked "$before"
    chmod 644 locked/c.checkpoint.000005.lime
    holds "when it may, the run continues" as_nobody
    holds "to the same stream" same_stream whole locked
else
    skip "a newest state that may not be read" "root may read all, and cannot be another user here"
fi

# Equal links are not yet the same state: of two streams whose first trajectories are all taken, say.
none "a configuration with these links but another state is not taken for this one" "$(
    case=equal
    must run equal --trajectories 1 --set output.bits=32
    must run taken --trajectories 2 --set output.bits=32 --set hmc.thermalization=3
    cp taken/c.000002.lime equal
    before=$(cksum equal/c.000002.lime)
    must ends 1 run equal --set output.bits=32
    must says "equal/c.000002.lime: exists already with other links or another state"
    [ "$before" = "$(cksum equal/c.000002.lime)" ] || echo "it was overwritten")"

# A name that lies about its trajectory.
cp -R five renamed
cp renamed/c.checkpoint.000005.lime renamed/c.checkpoint.000009.lime
none "a checkpoint under the name of another trajectory is not believed" "$(
    case=renamed
    must run renamed
    must falls_back renamed c.checkpoint.000009.lime
    must same_stream whole renamed)"

none "two newest states damaged, and a second time: nothing that was set aside is lost" "$(
    case=twice
    cp -R five twice
    damage half twice/c.checkpoint.000005.lime
    must run twice --trajectories 1
    damage empty twice/c.checkpoint.000005.lime
    must run twice
    must same_stream whole twice
    [ -s twice/c.checkpoint.000005.lime.corrupt ] && [ -e twice/c.checkpoint.000005.lime.corrupt.2 ] || ls twice)"

none "all states damaged: said, nothing is begun again over the record, and a state put back goes on" "$(
    case=all
    cp -R five all
    count=$(ls all/*.lime | wc -l)
    for file in all/*.lime; do
        damage link "$file"
    done
    must ends 1 run all
    must says "all: holds an ensemble, but none of its states is valid"
    must ends 1 run all
    must cmp five/run.jsonl all/run.jsonl
    [ "$(ls all/*.corrupt | wc -l)" = "$count" ] || ls all
    cp five/c.checkpoint.000005.lime all
    must run all
    must same_stream whole all)"

none "all states gone but not the record: said, and nothing is begun again over it" "$(
    case=gone
    cp -R five gone
    rm gone/*.lime
    must ends 1 run gone
    must says "gone: holds an ensemble, but none of its states is valid"
    must cmp five/run.jsonl gone/run.jsonl)"

cp -R five foreign
rm foreign/*.lime
before=$(inventory foreign)
holds "other parameters do not begin where a record is left of an ensemble without states" \
    ends 1 run foreign --set random.seed=12
holds "and nothing is touched" [ "$before" = "$(inventory foreign)" ]

cp -R five nameless
rm nameless/parameters.yaml
before=$(inventory nameless)
holds "states without parameters.yaml are not continued with an input that does not give them again" \
    ends 1 run nameless --set hmc.trajectories=7
holds "that is said" says "nameless/parameters.yaml"
holds "and nothing is touched" [ "$before" = "$(inventory nameless)" ]
holds "with the input that does they are" run nameless
holds "and the file is what it was" cmp five/parameters.yaml nameless/parameters.yaml

# The record is cut to the state, mended at its end, and otherwise left alone.
none "a torn last line of the record is made anew" "$(
    case=torn
    cp -R five torn
    rm torn/c.checkpoint.000005.lime
    printf '{"trajectory": 6, "acc' >>torn/run.jsonl
    must run torn
    must same_stream whole torn)"
none "a line that ends in the middle, and zeros behind it" "$(
    case=zeros
    cp -R five zeros
    rm zeros/c.checkpoint.000005.lime
    size=$(stat -c %s zeros/run.jsonl)
    head -c $((size - 50)) five/run.jsonl >zeros/run.jsonl
    head -c 5000 /dev/zero >>zeros/run.jsonl
    must run zeros
    must same_stream whole zeros)"
none "a line damaged long ago is refused, and the record stays as it is" "$(
    case=old
    cp -R five old
    sed -i '2s/.*/{"traj#&!/' old/run.jsonl
    cp old/run.jsonl old.jsonl
    must ends 1 run old
    must says "^error: old/run.jsonl: line 2: an unreadable line: expected trajectory 2"
    must cmp old.jsonl old/run.jsonl)"
none "a record that is empty is made again, with all trajectories" "$(
    case=gap
    cp -R five gap
    : >gap/run.jsonl
    must run gap
    must says "^warning: gap/run.jsonl: ends with trajectory 0, but there are states up to trajectory 5"
    must same_stream whole gap)"

facts_end
