# staggered_input.sh - a small ensemble with 2+1 flavors of staggered quarks, for tests that are scripts.
#
#     staggered_input NAME=VALUE...      writes run.yaml; the names are those below, `quarks`, `hmc` and `more` are
#                                        further lines of the monomial, of hmc, and of the input
staggered_input() (
    lattice='4, 4, 8, 8' light=0.4 strange=0.6 residual=1e-8 length=0.3 trajectories=2 thermalization=1 every=1
    quarks='' hmc='' more=''
    for setting in "$@"; do
        export "${setting?}"
    done
    cat >run.yaml <<END_OF_INPUT
lattice: [$lattice]
random: { seed: 12 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 6.4 }
  - kind: staggered
    name: quarks
    determinants:
      - quarks: [ { mass: $light, flavors: 2 }, { mass: $strange, flavors: 1 } ]
        hasenbusch: [ { mass: 1 } ]
    residuals: { refresh: $residual, action: $residual, force: 1e-6 }
    errors: { refresh: $residual, action: $residual, force: 1e-6 }
    $quarks
hmc:
  trajectory_length: $length
  levels:
    - { integrator: omelyan, steps: 2, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: $trajectories
  thermalization: $thermalization
  $hmc
$more
output: { directory: unnamed, name: c, configuration_every: $every, checkpoint_every: 1 }
END_OF_INPUT
)
