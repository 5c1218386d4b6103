#!/bin/sh
# test_measure_results.sh - kiln measure --results: each measurement is made once, and none is lost.
. "$(dirname "$0")/../facts.sh"
. "$(dirname "$0")/../ensemble/stream.sh"

"$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=e \
    --set lattice=[4,4,4,8] --set output.configuration_every=1 2>said ||
    { cat said; exit 99; }

cat >measure.yaml <<'END'
lattice: [4, 4, 4, 8]
random: { seed: 11 }
monomials: [ { kind: gauge, action: wilson, beta: 6 } ]
hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 8, monomials: [gauge] } ] }
output: { directory: unused }
measurements:
- { kind: flow, t_max: 0.1, eps: 0.02, measure_every: 5 }
- { kind: condensate, name: light, sources: 1, masses: [ { mass: 0.3 } ] }
END

# measure RESULTS OPERANDS AND OPTIONS...: the summary is in the file `out`, what it says in `said`.
measure() {
    results=$1
    shift
    "$KILN_PROGRAM" measure --device cpu --quiet --results "$results" --what "${what:-plaquette,charge}" "$@" \
        >out 2>said
}
summary() { grep -q ": $1\$" out || { echo "\"$1\" is not in: $(cat out said)"; return 1; }; }
lines() { [ "$(wc -l <"$1")" = "$2" ] || { echo "$1 has $(wc -l <"$1") lines"; return 1; }; }
# What was measured, without names, times and checksums of lines.
values() { sed 's/.*"links": //; s/, "version": .*//' "$1" | sort; }
same_values() { values "$1" >values.1; values "$2" >values.2; [ -s values.1 ] && cmp values.1 values.2; }

holds "a folder stands for its configurations" ends 0 measure whole.jsonl e --input measure.yaml
holds "all are measured, no checkpoint is" summary "6 configurations: 6 measured, 0 done before, 0 failed, 0 left"
holds "a line for each" lines whole.jsonl 6
holds "in the order of their numbers" sh -c "sed 's/.*\"trajectory\": \([0-9]*\), \"seed.*/\1/' whole.jsonl |
    tr '\n' ' ' | grep -qx '1 2 3 4 5 6 '"

cp whole.jsonl before.jsonl
holds "the same command again" ends 0 measure whole.jsonl e --input measure.yaml
holds "measures nothing" summary "6 configurations: 0 measured, 6 done before, 0 failed, 0 left"
holds "and changes nothing" cmp whole.jsonl before.jsonl

# A process that is killed while it writes leaves a torn line.
for bytes in 1 7 300; do
    head -n 3 before.jsonl >torn.jsonl
    sed -n 4p before.jsonl | head -c $bytes >>torn.jsonl
    holds "a line torn after $bytes bytes" ends 0 measure torn.jsonl e --input measure.yaml
    holds "is measured again, and what was whole is not" summary \
        "6 configurations: 3 measured, 3 done before, 0 failed, 0 left"
    holds "the results are those of an uninterrupted command" same_values torn.jsonl before.jsonl
done

# A process that is killed in the middle, wherever that is.
"$KILN_PROGRAM" measure --device cpu --quiet --results killed.jsonl e/c.0* --what plaquette,charge \
    --input measure.yaml >out 2>said &
process=$!
while [ ! -s killed.jsonl ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
holds "after SIGKILL the same command completes the file" ends 0 measure killed.jsonl 'e/c.0*' --input measure.yaml
holds "with the same results" same_values killed.jsonl before.jsonl

# A line that changed does not count.
sed '2s/"charge": [-0-9]/"charge": 7/' before.jsonl >changed.jsonl
holds "a changed line is reported, and its configuration measured again" ends 0 measure changed.jsonl e \
    --input measure.yaml
holds "with the number of the line" says "beginning with line 2"
holds "only that one" summary "6 configurations: 1 measured, 5 done before, 0 failed, 0 left"
# Nor does one that has no checksum: Kiln writes none without.
sed '3s/, "digest": "0x[0-9a-f]*"}$/}/' before.jsonl >nodigest.jsonl
holds "a line without its checksum is reported, too" ends 0 measure nodigest.jsonl e --input measure.yaml
holds "with its number" says "beginning with line 3"
holds "and its configuration measured again" summary "6 configurations: 1 measured, 5 done before, 0 failed, 0 left"

# Other links under a known name, of the same size, in a format without checksum: the time of the file tells, to parts
# of a second.
for n in 3 4; do
    "$KILN_PROGRAM" convert e/c.00000$n.lime later.$n --format openqcd >converted || cat converted
done
for later in 2026-01-01T00:00:00.75 2026-01-01T00:00:07.25; do
    rm -f later.jsonl
    cp later.3 later
    touch -d 2026-01-01T00:00:00.25 later
    holds "a file without checksum" ends 0 measure later.jsonl later
    holds "is measured" summary "1 configuration: 1 measured, 0 done before, 0 failed, 0 left"
    holds "and known" ends 0 measure later.jsonl later
    holds "by its size and time" summary "1 configuration: 0 measured, 1 done before, 0 failed, 0 left"
    cp later.4 later
    touch -d $later later
    if [ "$(stat -c %y later | cut -c 1-22)" = "$(echo $later | tr T ' ')" ]; then
        holds "with other links from $later on" ends 0 measure later.jsonl later
        holds "it is measured again" summary "1 configuration: 1 measured, 0 done before, 0 failed, 0 left"
    else
        skip "a file that changed at $later" "this file system keeps no parts of seconds: $(stat -c %y later)"
    fi
done
touch -d 2026-01-01 later.3 later.4
rm -f later.jsonl
holds "two files of one size and time" ends 0 measure later.jsonl later.3 later.4
holds "are two configurations" summary "2 configurations: 2 measured, 0 done before, 0 failed, 0 left"
for n in 3 4; do
    "$KILN_PROGRAM" convert e/c.00000$n.lime summed.$n --format milc --precision 32 >converted || cat converted
done
cp summed.3 summed
touch -d 2026-01-01 summed
what=rectangle
holds "a file with a checksum" ends 0 measure later.jsonl summed
cp summed.4 summed
touch -d 2026-01-01 summed
holds "is another one under the same name, size and time if its checksum is another" \
    ends 0 measure later.jsonl summed
holds "and measured" summary "1 configuration: 1 measured, 0 done before, 0 failed, 0 left"
what=

# What is the same: other names, other formats; not: other parameters, other random numbers.
mkdir copies
cp e/c.000003.lime copies/third.lime
"$KILN_PROGRAM" convert e/c.000004.lime copies/fourth.nersc --format nersc >/dev/null
holds "a copy and another format of measured links" ends 0 measure whole.jsonl copies
holds "are not measured again" summary "2 configurations: 0 measured, 2 done before, 0 failed, 0 left"
holds "random numbers of a file without a state are those of the input" ends 0 measure whole.jsonl \
    copies/fourth.nersc --input measure.yaml --set random.seed=77
holds "so the condensate alone is measured" sh -c \
    'tail -n 1 whole.jsonl | grep -q "\"keys\": {\"light\": \"0x[0-9a-f]*\"}"'
what=rectangle
holds "another observable" ends 0 measure whole.jsonl e
what=
holds "is all that is added" sh -c 'tail -n 1 whole.jsonl | grep -q "\"keys\": {\"rectangle\": \"0x[0-9a-f]*\"}"'
holds "other parameters of a measurement" ends 0 measure whole.jsonl e --input measure.yaml \
    --set measurements.0.t_max=0.2 --set measurements.0.name=longer
holds "are another measurement" sh -c 'tail -n 1 whole.jsonl | grep -q "\"keys\": {\"longer\": \"0x[0-9a-f]*\"}"'
holds "every is no parameter of a measurement" ends 0 measure whole.jsonl e --input measure.yaml \
    --set measurements.0.every=5
holds "so nothing is measured again" summary "6 configurations: 0 measured, 6 done before, 0 failed, 0 left"
holds "names that are swapped" ends 0 measure whole.jsonl e --input measure.yaml \
    --set 'measurements=[ { kind: flow, name: longer, t_max: 0.1, eps: 0.02, measure_every: 5 },
                          { kind: flow, t_max: 0.2, eps: 0.02, measure_every: 5 } ]'
holds "mean measurements with these settings" summary "6 configurations: 6 measured, 0 done before, 0 failed, 0 left"
holds "and a warning says that a name has two settings" says \
    "measurement flow: .* has results with other settings (0x[0-9a-f]*); results with these settings (0x[0-9a-f]*) are"
holds "a name with one of them, again" ends 0 measure whole.jsonl e --input measure.yaml
holds "is not measured again" summary "6 configurations: 0 measured, 6 done before, 0 failed, 0 left"

# A flow whose last step is shorter, one with equal steps, and an adaptive one.
what=plaquette
for steps in 'name: short, eps: 0.02, measure_every: 2' 'name: equal, eps: 0.03, measure_every: 3' \
    'name: adaptive, eps: 0.02, measure_every: 2, tolerance: 1e-6'; do
    measure ends.jsonl e/c.000001.lime --input measure.yaml --set "measurements=[ { kind: flow, t_max: 0.09, $steps } ]"
done
what=
flow_ends() { sed 's/.*"along": {"t": \[\([^]]*\)\].*/\1/; s/.*, //' ends.jsonl; }
charges() { sed 's/.*"w0_plaquette": null, "charge": \([^,]*\),.*/\1/' ends.jsonl; }
agree() { awk 'NR == 1 { one = $1 } ($1 - one)^2 > 1e-6 * one^2 { exit 1 } END { exit NR != 3 }'; }
holds "a flow ends at t_max, also where eps does not divide it: $(flow_ends | tr '\n' ' ')" \
    [ "$(flow_ends | grep -cx 0.089999999999999997)" = 3 ]
holds "with the charge of this time: $(charges | tr '\n' ' ')" [ "$(charges | agree && echo yes)" = yes ]

# The action of the input is a setting of what is measured with it.
identity() {
    measure identity.jsonl e/c.000001.lime --input measure.yaml \
        --set 'measurements=[ { kind: schwinger_dyson, name: identity } ]' "$@"
}
holds "the identity of an action" ends 0 identity
holds "another action on the same links" ends 0 identity --set monomials.0.beta=5
holds "is another measurement" summary "1 configuration: 1 measured, 0 done before, 0 failed, 0 left"
holds "with other settings" says "measurement identity: .* has results with other settings"
holds "both actions have their result" lines identity.jsonl 2

# A digest alone says nothing of its settings.
parameters() {          # RESULTS LINE NAME PATTERN
    result="\"$3\": {\"kind\": [^{]*\"settings\": \"\(0x[0-9a-f]*\)\""
    sed -n "$2p" "$1" | grep -q "$result.*\"parameters\": {.*\"\1\": \"$4"
}
holds "a line has the parameters of its settings, with the action" \
    parameters identity.jsonl 2 identity 'kind: schwinger_dyson.*monomials:.*kind: gauge.*beta: 5\\u000a'
holds "and with defaults" parameters whole.jsonl 1 light 'kind: condensate.*mass: 0.3.*action: hisq'

# A rejected trajectory leaves the links of the one before: its configuration counts once more.
"$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=rejected --set hmc.thermalization=0 \
    --set hmc.levels.0.steps=1 --set hmc.trajectory_length=3 --set hmc.trajectories=3 \
    --set output.configuration_every=1 2>said || { cat said; exit 99; }
what=plaquette
holds "configurations of rejected trajectories" ends 0 measure rejected.jsonl rejected
holds "have the same links" sh -c \
    'sed "s/.*\"links\": \"\([0-9a-fx]*\).*/\1/" rejected.jsonl | sort -u | wc -l | grep -qx 1'
holds "each is measured" summary "3 configurations: 3 measured, 0 done before, 0 failed, 0 left"
holds "once" ends 0 measure rejected.jsonl rejected
holds "and never again" summary "3 configurations: 0 measured, 3 done before, 0 failed, 0 left"
"$KILN_PROGRAM" convert rejected/c.000002.lime unnumbered.oq --format openqcd >/dev/null
holds "a file without a number stands for any of them" ends 0 measure rejected.jsonl unnumbered.oq
holds "and adds nothing" lines rejected.jsonl 3
holds "nor do they" ends 0 measure unnumbered.jsonl unnumbered.oq rejected
holds "to a file that has it" lines unnumbered.jsonl 1
what=

# A measurement that fails: the others are kept, and the same command makes it again.
quarks() {
    results=$1
    "$KILN_PROGRAM" measure --device cpu --quiet --results "$results" --what plaquette e/c.000001.lime \
        --input measure.yaml --set "measurements=[
            { kind: condensate, name: light, sources: 1, masses: [ { mass: 0.3 } ] },
            { kind: wilson, name: quarks, random_sources: 0, spectrum: false, masses: [ { mass: 1 } ],
              propagators: { $2: props/c } } ]" >out 2>said
}
holds "a measurement whose propagator is missing" ends 1 quarks quarks.jsonl load
holds "is a failure" summary "1 configuration: 0 measured, 0 done before, 1 failed, 0 left"
holds "with its reason" says "measurement quarks: .*props/c.000001.0.lime.*No such file"
holds "the line has the others" lines quarks.jsonl 1
holds "with their keys alone" sh -c \
    'grep -q "\"keys\": {\"plaquette\": \"0x[0-9a-f]*\", \"light\": \"0x[0-9a-f]*\"}" quarks.jsonl'
holds "and no result of it" sh -c '! grep -q quarks quarks.jsonl'
holds "the next call measures again" ends 1 quarks quarks.jsonl load
holds "and fails again" summary "1 configuration: 0 measured, 0 done before, 1 failed, 0 left"
holds "without a line" lines quarks.jsonl 1
holds "once the propagator is there" ends 0 quarks saved.jsonl save
holds "it succeeds" ends 0 quarks quarks.jsonl load
holds "as a measurement" summary "1 configuration: 1 measured, 0 done before, 0 failed, 0 left"
holds "alone" sh -c 'tail -n 1 quarks.jsonl | grep -q "\"keys\": {\"quarks\": \"0x[0-9a-f]*\"}"'
holds "and not again" ends 0 quarks quarks.jsonl load
holds "as it is known" summary "1 configuration: 0 measured, 1 done before, 0 failed, 0 left"

# What kiln check warns of, once for all files and ranks.
cat >clover.yaml <<'END'
lattice: [4, 4, 4, 8]
random: { seed: 11 }
monomials:
- { kind: gauge, action: wilson, beta: 6 }
- { kind: wilson, name: quarks, c_sw: 1.5, determinants: [ { kappa: 0.1 } ] }
hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 8, monomials: [gauge, quarks] } ] }
output: { directory: unused }
measurements: [ { kind: wilson, masses: [ { kappa: 0.1 } ], random_sources: 0, spectrum: false } ]
END
warned() {
    [ "$(grep -c 'warning: measurements.0.c_sw: wilson measures quarks with c_sw 0, but those of the' said)" = "$1" ] ||
        { cat said; return 1; }
}
holds "quarks that differ from those of the action are measured" ends 0 measure clover.jsonl e/c.000001.lime \
    e/c.000002.lime --input clover.yaml --ranks 2
holds "with the warning of kiln check, once" warned 1
holds "those of the action" ends 0 measure clover.jsonl e/c.000001.lime --input clover.yaml \
    --set measurements.0.c_sw=1.5 --set measurements.0.name=clover
holds "without" warned 0

# Files of other codes: the links of a rejected trajectory are there twice, and count twice.
mkdir foreign archives
"$KILN_PROGRAM" convert e/c.000003.lime foreign/n3 --format openqcd >converted || cat converted
cp foreign/n3 foreign/n4
holds "two files without a number, with the same links" ends 0 measure foreign.jsonl foreign
holds "count as two" summary "2 configurations: 2 measured, 0 done before, 0 failed, 0 left"
holds "Kiln says so" says "1 file without the number of a trajectory has the links of another one"
holds "the same command again" ends 0 measure foreign.jsonl foreign
holds "finds both" summary "2 configurations: 0 measured, 2 done before, 0 failed, 0 left"
touch -d 2026-02-03 foreign/n4
holds "also if one has another time" ends 0 measure foreign.jsonl foreign
holds "by its name" summary "2 configurations: 0 measured, 2 done before, 0 failed, 0 left"
latin=$(printf 'n\344her')
if mv foreign "$latin" 2>/dev/null; then
    holds "also in another folder, whose name is not UTF-8" ends 0 measure foreign.jsonl "$latin"
    holds "they are there" summary "2 configurations: 0 measured, 2 done before, 0 failed, 0 left"
    cp "$latin/n4" "$latin/$latin"
    holds "a third name that is not UTF-8" ends 0 measure foreign.jsonl "$latin"
    holds "counts" summary "3 configurations: 1 measured, 2 done before, 0 failed, 0 left"
    holds "once" ends 0 measure foreign.jsonl "$latin"
    holds "and no more" summary "3 configurations: 0 measured, 3 done before, 0 failed, 0 left"
else
    skip "a name that is not UTF-8" "the file system does not take it"
fi
for n in 3 4; do
    "$KILN_PROGRAM" convert e/c.000003.lime archives/n$n --format nersc >converted || cat converted
done
holds "two archives with the same number and the same links" ends 0 measure archives.jsonl archives
holds "count as two, too" summary "2 configurations: 2 measured, 0 done before, 0 failed, 0 left"

# Trouble.
cp e/c.000005.lime bad.lime
printf 'x' | dd of=bad.lime bs=1 seek=20000 conv=notrunc 2>/dev/null
holds "a damaged file among others fails" ends 1 measure some.jsonl e/c.000001.lime bad.lime missing.lime \
    e/c.000002.lime
holds "the others are measured" summary "4 configurations: 2 measured, 0 done before, 2 failed, 0 left"
holds "the messages name both" says "missing.lime: cannot be opened"
holds "and the checksum" says "bad.lime.*checksum"
cp e/run.jsonl record.jsonl
holds "a record of a run is no file of results" ends 1 measure record.jsonl e
holds "Kiln says so" says "record.jsonl: line 1 is not a line of results"
holds "and leaves it alone" cmp record.jsonl e/run.jsonl
cp e/c.000005.lime mistaken.lime
holds "neither is a configuration" ends 1 measure mistaken.lime e
holds "which stays whole" cmp mistaken.lime e/c.000005.lime
holds "a pattern that matches nothing" ends 2 measure some.jsonl 'e/d.*'
holds "is wrong usage" says "found nothing with this name or that matches this pattern"
if command -v flock >/dev/null 2>&1; then
    holds "a file that another process writes" ends 1 flock some.jsonl "$KILN_PROGRAM" measure e --quiet --device cpu \
        --results some.jsonl 2>said
fi

# Ranks.
holds "two ranks measure the same" ends 0 measure ranks.jsonl 'e/c.0*' --input measure.yaml --ranks 2
holds "bit for bit" same_values ranks.jsonl before.jsonl
facts_end
