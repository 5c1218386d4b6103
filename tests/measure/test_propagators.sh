#!/bin/sh
# Propagators in files: written by measurements in SciDAC's format, read by a reader that knows only the format, read
# again in place of solves; damaged and foreign ones are refused, and a full disk leaves none.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

questions=$(pwd)/tests/measure/propagator_facts.py
. ./tests/python/interpreter.sh
if [ -n "$no_numpy" ]; then
    skip "propagators in files" "$no_numpy"
    facts_end
fi
PYTHONPATH=$(pwd)/python PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"
finds() { python3 "$questions" "$@"; }

cat >run.yaml <<'END'
lattice: [4, 4, 4, 4]
random: { seed: 128 }
start: { from: hot, heatbath: { sweeps: 6 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.9 }
heatbath: { sweeps: 1, overrelaxation: 1 }
hmc: { trajectories: 1 }
output: { directory: out, name: c, configuration_every: 1 }
END
"$KILN_PROGRAM" run run.yaml --quiet >said 2>&1 || { cat said; exit 99; }
links=out/c.000001.lime

common="random_sources: 0, spectrum: false, baryons: true, residual: 1e-11, masses: [{mass: 0.3}, {mass: 0.5}]"
wilson="{kind: wilson, $common, source: [1, 2, 3, 1], momenta: [{x: 1}]"
smeared="{kind: wilson, $common, source: [1, 2, 3, 1], smearing: {steps: 3, width: 1, sink: false}"
wall="{kind: wilson, $common, source_type: wall"
walls="{kind: domain_wall, $common, action: mobius, Ls: 4, b: 1.5, c: 0.5"

other() { echo "$wilson" | sed "$1"; }

# measure RESULTS MEASUREMENT "propagators: ..." OPTIONS...
measure() {
    results=$1
    asked="$2, propagators: {$3}}"
    shift 3
    "$KILN_PROGRAM" measure --input run.yaml --json "$links" --set "measurements=[$asked]" --device cpu "$@" \
        >"$results" 2>said
}
reported() { grep -q "\"converged\": false.*$2" "$1" || { cat "$1" said; return 1; }; }

{
    measure saved.json "$wilson" "save: props/light" &&
        measure smeared.json "$smeared" "save: props/smeared" &&
        measure wall.json "$wall" "save: props/wall" &&
        measure walls.json "$walls" "save: props/walls" &&
        measure single.json "$wilson" "save: props/single, precision: single"
} || { cat said; exit 99; }

holds "Wilson quarks: every number solves the Dirac equation" \
    finds dirac_equation props/light.000001.0.lime $links 0.3 1e-9
holds "and those of the second mass" finds dirac_equation props/light.000001.1.lime $links 0.5 1e-9
holds "the source is a point" finds point_source props/light.000001.0.lime 1 2 3 1
holds "smeared sources, in pairs with their quarks" finds dirac_equation props/smeared.000001.0.lime $links 0.3 1e-9
holds "walls of Coulomb's gauge, in the same way" finds dirac_equation props/wall.000001.0.lime $links 0.3 1e-8
holds "64 bits" finds precision props/light.000001.0.lime D
holds "32 bits" finds precision props/single.000001.0.lime F
holds "the same numbers, rounded" finds rounded props/single.000001.0.lime props/light.000001.0.lime
holds "the pion of Wilson quarks from the file" finds pion props/light.000001.0.lime saved.json wilson 0 1e-12
holds "the pion of domain-wall quarks" finds pion props/walls.000001.1.lime walls.json domain_wall 1 1e-12
for file in light single smeared wall walls; do
    holds "the Python package reads $file, and changes its basis" finds package props/$file.000001.0.lime
    holds "kiln verify accepts $file" "$KILN_PROGRAM" verify props/$file.000001.0.lime
done
scalars() {
    finds scalar_pairs props/light.000001.0.lime scalars.lime $1 && "$KILN_PROGRAM" verify scalars.lime >/dev/null
}
same_scalars() { scalars same && finds same_numbers props/light.000001.0.lime scalars.lime; }
holds "pairs of scalar sources and quarks" same_scalars
other_scalars() { scalars another && finds refused scalars.lime "the 12 scalar sources differ"; }
holds "with another source for the last quark" other_scalars
shows() { "$KILN_PROGRAM" verify "$@" >shown && grep -q "USQCD_DiracFermion_ScalarSource_TwelveSink" shown &&
    grep -q "degrand-rossi" shown && grep -q "mass.*0\.3" shown && grep -q "12" shown; }
holds "and shows what it is" shows props/light.000001.0.lime
holds "as JSON, too" shows --json props/light.000001.0.lime

# ---- read in place of solves

again() {
    measure again.json "$2" "load: props/$3" && finds same_results "$1" again.json iterations $4 &&
        grep -q '"iterations": 0' again.json
}
holds "Wilson quarks from the file: all results, bit for bit, without a solve" again saved.json "$wilson" light
holds "and of a smeared source" again smeared.json "$smeared" smeared
holds "and of a wall" again wall.json "$wall" wall
holds "domain-wall quarks: all but those of the midpoint" again walls.json "$walls" walls \
    "midpoint residual_mass_midpoint residual_mass_in_time"
close() {
    measure again.json "$(other 's/1e-11/1e-6/')" "load: props/single" &&
        finds pion props/light.000001.0.lime again.json wilson 0 1e-6
}
holds "from 32 bits: the same pion within their rounding" close

# ---- grids

same_bytes() {
    measure grid.json "$1" "save: grid/$2" --grid 1,1,2,2 --share-gpu &&
        cmp props/$2.000001.0.lime grid/$2.000001.0.lime && cmp props/$2.000001.1.lime grid/$2.000001.1.lime
}
holds "four ranks write the same bytes" same_bytes "$wilson" light
holds "and of smeared sources" same_bytes "$smeared" smeared
holds "and of domain-wall quarks" same_bytes "$walls" walls
read_by_ranks() {
    measure ranks.json "$wilson" "load: props/light" --grid 1,2,2,1 --share-gpu &&
        finds same_results saved.json ranks.json iterations
}
holds "four ranks read a file of one" read_by_ranks

# ---- refused

refuses() {
    words=$1
    shift
    measure refused.json "$@"
    [ $? = 1 ] || { echo "not status 1"; return 1; }
    reported refused.json "$words"
}
holds "another mass" refuses 'mass: 0\.3.*mass: 0\.35.* is needed' "$(other 's/0\.3}/0.35}/')" "load: props/light"
holds "another boundary" \
    refuses 'boundary: 1.*boundary: 0' "$(other 's/momenta/boundary: 0, momenta/')" "load: props/light"
holds "another source" \
    refuses 'source: \[1, 2, 3, 1\].*source: \[1, 2, 3, 2\]' "$(other 's/3, 1\]/3, 2]/')" "load: props/light"
holds "another operator" refuses 'c_sw: 0.*c_sw: 1\.1' "$(other 's/momenta/c_sw: 1.1, momenta/')" "load: props/light"
holds "other quarks" refuses 'quark: wilson.*quark: domain_wall' "$walls" "load: props/light"
holds "a source that is smeared" \
    refuses 'has no smearing, but ."smearing.steps: 3." is needed' "$smeared" "load: props/light"
holds "one that is not" \
    refuses 'has ."smearing.steps: 3.", but no smearing is needed' "$wilson" "load: props/smeared"
holds "solves that are not as good" refuses 'residual.*1e-12' "$(other 's/1e-11/1e-12/')" "load: props/light"
holds "numbers of 32 bits for solves of 64" refuses 'residual of its solves is 5.96e-08, but .residual. is 1e-11' \
    "$wilson" "load: props/single"
table() {
    "$KILN_PROGRAM" measure --input run.yaml "$links" --device cpu \
        --set "measurements=[$wilson, propagators: {load: props/none}, name: lost}]" >shown 2>said
    [ $? = 1 ] && grep -q '^  lost  *failed: .*none\.000001\.0\.lime.*No such file' shown ||
        { cat shown said; return 1; }
}
holds "a table has a row for a measurement that failed" table
holds "a file that is not there" refuses 'none\.000001\.0\.lime.*No such file' "$wilson" "load: props/none"
both() { measure both.json "$wilson" "load: a, save: b" && return 1; grep -q "give save or load, not both" said; }
holds "save and load together" both
twin() {
    "$KILN_PROGRAM" check run.yaml --set "measurements=[$wilson, name: a, propagators: {save: props/p}},
        $walls, name: b, propagators: {save: $scratch/props/p}}]" >said 2>&1
    [ $? = 2 ] && grep -q "propagators.save.*is also that of a: give another path" said || { cat said; return 1; }
}
holds "one path for two measurements" twin
noise() { measure noise.json "$(other 's/baryons: true/source_type: z2_wall/; s/, momenta.*//')" "save: a" && return 1
    grep -q "without random numbers" said || { cat said; return 1; }; }
holds "random sources" noise

spoilt() {
    words=$1
    shift
    rm -rf spoilt
    mkdir spoilt && cp props/light.000001.1.lime spoilt/light.000001.1.lime && finds "$@" || return 1
    refuses "$words" "$wilson" "load: spoilt/light" || return 1
    "$KILN_PROGRAM" verify spoilt/light.000001.0.lime >verified && return 1
    grep -q "$words" verified || { cat verified; return 1; }
}
file=props/light.000001.0.lime
holds "a bit that changed" spoilt 'checksum.*says.*but the numbers give' flip $file spoilt/light.000001.0.lime flip
holds "and in Python" finds refused spoilt/light.000001.0.lime "the numbers give"
holds "a short file" spoilt 'only .* bytes are left in the file' flip $file spoilt/light.000001.0.lime cut
holds "and in Python" finds refused spoilt/light.000001.0.lime "left in the file"
holds "a file without its last quark" spoilt '11 quarks' without_quark $file spoilt/light.000001.0.lime
holds "and in Python" finds refused spoilt/light.000001.0.lime "11 quarks"
holds "another lattice in its XML" spoilt 'needs' replaced $file spoilt/light.000001.0.lime "4 4 4 4 <" "4 4 4 8 <"
holds "a record of another size" spoilt 'a spinor in double precision has 192' replaced $file \
    spoilt/light.000001.0.lime "<typesize>192" "<typesize>191"
holds "a type that is not known" spoilt 'which Kiln does not read' replaced $file spoilt/light.000001.0.lime \
    TwelveSink FourteSink
twice() {
    mkdir twice &&
        finds replaced $file twice/light.000001.0.lime "<spin>0</spin><color>1" "<spin>0</spin><color>0" &&
        refuses 'two quarks from spin 0 and color 0' "$wilson" "load: twice/light"
}
holds "quarks of the same column twice" twice
foreign() {
    mkdir -p foreign && finds replaced $file foreign/light.000001.0.lime kiln-propagator chroma-notebook &&
        refuses "are not known" "$wilson" "load: foreign/light" && "$KILN_PROGRAM" verify foreign/light.000001.0.lime
}
holds "files of other codes are verified, but not taken for those of the links" foreign
lattice() {
    "$KILN_PROGRAM" run run.yaml --quiet --set lattice=[4,4,4,8] --set output.directory=long >/dev/null 2>&1 &&
        links=long/c.000001.lime refuses 'the lattice is 4x4x4x4, but that of the links is 4x4x4x8' "$wilson" \
            "load: props/light" --set lattice=[4,4,4,8]
}
holds "another lattice" lattice
other_links() {
    cp $file props/light.000000.0.lime
    links=out/c.checkpoint.000000.lime refuses 'links: [0-9a-f]*.*links: [0-9a-f]*.*is needed' "$wilson" \
        "load: props/light"
}
holds "other links" other_links

# ---- written again, and disks that are full

renewed() { cp $file before && measure renewed.json "$wilson" "save: props/light" && cmp before $file; }
holds "the same measurement writes the same file again" renewed
# Another file under the name: it stays, and the results of the measurement are kept.
stays() {
    words=$1
    shift
    measure kept.json "$@" && grep -q '"converged": true' kept.json || { cat kept.json said; return 1; }
    grep -q "warning: measurement wilson: .*$words; this file is not overwritten; the propagator is not written, the \
results are kept" said || { cat said; return 1; }
}
kept() {
    cp $file before && stays 'mass: 0\.3.*mass: 0\.35.* is needed' "$(other 's/0\.3}/0.35}/')" "save: props/light" &&
        cmp before $file
}
holds "a propagator of another mass is not overwritten" kept
unsaved() { measure unsaved.json "$(other 's/0\.3}/0.35}/')" '' && cmp unsaved.json kept.json; }
holds "and the results are those without a file" unsaved
other_bits() {
    cp $file before && stays 'has 64 bits, but 32 are needed' "$wilson" "save: props/light, precision: single" &&
        cmp before $file
}
holds "nor one of 64 bits by one of 32" other_bits
not_ours() {
    mkdir -p mine && echo "something else" >mine/light.000001.0.lime && stays '' "$wilson" "save: mine/light" &&
        grep -q "something else" mine/light.000001.0.lime
}
holds "nor another file" not_ours

# Two streams that write into the same folders.
stream() {
    "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=stream$1 --set random.stream=$1 \
        --set "measurements=[{kind: wilson, name: w, random_sources: 0, spectrum: false, residual: 1e-6,
            masses: [{mass: 1}], modes: {count: 1, residual: 1e-3, directory: modes}, propagators: {save: props/s}}]" \
        2>said
}
holds "stream 0" stream 0
holds "stream 1" stream 1
holds "has no warning" test ! -s said
holds "and its results" grep -q '"w": {.*"converged": true' stream1/run.jsonl
holds "the propagators of both are there" test -s props/s.000001.0.lime -a -s props/s.stream1.000001.0.lime
holds "of their own links" sh -c '! cmp props/s.000001.0.lime props/s.stream1.000001.0.lime >differ'
holds "and the eigenvectors" test -s modes/w.000001.0.lime -a -s modes/w.stream1.000001.0.lime
loaded() {
    links=stream1/c.000001.lime measure loaded.json "{kind: wilson, name: w, random_sources: 0, spectrum: false,
        residual: 1e-6, masses: [{mass: 1}]" "load: props/s" && grep -q '"iterations": 0' loaded.json
}
holds "kiln measure reads that of its stream" loaded
# Other links with the same name: of a run with another seed, and of files without the number of a trajectory.
run_of_seed() {
    "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=seed$1 --set random.seed=$1 \
        --set "measurements=[{kind: wilson, name: v, random_sources: 0, spectrum: false, residual: 1e-6,
            masses: [{mass: 1}], modes: {count: 1, residual: 1e-3, directory: modes}, propagators: {save: props/v}}]" \
        2>said
}
seeds() {
    run_of_seed 5 && cp modes/v.000001.0.lime modes.5 && cp props/v.000001.0.lime props.5 && run_of_seed 6 || return 1
    [ ! -s said ] && cmp props.5 props/v.000001.0.lime && cmp modes.5 modes/v.000001.0.lime || { cat said; return 1; }
    [ $(ls props/v.* | wc -l) = 2 ] && [ $(ls modes/v.* | wc -l) = 2 ] || { ls props modes; return 1; }
    grep -q 'v.000001.0.lime: has a propagator on other links and is kept; the propagator on the present links' \
        seed6/run.log && grep -q '"v": {.*"converged": true' seed6/run.jsonl
}
holds "two runs with different seeds: files of both are there, without a warning" seeds
quick="{kind: wilson, name: v, random_sources: 0, spectrum: false, residual: 1e-6, masses: [{mass: 1}]"
both_seeds() {
    for seed in 5 6; do
        links=seed$seed/c.000001.lime measure loaded.$seed "$quick" "load: props/v" &&
            grep -q '"iterations": 0' loaded.$seed || { cat loaded.$seed said; return 1; }
    done
    ! cmp -s loaded.5 loaded.6
}
holds "and kiln measure reads those of its links" both_seeds
# The first measurement is stopped while it solves (if it still does), and the second one writes its file first.
meanwhile() {
    links=seed5/c.000001.lime measure first.json "$quick" "save: props/r" &
    first=$!
    until ls props | grep -q '^r.000001.0.lime.partial' || ! kill -0 $first 2>/dev/null; do :; done
    stopped=$(pgrep -P $first) && kill -STOP $stopped 2>/dev/null
    links=seed6/c.000001.lime measure second.json "$quick" "save: props/r"
    second=$?
    [ -z "$stopped" ] || kill -CONT $stopped 2>/dev/null
    wait $first && [ $second = 0 ] && [ $(ls props/r.* | wc -l) = 2 ] ||
        { echo "second $second, stopped $stopped"; cat first.json second.json said; ls props; return 1; }
    for seed in 5 6; do
        links=seed$seed/c.000001.lime measure loaded.$seed "$quick" "load: props/r" || { cat loaded.$seed; return 1; }
    done
}
holds "two measurements at the same time write both files" meanwhile
unnumbered() {
    for seed in 5 6; do
        "$KILN_PROGRAM" convert seed$seed/c.000001.lime $seed.cnfg --format openqcd >converted 2>&1 &&
            links=$seed.cnfg measure saved.$seed "$quick" "save: props/n" && ! grep -q warning said ||
            { cat converted said; return 1; }
    done
    [ -e props/n.000000.0.lime ] && [ $(ls props/n.* | wc -l) = 2 ] || { ls props; return 1; }
    for seed in 5 6; do
        links=$seed.cnfg measure loaded.$seed "$quick" "load: props/n" && grep -q '"iterations": 0' loaded.$seed &&
            finds same_results saved.$seed loaded.$seed iterations || { cat said; return 1; }
    done
}
holds "two files without a number: propagators of both are written, and read" unnumbered
deep() {
    measure deep.json "$(other 's/1e-11/1e-3/')" "save: a/b//c/light" &&
        "$KILN_PROGRAM" verify a/b/c/light.000001.0.lime
}
holds "folders in folders are made" deep
unmade() { refuses 'folder .* cannot be created' "$wilson" "save: $links/p/light"; }
holds "a folder that cannot be made" unmade

hurt() {
    mishaps "$@" "$KILN_PROGRAM" measure --input run.yaml --json "$links" --device cpu \
        --set "measurements=[{kind: wilson, random_sources: 0, spectrum: false, residual: 1e-3, masses: [{mass: 1}],
        propagators: {save: hurt/light}}]" 2>said
}
hurt count >counted
status=$?
calls=$(tail -n 1 counted)
if [ $status = 77 ]; then
    skip "full disks" "no process may watch another's calls here"
    facts_end
fi
full() {
    [ "$calls" -ge 20 ] || { echo "$calls calls"; return 1; }
    refused=0
    for k in $(seq 1 "$calls"); do
        rm -rf hurt
        hurt error 28 "$k" >name.json
        [ ! -e hurt ] || [ -z "$(ls hurt | grep -v 'light.000001.0.lime$')" ] || { ls hurt; return 1; }
        if [ -e hurt/light.000001.0.lime ]; then
            "$KILN_PROGRAM" verify hurt/light.000001.0.lime >/dev/null || return 1
        elif grep -q 'No space left on device' said; then
            refused=$((refused + 1))
        fi
    done
    [ $refused -ge 5 ] || { echo "$refused of $calls calls"; return 1; }
}
holds "a disk that is full at any call: the file is whole, or absent with the reason" full
facts_end
