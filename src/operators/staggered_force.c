/* staggered_force.c - the force of staggered quarks: outer products, and the chain rule back to the thin links.
 *
 *     h1, h3 of X, N --remove phases--> h of X, N without phases
 *         --second path table, Naik term, epsilon/8--> h of W
 *         --projection--> h of V --first path table--> h of U --> P <- P + weight [2 U h^+]_TA
 *
 * The contributions to h of W from the terms epsilon/8 W of X are summed separately.  So all sets of links (Naik
 * epsilons) share one chain rule. */
#include "src/operators/staggered_force.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/operators/smearing.h"

#include <assert.h>

MAP_KERNEL(outer_product);
MAP_KERNEL(convert);
SUM_KERNEL(unitarize_force, 6, 2);
SUM_KERNEL(chain_end, 1, 1);

/* Of unitarize_force: links in each bin of eigenvalues, links filtered; and the two maxima. */
enum { FILTERED = EIGENVALUE_BINS, FACT_SUMS };
enum { LARGEST_INVERSE, FROM_THE_END, FACT_MAXIMA };

#define EPSILON_ONE_LINK (1.0 / 8)       /* X = X_0 + epsilon/8 W */

/* Which fields and levels an action has. */
typedef struct {
    path_table first, second;
    bool first_level, projection, second_level, naik, epsilon, smeared;
} shape_of_action;

struct staggered_force {
    staggered_links_params params;
    shape_of_action has;
    double filter;
    precision precision;                 /* of the chain rule */
    smearing *work;                      /* NULL: no level smears */
    gauge *h1, *h3;                      /* h3: NULL without Naik term */
    gauge *thin;                         /* h of the links before a level; at first the sum of the terms from epsilon;
                                          * NULL: no level smears, X = U */
    gauge *level;                        /* links converted to the precision of the chain rule; NULL: they have it */
    field pair;                          /* to convert x and y, if neither `thin` nor `level` is free for it */
    sum_array facts;                     /* none without projection */
};

static shape_of_action shape_of(const staggered_links_params *p)
{
    shape_of_action has = { .first = staggered_first_table(p), .second = staggered_second_table(p),
                            .projection = staggered_has_projection(p) };
    for (int set = 0; set < p->epsilons; set++)
        has.epsilon |= p->epsilon[set] != 0;
    has.naik = has.second.naik != 0;
    has.first_level = !staggered_level_does_nothing(&has.first);
    has.second_level = !staggered_level_does_nothing(&has.second) || has.naik || has.epsilon;
    has.smeared = has.first_level || has.second_level;
    return has;
}

/* Solutions in another precision are converted in the memory of `thin` if it is not used for epsilon, else in that of
 * `level`.  Returns whether neither is available, so that `pair` is needed. */
static bool needs_a_pair(const shape_of_action *has, precision chain, precision links)
{
    return !(has->smeared && !has->epsilon) && chain == links;
}

memory_need staggered_force_bytes(const staggered_links_params *params, const lattice_shape *shape, precision chain,
                                  precision links)
{
    shape_of_action has = shape_of(params);
    size_t fields = 1 + (size_t)has.naik + (size_t)has.smeared + (size_t)(chain != links);
    return (memory_need){ .lasting = fields * field_bytes(shape, chain, GAUGE_REALS)
                                     + (needs_a_pair(&has, chain, links) ? vec_bytes(shape, chain, ON_ALL) : 0),
                          .shared = has.smeared ? smearing_bytes(shape, chain, true) : 0,
                          .cells = has.projection ? sums_bytes(FACT_SUMS, FACT_MAXIMA) : 0 };
}

staggered_force *staggered_force_create(const staggered_links_params *params, double filter, const gauge *u,
                                        precision p)
{
    staggered_force *f = memory_alloc(sizeof *f, "a force of staggered quarks");
    lattice *l = u->links.lattice;
    place where = u->links.where;
    f->params = *params;
    f->has = shape_of(params);
    f->filter = filter;
    f->precision = p;
    f->h1 = gauge_create(l, where, p);
    if (f->has.naik)
        f->h3 = gauge_create(l, where, p);
    if (f->has.smeared) {
        f->work = smearing_create_in_workspace(u, p, true);
        f->thin = gauge_create(l, where, p);
    }
    if (p != u->links.precision)
        f->level = gauge_create(l, where, p);
    if (needs_a_pair(&f->has, p, u->links.precision))
        f->pair = field_create_ghosts(l, lattice_vector_ghosts(lattice_shape_of(l)), where, p, VEC_REALS,
                                      "converted solutions");
    if (f->has.projection)
        f->facts = sums_create(l, where, FACT_SUMS, FACT_MAXIMA);
    return f;
}

void staggered_force_free(staggered_force *f)
{
    if (!f)
        return;
    if (f->has.projection)
        sums_free(&f->facts);
    if (f->pair.data)
        field_free(&f->pair);
    gauge_free(f->level);
    gauge_free(f->thin);
    smearing_free(f->work);
    gauge_free(f->h3);
    gauge_free(f->h1);
    memory_free(f);
}

void staggered_force_begin(staggered_force *f)
{
    field_zero(&f->h1->links);
    if (f->has.naik)
        field_zero(&f->h3->links);
    if (f->has.epsilon)
        field_zero(&f->thin->links);
}

static gauge_view view_or_none(const gauge *u)
{
    return u ? gauge_view_of(u) : (gauge_view){ NULL };
}

/* The memory in which solutions are converted: see needs_a_pair. */
static const field *workspace_of(const staggered_force *f)
{
    return f->pair.data ? &f->pair : f->has.smeared && !f->has.epsilon ? &f->thin->links : &f->level->links;
}

/* A vector in the precision of the chain: itself, or made in the n-th part of `work`. */
static vector_view in_chain_precision(const staggered_force *f, const vec *v, const field *work, int n)
{
    const size_t bytes = vec_bytes(lattice_shape_of(work->lattice), f->precision, v->f.on);
    if (v->f.precision == f->precision) {
        field_exchange_hops(&v->f);
        return vec_view(v);
    }
    vec converted = { .f = field_within(work, (size_t)n * bytes, v->f.on, v->f.ghosts, f->precision,
                                        VEC_REALS) };
    vec_convert(&converted, v);
    field_exchange_hops(&converted.f);
    return vec_view(&converted);
}

void staggered_force_add(staggered_force *f, int set, const double *a, vec *const *x, vec *const *y, int count)
{
    const field *h1 = &f->h1->links, *work = workspace_of(f);
    double epsilon = f->params.epsilon[set];
    const size_t pair_bytes = vec_bytes(lattice_shape_of(h1->lattice), f->precision, ON_ALL);
    outer_args args = { .l = lattice_on(h1->lattice, h1->where), .h1 = gauge_view_of(f->h1),
                        .h3 = view_or_none(f->h3), .he = view_or_none(f->thin), .fat = 1,
                        .naik = f->has.second.naik * (1 + epsilon), .extra = EPSILON_ONE_LINK * epsilon };
    assert(set < f->params.epsilons);
    for (int done = 0; done < count; done += args.count) {
        bool converts = x[done]->f.precision != f->precision;
        size_t pairs = converts ? work->bytes / pair_bytes : SHIFTS_MAX;
        int most = pairs < SHIFTS_MAX ? (int)pairs : SHIFTS_MAX;
        args.count = count - done < most ? count - done : most;
        for (int k = 0; k < args.count; k++) {
            const vec *even = x[done + k], *odd = y[done + k];
            assert(even->f.on == ON_EVEN && odd->f.on == ON_ODD);
            assert(even->f.precision == x[done]->f.precision && odd->f.precision == x[done]->f.precision);
            args.a[k] = a[done + k];
            args.x[k] = in_chain_precision(f, even, work, 2 * k);
            args.y[k] = in_chain_precision(f, odd, work, 2 * k + 1);
        }
        run_map(&outer_product, h1->where, f->precision, &args, lattice_all(h1->lattice));
    }
}

/* Links in the precision of the chain; valid until the next call. */
static const gauge *links_for_chain(staggered_force *f, const gauge *links)
{
    if (!f->level)
        return links;
    field_convert(&f->level->links, &links->links);
    f->level->version = lattice_new_version(links->links.lattice);
    return f->level;
}

/* thin <- h of W, from h1 of X, h3 of N, and the part from epsilon that `thin` has */
static void second_level_reverse(staggered_force *f, const gauge *w)
{
    if (f->has.epsilon)
        smearing_remove_phases(f->thin, f->params.boundary, 1);
    else
        field_zero(&f->thin->links);
    smearing_reverse(f->work, f->thin, f->h1, w, &f->has.second);
    if (f->has.naik) {
        smearing_remove_phases(f->h3, f->params.boundary, 3);
        smearing_naik_reverse(f->thin, f->h3, w);
    }
}

/* h of W to h of V, in place; facts are gathered. */
static void projection_reverse(staggered_force *f, gauge *h, const gauge *v)
{
    const field *links = &h->links;
    unitarize_force_args args = { lattice_on(links->lattice, links->where), gauge_view_of(v), gauge_view_of(h),
                                  gauge_view_of(h), f->filter, f->params.projection == PROJECTION_SU3 };
    const sum_launch sum = { .where = links->where, .precision = f->precision, .args = &args,
                             .range = lattice_all(links->lattice) };
    run_sum_into(&unitarize_force, &sum, f->facts.cells);
}

/* P <- P + weight [2 U h^+]_TA in the precision of U and P.  If h has another precision, it is converted one parity at
 * a time, in the memory of `level`, whose links are no longer needed: h of one parity in double precision needs as many
 * bytes as all these links in single precision. */
static void end_of_chain(staggered_force *f, const gauge *h, const gauge *u, momentum *p, double weight,
                         sum_cells size)
{
    const field *links = &u->links;
    lattice *l = links->lattice;
    chain_end_args args = { lattice_on(l, links->where), gauge_view_of(u), gauge_view_of(h), momentum_view_of(p),
                            weight };
    sum_launch sum = { .where = links->where, .precision = links->precision, .args = &args, .range = lattice_all(l) };
    assert(p->f.precision == links->precision);
    if (!f->level) {
        run_sum_into(&chain_end, &sum, size);
        return;
    }
    for (int parity = 0; parity < 2; parity++) {
        const field half = field_within(&f->level->links, 0, parity ? ON_ODD : ON_EVEN, GHOSTS_NONE, links->precision,
                                        GAUGE_REALS);
        convert_args widen = { field_view_of(&h->links), field_view_of(&half), GAUGE_REALS };
        args.h.data = widen.to.data;
        run_map(&convert, links->where, links->precision, &widen, field_sites(&half));
        sum.range = field_sites(&half);
        run_sum_into(&chain_end, &sum, size);
    }
}

void staggered_force_finish(staggered_force *f, const staggered_links *s, const gauge *u, momentum *p, double weight,
                            sum_cells size)
{
    const gauge *v = staggered_v(s) ? staggered_v(s) : u, *w = staggered_w(s) ? staggered_w(s) : v;
    gauge *h = f->h1;
    smearing_remove_phases(h, f->params.boundary, 1);
    if (f->has.second_level) {
        second_level_reverse(f, links_for_chain(f, w));
        h = f->thin;
    }
    if (f->has.projection)
        projection_reverse(f, h, links_for_chain(f, v));
    if (f->has.first_level) {
        gauge *thin = h == f->h1 ? f->thin : f->h1;
        field_zero(&thin->links);
        smearing_reverse(f->work, thin, h, links_for_chain(f, u), &f->has.first);
        h = thin;
    }
    end_of_chain(f, h, u, p, weight, size);
}

force_facts staggered_force_facts(staggered_force *f)
{
    force_facts facts = { .first_filtered = -1 };
    if (!f->has.projection)
        return facts;
    sum_cell links[FACT_SUMS];
    max_cell largest[FACT_MAXIMA];
    sums_read((sum_cells){ links, largest }, &f->facts);
    sums_zero(&f->facts);
    double inverse = max_cell_value(&largest[LARGEST_INVERSE]), from_the_end = max_cell_value(&largest[FROM_THE_END]);
    if (inverse != 0)
        facts.smallest_eigenvalue = 1 / inverse;
    for (int bin = 0; bin < EIGENVALUE_BINS; bin++)
        facts.below[bin] = sum_cell_value(&links[bin], SUM_BOUND);
    facts.filtered = sum_cell_value(&links[FILTERED], SUM_BOUND);
    if (from_the_end > 0)
        facts.first_filtered = lattice_volume(f->h1->links.lattice) - (int64_t)from_the_end;
    return facts;
}
