#!/bin/sh
# test_start.sh - what docs/start.md shows is what the program prints: the page's input is made, checked, planned, run,
# stopped, continued and audited, and each number of the page that does not depend on time is compared to its last
# digit.  The page's numbers are those of CPU kernels with fused multiply-adds, on any number of threads.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
page=$(pwd)/docs/start.md
example=$(pwd)/input/quickstart.yaml
if [ ! -e "$page" ] || [ ! -e "$example" ]; then
    skip "the output that docs/start.md shows" "the documents are not here"
    facts_end
fi
program=$(command -v "$KILN_PROGRAM")
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
export OMP_NUM_THREADS
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99

# Indented lines of section N of the page, without the indentation.
section() {
    awk -v begin="## $1. " '/^## / { on = index($0, begin) == 1 } on && sub(/^    /, "") { print }' "$page"
}

# absent FILE: lines of the standard input that are no lines of FILE, without blanks at the end; "nothing is shown" if
# there are fewer than $least of them.
absent() {
    sed 's/ *$//' "$1" >lines
    lines=0
    while read_line; do
        [ -n "$line" ] || continue
        lines=$((lines + 1))
        grep -qxF -e "$line" lines || printf 'the page: %s\n' "$line"
    done
    [ "$lines" -ge "$least" ] || echo "the page shows $lines such lines, not $least or more"
}
read_line() { IFS= read -r line; }

# ---- section 2: the lines that the page changes

# Each takes the place of the line with the same indentation and key; all must be there.
section 2 | grep -E '^ *[a-z_]+: [^ ]' >changes
cp "$example" first.yaml
holds "section 2 changes five lines of the example" [ "$(wc -l <changes)" = 5 ]
none "each of which it has" "$(while read_line; do
    key=$(printf '%s' "$line" | sed 's/:.*//')
    count=$(grep -c "^$key:" first.yaml)
    [ "$count" = 1 ] || echo "$key: $count lines of input/quickstart.yaml"
    awk -v key="$key:" -v line="$line" 'index($0, key) == 1 { $0 = line } { print }' first.yaml >changed
    mv changed first.yaml
done <changes)"

# ---- sections 3 and 4: before the run

# The memory of an action may be another on a GPU.
everywhere() {
    if grep -q '"devices": \[\]' version; then cat; else grep -v '^#   memory:'; fi
}
"$program" version --json >version
"$program" check first.yaml >checked 2>errors
least=5
none "section 3: kiln check prints each line that the page shows" "$(
    section 3 | grep '^#' | everywhere | absent checked)"
"$program" plan first.yaml --probe 0 --device cpu >planned 2>errors
least=1
none "section 4: kiln plan knows the configurations" "$(section 4 | grep 'a configuration ' | absent planned)"

# ---- section 5: the run, stopped after trajectory 10 and continued

if ! grep -q '"cpu_fused": true' version; then
    skip "sections 5 and 6: the run" "multiply-adds of this program's CPU kernels are not fused (kiln version)"
else
    : >first_output
    "$program" run first.yaml --device cpu >>first_output 2>&1 &
    run=$!
    while kill -0 $run 2>/dev/null && ! grep -q '^trajectory 10/40 ' first_output; do
        sleep 0.1
    done
    kill -TERM $run
    wait $run
    holds "section 5: the run says that SIGTERM stopped it" \
        grep -q '^warning: stopped by SIGTERM .*; the same command continues the run$' first_output
    "$program" run first.yaml --device cpu >second_output 2>&1
    holds "the same command continues it" grep -q '^continuing after trajectory [0-9]*: .*/ensembles/first/first' \
        second_output

    # All of a line but the seconds, of which the fields are two.
    without_time() { sed 's/ *[0-9.]* s$//' "$@"; }
    cat first_output second_output | grep '^trajectory ' | without_time >trajectories
    least=4
    none "its trajectories are those of the page, with and without a stop: dH, plaquette, Polyakov loop" "$(
        section 5 | grep '^trajectory ' | without_time | absent trajectories)"

    # All of the table but its column of seconds.
    without_seconds() {
        awk '/s \/ independent/ { at = index($0, "s / independent") }
             at && / \+- / { $0 = substr($0, 1, at - 1) substr($0, at + 17) } { print }' "$@"
    }
    "$program" status ensembles/first 2>errors | without_seconds >status
    least=8
    none "section 6: kiln status prints each line that the page shows" "$(
        section 6 | sed -n '/^  trajectories /,/^  \.\.\./p' | grep -v '^  \.\.\.' | without_seconds | absent status)"
    LC_ALL=C.UTF-8 COLUMNS=72 "$program" status ensembles/first --plot >plotted 2>errors
    least=8
    none "and the plot of the plaquette" "$(
        section 6 | sed -n '/^plaquette: last /,/^ *trajectory /p' | absent plotted)"
    "$program" audit ensembles/first >audited 2>errors
    least=3
    none "and kiln audit" "$(section 6 | sed -n '/^ensembles\/first: ok/,$p' | absent audited)"
fi

# ---- section 8: the dialogue

# When the terminal shows the first question, after a minute at the latest.
first_question() {
    for _ in $(seq 600); do
        ! grep -q '\]: ' typescript 2>/dev/null || break
        sleep 0.1
    done
}

# What a terminal shows, answered with the answers of the page: they follow its questions, which end with "]: ".
dialogue() {
    section 8 | sed -n 's/^[A-Z].*\]: *//p' >answers
    rm -f typescript
    (first_question; cat answers) | TERM=xterm script -qefc "stty -echo cols 100; '$program' new" typescript >/dev/null
    tr -d '\r' <typescript | sed 's/\]: /]:\n/g' >said
    [ -s big.yaml ]
}
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    holds "section 8: the answers of the page make an input" dialogue
    least=9
    none "kiln new asks what the page shows, and prints the same result" "$(
        section 8 | sed '1d; s/\]: .*/]:/' | grep -v '^ *\.\.\.$' | absent said)"
else
    skip "section 8: kiln new" "there is no program script that gives a command a terminal"
fi
facts_end
