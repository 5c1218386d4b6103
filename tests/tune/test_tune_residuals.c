/* test_tune_residuals.c - a tuning that chooses the residual of a force: the change of dH falls with it, a tight one is
 * made looser up to a limit, and one that spoils dH is made tighter. */
#include "src/base/log.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char input[] = WILSON_INPUT_TO_TUNE("    solver: %s\n", "%s");

/* Decisions do not depend on measured times. */
static const lab_times given = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };

static void tuned(tune_result *r, const char *path, place where, const char *residual, bool residuals)
{
    failure why;
    char set[80];
    snprintf(set, sizeof set, "monomials.1.residuals.force=%s", residual);
    const tune_request w = { .target = 0.5, .thermalization = 2, .learn = 2, .residuals = residuals, .times = &given };
    require(tune_input(r, path, where, set, &w, &why), "%s", why.why);
}

static void choice(const char *path, place where)
{
    static tune_result r;
    const char *here = place_name(where);
    tuned(&r, path, where, "1e-6", true);
    const residual_trial *x = r.residual_trial;
    fact(r.residual_trials == 3 && fabs(x[0].residual / 1e-7 - 1) < 1e-6 && fabs(x[2].residual / 1e-5 - 1) < 1e-6,
         "%s: residuals from a tenth of the input's to 1e-5 are tried", here);
    fact(x[1].change > 4 * x[0].change && x[1].change < 25 * x[0].change && x[2].change > 4 * x[1].change
             && x[2].change < 25 * x[1].change,
         "the change of dH grows like the residual: %.2g, %.2g, %.2g", x[0].change, x[1].change, x[2].change);
    fact(x[2].chosen && !x[0].chosen && !x[1].chosen && x[2].largest >= x[2].change && x[2].largest < 0.05,
         "the loosest one is taken: %.2g", x[2].largest);
    fact(r.sets == 1 && strcmp(r.set[0], "monomials.1.residuals.force=1e-05") == 0,
         "and written into the new input: %s", r.set[0]);
    tuned(&r, path, where, "0.005", true);
    fact(r.residual_trials == 2 && x[0].chosen && !x[1].chosen && x[1].largest > 0.05 && r.sets == 1
             && strcmp(r.set[0], "monomials.1.residuals.force=0.0005") == 0,
         "%s: 0.005 changes dH by %.2g and is made tighter: %.2g", here, x[1].change, x[0].change);
    tuned(&r, path, where, "1e-6", false);
    fact(r.residual_trials == 0 && r.sets == 0, "%s: without the option, none is tried", here);
}

static const char *write_input(scratch *files, const char *solver, const char *more)
{
    char yaml[sizeof input + 200];
    snprintf(yaml, sizeof yaml, input, solver, more);
    return input_to_tune(files, yaml);
}

/* Trajectories that are reversible only to the residual: none is made looser than `most`. */
static void limited(scratch *files, const char *solver, const char *more, const char *force, double most)
{
    static tune_result r;
    tuned(&r, write_input(files, solver, more), PLACE_CPU, force, true);
    const int last = r.residual_trials - 1;
    fact(last == 2 && fabs(r.residual_trial[last].residual / most - 1) < 1e-6 && r.residual_trial[last].chosen
             && r.residual_trial[last].largest < 0.001,
         "solver: %s%s: %g is the loosest residual that is tried, although it hardly changes dH (%.2g)", solver, more,
         r.residual_trial[last].residual, r.residual_trial[last].largest);
}

static void notes(scratch *files)
{
    static tune_result r;
    tuned(&r, write_input(files, "double", ", residuals: { force: 1e-6 }"), PLACE_CPU, "1e-6", true);
    fact(r.residual_trials == 0 && r.sets == 0 && r.residual_notes == 1 && r.residual_note[0].term == 1
             && strncmp(r.residual_note[0].why, "not used: ", 10) == 0,
         "a residual that no determinant uses is not chosen: %s", r.residual_note[0].why);
    tuned(&r, write_input(files, "double", ""), PLACE_CPU, "1e-6", true);
    fact(r.residual_notes == 0, "one that is used has no such line");
    tuned(&r, write_input(files, "double", ""), PLACE_CPU, "0.04", true);
    fact(r.residual_notes == 1 && r.sets == 0 && r.residual_trials == 1 && !r.residual_trial[0].chosen
             && strncmp(r.residual_note[0].why, "none chosen: ", 13) == 0,
         "where even a tenth changes dH by %.2g, nothing is: %s", r.residual_trial[0].change, r.residual_note[0].why);
    tuned(&r, write_input(files, "double", ""), PLACE_CPU, "5e-13", true);
    fact(r.residual_trials > 0 && r.residual_trial[0].residual > 1e-14,
         "5e-13 is compared with the least residual of an input: %d tried, from %.2g; %s", r.residual_trials,
         r.residual_trial[0].residual, r.residual_notes > 0 ? r.residual_note[0].why : "");
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    FOR_EVERY_PLACE(where)
        choice(write_input(&files, "double", ""), where);
    limited(&files, "adaptive", "", "1e-8", 1e-7);
    limited(&files, "double-single", "", "1e-8", 1e-7);
    limited(&files, "double", ", chronological: 2", "1e-9", 1e-8);
    notes(&files);
    scratch_remove(&files);
    return facts_end();
}
