/* test_trajectory_end.c - how a trajectory ends: an energy difference that is not finite is never accepted, and links
 * are brought back to SU(3) after the trajectories that hmc.reunitarize_every names, not after others; a run warns of
 * trajectories that cannot be accepted. */
#include "actions/gauge_action.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/acceptance_watch.h"
#include "src/hmc/hmc.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* %d: thermalization, reunitarize_every; %s: what makes the links */
#define INPUT                                                                   \
    "lattice: [4, 4, 4, 4]\n"                                                   \
    "random: { seed: 31 }\n"                                                    \
    "monomials: [ { kind: gauge, name: gauge, action: wilson, beta: 5 } ]\n"    \
    "hmc: { trajectories: 9, thermalization: %d, reunitarize_every: %d%s }\n%s" \
    "output: { directory: unused }\n"
#define LEVELS ", trajectory_length: 0.2, levels: [ { integrator: leapfrog, steps: 2, monomials: [gauge] } ]"
#define SWEEPS "heatbath: { sweeps: 1 }\n"

static run_system setup_create(place where, int thermalization, int every, bool sweeps)
{
    run_system x = run_system_create(where, PRECISION_DOUBLE, INPUT, thermalization, every, sweeps ? "" : LEVELS,
                                     sweeps ? SWEEPS : "");
    gauge_set_random(x.u, rng_key_for(31, 0, 0, RNG_START_LINKS));
    return x;
}

/* ---- not finite */

/* An action whose second value, that at the end of a trajectory, is another one. */
static struct { int calls; double last; } spoilt;

static bool spoilt_action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    if (!gauge_monomial.action(value, m, u, c))
        return false;
    if (++spoilt.calls == 2)
        *value = spoilt.last;
    return true;
}

static void not_finite(place where, int thermalization, const char *when)
{
    static const double values[] = { NAN, INFINITY, -INFINITY };
    static monomial_kind kind;
    kind = gauge_monomial;
    kind.action = spoilt_action;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        run_system x = setup_create(where, thermalization, 1, false);
        gauge *before = gauge_create(x.l, where, PRECISION_DOUBLE);
        gauge_copy(before, x.u);
        hmc_terms(x.h)[0].m->kind = &kind;
        spoilt.calls = 0;
        spoilt.last = values[i];
        hmc_outcome o = hmc_trajectory(x.h, x.u, 3, NULL, NULL);
        fact(spoilt.calls == 2 && o.failure.step == STEP_NONE && !o.accepted && !o.reunitarized
             && gauge_distance(x.u, before) == 0,
             "%s, %s: a trajectory whose dH is %g is rejected, and the links are those before it", place_name(where),
             when, o.dh);
        gauge_free(before);
        run_system_free(&x);
    }
}

/* ---- reunitarization */

/* Links off SU(3) by much more than rounding, as they would be after very many trajectories. */
static void perturb_links(run_system *x)
{
    const size_t count = GAUGE_REALS * (size_t)lattice_volume(x->l);
    double *links = memory_alloc(count * sizeof *links, "links");
    gauge_export(links, x->u);
    for (size_t i = 0; i < count; i++)
        links[i] *= 1 + 1e-9;
    gauge_import(x->u, links);
    memory_free(links);
}

static void reunitarization(place where, int every, bool sweeps)
{
    enum { LAST = 7 };
    const double rounding = 1e-13;
    const char *here = place_name(where), *made = sweeps ? "a sweep" : "a trajectory";
    bool reported = true, done = true, kept = true, seen = true;
    run_system x = setup_create(where, LAST, every, sweeps);
    for (int64_t n = 1; n <= LAST; n++) {
        const bool due = every > 0 && n % every == 0;
        perturb_links(&x);
        hmc_outcome o = hmc_trajectory(x.h, x.u, n, NULL, NULL);
        const double off = gauge_link_quality(x.u).unitarity;
        reported = reported && o.accepted && o.reunitarized == due;
        seen = seen && o.unitarity > 1e-10;
        if (due)
            done = done && off < rounding;
        else
            kept = kept && off > 1e-10;
    }
    fact(reported && seen, "%s, reunitarize_every %d: each outcome says whether the links were reunitarized after %s, "
         "and how far off SU(3) they were before", here, every, made);
    fact(done && kept, "%s, reunitarize_every %d: after %s that is due the links are in SU(3), after others they are "
         "not", here, every, made);
    run_system_free(&x);
}

/* Links that a rejection puts back are those before, off SU(3) or not: the state on disk of a trajectory before. */
static void rejected(place where)
{
    run_system x = setup_create(where, 0, 1, false);
    gauge *before = gauge_create(x.l, where, PRECISION_DOUBLE);
    static monomial_kind kind;
    kind = gauge_monomial;
    kind.action = spoilt_action;
    hmc_terms(x.h)[0].m->kind = &kind;
    spoilt.calls = 0;
    spoilt.last = 1e9;
    perturb_links(&x);
    gauge_copy(before, x.u);
    hmc_outcome o = hmc_trajectory(x.h, x.u, 1, NULL, NULL);
    fact(!o.accepted && !o.reunitarized && gauge_distance(x.u, before) == 0,
         "%s: after a rejection the links are those before, and not reunitarized", place_name(where));
    gauge_free(before);
    run_system_free(&x);
}

/* ---- what a run says of its trajectories */

/* How often the log has these words after trajectories with this dH, all of them tested. */
static int count_in_log(double dh, int trajectories, const char *words)
{
    static const char path[] = "test_trajectory_end.log";
    acceptance_watch w = { 0 };
    char line[1024];
    int count = 0;
    failure f;
    require(log_open_file(path, &f), "%s", f.why);
    for (int n = 1; n <= trajectories; n++)
        acceptance_watch_add(&w, n, &(hmc_outcome){ .dh = dh, .tested = true, .accepted = dh <= 0 });
    log_close_file();
    FILE *log = fopen(path, "r");
    require(log != NULL, "%s was not written", path);
    while (fgets(line, sizeof line, log))
        count += strstr(line, words) != NULL;
    fclose(log);
    remove(path);
    return count;
}

static void large_differences(void)
{
    static const struct { double dh; int trajectories, reports; } cases[] = {
        { 99, 3, 0 }, { -99, 3, 0 }, { 101, 1, 1 }, { -101, 1, 1 }, { 1e4, 8, 4 }, { -1e4, 8, 4 }, { -1e4, 7, 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int found = count_in_log(cases[i].dh, cases[i].trajectories, "the integrator is unstable");
        fact(found == cases[i].reports, "%d trajectories with dH %g: %d reports of an unstable integrator, at 1, 2, 4, "
             "8 of them (found %d)", cases[i].trajectories, cases[i].dh, cases[i].reports, found);
    }
}

static void rows_of_rejections(void)
{
    fact(count_in_log(5, 4, "rejected in a row") == 0 && count_in_log(5, 5, "rejected in a row") == 1
         && count_in_log(5, 50, "rejected in a row") == 1, "five rejections in a row are reported, once");
    fact(count_in_log(-5, 50, "rejected in a row") == 0, "and accepted trajectories are not");
}

int main(void)
{
    large_differences();
    rows_of_rejections();
    FOR_EVERY_PLACE(where) {
        not_finite(where, 5, "in thermalization");
        not_finite(where, 0, "behind it");
        for (int sweeps = 0; sweeps <= 1; sweeps++)
            for (int every = 0; every <= 3; every += 3)
                reunitarization(where, every, sweeps);
        rejected(where);
    }
    return facts_end();
}
