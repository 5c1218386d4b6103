/* test_start_action.c - hmc.start_action_every: in the trajectories between, S at the start is |eta|^2 of the random
 * numbers, and what belongs to the links alone; nothing else changes, and half of the solves of energies are spared. */
#include "src/base/json.h"
#include "src/gauge/gauge_observables.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* %s: extents, the quarks; %d: start_action_every */
#define INPUT                                                                                  \
    "lattice: [%s]\n"                                                                          \
    "random: { seed: 53 }\n"                                                                   \
    "start: { from: hot }\n"                                                                   \
    "monomials:\n"                                                                             \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }\n"                            \
    "  - { %s, name: quarks, solver: double,\n"                                                \
    "      residuals: { refresh: 1e-9, action: 1e-9, force: 1e-5 } }\n"                      \
    "hmc: { trajectories: 9, thermalization: 9, trajectory_length: 0.1, start_action_every: %d,\n" \
    "       levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge, quarks] } ] }\n"    \
    "output: { directory: unused }\n"

/* compared: factors that report start_action_error */
typedef struct { const char *name, *extents, *quarks; int compared; } action;
static const action actions[] = {
    { "HISQ, rational", "4, 4, 4, 4",
      "kind: staggered, action: hisq, determinants: [ { quarks: [ { mass: 0.5, flavors: 2 } ] } ]", 0 },
    { "clover, symmetric", "4, 2, 2, 4",
      "kind: wilson, c_sw: 1.2, even_odd: symmetric, determinants: [ { flavors: 2, mass: 0.3 }, "
      "{ flavors: 1, mass: 0.5 } ]", 2 },
    { "Moebius, with one exact flavor", "4, 2, 2, 2",
      "kind: domain_wall, action: mobius, Ls: 4, determinants: "
      "[ { flavors: 2, mass: 0.3 }, { flavors: 1, mass: 0.4, method: exact } ]", 2 },
};

static run_system create(place where, const action *a, int every)
{
    return run_system_create(where, PRECISION_DOUBLE, INPUT, a->extents, a->quarks, every);
}

/* Solves of energies in the last trajectory, and factors that report start_action_error. */
typedef struct { int solves, compared; } told;

static told report_of(const run_system *s)
{
    json j = { 0 };
    told t = { 0, 0 };
    json_open(&j, NULL, '{');
    monomial_report(hmc_terms(s->h)[1].m, &j);
    json_close(&j);
    for (const char *at = json_string(&j); (at = strstr(at, "\"action\": {\"solves\": ")); at++) {
        int n = 0;
        sscanf(at, "\"action\": {\"solves\": %d", &n);
        t.solves += n;
    }
    for (const char *at = json_string(&j); (at = strstr(at, "start_action_error")); at++)
        t.compared++;
    json_free(&j);
    return t;
}

static void one_action(place where, const action *a)
{
    enum { EVERY = 3, LAST = 4, QUARKS = 1 };
    run_system always = create(where, a, 1), sometimes = create(where, a, EVERY);
    bool rule = true, drawn = true, solved = true, told_so = true, halved = true;
    for (int64_t n = 1; n <= LAST; n++) {
        const bool due = n % EVERY == 1;
        const hmc_outcome x = run_system_trajectory(&always, n), y = run_system_trajectory(&sometimes, n);
        const told of_x = report_of(&always), of_y = report_of(&sometimes);
        const double s = x.before.term[QUARKS], eta = s - x.refresh_error[QUARKS], got = y.before.term[QUARKS];
        rule = rule && x.start_solved && y.start_solved == due;
        if (due)
            solved = solved && got == s && y.dh == x.dh;
        else
            drawn = drawn && fabs(got - eta) <= 1e-15 * fabs(eta) && fabs(y.dh - x.dh) < 1e-4;
        told_so = told_so && of_x.compared == a->compared && of_y.compared == (due ? a->compared : 0);
        halved = halved && of_x.solves > 0 && (due ? 1 : 2) * of_y.solves == of_x.solves;
    }
    const char *here = place_name(where);
    fact(rule, "%s, %s: every third trajectory solves for S at its start, the first one too", a->name, here);
    fact(solved, "%s, %s: these have the S and the dH of a run that solves in each", a->name, here);
    fact(drawn, "%s, %s: in the others S is |eta|^2, and dH is that of the run up to the residuals", a->name, here);
    fact(told_so, "%s, %s: what is not compared is not reported", a->name, here);
    fact(halved, "%s, %s: they make half of the solves of energies", a->name, here);
    fact(gauge_distance(always.u, sometimes.u) == 0, "%s, %s: the links are the same", a->name, here);
    run_system_free(&always);
    run_system_free(&sometimes);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
            one_action(where, &actions[i]);
    return facts_end();
}
