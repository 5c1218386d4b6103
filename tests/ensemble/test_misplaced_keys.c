/* test_misplaced_keys.c - a key that the chosen action, integrator or number of flavors does not use is refused where
 * it stands, also with its default; the echo of an input has none of them, and reads back. */
#include "src/hmc/run_input.h"
#include "tests/facts.h"

#include <string.h>

#define HEAD "lattice: [4, 4, 4, 4]\nrandom: { seed: 1 }\nmonomials:\n"
#define TAIL "hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 1, monomials: [gauge, quarks] } ] }\n" \
             "output: { directory: x }\n"
#define GAUGE "- { kind: gauge, action: wilson, beta: 5 }\n"
#define STAGGERED "determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ] } ]"
#define WALLS "Ls: 4, determinants: [ { flavors: 2, mass: 0.1 } ]"
#define QUARKS "- { kind: staggered, " STAGGERED " }\n"
#define OUT ": remove it, or change "

static const struct { const char *what, *yaml, *faults; } inputs[] = {
    { "nothing wrong, staggered quarks", HEAD GAUGE QUARKS TAIL, "" },
    { "nothing wrong, domain-wall quarks", HEAD GAUGE "- { kind: domain_wall, " WALLS " }\n" TAIL, "" },
    { "gauge action", HEAD "- kind: gauge\n  beta: 5\n  c1: 0\n  u0: 1\n  flavors: 0\n  action: wilson\n" QUARKS TAIL,
      "in.yaml:6:3: monomials.0: c1 is for action rectangle, not for wilson" OUT "action\n"
      "in.yaml:7:3: monomials.0: u0 is for action symanzik_1loop, not for wilson" OUT "action\n"
      "in.yaml:8:3: monomials.0: flavors is for action symanzik_1loop, not for wilson" OUT "action\n" },
    { "staggered quarks", HEAD GAUGE "- kind: staggered\n  u0: 1\n  " STAGGERED "\n" TAIL,
      "in.yaml:6:3: monomials.1: u0 is for action asqtad, not for hisq" OUT "action\n" },
    { "naive quarks", HEAD GAUGE "- kind: staggered\n  action: naive\n  projection: u3\n  force_filter: 5e-5\n  "
      STAGGERED "\n" TAIL,
      "in.yaml:7:3: monomials.1: projection is for action hisq, not for naive" OUT "action\n"
      "in.yaml:8:3: monomials.1: force_filter is for action hisq, not for naive" OUT "action\n" },
    { "domain-wall quarks", HEAD GAUGE "- { kind: domain_wall, b: 1.5, c: 0.5, action: shamir, " WALLS " }\n" TAIL,
      "in.yaml:5:24: monomials.1: b is for action mobius, not for shamir" OUT "action\n"
      "in.yaml:5:32: monomials.1: c is for action mobius, not for shamir" OUT "action\n" },
    { "integrator", HEAD GAUGE QUARKS "hmc:\n  trajectories: 1\n  levels:\n  - integrator: leapfrog\n    steps: 1\n"
      "    monomials: [gauge, quarks]\n    lambda: 0.1931833275037836\n    gauge_monomials: []\n"
      "output: { directory: x }\n",
      "in.yaml:12:5: hmc.levels.0: lambda is for integrator omelyan or omelyan_position, not for leapfrog" OUT
      "integrator\n"
      "in.yaml:13:5: hmc.levels.0: gauge_monomials is for integrator 2g1f, 3g1f, 5g1f or 6g1f, not for leapfrog" OUT
      "integrator\n" },
    { "condensate", HEAD GAUGE QUARKS TAIL "measurements:\n- kind: condensate\n  every: 1\n  masses: [ { mass: 1 } ]\n"
      "  u0: 1\n",
      "in.yaml:12:3: measurements.0: u0 is for action asqtad, not for hisq" OUT "action\n" },
    { "domain-wall quarks measured", HEAD GAUGE QUARKS TAIL "measurements:\n- kind: domain_wall\n  every: 1\n  Ls: 4\n"
      "  masses: [ { mass: 0.1 } ]\n  scale: 2\n",
      "in.yaml:13:3: measurements.0: scale is for action scaled_shamir, not for shamir" OUT "action\n" },
};

static text echo_of(const run_input *in)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, &in->p, false);
    return echo;
}

static void reads_back(const run_input *in, const char *what)
{
    fault_list faults = { 0 };
    text echo = echo_of(in);
    run_input again;
    bool ok = run_input_read_text(&again, text_string(&echo), "echo.yaml", NULL, 0, &faults);
    fact(ok, "%s: the complete input is accepted", what);
    text second = echo_of(&again);
    fact(ok && strcmp(text_string(&echo), text_string(&second)) == 0, "%s: and is complete", what);
    note("%s", text_string(&faults.lines));
    text_free(&second);
    text_free(&echo);
    fault_list_free(&faults);
    run_input_free(&again);
}

int main(void)
{
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        fault_list faults = { 0 };
        run_input in;
        run_input_read_text(&in, inputs[i].yaml, "in.yaml", NULL, 0, &faults);
        if (!fact(strcmp(text_string(&faults.lines), inputs[i].faults) == 0, "%s: %s", inputs[i].what,
                  *inputs[i].faults ? "each key that is not used is refused at its place" : "no fault"))
            note("but: %s", text_string(&faults.lines));
        if (faults.count == 0)
            reads_back(&in, inputs[i].what);
        fault_list_free(&faults);
        run_input_free(&in);
    }
    return facts_end();
}
