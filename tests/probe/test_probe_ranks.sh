#!/bin/sh
# kiln probe on several ranks prints and writes the bytes of one rank: all subcommands, on grids of threads and on
# processes.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/comm/mpirun.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 8, 8]
random: { seed: 23 }
start: { from: hot, heatbath: { sweeps: 20 } }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 7 }
  - kind: staggered
    name: quarks
    determinants:
      - { quarks: [ { mass: 0.4, flavors: 2 } ], hasenbusch: [ { mass: 1 } ] }
    residuals: { refresh: 1e-8, action: 1e-8, force: 1e-6 }
    errors: { refresh: 1e-8, action: 1e-8, force: 1e-6 }
hmc:
  trajectory_length: 0.1
  levels: [ { integrator: omelyan, steps: 1, monomials: [quarks, gauge] } ]
  trajectories: 1
output: { directory: unnamed, name: c, configuration_every: 1, checkpoint_every: 1 }
END_OF_INPUT
run start --trajectories 0 || { cat said; exit 99; }
links=start/c.checkpoint.000000.lime

# run_probe OPTIONS...: what kiln probe prints is in the file `printed`, what it says in `said`.
run_probe() {
    $clock "$KILN_PROGRAM" probe "$@" --device "${KILN_DEVICE:-auto}" --share-gpu >printed 2>said
}

# array FILE SHAPE COUNT: so many numbers of the links as an array of another shape, which ends with a comma.
run_probe links $links thin.npy || { cat said; exit 99; }
array() {
    printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': ($2), }" >"$1"
    tail -c +129 thin.npy | head -c $((8 * $3)) >>"$1"
}
sites=$((4 * 4 * 8 * 8))
array colors.npy "8, 8, 4, 4, 3, 2" $((6 * sites))
array spinors.npy "8, 8, 4, 4, 4, 3, 2" $((24 * sites))
array walls.npy "2, 8, 8, 4, 4, 4, 3, 2" $((48 * sites))
run_probe gauge-force --action wilson --beta 1 $links momenta.npy || { cat said; exit 99; }

# same STATUS OPTIONS -- WORDS...: with these options kiln probe prints and writes what one rank prints and writes.
same() {
    wanted=$1
    options=$2
    shift 3
    rm -f *.alone *.together
    for way in alone together; do
        rm -f out.npy p.npy
        [ $way = together ] || ranked=
        [ $way = alone ] || ranked=$options
        ends "$wanted" run_probe "$@" $ranked || return 1
        mv printed printed.$way
        [ ! -e out.npy ] || mv out.npy out.$way
        [ ! -e p.npy ] || mv p.npy p.$way
    done
    [ "$wanted" != 0 ] || [ -s out.alone ] || [ -s printed.alone ] || return 1
    cmp printed.alone printed.together || return 1
    for kind in out p; do
        [ ! -e $kind.alone ] || cmp $kind.alone $kind.together || return 1
    done
}

# each OPTIONS SENTENCE: all subcommands with these options of ranks.
hisq="--operator hisq --mass 0.4"
naive="--operator naive --mass 0.6 --source colors.npy"
walls="--operator domain-wall --Ls 2 --mass 0.3 --source walls.npy"
clover="--operator clover --c-sw 1.3 --mass 0.4 --source spinors.npy"
input="--input run.yaml --pseudofermion colors.npy --pseudofermion colors.npy"
each() {
    none "$2" "$(
        while read -r words; do
            case="probe $words"
            must same 0 "$1" -- $words
        done <<END
links --level fat $hisq $links out.npy
links --level long $hisq --naik-epsilon -0.1 $links out.npy
links --level stout --stout-levels 2 --stout-rho 0.1 $links out.npy
apply $hisq --dagger --source colors.npy $links out.npy
apply --operator wilson --mass 0.1 --basis nonrelativistic --source spinors.npy $links out.npy
apply $walls --part C --action shamir $links out.npy
apply $clover --part Mdag $links out.npy
solve $hisq --residual 1e-6 --source colors.npy $links out.npy
solve $naive --method bicgstab2 --solver double-half --residual 1e-9 --history $links out.npy
solve $walls --solver double-single-half --action mobius --b 1.5 --c 0.5 --residual 1e-7 $links out.npy
solve $clover --part normal --solver double-half --method bicgstab --residual 1e-8 $links out.npy
gauge-force --action symanzik_1loop --beta 6.7 --u0 0.89 $links out.npy
force $input --monomial quarks $links out.npy
energy --action iwasaki --beta 2.5 --momenta momenta.npy $links
energy $input --momenta momenta.npy $links
trajectory $input --momenta momenta.npy --final-momenta p.npy $links out.npy
END
    )"
}
each "--ranks 2" "2 ranks print and write the bytes of one"
each "--grid 1x1x2x2" "so do 4 on a grid that divides z and t"

# ---- what goes wrong is said once, by rank 0, with the status of one rank

holds "a solve that does not converge has status 1, and the last iterate of one rank" \
    same 1 "--ranks 2" -- solve $hisq --residual 1e-12 --max-iterations 3 --source colors.npy $links out.npy
holds "says so once" [ "$(grep -c '^error: the solve did not converge' said)" = 1 ]
holds "an array of another shape has status 1" \
    same 1 "--ranks 2" -- apply $hisq --source spinors.npy $links out.npy
holds "with its shape, once" [ "$(grep -c '^error: spinors.npy: the shape is (8, 8, 4, 4, 4, 3, 2), ' said)" = 1 ]
holds "a file in no folder has status 2" same 2 "--ranks 4" -- links $links nowhere/out.npy
holds "with its name, once" [ "$(grep -c '^kiln probe links: nowhere/out.npy' said)" = 1 ]
holds "options that contradict each other have status 2" \
    same 2 "--ranks 2" -- apply $hisq --dagger --normal --source colors.npy $links out.npy
holds "with one sentence" [ "$(grep -c 'give --dagger or --normal, not both' said)" = 1 ]
holds "blocks too small for the Naik term are an error" \
    ends 1 run_probe apply $hisq --source colors.npy $links out.npy --grid 1,1,1,4
holds "with the grids that are possible" says '^error: .*: grid 1x1x1x4 does not divide lattice 4x4x8x8.*grids: 1x1x2x2'
holds "but not for Wilson quarks" same 0 "--grid 1,1,1,4" -- apply $clover $links out.npy
holds "an input that the ranks cannot divide has status 2" \
    ends 2 run_probe force $input --monomial quarks $links out.npy --ranks 3
holds "with the possible numbers, once" [ "$(grep -c '3 ranks: lattice 4x4x8x8 cannot.* of ranks: .*4' said)" = 1 ]

# ---- processes

if [ -n "$no_mpi" ]; then
    skip "processes print and write the bytes of one rank" "$no_mpi"
    facts_end
fi
# same_with_mpi WORDS...: two processes print and write what one rank prints and writes.
same_with_mpi() {
    rm -f out.npy out.alone
    ends 0 run_probe "$@" && mv printed printed.alone || return 1
    [ ! -e out.npy ] || mv out.npy out.alone
    clock="$mpirun -n 2"
    ends 0 run_probe "$@"
    mpi_status=$?
    clock=
    [ $mpi_status = 0 ] && cmp printed.alone printed && { [ ! -e out.alone ] || cmp out.alone out.npy; }
}
holds "two processes print and write the bytes of one rank: links" \
    same_with_mpi links --level fat $hisq $links out.npy
holds "solutions" same_with_mpi solve $clover --solver double-half --residual 1e-8 $links out.npy
holds "forces" same_with_mpi force $input --monomial quarks $links out.npy
holds "energies" same_with_mpi energy $input $links

facts_end
