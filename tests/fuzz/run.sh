#!/bin/sh
# run.sh PROGRAMS CORPORA CORES SECONDS OUT [TARGET...] - every fuzzer at once, on so many cores, for so long.
#
# PROGRAMS holds fuzz_<target>, CORPORA a folder of inputs for each (and <target>.dict where words help).  Cores are
# shared out evenly; every process has its own seed and takes what the others of its target find.  In OUT: inputs that
# were found (found/TARGET), logs, and an input for every crash, leak, undefined step or hang (faults/TARGET).
# Ends with a line a target: inputs tried, faults, inputs in the corpus.  Status 1 where there are faults.
[ $# -ge 5 ] || { echo "usage: run.sh PROGRAMS CORPORA CORES SECONDS OUT [TARGET...]" >&2; exit 2; }
programs=$(cd "$1" && pwd) && corpora=$(cd "$2" && pwd) && mkdir -p "$5" && out=$(cd "$5" && pwd) || exit 2
cores=$3
seconds=$4
shift 5
[ $# -gt 0 ] || set -- $(cd "$programs" && ls | sed -n 's/^fuzz_\([a-z]*\)$/\1/p')
ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
UBSAN_OPTIONS=print_stacktrace=1
OMP_NUM_THREADS=1
export ASAN_OPTIONS UBSAN_OPTIONS OMP_NUM_THREADS

# AddressSanitizer wants its addresses free, which a kernel that scatters them widely may not grant.
steady=
! setarch -R true 2>/dev/null || steady="setarch -R"

each=$((cores / $#))
[ "$each" -gt 0 ] || each=1
process=0
for target in "$@"; do
    mkdir -p "$out/found/$target" "$out/faults/$target" "$out/logs"
    dictionary=
    [ ! -f "$corpora/$target.dict" ] || dictionary=-dict=$corpora/$target.dict
    for n in $(seq "$each"); do
        process=$((process + 1))
        # A fault ends a process; the next one goes on for the time that is left.
        (end=$(($(date +%s) + seconds))
        while left=$((end - $(date +%s))) && [ $left -gt 0 ]; do
            $steady "$programs/fuzz_$target" -seed=$((process + $(date +%s) % 100000 * 1000)) \
                -max_total_time=$left -reload=10 -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
                -print_final_stats=1 -verbosity=1 $dictionary \
                -artifact_prefix="$out/faults/$target/" "$out/found/$target" "$corpora/$target" 2>&1 |
                grep -v '	NEW\|	REDUCE\|	RELOAD' >>"$out/logs/$target.$n"
        done) &
    done
done
wait

for target in "$@"; do
    tried=$(cat "$out"/logs/"$target".* | awk '/^stat::number_of_executed_units:/ { n += $2 } END { printf "%d", n }')
    faults=$(ls "$out/faults/$target" | grep -c .)
    echo "$target: $tried inputs tried, $faults faults, $(ls "$out/found/$target" | grep -c .) inputs found"
done | tee "$out/summary"
! grep -qv ' 0 faults' "$out/summary"
