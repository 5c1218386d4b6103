/* test_tune_schemes.c - a tuning that tries other integrators: it leaves leapfrog for one that is cheaper by more than
 * errors, and makes no choice from too few trajectories. */
#include "src/base/log.h"
#include "src/tune/tune.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

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
    run_input in;
    fault_list faults = { 0 };
    failure why;
    links_at_hand at;
    const tune_request w = { .target = 0.7, .thermalization = 15, .learn = learn, .lambdas = true, .schemes = schemes,
                             .times = &given };
    const tune_source source = { path, 0, NULL };
    require(run_input_read(&in, path, NULL, 0, &faults), "%s", text_string(&faults.lines));
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    require(links_at_hand_load(&at, u, &in.p, NULL, &why), "%s", why.why);
    const tune_task task = { .in = &in, .source = &source, .u = u, .memory = &at.memory, .request = &w };
    require(tune_run(r, &task, &why), "%s", why.why);
    gauge_free(u);
    lattice_free(l);
    text_free(&at.origin);
    fault_list_free(&faults);
    run_input_free(&in);
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
             && was_tried(&r, "4mn5fv", 1), "%s: every scheme of fourth order is tried, on both levels", here);
    fact(!was_tried(&r, "leapfrog", 0) && !was_tried(&r, "3g1f", 0) && !was_tried(&r, "omelyan", 1),
         "neither those of the input nor two-level schemes");
    if (!fact(count == 1, "%s: one of them is taken in place of leapfrog", here))
        return;
    char set[TUNE_SET_BYTES];
    snprintf(set, sizeof set, "hmc.levels.0.integrator=%s", scheme_names[chosen->integrator]);
    fact(chosen->before - chosen->cost > hypot(chosen->error, chosen->before_error) && chosen->learnt == 12,
         "%s costs %.4g +- %.2g in place of %.4g +- %.2g, from %d trajectories", scheme_names[chosen->integrator],
         chosen->cost, chosen->error, chosen->before, chosen->before_error, chosen->learnt);
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

int main(void)
{
    scratch files = scratch_create();
    const char *path = scratch_path(&files, "input.yaml");
    log_set_quiet(true);
    FILE *f = fopen(path, "w");
    require(f && fputs(input, f) >= 0 && fclose(f) == 0, "%s cannot be written", path);
    FOR_EVERY_PLACE(where)
        choice(path, where);
    scratch_remove(&files);
    return facts_end();
}
