/* mixed_pair.c - a small system in double precision, and the same operator in another one or in a format. */
#include "tests/solvers/mixed_pair.h"

#include "src/lattice/vec_mixed.h"

#include <math.h>

const char *const low_names[LOWS] = { "single", "double", "half", "int20", "int30" };
static const vector_format formats[LOWS] = { [LOW_HALF] = VECTOR_HALF, [LOW_INT20] = VECTOR_INT20,
                                             [LOW_INT30] = VECTOR_INT30 };

vec *low_vec(lattice *l, parity_set on, place where, low_kind kind)
{
    if (formats[kind] != VECTOR_NATIVE)
        return vec_create_format(l, on, where, formats[kind]);
    return vec_create(l, on, where, kind == LOW_DOUBLE ? PRECISION_DOUBLE : PRECISION_SINGLE);
}

static double apply_dot(const linop *op, vec *out, double shift, const vec *in, double guess)
{
    const low_operator *a = (const low_operator *)op;
    return staggered_apply_normal_dot(out, &a->links, shift, in, a->between, guess);
}

static gauge *in_precision(const gauge *u, precision p)
{
    gauge *low = gauge_create(u->links.lattice, u->links.where, p);
    field_convert(&low->links, &u->links);
    return low;
}

static packed_links *packed(const gauge *u, vector_format f)
{
    packed_links *low = packed_links_create(u->links.lattice, u->links.where, link_format_with(f));
    packed_links_update(low, u);
    return low;
}

void low_operator_create(low_operator *a, staggered_terms high, low_kind kind)
{
    const field *u = &high.fat->links;
    vector_format f = formats[kind];
    *a = (low_operator){ .base = { .apply_dot = apply_dot },
                         .between = low_vec(u->lattice, ON_ODD, u->where, kind) };
    precision p = a->between->f.precision;
    a->links = (staggered_links_view){ .format = f, .precision = p, .unit = 1, .naik = high.coefficient };
    if (f == VECTOR_NATIVE) {
        a->fat = in_precision(high.fat, p);
        a->naik = in_precision(high.naik, p);
        a->links.fat = gauge_view_of(a->fat);
        a->links.long_links = gauge_view_of(a->naik);
        return;
    }
    a->packed_fat = packed(high.fat, f);
    a->packed_naik = packed(high.naik, f);
    a->links.fat = packed_links_view(a->packed_fat);
    a->links.long_links = packed_links_view(a->packed_naik);
    a->links.unit = a->packed_fat->unit;
    a->links.naik *= a->packed_naik->unit;
}

void low_operator_free(low_operator *a)
{
    packed_links_free(a->packed_naik);
    packed_links_free(a->packed_fat);
    gauge_free(a->naik);
    gauge_free(a->fat);
    vec_free(a->between);
}

void mixed_pair_create(mixed_pair *m, const int extents[4], place where, low_kind low)
{
    small_create(&m->s, extents, where, PRECISION_DOUBLE);
    low_operator_create(&m->low, m->s.k.given, low);
    m->like = low_vec(m->s.l, ON_EVEN, where, low);
    m->w = mixed_space_create(m->s.w, m->like);
}

void mixed_pair_free(mixed_pair *m)
{
    mixed_space_free(m->w);
    vec_free(m->like);
    low_operator_free(&m->low);
    small_free(&m->s);
}

double true_residual_of(const linop *a, double shift, const vec *x, const vec *b)
{
    vec *r = vec_create_like(b);
    a->apply(a, r, shift, x);
    vec_xpay(r, b, -1);
    double residual = sqrt(vec_norm2(r) / vec_norm2(b));
    vec_free(r);
    return residual;
}

mixed_result mixed_pair_solve(mixed_pair *m, const linop *low, mixed_task task, const mixed_rule *rule)
{
    const low_system by = { low, m->w, NULL };
    return cg_solve_mixed(&m->s.k.base, &by, task, rule);
}

static double wrong_dot(const linop *a, vec *out, double shift, const vec *in, double guess)
{
    const wrong_operator *w = (const wrong_operator *)a;
    int n = (*w->applications)++;
    if (n < w->right || n >= w->right + w->wrong)
        return w->of->apply_dot(w->of, out, shift, in, guess);
    double dot = w->of->apply_dot(w->of, out, shift + w->more, in, guess);
    vec_combine(out, w->factor, out, NULL, NULL, 0);
    return w->factor * dot;
}

wrong_operator wrong_operator_of(const linop *of, double more, double factor, int right, int wrong, int *applications)
{
    *applications = 0;
    return (wrong_operator){ { .apply_dot = wrong_dot, .cost = of->cost }, of, more,
                             factor, right, wrong, applications };
}
