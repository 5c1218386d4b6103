#!/bin/sh
# kiln bench: what it prints on a small lattice; never a time, which is nobody's fact.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

kernels=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,4 --precision both --repeat 1 --device cpu --json 2>&1)
walls=$("$KILN_PROGRAM" bench kernels --lattice 4,4,4,4 --only wall --slices 4 --repeat 1 --device cpu --json 2>&1)
trajectory=$("$KILN_PROGRAM" bench trajectory --lattice 4,4,4,4 --steps 2 --repeat 1 --device cpu --json 2>/dev/null)

# Whether $1 has the text $2, and as often as $3 if given.
has() {
    count=$(printf '%s\n' "$1" | grep -o -e "$2" | wc -l)
    echo "\"$2\" $count times"
    [ "$count" -gt 0 ] && [ "$count" = "${3:-$count}" ]
}

for kernel in momentum_axpy_sites momentum_norms link_drift reunitarize plaquette rectangle \
    gauge_force_plaquette gauge_force_rectangle gauge_force_parallelogram \
    heat_bath_plaquette overrelax_plaquette heat_bath_rectangle overrelax_rectangle \
    vector_axpy_norm2 vector_multishift_update vector_combine staggered_hop_sites staggered_normal \
    fat_ahead_behind fat_inner fat_outer unitarize naik_links outer_product fat_force_outer fat_force_inner \
    fat_force_middle fat_force_sides naik_force unitarize_force chain_end; do
    holds "$kernel is timed in both precisions" has "$kernels" "\"name\": \"$kernel\"" 2
done
for what in batch_normal batch_residual cg_iteration; do
    holds "$what is timed in five formats, for 1, 2, 4 and 8 systems" has "$kernels" "\"name\": \"$what\"" 20
done
holds "shifts_update is timed in five formats" has "$kernels" '"name": "shifts_update"' 5
for what in wall_hop wall_c wall_normal wall_cg_iteration; do
    holds "$what is timed in five formats" has "$kernels" "\"name\": \"$what\"" 5
done
for what in wall_force_sites wall_force; do
    holds "$what is timed in double" has "$kernels" "\"name\": \"$what\"" 1
done
holds "every number stands beside its floor" has "$kernels" '"floor_seconds"' 149
holds "floors are measured: a copy" has "$kernels" '"copy_bytes_per_second": [0-9]' 1
holds "floors are measured: multiply-adds" \
    has "$kernels" '"fma_flops_per_second": {"single": [0-9.e+]*, "double": [0-9]' 1
holds "a trajectory of two Omelyan steps evaluates the force five times" has "$trajectory" '"force_evaluations_per_trajectory": 5,' 1
holds "a trajectory on the CPU copies nothing" has "$trajectory" '"bytes_from_device": 0,' 1

holds "times are a tree of timers" has "$trajectory" '"timers": \[{"name": ' 1
holds "whence the trajectories start is said" has "$trajectory" '"start": "hot, not thermalised"' 1

holds "domain-wall quarks are timed alone, in double and one other format" has "$walls" '"floor_seconds"' 10
holds "with as many slices as asked" has "$walls" '"slices": 4,' 1

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
holds "slices of trajectories are wrong usage" refuses trajectory --lattice 4,4,4,4 --slices 4
holds "one slice is wrong usage" refuses kernels --lattice 4,4,4,4 --slices 1
holds "a group of kernels that is none is wrong usage" refuses kernels --lattice 4,4,4,4 --only walls
facts_end
