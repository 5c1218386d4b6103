/* test_fault_places.c - a fault in a list within a list is reported at the line and with the path of its own value. */
#include "src/hmc/run_input.h"
#include "tests/facts.h"

#include <string.h>

#define TAIL "hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 2, monomials: [all] } ] }\n" \
             "output: { directory: out }\n"
#define HEAD "lattice: [4, 4, 4, 4]\nrandom: { seed: 1 }\nmonomials:\n"
#define HISQ HEAD "- kind: staggered\n  name: all\n  action: hisq\n  determinants:\n" \
             "  - quarks: [ { mass: 0.1, flavors: 2 } ]\n"
#define WILSON HEAD "- kind: wilson\n  name: all\n  determinants:\n  - { flavors: 2, mass: 0.1 }\n"
#define DWF HEAD "- kind: domain_wall\n  name: all\n  action: shamir\n  Ls: 4\n  M5: 1.8\n  determinants:\n" \
            "  - { flavors: 2, mass: 0.1 }\n"
#define GAUGE HEAD "- { kind: gauge, name: all, action: wilson, beta: 6 }\n"
#define LEVELS(levels) "hmc:\n  trajectories: 1\n  levels:\n" levels "output: { directory: out }\n"

static const struct { const char *what, *yaml, *fault; } cases[] = {
    { "flavors of a quark",
      HISQ "  - quarks:\n    - { mass: 0.2, flavors: 2 }\n    - { mass: 0.3, flavors: 0 }\n" TAIL,
      "q.yaml:11:7: monomials.0.determinants.1.quarks.1: flavors must not be 0\n" },
    { "a hasenbusch mass",
      HISQ "  - quarks: [ { mass: 0.2, flavors: 2 } ]\n    hasenbusch:\n    - { mass: 0.4 }\n"
      "    - { mass: 0.3 }\n" TAIL,
      "q.yaml:12:15: monomials.0.determinants.1.hasenbusch.1.mass: 0.3 is not above 0.4, the mass before it\n" },
    { "a residual of a hasenbusch mass",
      HISQ "  - quarks: [ { mass: 0.2, flavors: 2 } ]\n    hasenbusch:\n    - mass: 0.4\n"
      "      residuals: { force: 1e-20 }\n" TAIL,
      "q.yaml:12:27: monomials.0.determinants.1.hasenbusch.0.residuals.force: 1e-20 is out of range; allowed: a "
      "number from 1e-14 to 0.1\n" },
    { "a value that depends on others",
      HISQ "  - quarks:\n    - { mass: 0.2, flavors: 2 }\n    - { mass: 0.3, flavors: 1 }\n"
      "    naik_epsilon: auto\n" TAIL,
      "q.yaml:12:19: monomials.0.determinants.1.naik_epsilon: auto needs one mass, but this determinant has the masses "
      "0.2 and 0.3: give a number, or put each mass into its own determinant\n" },
    { "Wilson quarks without mass", WILSON "  - flavors: 2\n" TAIL,
      "q.yaml:8:5: monomials.0.determinants.1: give either mass, which is above -4, or kappa\n" },
    { "an intermediate mass of Wilson quarks", WILSON "  - flavors: 2\n    mass: 0.1\n    hasenbusch:\n    - {}\n" TAIL,
      "q.yaml:11:7: monomials.0.determinants.1.hasenbusch.0: give either mass, which is above -4, or kappa, or rho, or "
      "mu\n" },
    { "domain-wall quarks", DWF "  - { flavors: 2, mass: 0.2, heavy: 1.5 }\n" TAIL,
      "q.yaml:11:5: monomials.0.determinants.1: the last denominator has m = 1.5, above m = 1 of Pauli-Villars\n" },
    { "a link of a chain",
      DWF "  - flavors: 2\n    mass: 0.2\n    hasenbusch:\n    - { mass: 0.3 }\n    - { mass: 0.25 }\n" TAIL,
      "q.yaml:15:7: monomials.0.determinants.1.hasenbusch.1: masses must ascend, up to the last denominator, but 0.3 "
      "is followed by 0.25\n" },
    { "a name on a level",
      GAUGE LEVELS("  - { integrator: omelyan, steps: 2, monomials: [all] }\n"
                   "  - integrator: omelyan\n    steps: 2\n    monomials: [nobody]\n"),
      "q.yaml:11:17: hmc.levels.1.monomials.0: there is no monomial \"nobody\"\n" },
    { "two levels",
      GAUGE LEVELS("  - integrator: omelyan\n    steps: 2\n"
                   "  - { integrator: leapfrog, steps: 3, monomials: [all, all] }\n"),
      "q.yaml:8:5: hmc.levels.0 (omelyan): has no monomials\n"
      "q.yaml:10:5: hmc.levels.1 (leapfrog): monomial \"all\" is listed more than once\n" },
    { "a pair of a measurement", GAUGE TAIL "measurements:\n- kind: wilson\n  name: w\n  masses: [ { mass: 0.1 } ]\n"
      "  pairs:\n  - { quark: 0, antiquark: 0 }\n",
      "q.yaml:12:5: measurements.0.pairs.0: both quarks are mass number 0: the mesons of one mass need no pair\n" },
    { "S of mixed pseudofermions", HEAD "- { kind: gauge, name: all, action: wilson, beta: 6 }\nsmd: { gamma: 1 }\n"
      LEVELS("  - { integrator: omelyan, steps: 2, monomials: [all] }\n  start_action_every: 2\n"),
      "q.yaml:10:23: hmc.start_action_every: with smd, S of mixed pseudofermions is not |eta|^2 of random numbers: it "
      "is solved for in every trajectory; leave out the key\n" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_input in;
        fault_list faults = { 0 };
        const bool read = run_input_read_text(&in, cases[i].yaml, "q.yaml", NULL, 0, &faults);
        if (!fact(!read && strcmp(text_string(&faults.lines), cases[i].fault) == 0, "%s", cases[i].what))
            note("got: %s", text_string(&faults.lines));
        fault_list_free(&faults);
        run_input_free(&in);
    }
    return facts_end();
}
