#!/bin/sh
# The measurements of a stream change on the way: what is recorded, what is refused, and which results are averaged.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

wilson_loops="kind: wilson_loops, name: loops, r_max: 2, t_max: 2"
old="{ kind: flow, t_max: 0.02 }, { $wilson_loops, ape_levels: 3 }"
measure() {                             # FOLDER MEASUREMENTS OPTIONS...: $n trajectories, else two
    folder=$1 list=$2
    shift 2
    run "$folder" --set "measurements=[ $list ]" --set hmc.thermalization=0 \
        --set hmc.trajectories=20 --trajectories ${n:-2} "$@"
}
refused() {
    ends 1 measure "$@"
}
counts() {                              # FOLDER: every quantity of kiln status, "name count"
    "$KILN_PROGRAM" status --json "$1" | tr '{' '\n' |
        awk '{ if (split($0, of, "\"count\": ") > 1) { sub(",.*", "", of[2]); print name, of[2] }
               n = split($0, part, "\""); name = part[n - 1] }'
}
has_count() {                           # FOLDER NAME COUNT
    counts "$1" | grep -qx "$2 $3" || counts "$1"
}
settings_of() {                         # FOLDER NAME: of each line
    sed -n "s/.*\"$2\": {\"kind\": \"[a-z_]*\", \"settings\": \"\\(0x[0-9a-f]*\\)\".*/\\1/p" "$1/run.jsonl"
}
segments_in() {
    wc -l <"$1/segments.jsonl" | tr -d ' '
}

measure first "$old" || { cat said; exit 99; }
holds "every result says which settings it has" [ "$(settings_of first flow | wc -l)" = 2 ]
none "other settings under the same name are refused, with the names and settings, and nothing changes" "$(
    before=$(cksum first/segments.jsonl first/parameters.yaml first/run.jsonl)
    for changed in "{ kind: flow, t_max: 0.04 }" "{ kind: flow, t_max: 0.02, eps: 0.005 }" \
        "{ kind: flow, t_max: 0.02, action: zeuthen }" "{ $wilson_loops, ape_levels: 0, time_links: hyp2 }" \
        "{ kind: flow, name: loops, t_max: 0.02 }" \
        "{ kind: flow, name: loops, t_max: 0.02 }, { kind: wilson_loops, name: flow, r_max: 2, t_max: 2 }"; do
        case=$changed
        must refused first "$changed"
        must says 'measurements of the input have the names of others'
        must says 'new-segment'
        must says 'measurement [a-z]*: input: '
    done
    [ "$before" = "$(cksum first/segments.jsonl first/parameters.yaml first/run.jsonl)" ] || echo "files have changed")"

none "order, defaults that are written, and numerical parameters do not change the settings" "$(
    case=order
    cp -R first order
    must measure order "{ ape_levels: 3, t_max: 2, off_axis: false, r_max: 2, name: loops, kind: wilson_loops },
                        { kind: flow, eps: 1e-2, name: flow, t_max: 2e-2, action: wilson }"
    [ "$(segments_in order)" = 1 ] || cat order/segments.jsonl
    [ "$(settings_of order flow | uniq | wc -l)" = 1 ] || settings_of order flow)"

none "measurements that are added or removed begin a segment, and parameters.yaml has them" "$(
    case=added
    cp -R first added
    must measure added "{ kind: polyakov }, $old, { kind: flow, name: longer, t_max: 0.04 }"
    [ "$(segments_in added)" = 2 ] || cat added/segments.jsonl
    must grep -q '"first_trajectory": 3, .*"changes": \["measurement polyakov: added", "measurement longer: added"\]' \
        added/segments.jsonl
    must grep -q 'measurement longer: added' added/run.log
    must grep -q 'name: "longer"' added/parameters.yaml
    must cmp first/parameters.yaml added/parameters.000002.yaml
    must "$KILN_PROGRAM" run added/parameters.yaml --quiet --trajectories 1
    [ "$(segments_in added)" = 2 ] || cat added/segments.jsonl
    [ "$(settings_of added longer | wc -l)" = 3 ] || echo "kiln run parameters.yaml lost the new measurement"
    must "$KILN_PROGRAM" audit added
    case="removed and added again with other settings"
    cp -R first again
    must measure again "{ kind: polyakov }"
    must refused again "{ kind: flow, t_max: 0.04 }"
    case="removed and added again with the same settings"
    must measure again "$old"
    [ "$(settings_of again flow | uniq -c | tr -s ' ' | cut -d ' ' -f 2)" = 4 ] || settings_of again flow
    must "$KILN_PROGRAM" audit again)"

none "measurements do not change the trajectories" "$(
    case=trajectories
    cp -R first same
    must measure same "$old"
    for n in 3 4; do
        for folder in same added; do
            sed -n "s/^{\"trajectory\": $n,.*\"chain\": \"\\([^\"]*\\)\".*/\\1/p" $folder/run.jsonl
        done | uniq | wc -l | grep -qx ' *1' || echo "trajectory $n differs"
    done)"

# States are lost back to the start, and with them the trajectories of two or three segments.
rarely="--set output.checkpoint_every=50 --set output.configuration_every=50"
loops="{ $wilson_loops, ape_levels: 3 }"
longer="{ kind: flow, t_max: 0.04 }, $loops"
n=0 measure lost "$old" $rarely || { cat said; exit 99; }
cp lost/c.checkpoint.000000.lime start.lime
from_file() {
    "$KILN_PROGRAM" run "$1" --quiet --device "${KILN_DEVICE:-auto}" --share-gpu 2>said
}
lose_states() {
    rm "$1"/c.*.lime
    cp start.lime "$1/c.checkpoint.000000.lime"
}
measure lost "$old" $rarely || { cat said; exit 99; }
measure lost "$old" $rarely --set hmc.trajectories=30 || { cat said; exit 99; }
cp -R lost named
lose_states lost
none "trajectories of an earlier segment that are generated again: other settings under a name are refused, too" "$(
    case=opening
    before=$(cksum lost/segments.jsonl lost/parameters.yaml lost/run.jsonl)
    must refused lost "$longer" $rarely --set hmc.trajectories=30
    must says 'measurements of the input have the names of others'
    must says 'generate the missing trajectories with those of their segment: kiln run .*lost/parameters.000002.yaml:'
    [ "$before" = "$(cksum lost/segments.jsonl lost/parameters.yaml lost/run.jsonl)" ] || echo "files have changed"
    case="added on the way into the newest segment"
    n=4 must measure lost "{ kind: polyakov }, $old" $rarely --set hmc.trajectories=30
    [ "$(segments_in lost)" = 2 ] || cat lost/segments.jsonl
    must grep -q '"first_trajectory": 3, .*"measurement polyakov: added"' lost/segments.jsonl
    must grep -q 'kind: polyakov' lost/parameters.yaml
    must "$KILN_PROGRAM" audit lost
    case="a later segment"
    must measure named "$longer" $rarely --set hmc.trajectories=30 --new-segment
    lose_states named
    must refused named "$longer" $rarely --set hmc.trajectories=30
    must ends 1 from_file named/parameters.000004.yaml
    must says 'measurements of the input have the names of others'
    [ -e named/c.checkpoint.000004.lime ] || ls named
    n=2 must measure named "$longer" $rarely --set hmc.trajectories=30
    [ "$(segments_in named)" = 3 ] || cat named/segments.jsonl
    must "$KILN_PROGRAM" audit named
    case="a name that only a later segment has"
    lose_states lost
    must refused lost "{ kind: flow, name: polyakov, t_max: 0.02 }, $old" $rarely --set hmc.trajectories=30)"

measure first "{ kind: flow, t_max: 0.04 }, { $wilson_loops, ape_levels: 3 }" --new-segment --reason longer || cat said
holds "a new segment, when asked for, may change them" [ "$(segments_in first)" = 2 ]
holds "its line says what" grep -q '"measurement flow: input: t_max: 0.04"' first/segments.jsonl
holds "the record is consistent" "$KILN_PROGRAM" audit first
none "an audit notes names whose settings change, and no others" "$(
    "$KILN_PROGRAM" audit first >audited
    grep -q 'note *measurement flow has other settings from trajectory 3 on' audited || cat audited
    grep 'measurement loops' audited
    "$KILN_PROGRAM" audit again >audited
    grep -q 'segment *other values of keys that may change, from trajectory 3 on' audited || cat audited
    grep note audited)"
none "means have the newest settings only, and a warning counts the others" "$(
    case=means
    has_count first flow.charge 2
    has_count first 'loops.V(1)' 4
    "$KILN_PROGRAM" status first >shown
    must grep -q 'flow: means leave out 2 results of trajectories 1 to 2 with other settings' shown
    ! grep 'loops: .*other settings' shown
    "$KILN_PROGRAM" status --json first >shown
    must grep -q 'with other settings' shown
    must "$KILN_PROGRAM" report first --output report.html
    must grep -q 'with other settings' report.html)"
none "results of an earlier set count again when its settings return" "$(
    case=returned
    must measure first "$old" --new-segment --reason back
    has_count first flow.charge 4
    "$KILN_PROGRAM" status first >shown
    must grep -q 'flow: means leave out 2 results of trajectories 3 to 4 with other settings' shown)"
none "a new action is no other setting of a name that an earlier segment has" "$(
    case="without the name"
    n=1 must measure identity "{ kind: schwinger_dyson, name: identity }"
    n=1 must measure identity "{ kind: polyakov }" --set monomials.0.beta=5 --new-segment --reason action
    case="with the name and another interval"
    n=1 must measure identity "{ kind: schwinger_dyson, name: identity, every: 3 }" --set monomials.0.beta=5
    [ "$(settings_of identity identity | uniq | wc -l)" = 2 ] || settings_of identity identity)"
none "a stream that continues on other ranks has the same settings" "$(
    case=ranks
    must measure first "$old" --ranks 2
    [ "$(segments_in first)" = 3 ] || cat first/segments.jsonl)"

facts_end
