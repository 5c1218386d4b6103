#!/bin/sh
# gpu/bench/scaling: its table follows from the times of its results, a limit holds, and wrong words are refused.  No
# fact is about how long a time is.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
source_tree=$(pwd)
. ./tests/ensemble/stream.sh
cd "$source_tree" || exit 99
if [ ! -e gpu/bench/scaling ]; then
    skip "times on several ranks" "the source tree is not here"
    facts_end
fi
small() { python3 gpu/bench/scaling --ranks 2 --device cpu --small --repeat 1 "$@"; }

small --rows hisq_32,clover_weak --results "$scratch/times" >"$scratch/table" 2>"$scratch/said"
holds "scaling ends with status 0" test $? = 0
holds "a line for each time, under a heading" test "$(grep -c '^| ' "$scratch/table")" = 5
# Efficiency is the time of one rank over that of both, and half of this where the lattice is the same.
none "efficiencies follow from the times" "$(python3 - "$scratch/times" "$scratch/table" <<'END'
import json, sys
times = {(line["row"], line["ranks"]): line for line in map(json.loads, open(sys.argv[1]))}
want = []
for row, part in (("hisq_32", 0.5), ("clover_weak", 1)):
    one, two = times[row, 1], times[row, 2]
    if two["lattice"] != one["lattice"][:3] + [one["lattice"][3] * (1 if part < 1 else 2)]:
        print("%s: %s on one rank, %s on two" % (row, one["lattice"], two["lattice"]))
    want += ["%.3f" % (part * one["seconds"][key] / two["seconds"][key]) for key in one["seconds"]]
found = [line.split("|")[4].strip() for line in open(sys.argv[2]) if line.startswith("| ")][1:]
if found != want:
    print("%s, but the times give %s" % (found, want))
END
)"
lines=$(wc -l <"$scratch/times")
small --rows hisq_32 --base "$scratch/times" --results "$scratch/times" >/dev/null 2>&1
holds "with --base one rank is not timed again" test "$(wc -l <"$scratch/times")" = $((lines + 1))

grep '"ranks": 2, ' "$scratch/times" >"$scratch/two"
small --rows hisq_32 --base "$scratch/two" --results "$scratch/again" >/dev/null 2>&1
holds "times of as many ranks are not taken" test "$(wc -l <"$scratch/again")" = 2
sed 's/"lattice": \[4/"lattice": [8/' "$scratch/times" >"$scratch/larger"
small --rows hisq_32 --base "$scratch/larger" --results "$scratch/larger" >/dev/null 2>&1
holds "nor those of another lattice" test "$(wc -l <"$scratch/larger")" = $((lines + 3))

printf '#!/bin/sh\nexec sleep 100\n' >"$scratch/sleeps"
printf '#!/bin/sh\necho "{\\"kernels\\": []}"\n' >"$scratch/other"
chmod +x "$scratch/sleeps" "$scratch/other"
small --program "$scratch/sleeps" --rows hisq_32 --seconds 1 >"$scratch/table" 2>"$scratch/said"
holds "a command beyond --seconds is a failure" test $? = 1
holds "the reason is printed" grep -q "^scaling: hisq_32: no result in 1 s" "$scratch/said"
small --program "$scratch/other" --rows hisq_32 >"$scratch/table" 2>"$scratch/said"
holds "a program without the kernel is a failure" test $? = 1
holds "which is named" grep -q "^scaling: hisq_32: no time of cg_iteration native x1 single" "$scratch/said"
small --rows hisq_33 >/dev/null 2>"$scratch/said"
holds "another row is wrong usage" test $? = 2
holds "and is named" grep -q "hisq_33 is no row" "$scratch/said"

# Rows with trajectories take too long here: their settings are those of an input.
for row in f211 mobius_2p1; do
    none "settings of $row pass kiln check" "$(python3 - "$row" "$KILN_PROGRAM" <<'END'
import importlib.machinery, importlib.util, subprocess, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("scaling", "gpu/bench/scaling")
scaling = importlib.util.module_from_spec(importlib.util.spec_from_loader("scaling", loader))
loader.exec_module(scaling)
row = scaling.ROWS[sys.argv[1]]
words = ["lattice=[%s]" % scaling.text(row["lattice"]), *row["settings"]]
done = subprocess.run([sys.argv[2], "check", "input/" + row["input"], *(w for s in words for w in ("--set", s))],
                      capture_output=True, text=True)
if done.returncode:
    print(done.stderr)
END
)"
done
facts_end
