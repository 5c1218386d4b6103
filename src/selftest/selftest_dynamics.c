/* selftest_dynamics.c - molecular dynamics: reversibility, order in the step size, equal bits on a GPU. */
#include "src/selftest/selftest.h"

#include "integrators/evolve.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };

/* Two terms of the action, as an integrator with two levels needs. */
enum { TERMS = 2 };
static const char *const term_names[TERMS] = { "outer", "inner" };
static const struct { const char *action; double beta; } term_actions[TERMS] = { { "iwasaki", 0.5 }, { "wilson", 5 } };

#define LENGTH 0.5          /* of a trajectory */

typedef struct {
    level_params level;
    schedule *s;
    evolve_term term[TERMS];
    char *names[TERMS];     /* of the terms, as the level lists them */
    evolver *e;
} dynamics;

static void dynamics_create(dynamics *d, int integrator, int steps, const gauge *u)
{
    bool two_levels = scheme_get(integrator)->gauge_kicks > 0;
    *d = (dynamics){ .level = { .integrator = integrator, .steps = steps, .lambda = OMELYAN_LAMBDA,
                                .monomials = { two_levels ? 1 : TERMS, d->names },
                                .gauge_monomials = { two_levels ? 1 : 0, d->names + 1 } } };
    for (int i = 0; i < TERMS; i++) {
        gauge_params params = selftest_action(gauge_action_find(term_actions[i].action), term_actions[i].beta);
        d->term[i].m = monomial_create(&gauge_monomial, &params, u);
        d->term[i].level = two_levels ? i : 0;
        d->names[i] = strcpy(d->term[i].name, term_names[i]);
    }
    d->s = schedule_create(&d->level, 1, LENGTH);
    d->e = evolver_create(d->s, d->term, TERMS, u);
}

static void dynamics_free(dynamics *d)
{
    evolver_free(d->e);
    for (int i = 0; i < TERMS; i++)
        monomial_free(d->term[i].m);
    schedule_free(d->s);
}

/* T and S as separate sums: their changes are small. */
typedef struct { double kinetic, term[TERMS]; } energies;

static energies energies_of(const dynamics *d, const selftest_fields *f)
{
    monomial_call call = { .clock = NULL };
    energies h = { .kinetic = momentum_kinetic(f->p) };
    for (int i = 0; i < TERMS; i++)
        require(monomial_action(&h.term[i], d->term[i].m, f->u, &call), "%s", call.failure.why);
    return h;
}

static double difference(const energies *after, const energies *before)
{
    double dh = after->kinetic - before->kinetic;
    for (int i = 0; i < TERMS; i++)
        dh += after->term[i] - before->term[i];
    return dh;
}

/* dH of a trajectory; afterwards the fields are those of its end. */
static double run_trajectory(int integrator, int steps, selftest_fields *f)
{
    dynamics d;
    evolve_failure problem;
    dynamics_create(&d, integrator, steps, f->u);
    energies before = energies_of(&d, f);
    require(evolve(d.e, f->u, f->p, NULL, NULL, &problem) == EVOLVE_DONE, "%s", problem.why.why);
    energies after = energies_of(&d, f);
    dynamics_free(&d);
    return difference(&after, &before);
}

static double *exported(const gauge *u)
{
    double *links = memory_alloc(GAUGE_REALS * (size_t)lattice_volume(u->links.lattice) * sizeof *links,
                                 "links of a self-test");
    gauge_export(links, u);
    return links;
}

/* NaN if a difference is NaN. */
static double largest_difference(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n && !isnan(largest); i++)
        if (!(fabs(a[i] - b[i]) <= largest))
            largest = fabs(a[i] - b[i]);
    return largest;
}

/* Integrate, flip the momenta, integrate back: the largest change of a link. */
static double irreversibility(int integrator, place where)
{
    selftest_fields f = selftest_fields_create(where, extents);
    double *start = exported(f.u);
    run_trajectory(integrator, 8, &f);
    momentum_axpy(f.p, -2, f.p);
    run_trajectory(integrator, 8, &f);
    double *end = exported(f.u);
    double moved = largest_difference(start, end, GAUGE_REALS * (size_t)lattice_volume(f.l));
    memory_free(start);
    memory_free(end);
    selftest_fields_free(&f);
    return moved;
}

static double dh_of(int integrator, int steps, place where)
{
    selftest_fields f = selftest_fields_create(where, extents);
    double dh = run_trajectory(integrator, steps, &f);
    selftest_fields_free(&f);
    return dh;
}

void selftest_dynamics(selftest *t)
{
    for (int i = 0; scheme_names[i]; i++) {
        int p = scheme_get(i)->order, steps = p == 2 ? 16 : 8;
        double coarse = dh_of(i, steps, t->where), fine = dh_of(i, 2 * steps, t->where);
        selftest_close(t, irreversibility(i, t->where), 0, 1e-13, "%s: flip the momenta and the links return",
                       scheme_names[i]);
        selftest_close(t, log2(fabs(coarse / fine)), p, 0.2, "%s: dH falls as the power %d of the step",
                       scheme_names[i], p);
    }
}

/* Digests of every bit of what a place calculates. */
typedef struct { uint64_t hot, swept, rough, momenta, force, end; double plaquette, dh; } fingerprint;

static uint64_t digest_of(const field *f)
{
    size_t n = (size_t)f->reals * (size_t)lattice_volume(f->lattice);
    double *reals = memory_alloc(n * sizeof *reals, "a field of a self-test");
    field_export(reals, f);
    uint64_t digest = digest64(DIGEST64_START, reals, n * sizeof *reals);
    memory_free(reals);
    return digest;
}

static fingerprint fingerprint_of(place where)
{
    fingerprint print;
    gauge_params action = selftest_action(gauge_action_find("symanzik_1loop"), 6);
    int omelyan = 0;
    while (strcmp(scheme_names[omelyan], "omelyan") != 0)
        omelyan++;

    selftest_fields f = selftest_fields_create(where, extents);
    print.rough = digest_of(&f.u->links);
    print.momenta = digest_of(&f.p->f);
    print.plaquette = gauge_plaquette(f.u).average;
    momentum *force = selftest_force_of(&action, f.u);
    print.force = digest_of(&force->f);
    momentum_free(force);
    print.dh = run_trajectory(omelyan, 8, &f);
    print.end = digest_of(&f.u->links);
    gauge_set_random(f.u, rng_key_for(1, 0, 0, RNG_START_LINKS));
    print.hot = digest_of(&f.u->links);
    heatbath *links = heatbath_create(f.u, &(loop_weights){ 3, -0.15, 0, ISOTROPIC_WEIGHTS });
    heatbath_sweep(links, f.u, rng_key_for(1, 0, 1, RNG_HEATBATH), 0);
    heatbath_overrelax(links, f.u);
    heatbath_free(links);
    print.swept = digest_of(&f.u->links);
    selftest_fields_free(&f);
    return print;
}

void selftest_same_as_cpu(selftest *t)
{
    fingerprint here = fingerprint_of(t->where), cpu = fingerprint_of(PLACE_CPU);
    selftest_fact(t, here.hot == cpu.hot, "hot links: the same bits as on the CPU");
    selftest_fact(t, here.swept == cpu.swept, "links of a heat bath: the same bits as on the CPU");
    selftest_fact(t, here.momenta == cpu.momenta, "momenta: the same bits as on the CPU");
    selftest_fact(t, here.rough == cpu.rough, "links moved by momenta: the same bits as on the CPU");
    selftest_fact(t, here.plaquette == cpu.plaquette, "plaquette: the same bits as on the CPU");
    selftest_fact(t, here.force == cpu.force, "force: the same bits as on the CPU");
    selftest_fact(t, here.end == cpu.end, "links after a trajectory: the same bits as on the CPU");
    selftest_fact(t, here.dh == cpu.dh, "dH: the same bits as on the CPU");
}
