#!/bin/sh
# kiln gaugefix: the file that it writes, on one rank and several, and what it refuses.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
run stream --set lattice=[4,4,4,8] || { cat said; exit 99; }
links=stream/c.000006.lime

# fixes FOLDER OPTIONS...: writes FOLDER/fixed.lime, and prints to FOLDER/out
fixes() {
    to=$1
    shift
    mkdir -p "$to"
    "$KILN_PROGRAM" gaugefix --device "${KILN_DEVICE:-auto}" --share-gpu "$@" "$links" "$to/fixed.lime" \
        >"$to/out" 2>said
}
# number KEY FILE: that of JSON, on one line
number() {
    sed "s/.*\"$1\": \([-+0-9.e]*\).*/\1/" "$2"
}
plaquette() {
    "$KILN_PROGRAM" measure --device cpu --json --what plaquette "$1" 2>said >measured && number average measured
}

for gauge in landau coulomb; do
    holds "$gauge: writes a file" ends 0 fixes $gauge --gauge $gauge --json
    holds "$gauge: theta is below 1e-14" awk "BEGIN { exit !($(number theta $gauge/out) < 1e-14) }"
    holds "$gauge: the file passes kiln verify" "$KILN_PROGRAM" verify $gauge/fixed.lime
    holds "$gauge: plaquettes are unchanged" \
        awk "BEGIN { d = $(plaquette $links) - $(plaquette $gauge/fixed.lime); exit !(d < 1e-13 && d > -1e-13) }"
    for options in "--ranks 2" "--grid 1,2,2,1"; do
        holds "$gauge, $options: prints the same" eval \
            "fixes several --gauge $gauge --json $options && sed s/several/$gauge/g several/out | cmp - $gauge/out"
        holds "$gauge, $options: writes the same bytes" cmp several/fixed.lime $gauge/fixed.lime
        rm -r several
    done
done
holds "--seed begins at another rotation" ends 0 fixes copy --gauge landau --seed 3 --json
holds "which finds the same plaquettes" \
    awk "BEGIN { d = $(plaquette $links) - $(plaquette copy/fixed.lime); exit !(d < 1e-13 && d > -1e-13) }"
holds "by other sweeps" eval '[ "$(number sweeps copy/out)" != "$(number sweeps landau/out)" ]'
holds "no file is overwritten: status 1" ends 1 fixes landau --gauge landau
holds "with the reason" says 'landau/fixed.lime.*exists'
holds "too few sweeps: status 1" ends 1 fixes few --gauge landau --sweeps 5
holds "with what to do" says 'after 5 sweeps, but should be below 1e-14; allow more sweeps'
holds "and no file" [ ! -e few/fixed.lime ]
holds "the gauge must be given: status 2" ends 2 fixes few
holds "an unknown gauge has a suggestion" ends 2 fixes few --gauge landua
holds "which is landau" says 'did you mean "landau"'
facts_end
