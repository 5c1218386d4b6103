#!/bin/sh
# A run whose trajectories are rejected is warned of, its report is marked bad, and it is not published; kiln audit
# lists
# all faults of a stream.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
small="--set lattice=[4,4,4,4] --set hmc.thermalization=0 --set hmc.trajectories=12 --set hmc.reunitarize_every=0"
run good $small --set hmc.thermalization=4 || { cat said; exit 99; }
cp said good.said
run stuck $small --set hmc.trajectory_length=2 --set hmc.levels.0.integrator=leapfrog --set hmc.levels.0.steps=2 ||
    { cat said; exit 99; }
cp said stuck.said

none "an unstable integrator after thermalization is warned of, with advice" "$(
    case=stuck
    must grep -q 'trajectory 1: dH .* after thermalization.*the integrator is unstable.*reduce the step size' stuck.said
    must grep -q '0 of 10 trajectories of this run were accepted (0%): reduce the step size' stuck.said
    case="warnings of dH are rare"
    must [ "$(grep -c 'after thermalization' stuck.said)" = 4 ])"
none "a run with small steps has no such warning" "$(grep -e 'after thermalization' -e 'were accepted' good.said)"

report_of() {
    "$KILN_PROGRAM" report "$1" --output "$1.html" 2>said >/dev/null || cat said
}
report_of good
report_of stuck
none "the report of a run without acceptance is marked bad, for its acceptance" "$(
    case=stuck
    must grep -q '<div class="verdict bad"><strong>This ensemble has a problem' stuck.html
    must grep -q '<li class="bad">acceptance [^<]*makes no progress' stuck.html
    case=good
    must sh -c '! grep -q "makes no progress" good.html')"

cat >about.yaml <<'END'
{}
END
publish() {
    "$KILN_PROGRAM" publish "$@" --about about.yaml 2>said
}
none "publish refuses configurations that are copies of one, unless it is told to take them" "$(
    case=refused
    must ends 1 publish stuck
    must says 'stuck: all 12 trajectories from 1 on were rejected.*--copies'
    case=option
    must ends 1 publish stuck --copies
    must sh -c '! grep -q rejected said'
    case=good
    must ends 1 publish good
    must sh -c '! grep -q -e rejected -e copies said')"

# ---- all faults

cp -R good hurt
rm hurt/c.000004.lime hurt/c.000010.lime
printf 'x' >>hurt/parameters.yaml
"$KILN_PROGRAM" audit --device cpu hurt >audited 2>said
none "without valid parameters nothing else is checked" "$(
    case=parameters
    must [ "$(grep -c '^  fault ' audited)" = 1 ])"
cp good/parameters.yaml hurt/parameters.yaml
printf 'xxxxxxxx' | dd of=hurt/c.000008.lime bs=1 seek=20000 conv=notrunc 2>/dev/null
"$KILN_PROGRAM" audit --device cpu hurt >audited 2>said
status=$?
none "files that are missing or damaged are all listed, and no others" "$(
    case=files
    must [ $status = 1 ]
    must [ "$(grep -c '^  fault ' audited)" = 3 ]
    must [ "$(grep -c '^  fault  *a missing configuration' audited)" = 2 ]
    must grep -q '^  where  *hurt/c.000004.lime' audited
    must grep -q '^  where  *hurt/c.000008.lime' audited
    must grep -q '^  where  *hurt/c.000010.lime' audited)"
sed -i '9s/"dH": /"dH": 1/' hurt/run.jsonl
"$KILN_PROGRAM" audit --device cpu --json hurt >audited 2>said
none "a fault of the record does not hide those of earlier files" "$(
    case=record
    must grep -q '"fault_count": 3,' audited
    must grep -q '"where": "hurt/run.jsonl: line 9", "fault": "a changed line"' audited
    must grep -q '"where": "hurt/c.000004.lime", "fault": "a missing configuration"' audited
    must grep -q 'states after trajectory 8, the last one with a valid line, are not checked' audited)"
facts_end
