/* test_tune_schemes.c - a tuning that tries other integrators: it leaves leapfrog for one that is cheaper by more than
 * errors, makes no choice from too few trajectories, and goes on where solves of one fail. */
#include "src/base/log.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char input[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 31 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: outer, action: symanzik_tree, beta: 2.5 }\n"
    "  - { kind: gauge, name: inner, action: wilson, beta: 2 }\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels:\n"
    "    - { integrator: leapfrog, steps: 12, monomials: [outer] }\n"
    "    - { integrator: omelyan, steps: 1, lambda: 0.2, monomials: [inner] }\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

/* The outer force is what costs. */
static const lab_times given = { .force = { 100, 1 }, .drift = 1, .refresh = 2, .energy = 2, .rest = 1 };

static void tuned(tune_result *r, const char *path, place where, int learn, bool schemes)
{
    failure why;
    const tune_request w = { .target = 0.7, .thermalization = 15, .learn = learn, .lambdas = true, .schemes = schemes,
                             .times = &given };
    require(tune_input(r, path, where, NULL, &w, &why), "%s", why.why);
}

static bool was_tried(const tune_result *r, const char *name, int level)
{
    for (int i = 0; i < r->scheme_trials; i++)
        if (r->scheme_trial[i].entry == level && strcmp(scheme_names[r->scheme_trial[i].integrator], name) == 0)
            return true;
    return false;
}

static void choice(const char *path, place where)
{
    static tune_result r;
    const char *here = place_name(where);
    tuned(&r, path, where, 12, true);
    const scheme_trial *chosen = NULL;
    int count = 0;
    for (int i = 0; i < r.scheme_trials; i++)
        if (r.scheme_trial[i].entry == 0 && r.scheme_trial[i].chosen) {
            chosen = &r.scheme_trial[i];
            count++;
        }
    fact(was_tried(&r, "4mn4fp", 0) && was_tried(&r, "4mn5fv", 0) && was_tried(&r, "force_gradient", 0)
             && was_tried(&r, "force_gradient_position", 0)
             && was_tried(&r, "4mn5fv", 1), "%s: every scheme of fourth order is tried, on both levels", here);
    fact(!was_tried(&r, "leapfrog", 0) && !was_tried(&r, "3g1f", 0) && !was_tried(&r, "omelyan", 1),
         "neither those of the input nor two-level schemes");
    if (!fact(count == 1, "%s: one of them is taken in place of leapfrog", here))
        return;
    char set[TUNE_SET_BYTES];
    snprintf(set, sizeof set, "hmc.levels.0.integrator=%s", scheme_names[chosen->integrator]);
    fact(chosen->before - chosen->cost > 2 * hypot(chosen->error, chosen->before_error) && chosen->learned == 12,
         "%s costs %.4g +- %.2g in place of %.4g +- %.2g, from %d trajectories", scheme_names[chosen->integrator],
         chosen->cost, chosen->error, chosen->before, chosen->before_error, chosen->learned);
    int written = 0;
    for (int i = 0; i < r.sets; i++)
        written += strncmp(r.set[i], set, strlen("hmc.levels.0.integrator=")) == 0;
    fact(r.after.level[0].integrator == chosen->integrator && strcmp(r.set[0], set) == 0 && written == 1 && r.reached,
         "it is in the tuned setting, and once in the new input: %s", r.set[0]);
    fact(r.before.level[0].integrator == 0 && r.then.cost < r.now.cost, "which costs %.4g in place of %.4g",
         r.then.cost, r.now.cost);
    tuned(&r, path, where, 9, true);
    bool none = r.scheme_trials > 0 && r.sets == 0 && r.after.level[0].integrator == r.before.level[0].integrator;
    for (int i = 0; i < r.scheme_trials; i++)
        none = none && !r.scheme_trial[i].chosen;
    fact(none, "%s: nothing is taken from nine trajectories", here);
    tuned(&r, path, where, 2, false);
    fact(r.scheme_trials == 0 && r.sets == 0, "%s: where integrators are to stay, none is tried", here);
}

/* With the fewest iterations with which the input's own integrator can be tuned, solves of some others fail. */
static const char short_of_iterations[] = WILSON_INPUT_TO_TUNE("", "");

static void failing_candidates(const char *path, place where)
{
    enum { MOST_ITERATIONS = 100 };
    static tune_result r;
    const char *here = place_name(where);
    failure why;
    char set[80];
    tune_request w = { .target = 0.5, .thermalization = 2, .learn = 2, .times = &given };
    int iterations = 10;
    do
        snprintf(set, sizeof set, "monomials.1.max_iterations=%d", ++iterations);
    while (!tune_input(&r, path, where, set, &w, &why) && iterations < MOST_ITERATIONS);
    w.schemes = true;
    if (!fact(tune_input(&r, path, where, set, &w, &why),
              "%s: with %d iterations solves of other integrators may fail, and tuning goes on", here, iterations))
        return;
    int impossible = 0;
    for (int i = 0; i < r.scheme_trials; i++)
        impossible += isnan(r.scheme_trial[i].cost) && !r.scheme_trial[i].chosen;
    fact(impossible > 0, "%s: %d of %d are not possible", here, impossible, r.scheme_trials);
    fact(r.sets == 0 && r.after.level[0].integrator == r.before.level[0].integrator && isfinite(r.then.cost),
         "%s: the input's own stays", here);
}

int main(void)
{
    scratch files = scratch_create();
    const char *path = input_to_tune(&files, input);
    log_set_quiet(true);
    FOR_EVERY_PLACE(where)
        choice(path, where);
    input_to_tune(&files, short_of_iterations);
    FOR_EVERY_PLACE(where)
        failing_candidates(path, where);
    scratch_remove(&files);
    return facts_end();
}
