/* test_shadow.c - the leading error of integrators: as on paper, and as trajectories have it. */
#include "integrators/shadow.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-12

static shadow shadow_with(const char *integrator, double lambda, int64_t steps, double length)
{
    level_params level;
    toy_levels(&level, 1, &integrator, (const int[]){ (int)steps });
    level.lambda = lambda;
    schedule *s = schedule_create(&level, 1, length);
    const shadow h = shadow_of(s);
    schedule_free(s);
    return h;
}

/* M. A. Clark, B. Joo, A. D. Kennedy, P. J. Silva, arXiv:1108.1828, of schemes that begin with a kick:
 * H2 / h^2 = (6 l^2 - 6 l + 1) / 12 |F|^2 - (1 - 6 l) / 24 D; leapfrog is -1/24 and 1/12, and the schemes that begin
 * with a drift have the two coefficients exchanged. */
static void on_paper(void)
{
    const double length = 0.6, h2 = pow(length / 3, 2);
    shadow h = shadow_with("leapfrog", 0, 3, length);
    fact_close(h.a[0][0] / h2, -1. / 24, ROUNDING, "leapfrog: -1/24 h^2 |F|^2");
    fact_close(h.b[0] / h2, 1. / 12, ROUNDING, "leapfrog: 1/12 h^2 of the second derivative along the momenta");
    for (double l = 0.1; l < 0.3; l += 0.05) {
        const double a = (6 * l * l - 6 * l + 1) / 12, b = -(1 - 6 * l) / 24;
        h = shadow_with("omelyan", l, 3, length);
        fact(fabs(h.a[0][0] / h2 - a) < ROUNDING && fabs(h.b[0] / h2 - b) < ROUNDING,
             "omelyan, lambda %g: %.6f h^2 |F|^2, %.6f h^2 D", l, h.a[0][0] / h2, h.b[0] / h2);
        h = shadow_with("omelyan_position", l, 3, length);
        fact(fabs(h.a[0][0] / h2 - b) < ROUNDING && fabs(h.b[0] / h2 - a) < ROUNDING,
             "omelyan_position, lambda %g: the two exchanged", l);
    }
    for (int i = 0; scheme_names[i]; i++) {
        if (scheme_get(i)->order != 4)
            continue;
        h = shadow_with(scheme_names[i], OMELYAN_LAMBDA, 3, length);
        fact(fabs(h.a[0][0]) < ROUNDING && fabs(h.b[0]) < ROUNDING, "%s has no error of second order", scheme_names[i]);
    }
}

/* ---- trajectories of three coupled oscillators */

static void force(double f[TOY_REALS], int levels, int level, const double q[TOY_REALS])
{
    memset(f, 0, TOY_REALS * sizeof f[0]);
    for (int term = level; term < (level == levels - 1 ? TOY_TERMS : level + 1); term++)
        anharmonic.add_force(f, term, q);
}

static double product(const double x[TOY_REALS], const double y[TOY_REALS])
{
    double sum = 0;
    for (int k = 0; k < TOY_REALS; k++)
        sum += x[k] * y[k];
    return sum;
}

static double shadow_energy(const shadow *h, const toy_state *z)
{
    const double eps = 1e-4;
    double f[TOY_TERMS][TOY_REALS], forth[TOY_REALS], back[TOY_REALS], sum = 0;
    for (int i = 0; i < h->levels; i++) {
        toy_state moved = *z;
        force(f[i], h->levels, i, z->q);
        anharmonic.drift(moved.q, eps, z->p);
        force(forth, h->levels, i, moved.q);
        moved = *z;
        anharmonic.drift(moved.q, -eps, z->p);
        force(back, h->levels, i, moved.q);
        sum += h->b[i] * (product(back, z->p) - product(forth, z->p)) / (2 * eps);
    }
    for (int i = 0; i < h->levels; i++)
        for (int j = 0; j < h->levels; j++)
            sum += h->a[i][j] * product(f[i], f[j]);
    return sum;
}

/* rms of dH + change of H2, over that of dH: what is left beyond the leading order. */
static double left_over(int count, const char *const integrators[], const int steps[], int refine)
{
    schedule *s = toy_schedule(count, integrators, steps, refine);
    const shadow h = shadow_of(s);
    double left = 0, all = 0;
    for (int sample = 0; sample < 4; sample++) {
        const toy_state start = anharmonic.start(sample), end = toy_run(&anharmonic, s, start);
        const double dh = anharmonic.energy(&end) - anharmonic.energy(&start);
        left += pow(dh + shadow_energy(&h, &end) - shadow_energy(&h, &start), 2);
        all += dh * dh;
    }
    schedule_free(s);
    return sqrt(left / all);
}

static const struct { int count, steps[TOY_TERMS]; const char *integrators[TOY_TERMS]; } nested[] = {
    { 1, { 10 }, { "leapfrog" } },
    { 1, { 10 }, { "omelyan_position" } },
    { 2, { 6, 2 }, { "omelyan", "omelyan" } },
    { 2, { 6, 3 }, { "leapfrog", "omelyan" } },
    { 3, { 6, 1, 2 }, { "omelyan", "leapfrog_position", "omelyan" } },
    { 2, { 8, 1 }, { "leapfrog", "4mn5fv" } },
    { 2, { 8, 1 }, { "4mn5fv", "leapfrog" } },
};

int main(void)
{
    on_paper();
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        const double rough = left_over(nested[i].count, nested[i].integrators, nested[i].steps, 8);
        const double fine = left_over(nested[i].count, nested[i].integrators, nested[i].steps, 16);
        fact(fine < 0.01, "%d levels, %s outermost: dH is the change of H2 to %.1e of itself", nested[i].count,
             nested[i].integrators[0], fine);
        fact_close(log2(rough / fine), 2, 0.2, "and what is left falls with the square of the steps");
    }
    return facts_end();
}
