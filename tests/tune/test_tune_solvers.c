/* test_tune_solvers.c - a tuning that tries the kinds of solvers: it takes the fastest one where that is clearly faster
 * than the input's, beyond errors, and leaves the input as it is where it is not. */
#include "src/solvers/solver_choice.h"
#include "src/base/log.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char input[] =
    "lattice: [2, 2, 2, 2]\n"
    "random: { seed: 32 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.5 }\n"
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    action: naive\n"
    "    determinants: [ { quarks: [ { mass: 2, flavors: 2 } ] } ]\n"
    "    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }\n"
    "hmc:\n"
    "  trajectory_length: 0.3\n"
    "  levels: [ { integrator: omelyan, steps: 3, monomials: [quarks, gauge] } ]\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

static const lab_times given = { .force = { 1, 4 }, .drift = 1, .refresh = 2, .energy = 2, .rest = 1 };

/* `costs`: of the kinds, in units of that of the input; NULL: measured. */
static tune_result tuned(const char *path, const char *set, const double *costs, double scatter, bool solvers)
{
    failure why;
    tune_result r;
    const tune_request w = { .target = 0.5, .thermalization = 1, .learn = 2, .solvers = solvers,
                             .times = costs ? &given : NULL, .kind_costs = costs, .kind_scatter = scatter };
    require(tune_input(&r, path, PLACE_CPU, set, &w, &why), "%s", why.why);
    return r;
}

int main(void)
{
    scratch files = scratch_create();
    const char *path = input_to_tune(&files, input);
    log_set_quiet(true);
    double costs[SOLVER_ADAPTIVE];
    for (int k = 0; k < SOLVER_ADAPTIVE; k++)
        costs[k] = 0.96;
    tune_result r = tuned(path, NULL, costs, 0, true);
    fact(r.solver_trials == SOLVER_ADAPTIVE && r.sets == 0, "every fixed kind is tried, and none is taken that gains "
         "less than 5 %%");
    costs[SOLVER_DOUBLE_SINGLE] = 0.9;
    costs[SOLVER_DOUBLE_HALF] = 0.8;
    r = tuned(path, NULL, costs, 0, true);
    fact(r.sets == 1 && strcmp(r.set[0], "monomials.1.solver=double-half") == 0,
         "the fastest of those that gain more is written into the input");
    fact(r.solver_trial[SOLVER_DOUBLE_HALF].chosen && !r.solver_trial[SOLVER_DOUBLE_SINGLE].chosen,
         "and marked as taken");
    fact(r.solver_trial[SOLVER_DOUBLE_HALF].error < 1e-7 && isnan(r.solver_trial[SOLVER_DOUBLE_SINGLE].error),
         "it alone is compared again");
    r = tuned(path, NULL, costs, 0.2, true);
    fact(r.sets == 1 && fabs(r.solver_trial[SOLVER_DOUBLE_HALF].error / (0.16 / sqrt(5)) - 1) < 1e-9,
         "it is taken where the gain is %.2g errors", 0.2 / r.solver_trial[SOLVER_DOUBLE_HALF].error);
    r = tuned(path, NULL, costs, 0.4, true);
    fact(r.sets == 0 && !r.solver_trial[SOLVER_DOUBLE_HALF].chosen,
         "and not where it is %.2g errors", 0.2 / r.solver_trial[SOLVER_DOUBLE_HALF].error);
    r = tuned(path, "monomials.1.solver=double-half", costs, 0, true);
    bool itself = false;
    for (int i = 0; i < r.solver_trials; i++)
        itself |= r.solver_trial[i].kind == SOLVER_DOUBLE_HALF;
    fact(r.solver_trials == SOLVER_ADAPTIVE - 1 && !itself && r.solver_trial[0].before == SOLVER_DOUBLE_HALF,
         "the kind of the input is what the others are compared with");
    r = tuned(path, NULL, costs, 0, false);
    fact(r.solver_trials == 0 && r.sets == 0, "where solvers are to stay, none is tried");
    r = tuned(path, NULL, NULL, 0, true);
    bool timed = r.solver_trials == SOLVER_ADAPTIVE;
    for (int i = 0; i < r.solver_trials; i++)
        timed &= r.solver_trial[i].force_seconds > 0 && r.solver_trial[i].refresh_seconds > 0
                 && isfinite(r.solver_trial[i].relative_cost);
    fact(timed, "measured: every kind has times of its force and refresh");
    int again = 0;
    for (int i = 0; i < r.solver_trials; i++) {
        const solver_trial *x = &r.solver_trial[i];
        again += isfinite(x->error) && (!x->chosen || (x->relative_cost < 0.95 && x->error > 0));
    }
    fact(again <= 1 && again >= r.sets, "and at most one is timed again");
    scratch_remove(&files);
    return facts_end();
}
