/* mixed_space.c - what solvers in mixed precision share. */
#include "src/solvers/mixed_space.h"

#include "src/base/memory.h"
#include "src/solvers/cg_space.h"

#include <math.h>

const char *const mixed_method_names[MIXED_METHODS] = { "reliable updates", "defect correction", "high precision" };
const char *const mixed_failure_names[MIXED_FAILURES] = {
    "none", "the true residual does not fall", "the operator is not positive", "not a number"
};

mixed_rule mixed_rule_default(void)
{
    return (mixed_rule){ .delta = 0.1, .inner = 0.1, .refinements = MIXED_STABILISED, .increases = 2, .fruitless = 10,
                         .patience = 1000 };
}

void mixed_record_add(mixed_record *sum, const mixed_record *one)
{
    sum->low_iterations += one->low_iterations;
    sum->high_iterations += one->high_iterations;
    sum->residuals += one->residuals;
    sum->updates += one->updates;
    sum->reprojections += one->reprojections;
    sum->cycles += one->cycles;
    sum->switches += one->switches;
    if (one->last > sum->last)
        sum->last = one->last;
    for (int m = 0; m < MIXED_METHODS; m++)
        if (one->why[m] && !sum->why[m]) {
            sum->why[m] = one->why[m];
            sum->switched_at[m] = one->switched_at[m];
        }
}

mixed_space *mixed_space_create(cg_space *high, const vec *low)
{
    mixed_space *w = memory_alloc(sizeof *w, "the vectors of a solver");
    w->high = high;
    w->r = vec_create_like(low);
    w->q = vec_create_like(low);
    for (int i = 0; i < MIXED_RING; i++)
        w->ring[i] = vec_create_like(low);
    return w;
}

void mixed_space_free(mixed_space *w)
{
    if (!w)
        return;
    for (int i = 0; i < MIXED_RING; i++)
        vec_free(w->ring[i]);
    vec_free(w->q);
    vec_free(w->r);
    memory_free(w);
}

double mixed_scale(const vec *b, double bb)
{
    site_range sites = lattice_range(b->f.lattice, b->f.on);
    int exponent;
    frexp(sqrt(bb / ((double)sites.parities * sites.half)), &exponent);
    return ldexp(1, 1 - exponent);
}

void mixed_true_residual(mixed_system *s, mixed_record *record)
{
    vec *r = s->w->high->v[0];
    s->high->apply(s->high, r, s->shift, s->x);
    vec_xpay(r, s->b, -1);
    if (s->scale != 1)
        vec_combine(r, s->scale, r, NULL, NULL, 0);
    s->rr = vec_norm2(r);
    vec_convert(s->w->r, r);
    record->residuals++;
}

mixed_progress mixed_progress_from(double rr)
{
    return (mixed_progress){ .start = rr, .top = rr, .halved = rr };
}

bool mixed_is_time(mixed_progress *p, const mixed_rule *rule, double rr)
{
    p->steps++;
    p->top = fmax(p->top, rr);
    return rr < rule->delta * rule->delta * p->top || p->steps >= rule->patience;
}

mixed_failure mixed_progress_seen(mixed_progress *p, const mixed_rule *rule, double rr)
{
    if (!isfinite(rr))
        return FAILED_NUMBERS;
    p->increases = rr > p->start ? p->increases + 1 : 0;
    p->fruitless++;
    if (rr <= p->halved / 4) {
        p->halved = rr;
        p->fruitless = 0;
    }
    p->start = p->top = rr;
    p->steps = 0;
    return p->increases > rule->increases || p->fruitless > rule->fruitless ? FAILED_RESIDUAL : NO_FAILURE;
}

void mixed_direction(vec *p, double z, const vec *r, double rr, double beta, const vec *from, const mixed_rule *rule,
                     mixed_record *record)
{
    complex_number u = { z, 0 };
    if (rule->refinements & MIXED_REPROJECTION) {
        complex_number c = vec_dot(r, from);
        u.re -= beta * c.re / rr;
        u.im -= beta * c.im / rr;
        record->reprojections++;
    }
    vec_direction(p, u, r, beta, from);
}
