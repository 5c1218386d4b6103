/* shifted_systems.c - the systems of one Krylov space. */
#include "src/solvers/shifted_systems.h"

#include <assert.h>

shifted_systems shifted_systems_all(vec *const *x, vec *const *p, const shifted *system, int count)
{
    shifted_systems s = { .count = count };
    int base = 0;
    assert(count > 0 && count <= SHIFTS_MAX);
    for (int k = 1; k < count; k++)
        if (system[k].shift < system[base].shift)
            base = k;
    for (int i = 0; i < count; i++) {
        int k = i == 0 ? base : i <= base ? i - 1 : i;
        s.of[i] = (shifted_system){ .number = k, .x = x[k], .p = p[k], .rho = 1, .zeta = 1,
                                    .distance = system[k].shift - system[base].shift };
    }
    return s;
}

void shifted_systems_step(shifted_systems *s, double alpha, double former)
{
    for (int i = 0; i < s->count; i++) {
        shifted_system *k = &s->of[i];
        k->rho = 1 / (1 + k->distance * alpha + alpha * former * (1 - k->rho));
        k->zeta *= k->rho;
    }
}

/* The new directions only where they `turn`. */
static void launch(const shifted_systems *s, const vec *r, double alpha, double beta, bool turn)
{
    vec *x[SHIFTS_MAX], *p[SHIFTS_MAX];
    double a[SHIFTS_MAX], b[SHIFTS_MAX], z[SHIFTS_MAX];
    for (int i = 0; i < s->count; i++) {
        const shifted_system *k = &s->of[i];
        x[i] = k->x;
        p[i] = k->p;
        a[i] = k->rho * alpha;
        b[i] = turn ? k->rho * k->rho * beta : 1;
        z[i] = turn ? k->zeta : 0;
    }
    vec_multishift_update(x, p, r, a, b, z, s->count);
}

void shifted_systems_update(const shifted_systems *s, const vec *r, double alpha, double beta)
{
    launch(s, r, alpha, beta, true);
}

void shifted_systems_update_solutions(const shifted_systems *s, const vec *r, double alpha)
{
    launch(s, r, alpha, 0, false);
}

void shifted_systems_freeze(shifted_systems *s, multishift_result *result, const shifted *system, double relative)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        shifted_system *k = &s->of[i];
        result->residual[k->number] = k->zeta * relative;
        if (!k->done && k->zeta * relative <= system[k->number].tolerance) {
            k->done = true;
            result->frozen_at[k->number] = result->iterations;
        }
        if (!k->done || i == 0)
            s->of[kept++] = *k;
    }
    s->count = kept;
}

bool shifted_systems_are_done(const shifted_systems *s)
{
    return s->count == 1 && s->of[0].done;
}
