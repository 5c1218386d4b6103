#!/bin/sh
# The tables of docs/solvers.md are what kiln bench solver prints: those on 4^4 always, those on 8^4 with
# KILN_NIGHTLY=1 (ten minutes on two cores).  Where a table differs, run its command and change the page, with its
# commit and date: diff shows the rows of the program ("<") and those of the page (">").  The page's are those of CPU
# kernels with fused multiply-adds; results of a program without them agree to rounding only, and iterations may differ.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

room=$(mktemp -d) || exit 99
trap 'rm -rf "$room"' EXIT

page=docs/solvers.md

# Numbers as on the page: 5.04e-04 is 5.0e-4 with one digit behind the point.
numbers='
    function short(x, digits) {
        x = sprintf("%." digits "e", x)
        sub(/e\+00$/, "", x); sub(/e-0/, "e-", x); sub(/e\+0*/, "e", x)
        return x
    }'

# Rows of the page's tables, from what the program printed.
history_rows() {                                # outputs of several masses, a column each
    awk "$numbers"'
        FNR == 1 { column++; table = 0 }
        /^$/ { table = 0 }
        table {
            name = substr($0, 1, 31); sub(/ *$/, "", name)
            split(substr($0, 32), value)
            stopped = sub(/\+$/, "", value[1])
            if (column == 1) order[++rows] = name
            row[name] = row[name] " " (stopped ? "> " value[1] " (" short(value[2], 1) ")" : value[1]) " |"
        }
        /^ +iterations/ { table = 1 }
        END { for (i = 1; i <= rows; i++) print "| " order[i] " |" row[order[i]] }' "$@"
}

multishift_rows() {
    awk "$numbers"'
        $1 == "common" || $1 == "total" {
            row = "| " $1 " | | | " $2 " |"
            for (i = 3; i <= NF; i++) row = row " " $i " | |"
            print row
        }
        /^[0-9]+ / {
            row = "| " $1 " | " short($2, 2) " | " short($3, 2) " | " $4 " |"
            for (i = 6; i <= NF; i += 2) row = row " " $i " | " short($(i + 1), 1) " |"
            print row
        }' "$@"
}

masses_rows() {
    awk '
        $2 == "double" { if (row) print row; row = "| " $1 " | " $6 " |" }
        $2 ~ /^(half|int20|single)$/ { row = row " " (sub(/\+$/, "", $6) ? "> " : "") $7 " |" }
        END { print row }' "$@"
}

formats_rows() {
    awk "$numbers"'
        /^(half|int20|single|int30|double)[a-z0-9-]* / {
            print "| " $1 " | " short($2, 1) " | " short($3, 1) " | " $5 " | " $6 " | " $7 " | " $8 " |"
        }' "$@"
}

methods_rows() {
    awk '
        $3 == "double" && $2 == "cg" { row = "| " $1 " | " $4 " |" }
        $3 == "double" && $2 == "bicgstab" { row = row " " $4 " | " $5 " |" }
        $3 == "double" && $2 == "bicgstab2" { row = row " " $4 " |" }
        $3 == "double" && $2 == "bicgstab4" { row = row " " $4 " |" }
        $2 == "multigrid" { print row " " $4 " |" }' "$@"
}

inner_rows() {                                  # a mass a row: double, single, int30, int20, half, each once
    awk '
        $2 == "bicgstab4" { if ($3 == "double") row = "| " $1 " |"; row = row " " $4 " |"; if ($3 == "half") print row }
        ' "$@"
}

# Of a study with both ways of mixed precision, a table each.
mixed_rows() {                                  # "reliable updates" or "defect correction", OUTPUTS...
    way=$1
    shift
    awk -v way="$way" '
        $2 == "double" { if (row) print row; row = "| " $1 " | " $6 " |" }
        $3 " " $4 == way { row = row " " (sub(/\+$/, "", $6) ? "> " : "") $6 " |" }
        END { print row }' "$@"
}
reliable_rows() { mixed_rows "reliable updates" "$@"; }
defect_rows() { mixed_rows "defect correction" "$@"; }

# The rows of the first table behind the text $1, without the two of its head.
page_rows() {
    awk -v text="$1" '
        seen && /^\|/ { if (++lines > 2) print; next }
        lines { exit }
        index($0, text) { seen = 1 }' "$page"
}

# study NAME OPTIONS...: runs it on the CPU into $room/NAME
study() {
    name=$1
    shift
    "$KILN_PROGRAM" bench solver "$@" --device cpu >"$room/$name" 2>"$room/err" || { cat "$room/err"; return 1; }
}

fused=$("$KILN_PROGRAM" version --json | sed -n 's/.*"cpu_fused": true.*/yes/p')

# same_table SENTENCE ROWS-OF TEXT OUTPUTS...
same_table() {
    if [ "$fused" = yes ]; then
        fact=$1
        shift
        holds "$fact" same_rows "$@"
    else
        skip "$1" "multiply-adds of this program's CPU kernels are not fused (kiln version)"
    fi
}

same_rows() {                                   # ROWS-OF TEXT OUTPUTS...
    rows_of=$1
    text=$2
    shift 2
    "$rows_of" "$@" >"$room/printed"
    page_rows "$text" >"$room/written"
    [ -s "$room/printed" ] && diff "$room/printed" "$room/written"
}

begins_with() {                                 # as same_rows, with the first rows of the page alone
    same_rows "$@" >/dev/null
    [ -s "$room/printed" ] && head -n "$(wc -l <"$room/printed")" "$room/written" | diff "$room/printed" -
}

small="--lattice 4,4,4,4 --trajectories 10"
poles=1e-5,1.75e-5,3.86e-5,8.85e-5,2.05e-8,4.81e-9,1.15e-9,2.5e-10,4.64e-11,1.3e-11,6.85e-12

holds "history on 4^4 runs" study history4 history $small --mass 0.02 --threads 1
same_table "history: the table on 4^4" history_rows "bench solver history $small" "$room/history4"
holds "multishift on 4^4 runs" study multishift4 multishift $small --mass 0.02 --tolerance 1e-5,1e-7,1e-9 --threads 1
same_table "multishift: the table on 4^4" multishift_rows "bench solver multishift $small" "$room/multishift4"
holds "masses on 4^4 runs" study masses4 masses $small --masses 0.05,0.02 --threads 1
same_table "masses: the table on 4^4" masses_rows "bench solver masses $small" "$room/masses4"
holds "formats on 4^4 runs" study formats4 formats $small --threads 1
same_table "formats: the table on 4^4" formats_rows "bench solver formats $small" "$room/formats4"

quenched="--lattice 4,4,4,4 --heatbath 20 --beta 5.7 --quarks wilson"
holds "methods on 4^4 runs" study methods4 methods $quenched --masses=-0.5,-0.9 --precisions double,single --threads 1
same_table "methods: the table on 4^4" methods_rows "bench solver methods $quenched" "$room/methods4"
holds "formats of Wilson quarks on 4^4 runs" study wilson_formats4 formats $quenched --masses=-0.9 --threads 1
same_table "formats of Wilson quarks: the table on 4^4" formats_rows "bench solver formats $quenched" \
    "$room/wilson_formats4"

# On 6^4, the heaviest mass of five.
hisq="--lattice 6,6,6,6 --trajectories 30"
holds "BiCGstab(4) of HISQ on 6^4 runs" study hisq6 methods $hisq --masses 0.05 --method bicgstab4
if [ "$fused" = yes ]; then
    holds "BiCGstab(4) of HISQ: the first row of the table on 6^4" begins_with inner_rows "bench solver methods $hisq" \
        "$room/hisq6"
fi

large="--lattice 8,8,8,8 --trajectories 30"
large_quenched="--lattice 8,8,8,8 --heatbath 60 --beta 5.7 --quarks wilson"
if [ "$KILN_NIGHTLY" = 1 ]; then
    for mass in 0.02 0.01 0.005; do
        holds "history on 8^4 runs, mass $mass" study "history$mass" history $large --mass "$mass"
    done
    same_table "history: the table on 8^4" history_rows "bench solver history $large" \
        "$room/history0.02" "$room/history0.01" "$room/history0.005"
    holds "multishift on 8^4 runs" study multishift8 multishift $large --mass 0.005 --tolerance "$poles"
    same_table "multishift: the table on 8^4" multishift_rows "bench solver multishift $large" "$room/multishift8"
    holds "masses on 8^4 runs" study masses8 masses $large
    same_table "masses: the table on 8^4" masses_rows "bench solver masses $large" "$room/masses8"
    holds "formats on 8^4 runs" study formats8 formats $large
    same_table "formats: the table on 8^4" formats_rows "bench solver formats $large" "$room/formats8"
    holds "methods on 8^4 runs" study methods8 methods $large_quenched --masses=-0.8,-0.9,-0.95,-1,-1.02,-1.03,-1.04 \
        --precisions double,single
    same_table "methods: the table on 8^4" methods_rows "bench solver methods $large_quenched" "$room/methods8"
    holds "formats of Wilson quarks on 8^4 runs" study wilson_formats8 formats $large_quenched --masses=-1
    same_table "formats of Wilson quarks: the table on 8^4" formats_rows "bench solver formats $large_quenched" \
        "$room/wilson_formats8"
    holds "masses of Wilson quarks on 8^4 runs" study mixed8 masses $large_quenched --masses=-0.9,-0.95,-1,-1.02,-1.03 \
        --delta 0.1,0.01,0.001 --inner 0.1,0.01,0.001 --max-iterations 2000
    same_table "reliable updates: the table on 8^4" reliable_rows "Iterations of BiCGstab with reliable updates, for" \
        "$room/mixed8"
    same_table "defect correction: the table on 8^4" defect_rows "and with defect correction, where each cycle" \
        "$room/mixed8"
    holds "BiCGstab(4) of HISQ on 6^4 runs with all masses" study hisq_all methods $hisq \
        --masses 0.05,0.02,0.01,0.005,0.002 --method bicgstab4
    same_table "BiCGstab(4) of HISQ: the table on 6^4" inner_rows "bench solver methods $hisq" "$room/hisq_all"
fi
facts_end
