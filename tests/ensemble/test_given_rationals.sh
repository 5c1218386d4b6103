#!/bin/sh
# What an input says of the range of the rational functions, or gives as their file, may change when a stream goes on:
# never unnoticed, and without a dead end.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

mkdir inputs
cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 4]
random: { seed: 14 }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 6.4 }
  - kind: staggered
    name: quarks
    determinants:
      - quarks: [ { mass: 0.2, flavors: 2 }, { mass: 0.3, flavors: 1 } ]
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-6 }
hmc:
  trajectory_length: 0.5
  levels:
    - { integrator: omelyan, steps: 2, monomials: [quarks, gauge] }
  trajectories: 6
  thermalization: 6
output: { directory: unnamed, name: c, configuration_every: 1, checkpoint_every: 1 }
END_OF_INPUT

# Trajectories whose record says that the functions are others now.
renewed() {
    sed -n 's/^{"trajectory": \([0-9]*\),.*"range_renewed": true.*/\1/p' "$1/run.jsonl" | tr '\n' ' '
}
make_file() {
    rm -f inputs/functions
    "$KILN_PROGRAM" rational --quarks 0.2x2,0.3 --write inputs/functions "$@" >/dev/null 2>said
}

# A file of functions beside an input in another folder.
sed 's/^    name: quarks/&\
    rational_file: functions/' run.yaml >inputs/run.yaml
in_file() {
    folder=$1
    shift
    "$KILN_PROGRAM" run inputs/run.yaml --quiet --device "${KILN_DEVICE:-auto}" --set output.directory="$folder" \
        "$@" 2>said
}
holds "rational functions are written" make_file --upper 25
holds "a relative rational_file counts from the folder of the input" ends 0 in_file given --trajectories 1
holds "as what the input says of itself, whichever folder it is read in" ends 0 \
    "$KILN_PROGRAM" check given/parameters.yaml
holds "with the same functions the stream goes on silently" ends 0 in_file given --trajectories 1
holds "so it does where --set names the file from the working directory" ends 0 run given --trajectories 0 \
    --set monomials.1.rational_file=inputs/functions
holds "and its record has no others" [ "$(renewed given)" = "" ]
holds "other functions are written" make_file --upper 30
holds "with these it goes on as well" ends 0 in_file given --trajectories 1
holds "and says so" says 'rational functions differ from those of the trajectories before'
holds "once" ends 0 in_file given --trajectories 1
holds "in the record, too" [ "$(renewed given)" = "3 " ]
# Of the file nothing but one number: the second pole or residue of a function, by 1e-13 of it.
change() {
    awk -v key="$1" '$1 == key && ++n == 2 { printf "%s %.17g\n", $1, $2 * (1 + 1e-13); next } { print }' \
        inputs/functions >changed && ! cmp -s changed inputs/functions && mv changed inputs/functions
}
for key in pole_MD res_MD pole_FA; do
    holds "a number $key is changed" change $key
    holds "with it the stream goes on" ends 0 in_file given --trajectories 1
    holds "and says so" says 'rational functions differ from those of the trajectories before'
done
holds "in the record, too, each time" [ "$(renewed given)" = "3 5 6 7 " ]
rm inputs/functions
holds "a rational_file that is not there is a fault that names the key" ends 2 in_file given
holds "with its whole path" grep -q "rational_file: $(pwd -P)/inputs/functions: cannot be opened" said

# A largest_eigenvalue that the spectrum exceeds: what the message advises is possible.
holds "a range that is too short ends the run" ends 1 run fixed --set monomials.1.largest_eigenvalue=2
holds "and says how to go on" says "raise largest_eigenvalue"
holds "the parameters kept with the failing step name the ensemble around it" \
    [ "$("$KILN_PROGRAM" check fixed/failure.000001/parameters.yaml | sed -n 's/^  directory: //p')" \
    = "\"$(pwd -P)/fixed\"" ]
holds "kiln replay takes the larger one" ends 0 "$KILN_PROGRAM" replay fixed/failure.000001 \
    --device "${KILN_DEVICE:-auto}" --set monomials.1.largest_eigenvalue=25
holds "and so does the run" ends 0 run fixed --set monomials.1.largest_eigenvalue=25 --trajectories 2
holds "whose record says it" [ "$(renewed fixed)" = "1 " ]
facts_end
