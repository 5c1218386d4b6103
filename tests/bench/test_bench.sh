#!/bin/sh
# kiln bench: what it prints on a small lattice.  No fact is about how long a time is, but each is a positive number,
# and what is derived from it follows.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

kernels=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,4 --precision both --repeat 1 --device cpu --json 2>&1)
dwf=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,4 --only dwf --Ls 4 --repeat 1 --device cpu --json 2>&1)
trajectory=$("$KILN_PROGRAM" bench trajectory --lattice 4,4,4,4 --steps 2 --repeat 1 --device cpu --json 2>/dev/null)

# Whether $1 has the text $2, and as often as $3 if given.
has() {
    count=$(printf '%s\n' "$1" | grep -o -e "$2" | wc -l)
    echo "\"$2\" $count times"
    [ "$count" -gt 0 ] && [ "$count" = "${3:-$count}" ]
}

# The rows of $1, a line each.
rows() {
    printf '%s\n' "$1" | sed 's/{"name"/\
&/g' | grep '^{"name".*"variant"'
}

# Rows of which a number is not one, or is not what the others say.  The floor is made here from bytes and flops of the
# row and the rates that were measured: bytes over a copy, flops over multiply-adds, the larger of the two.
faulty_rows() {
    rates=$(printf '%s\n' "$1" |
        sed -n 's/.*"copy_bytes_per_second": \([^,]*\), "fma_flops_per_second": {\([^}]*\)}.*/\1 \2/p')
    rows "$1" | awk -v rates="$rates" '
        function word(key,   at, rest) {
            at = index($0, "\"" key "\": ")
            if (!at)
                return "missing"
            rest = substr($0, at + length(key) + 4)
            sub(/[,}].*/, "", rest)
            gsub(/"/, "", rest)
            return rest
        }
        function number(key,   w) {
            w = word(key)
            if (w !~ /^[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ || w + 0 <= 0)
                print word("name") ", " word("variant") ", " word("precision") ": " key " is " w
            return w + 0
        }
        function same(key, found, expected) {
            if (!(found - expected <= 1e-12 * expected && expected - found <= 1e-12 * expected))
                print word("name") ", " word("variant") ", " word("precision") ": " key " is " found ", not " expected
        }
        BEGIN {
            n = split(rates, r, /[ ,:"]+/)
            copy = r[1] + 0
            for (i = 2; i < n; i += 2)
                fma[r[i]] = r[i + 1] + 0
        }
        {
            seconds = number("seconds"); bytes = number("bytes"); flops = number("flops")
            p = word("precision")
            if (number("fastest_seconds") > seconds)
                print word("name") ": the fastest of its times is above their median"
            if (seconds == 0 || copy == 0 || fma[p] == 0) {
                print word("name") ": no time, or no rate of " p " precision"
                next
            }
            floor = bytes / copy > flops / fma[p] ? bytes / copy : flops / fma[p]
            same("bytes_per_second", number("bytes_per_second"), bytes / seconds)
            same("flops_per_second", number("flops_per_second"), flops / seconds)
            same("fraction_of_copy", number("fraction_of_copy"), bytes / seconds / copy)
            same("floor_seconds", number("floor_seconds"), floor)
            same("fraction_of_floor", number("fraction_of_floor"), floor / seconds)
            if (word("floor_bound_by") != (bytes / copy > flops / fma[p] ? "bytes" : "flops"))
                print word("name") ": bound by " word("floor_bound_by")
        }
        END { if (NR == 0) print "no rows" }'
}

# Kernel, variant, precision, bytes and flops of the rows of $1, these two times $2.
work_of() {
    rows "$1" | awk -F '"' -v times="$2" '{
        bytes = flops = $0
        sub(/.*"bytes": /, "", bytes); sub(/,.*/, "", bytes)
        sub(/.*"flops": /, "", flops); sub(/,.*/, "", flops)
        printf "%s, %s, %s: %.0f bytes, %.0f flops\n", $4, $8, $12, times * bytes, times * flops }'
}

for kernel in momentum_axpy_sites momentum_norms link_drift reunitarize plaquette rectangle \
    gauge_force_plaquette gauge_force_rectangle gauge_force_parallelogram \
    heatbath_plaquette overrelax_plaquette heatbath_rectangle overrelax_rectangle \
    vector_axpy_norm2 vector_multishift_update vector_combine staggered_hop_sites staggered_normal \
    fat_ahead_behind fat_inner fat_outer unitarize long_links outer_product fat_force_outer fat_force_inner \
    fat_force_middle fat_force_sides naik_force unitarize_force chain_end stout_links_sites stout_insertions \
    stout_force_sites stout_force_end; do
    holds "$kernel is timed in both precisions" has "$kernels" "\"name\": \"$kernel\"" 2
done
for what in batch_normal cg_iteration; do
    holds "$what is timed in five formats, for 1, 2, 4 and 8 systems" has "$kernels" "\"name\": \"$what\"" 20
done
holds "batch_residual is timed in five formats, for 1, 2, 4 and 8 systems" has "$kernels" '"name": "batch_residual"' 20
holds "shifts_update is timed in five formats" has "$kernels" '"name": "shifts_update"' 5
for what in dwf_hop dwf_c dwf_normal dwf_cg_iteration; do
    holds "$what is timed in five formats" has "$kernels" "\"name\": \"$what\"" 5
done
for what in wilson_hop wilson_hop_anisotropic wilson_mhat clover_mhat twisted_mhat; do
    holds "$what is timed in five formats, for 1 and 8 systems" has "$kernels" "\"name\": \"$what\"" 10
done
for what in clover_cg_iteration clover_bicg_iteration; do
    holds "$what is timed in five formats" has "$kernels" "\"name\": \"$what\"" 5
done
for what in bicg_shadow bicg_residuals; do
    holds "$what is timed in five formats" has "$kernels" "\"name\": \"$what\"" 5
done
for what in bicg_gram bicg_cycle bicg_directions; do
    holds "$what is timed in all formats but half" has "$kernels" "\"name\": \"$what\"" 4
done
for what in bicg_minimum bicg_advance; do
    holds "$what is timed in half" has "$kernels" "\"name\": \"$what\"" 1
done
for what in dwf_force_sites hop_force; do
    holds "$what is timed in double" has "$kernels" "\"name\": \"$what\"" 1
done
holds "these are all" [ "$(rows "$kernels" | wc -l)" = 241 ]
none "each once" "$(work_of "$kernels" 1 | sed 's/:.*//' | sort | uniq -d)"
# Iterations of BiCGstab with other bytes or flops than two Mhat and the launches for vectors.
other_iterations() {
    work_of "$1" 1 | grep -v ' x8' | awk -F ', |: | ' '
        $1 == "clover_mhat" { bytes[$2 $3] += 2 * $4; flops[$2 $3] += 2 * $6 }
        $1 ~ /^bicg_/ { bytes[$2 $3] += $4; flops[$2 $3] += $6 }
        $1 == "clover_bicg_iteration" { rows++; all_bytes[$2 $3] = $4; all_flops[$2 $3] = $6 }
        END {
            if (rows == 0)
                print "no rows"
            for (k in all_bytes)
                if (all_bytes[k] != bytes[k] || all_flops[k] != flops[k])
                    print k ": " all_bytes[k] " bytes, " all_flops[k] " flops, not " bytes[k] ", " flops[k]
        }'
}
none "an iteration of BiCGstab is two Mhat and its launches for vectors" "$(other_iterations "$kernels")"
none "every row has positive times, and the rates, floor and fractions that follow" "$(faulty_rows "$kernels")"
none "so has every row of domain-wall quarks alone" "$(faulty_rows "$dwf")"
twice=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,8 --only gauge --repeat 1 --device cpu --json 2>&1)
once=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,4 --only gauge --repeat 1 --device cpu --json 2>&1)
work_of "$once" 2 >"${TMPDIR:-/tmp}/bench.$$"
none "twice the sites have twice the bytes and flops" "$(work_of "$twice" 1 | diff "${TMPDIR:-/tmp}/bench.$$" - 2>&1
    work_of "$twice" 1 | grep -q bytes || echo 'no rows')"
of_one() {
    with="$KILN_PROGRAM bench kernels --repeat 1 --device cpu --threads 1 --json"
    ranks=$($with --lattice 4,4,4,8 --ranks 2 $1 2>/dev/null)
    alone=$($with --lattice 4,4,4,4 $1 2>/dev/null)
    work_of "$alone" 1 >"${TMPDIR:-/tmp}/bench.$$"
    work_of "$ranks" 1 | diff "${TMPDIR:-/tmp}/bench.$$" - 2>&1
    work_of "$ranks" 1 | grep -q bytes || echo "no rows: $ranks"
    has "$ranks" '"grid": \[1, 1, 1, 2\]' 1 >/dev/null || echo "no grid: $ranks"
    none_faulty=$(faulty_rows "$ranks")
    [ -z "$none_faulty" ] || echo "$none_faulty"
}
none "each of two ranks has the bytes and flops of one with half of the lattice" "$(of_one '--only gauge')"
none "also with systems in batches" "$(of_one '--only batches')"
none "also stout smearing" "$(of_one '--only stout')"
rm -f "${TMPDIR:-/tmp}/bench.$$"
holds "floors are measured: a copy" has "$kernels" '"copy_bytes_per_second": [0-9]' 1
holds "floors are measured: multiply-adds" \
    has "$kernels" '"fma_flops_per_second": {"single": [0-9.e+]*, "double": [0-9]' 1
holds "a trajectory of two Omelyan steps evaluates the force five times" \
    has "$trajectory" '"force_evaluations_per_trajectory": 5,' 1
holds "a trajectory on the CPU copies nothing" has "$trajectory" '"bytes_from_device": 0,' 1

positive() {
    printf '%s\n' "$trajectory" | grep -q "\"$1\": [0-9.]*[1-9][0-9.]*\(e-*[0-9]*\)\{0,1\}, "
}
for key in seconds fastest_seconds force_seconds_per_trajectory force_seconds_per_evaluation \
    force_flops_per_evaluation force_bytes_per_evaluation; do
    holds "$key of a trajectory is a positive number" positive $key
done
holds "times are a tree of timers" has "$trajectory" '"timers": \[{"name": ' 1
holds "whence the trajectories start is said" has "$trajectory" '"start": "hot, not thermalized"' 1

holds "domain-wall quarks are timed alone, in double and one other format" has "$dwf" '"floor_seconds"' 10
holds "with as many slices as asked" has "$dwf" '"Ls": 4,' 1

refuses() {
    "$KILN_PROGRAM" bench "$@"
    [ $? = 2 ]
}
holds "what it cannot time is wrong usage" refuses solvers --lattice 4,4,4,4
holds "a lattice of odd extents is wrong usage" refuses kernels --lattice 4,4,4,3
holds "three extents are no lattice" refuses kernels --lattice 4,4,4
holds "a precision of trajectories is wrong usage" refuses trajectory --lattice 4,4,4,4 --precision single
holds "even the one that they have" refuses trajectory --lattice 4,4,4,4 --precision double
holds "an action of kernels is wrong usage" refuses kernels --lattice 4,4,4,4 --action iwasaki
holds "steps of kernels are wrong usage" refuses kernels --lattice 4,4,4,4 --steps 3
holds "slices of trajectories are wrong usage" refuses trajectory --lattice 4,4,4,4 --Ls 4
holds "one slice is wrong usage" refuses kernels --lattice 4,4,4,4 --Ls 1
holds "more slices than one process can number are wrong usage" \
    refuses kernels --lattice 64,64,64,96 --only dwf --Ls 48
holds "a part of the exchanges of one rank is wrong usage" refuses kernels --lattice 4,4,4,8 --exchange own
holds "so it is on CPUs" refuses kernels --lattice 4,4,4,8 --ranks 2 --device cpu --packing-warps 9
holds "and of trajectories" refuses trajectory --lattice 4,4,4,8 --exchange own
holds "a group of kernels that is none is wrong usage" refuses kernels --lattice 4,4,4,4 --only dwfs
facts_end
