#!/bin/sh
# tests/gpu/check: on a CPU, with a bundle that is this program and runners of one line or one test.  Its parts pass,
# fail, and end at their limit; tests that it names exist.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
source_tree=$(pwd)
. ./tests/ensemble/stream.sh
. "$source_tree/tests/ensemble/rank_processes.sh"
check="$source_tree/tests/gpu/check"
if [ ! -e "$check" ]; then
    skip "checks on GPUs" "the source tree is not here"
    facts_end
fi
mkdir -p bundle/bin && ln -s "$(command -v "$KILN_PROGRAM")" bundle/bin/kiln || exit 99
# runner COMMAND: what stands for all tests of a bundle
runner() {
    printf '#!/bin/sh\n%s\n' "$1" >bundle/bin/kiln-check
    chmod +x bundle/bin/kiln-check
}
checks() { python3 "$check" --bundle bundle --device cpu "$@" >said 2>&1; }
says() { grep -q "$1" said || { cat said; return 1; }; }

runner 'echo "$*"'
checks --streams gauge_1loop --jobs 2 suite streams
holds "all tests and a stream pass" test $? = 0
holds "each part has a line" eval 'says "^suite: passed" && says "^streams: passed"'
holds "kiln-check gets the device and the number of jobs" grep -q "^cpu --times --jobs 2" gpu-check/suite.log
holds "the stream was compared" grep -q "values compared, 0 differ" gpu-check/streams.log
checks --gpus 2 --input "$scratch/run.yaml" --set hmc.trajectories=1000 user
holds "a run is killed, continued on fewer ranks and audited" test $? = 0
holds "the second run continues the first" grep -q "^continuing after trajectory [1-9]" gpu-check/user.log
holds "and nothing is wrong with its files" grep -q "/user: ok" gpu-check/user.log
checks --gpus 2 --input "$scratch/run.yaml" --set hmc.trajectories=1 user
holds "a run that ends of itself does not pass" test $? = 1
holds "and this is reported" says "^user: failed: a run with --ranks [12] ended of itself"
checks --gpus 2 --device cuda --input "$scratch/run.yaml" user
status=$?
if [ "$("$KILN_PROGRAM" version | grep -c "GPU [0-9]")" -gt 1 ]; then
    skip "more GPUs than there are are refused" "there are two"
else
    holds "more GPUs than there are are refused" eval 'test $status = 2 && says "user needs 2 GPUs, but"'
fi

# The tests that passed in an earlier call are left out, those that failed are not; and a service for all, which is
# ended, too.
all="test_a tests/b/test_b.sh test_c test_d tests/b/test_e.sh test_peer_stress"
runner "[ \"\$1\" = --list ] && echo $all && exit; echo \"\$*\""
cat >earlier <<'END'
test_d: not ok 3 - something
not ok tests/b/test_e.sh ended with status 1 after 2 facts of 3
seconds: 1 test_d
seconds: 2 tests/b/test_e.sh
seconds: 12 tests/b/test_b.sh
not ok test_c was not run
END
mkdir service
printf '#!/bin/sh\n[ "$1" = -d ] && echo begins >>%s/served && exit\ncat >>%s/served\n' "$scratch" "$scratch" \
    >service/nvidia-cuda-mps-control
chmod +x service/nvidia-cuda-mps-control
PATH="$scratch/service:$PATH" checks --ended earlier --mps suite
holds "tests that passed in an earlier call are left out, those that failed are not" \
    grep -q "^cpu --times --jobs [0-9]* test_a test_c test_d tests/b/test_e.sh\$" gpu-check/suite.log
holds "nor do those run whose ranks share a GPU, under the multi-process service" eval \
    '! grep -q test_peer_stress gpu-check/suite.log && says "^suite: --mps leaves out test_peer_stress"'
PATH="$scratch/service:$PATH" checks --mps --tests test_peer_stress suite
holds "and nothing runs where only such a test is named" says "^suite: failed: .* share a GPU: run it without --mps"
holds "the multi-process service begins and ends with the part" test "$(tr '\n' ' ' <served)" = "begins quit "
printf 'seconds: 1 %s\n' test_a test_c test_d tests/b/test_e.sh test_peer_stress >later
checks --ended earlier --ended later suite
holds "no test is left" says "^suite: failed: all tests have passed in earlier, later"

runner 'echo "not ok 1 - something"; exit 1'
checks suite
holds "a test that fails is a failure" test $? = 1
holds "of this part" says "^suite: failed: .*status 1"
# The runner of a bundle, which gives its tests a group of their own; one test, which sleeps.
cp "$source_tree/tests/bundle/kiln-check" bundle/bin/kiln-check
mkdir -p bundle/libexec bundle/share/tests
printf '#!/bin/sh\n[ $# = 0 ] && echo test_sleep && exit\necho $$ >%s\nexec sleep 100\n' "'$scratch/pid'" \
    >bundle/libexec/kiln-tests
chmod +x bundle/libexec/kiln-tests
checks --seconds 3 suite
holds "a part that does not end is stopped" says "^suite: failed: stopped after 3 s"
holds "with its tests" eval '! is_alive "$(cat pid)"'
holds "whose counts are in its log" grep -q "^stopped by a signal: 0 passed, 1 failed" gpu-check/suite.log
# A sanitizer that finds a fault in one of the tests.
mkdir fake
printf '#!/bin/sh\ncase $* in *test_exact_sum) exit 9 ;; esac\n' >fake/compute-sanitizer
chmod +x fake/compute-sanitizer
PATH="$scratch/fake:$PATH" checks sanitizer
holds "a fault that compute-sanitizer finds is a failure" says "^sanitizer: failed: .*test_exact_sum: status 9"
for wrong in "--gpus 3" "grids" "nothing"; do
    checks $wrong
    holds "$wrong: wrong usage" test $? = 2
done
python3 "$check" --bundle . suite >said 2>&1
holds "a folder that is no bundle is named" says "no program bin/kiln"

none "tests that are named exist" "$(
    sed -n '/^SANITIZED/,/\]/p; /^RANK_TESTS/,/\]/p; /^SHARE_A_GPU/p' "$check" |
        grep -o '"[^"]*"' | tr -d '"' | while read -r test; do
        case $test in
            *.sh) [ -e "$source_tree/$test" ] || echo "$test" ;;
            *) [ -n "$(find "$source_tree/tests" -name "$test.c")" ] || echo "$test" ;;
        esac
    done)"
facts_end
