#!/bin/sh
# kiln new with open boundaries in time: inputs that pass kiln check and run a trajectory, and what is refused.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

new() {                                 # FAMILY OPTIONS...
    of=$1
    shift
    "$KILN_PROGRAM" new --family "$of" --seed 3 "$@" 2>said
}
value() { sed -n "s/^  *$1: *\([^ ]*\).*/\1/p" "$2"; }          # KEY INPUT: the values of a key

tiny="--lattice 4,4,4,8 --trajectories 1 --boundary open"
while read -r family words; do
    holds "$family, $words: an input with open boundaries" new "$family" $words $tiny --output "$family.yaml"
    holds "which says so" grep -q '^boundary: { time: open }' "$family.yaml"
    holds "and has c_G of the gauge action" [ "$(value c_G "$family.yaml")" = 1 ]
    case $family in
    quenched) none "and no c_F" "$(value c_F "$family.yaml")" ;;
    *) holds "c_F of each operator, that of the measurement too" \
        [ "$(value c_F "$family.yaml" | tr '\n' ' ')" = "1 1 1 " ] ;;
    esac
    holds "it passes kiln check" "$KILN_PROGRAM" check "$family.yaml"
    holds "and runs a trajectory with its measurements" eval \
        '"$KILN_PROGRAM" run "$family.yaml" --quiet --device cpu --set output.directory="$family" \
            --set measurements.0.every=1 $([ "$family" = quenched ] || echo --set measurements.1.every=1) &&
         tail -n 1 "$family/run.jsonl" | grep -q "\"charge_plateau\"" &&
         { [ "$family" = quenched ] || tail -n 1 "$family/run.jsonl" | grep -q "\"slices\": {\"pion\""; }'
done <<'END_OF_FAMILIES'
quenched --beta 6
wilson-2 --beta 5.6 --pion 1084
clover-2 --beta 5.2 --pion 492
clover-2+1 --beta 3.4 --pion 416
slinc-2+1 --beta 5.5 --pion 470
expclover-2+1 --beta 3.8 --pion 412
tmclover-2 --beta 2.1 --pion 341
tm-2+1+1 --beta 1.9 --pion 495
END_OF_FAMILIES
holds "and the measurement of K, D and D_s has a source between the boundaries" \
    [ "$(grep -c 'source: \[0, 0, 0, 1\]' tm-2+1+1.yaml)" = 2 ]
holds "the command in the input writes it again" eval '
    command=$(sed -n "s/^# Written by: kiln //p" clover-2+1.yaml)
    "$KILN_PROGRAM" $command --output - 2>said | sed "s|directory: .*||" >again
    sed "s|directory: .*||" clover-2+1.yaml | cmp - again'

new clover-2+1 --beta 3.4 --pion 352 --boundary open --output cls.yaml
first=$(value plateau_first cls.yaml | sort -u)
last=$(value plateau_last cls.yaml | sort -u)
T=$(sed -n 's/^lattice: .*, \([0-9]*\)\].*/\1/p' cls.yaml)
holds "slices $first to $last of $T: a plateau of flow and quarks with the same distance from both ends" \
    [ $((first + last)) = $((T - 1)) ]
holds "of 1.5 fm at 0.0864 fm" [ "$first" = 18 ]
none "a warning of shorter ones only" "$(grep 'Warning: time slices' cls.yaml)"
holds "which has the tiny lattice" grep -q 'Warning: time slices 3 to 4 of the plateau' clover-2+1.yaml
new clover-2+1 --beta 3.7 --pion 344 --boundary open --output fine.yaml
none "fine lattices with open boundaries have no frozen charge" "$(grep 'on a torus' fine.yaml said)"

new clover-2+1 --beta 3.4 --pion 352 --output periodic.yaml --json >chosen
holds "periodic boundaries where most published ensembles have open ones: a warning" \
    says 'those of most ensembles of this source are open: kiln new --boundary open writes these'
holds "in the input too" grep -q 'Warning: boundaries in time are periodic' periodic.yaml
none "but no key of open ones" "$(grep '^boundary\|c_G\|c_F\|plateau' periodic.yaml)"
holds "JSON has the boundaries" grep -q '"boundary_time": "periodic"' chosen
new clover-2+1 --beta 1.9 --pion 411 --output pacs.yaml
none "not where they are periodic" "$(grep 'boundaries in time' said pacs.yaml)"
while read -r family spacing words; do
    holds "$family: refused, status 2" ends 2 new "$family" --spacing "$spacing" --pion 391 --boundary open --output -
    holds "with the reason" says "$words"
done <<'END_OF_FAMILIES'
hisq-2+1 0.1 staggered quarks need periodic boundaries in time
dwf-2+1 0.11 domain-wall quarks need periodic boundaries in time
aniclover-2+1 0.12 the gradient flow of anisotropic lattices needs periodic boundaries
END_OF_FAMILIES
holds "too few time slices: status 2" ends 2 new clover-2+1 --beta 3.4 --pion 416 --lattice 4,4,4,4 --boundary open \
    --output -
holds "with the reason" says 'open boundaries in time need 6 time slices or more'
facts_end
