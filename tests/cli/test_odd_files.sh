#!/bin/sh
# Pipes, devices and links where files are expected, closed standard streams, paths that are no text, and what killed
# processes leave: no command waits, none changes what is not its own.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
limit=${KILN_TEST_LIMIT:-60}          # seconds after which a command counts as one that waits
kiln() {
    timeout -k 2 $limit "$KILN_PROGRAM" "$@"
}
on_cpu() {
    kiln "$@" --device cpu
}
continued() {
    kiln run run.yaml --device cpu --set output.directory="$1" --set hmc.trajectories="$2" 2>said
}
same_bytes() {
    cmp "$1" "$2"
}
run whole || { cat said; exit 99; }

# ---- standard streams that are closed
closed() {
    kiln run run.yaml --device cpu --set output.directory=closed 0<&- 1>&- 2>&-
}
holds "a run without standard streams ends well" ends 0 closed
holds "its record has only its lines" [ "$(grep -vc '^{"trajectory": ' closed/run.jsonl)" = 0 ]
holds "the stream is the same" same_stream whole closed
measured_without_error_stream() {
    on_cpu measure whole --what plaquette --results closed.jsonl >said 2>&-
}
holds "measure without an error stream ends well" ends 0 measured_without_error_stream
holds "its results have only their lines" [ "$(grep -vc '^{"file": ' closed.jsonl)" = 0 ]

# ---- pipes
newest=$(newest whole)
# refused COMMAND...: the command ends with a status that is neither success nor that of a time limit.
refused() {
    rm -f pipe && mkfifo pipe
    "$@" >said 2>&1
    status=$?
    [ $status = 1 ] || [ $status = 2 ] || { echo "status $status"; cat said; return 1; }
    [ -p pipe ] || { echo "the pipe was replaced"; return 1; }
}
for command in "report whole --output pipe" "report whole --picture pipe" "watch whole --once --picture pipe" \
    "submit run.yaml --scheduler slurm --output pipe" "measure whole --what plaquette --results pipe" "verify pipe" \
    "check pipe" "measure pipe" "status pipe" "convert pipe other.lime --format ildg" \
    "convert $newest pipe --format ildg" "gaugefix $newest pipe --gauge landau" "gaugefix pipe out.lime --gauge landau"
do
    holds "kiln $command: refused at once" refused kiln $command
done
for name in lock run.log run.jsonl parameters.yaml segments.jsonl; do
    instead() {
        rm -rf piped && cp -r whole piped && rm -f "piped/$1" && mkfifo "piped/$1"
        continued piped 9 </dev/null
        status=$?
        [ $status = 1 ] || [ $status = 2 ] || { echo "status $status"; cat said; return 1; }
        [ -p "piped/$1" ]
    }
    holds "a pipe as $name: the run is refused at once, and the pipe stays" instead $name
    inspected() {
        for command in status audit report "measure --what plaquette"; do
            kiln $command piped --quiet </dev/null >said 2>&1 || kiln $command piped </dev/null >said 2>&1
            [ $? -lt 100 ] || { echo "$command waits"; return 1; }
        done
    }
    holds "no other command waits for it" inspected
done
mkfifo lonely
# The other end of the pipe is open, but nothing comes.
waits_for_nothing() {
    sleep 1000 >lonely & writer=$!
    timeout -s "$1" -k 20 1 "$KILN_PROGRAM" "$2" lonely >said 2>&1
    status=$?
    kill $writer
    [ $status != 137 ] || { echo "only SIGKILL ended it"; return 1; }
}
for signal in TERM INT; do
    holds "SIG$signal ends the wait of kiln run for an input from a pipe" waits_for_nothing $signal run
done
holds "and that of kiln check" waits_for_nothing TERM check

# ---- streams that are wanted
reported() {
    kiln report whole --output /dev/stdout | cat >through && grep -q '</html>' through
}
holds "a report goes into a pipe" reported
written_to() {
    kiln report whole --output "$1" && kiln report whole --picture "$1" \
        && kiln submit run.yaml --scheduler slurm --output "$1"
}
devices() {
    rm -f null
    mknod -m 666 null c 1 3 && : >null
}
if devices 2>/dev/null; then
    before=$(ls -l null | cut -d ' ' -f 1-5)
    holds "a device takes texts" ends 0 written_to null
    for command in "measure whole --what plaquette --results null" "convert $newest null --format ildg" \
        "gaugefix $newest null --gauge landau" "export whole null"; do
        ends 0 on_cpu $command >/dev/null 2>&1 && echo "$command"
    done >accepted
    none "what must be read back does not go into it" "$(cat accepted)"
    holds "it stays what it was, with its permissions" [ "$(ls -l null | cut -d ' ' -f 1-5)" = "$before" ]
else
    skip "devices" "no device can be made here"
fi

# ---- links
: >page.html
ln -s page.html link.html
holds "a report through a symbolic link" ends 0 kiln report whole --output link.html
holds "is in the file that it leads to" [ -h link.html -a -s page.html ]
for name in lock run.log run.jsonl; do
    for link in "ln -s" ln; do
        linked() {
            rm -rf linked && cp -r whole linked
            if [ -e "linked/$name" ]; then cp "linked/$name" victim; else echo precious >victim; fi
            cp victim kept && rm -f "linked/$name" && $link "$here/victim" "linked/$name"
            ends 1 continued linked 9 && same_bytes victim kept
        }
        here=$PWD
        holds "$name made by $link: refused, its target unchanged" linked
    done
done

# ---- output that is looked at late
: >there.lime
holds "gaugefix looks at its output before it searches" ends 1 kiln gaugefix "$newest" there.lime --gauge landau \
    --device cpu --sweeps 1
holds "and says so" sh -c "'$KILN_PROGRAM' gaugefix '$newest' there.lime --gauge landau --device cpu --sweeps 1 2>&1 |
    grep -q 'exists already'"

# ---- paths that are no text
for bytes in '\377' '\177' '\302\205' '\342\200\250' '\357\277\277' '\357\277\276' '\356\276\200' '\300\200' \
    '\355\240\200'; do
    folder=$(printf "a${bytes}b")
    cp -r whole "$folder" 2>/dev/null || continue
    rm -f odd.jsonl
    twice() {
        on_cpu measure "$folder" --what plaquette --results odd.jsonl && cp odd.jsonl first \
            && on_cpu measure "$folder" --what plaquette --results odd.jsonl && same_bytes odd.jsonl first
    }
    holds "results of a path with the bytes $(echo "$bytes" | tr '\\' '%') are read again" twice
    as_json() {
        LC_ALL=C grep -q "$(printf '[\001-\037\177]')" "$1" && return 1
        ! command -v iconv >/dev/null || iconv -f UTF-8 -t UTF-32 "$1" >/dev/null
    }
    kiln status "$folder" --json >odd.json 2>said
    holds "and status --json has only text" as_json odd.json
    rm -rf "$folder"
done

# ---- what killed processes leave
# killed_while FILE COMMAND...: the command is killed before each of its calls that change files.
killed_while() {
    made=$1
    shift
    counted=$(mishaps count "$KILN_PROGRAM" "$@" 2>said)
    [ $? != 77 ] || return 77
    calls=$(echo "$counted" | tail -n 1)
    rm -f "$made"
    left=0
    for k in $(seq 1 "$calls"); do
        mishaps signal 9 "$k" "$KILN_PROGRAM" "$@" >/dev/null 2>&1
        ls "$made".partial-* >/dev/null 2>&1 && left=$((left + 1))
        rm -f "$made"
    done
    [ $left -gt 0 ] || { echo "none of $calls kills left a file"; return 1; }
    kiln "$@" >said 2>&1 && [ -s "$made" ] && [ -z "$(ls "$made".partial-* 2>/dev/null)" ] && return
    cat said
    ls
    return 1
}
leaves_nothing() {
    output=$(killed_while "$@" 2>&1)
    case $? in
        0) emit ok "what killed processes left of $1 is removed by the next" ;;
        77) skip "killed processes" "the system lets no process listen to another's calls" ;;
        *) emit 'not ok' "what killed processes left of $1 is removed by the next" "$output" ;;
    esac
}
leaves_nothing copy.lime convert "$newest" copy.lime --format ildg
leaves_nothing job.sh submit run.yaml --scheduler slurm --output job.sh
leaves_nothing report.html report whole --output report.html

# ---- a trajectory that becomes unstable
cat >wild.yaml <<'END'
lattice: [4, 4, 4, 4]
random: { seed: 5 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 1000 }
  - { kind: wilson, name: quarks, c_sw: 1.76, determinants: [ { flavors: 2, kappa: 0.138 } ] }
hmc:
  trajectory_length: 100
  levels: [ { integrator: omelyan, steps: 3, monomials: [gauge, quarks] } ]
  trajectories: 1
output: { directory: wild, name: c }
END
unstable() {
    on_cpu run wild.yaml 2>said
}
holds "links that explode stop the run" ends 1 unstable
holds "with the advice to reduce the step size" says "became unstable.*educe the step size"

# ---- inputs
many() {
    cat run.yaml
    echo 'measurements:'
    yes '  - { kind: flow, t_max: 1 }' | head -n 20000
}
many >many.yaml
holds "many measurements of one name are refused" ends 2 kiln check many.yaml
holds "with one fault for the name" [ "$(kiln check many.yaml 2>&1 | grep -c 'two of them have the name')" = 1 ]
{ cat run.yaml; yes 'unknown: 1' | head -n 300 | awk '{ sub("unknown", "unknown" NR); print }'; } >faulty.yaml
kiln check faulty.yaml >said 2>&1
holds "at most 50 faults have a line" [ "$(grep -c '^faulty.yaml:' said)" = 50 ]
holds "the others are counted" grep -qx 'and 250 more' said
for name in 'a.checkpoint' 'a.checkpoint.000001' 'x.partial-1' '"a\nb"' '"a\eb"' '"a\u2028b"' '"\x7F"' \
    "$(printf '%240s' '' | tr ' ' n)"; do
    holds "output.name $(printf %.30s "$name" | tr '\\' '%') is a fault" \
        ends 2 kiln check run.yaml --set "output.name=$name"
done
holds "a long name is good as long as files can have it" ends 0 kiln check run.yaml \
    --set "output.name=$(printf '%180s' '' | tr ' ' n)"
facts_end
