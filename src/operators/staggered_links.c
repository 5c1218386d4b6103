/* staggered_links.c - from the links of a gauge field to those of staggered quarks. */
#include "src/operators/staggered_links.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/operators/smearing.h"

#include <assert.h>

MAP_KERNEL(gauge_sum);
SUM_KERNEL(unitarize, 1, 1);

struct staggered_links {
    staggered_links_params params;
    path_table first, second;
    smearing *work;                      /* NULL where nothing is smeared */
    gauge *v, *w, *naik;                 /* NULL where params have none */
    gauge *fat[EPSILONS_MAX];
    sum_array projections;               /* facts since the last staggered_projection_facts; HISQ only */
    uint64_t version;                    /* of the links that these were made from; 0: none yet */
};

memory_need staggered_links_bytes(const staggered_links_params *p, const lattice_shape *shape, precision prec)
{
    path_table first = staggered_first_table(p), second = staggered_second_table(p);
    int fields = p->epsilons + !staggered_level_does_nothing(&first) + staggered_has_projection(p);
    size_t naik = second.naik != 0 ? gauge_straight_bytes(shape, prec) : 0;
    bool smeared = !staggered_level_does_nothing(&first) || !staggered_level_does_nothing(&second);
    size_t work = smeared ? smearing_bytes(shape, prec, false) : 0;
    size_t cells = staggered_has_projection(p) ? sums_bytes(unitarize.sums, unitarize.maxima) : 0;
    return (memory_need){ .lasting = (size_t)fields * field_bytes(shape, prec, GAUGE_REALS) + naik, .shared = work,
                          .cells = cells };
}

staggered_links *staggered_links_create(const staggered_links_params *p, const gauge *u)
{
    lattice *l = u->links.lattice;
    place where = u->links.where;
    precision prec = u->links.precision;
    staggered_links *s = memory_alloc(sizeof *s, "staggered links");
    assert(p->epsilons >= 1 && p->epsilons <= EPSILONS_MAX);
    s->params = *p;
    s->first = staggered_first_table(p);
    s->second = staggered_second_table(p);
    if (!staggered_level_does_nothing(&s->first) || !staggered_level_does_nothing(&s->second))
        s->work = smearing_create_in_workspace(u, prec, false);
    if (!staggered_level_does_nothing(&s->first))
        s->v = gauge_create(l, where, prec);
    if (staggered_has_projection(p)) {
        s->w = gauge_create(l, where, prec);
        s->projections = sums_create(l, where, unitarize.sums, unitarize.maxima);
    }
    if (s->second.naik != 0)
        s->naik = gauge_create_straight(l, where, prec);
    for (int set = 0; set < p->epsilons; set++)
        s->fat[set] = gauge_create(l, where, prec);
    return s;
}

void staggered_links_free(staggered_links *s)
{
    if (!s)
        return;
    if (s->w)
        sums_free(&s->projections);
    for (int set = 0; set < s->params.epsilons; set++)
        gauge_free(s->fat[set]);
    gauge_free(s->naik);
    gauge_free(s->w);
    gauge_free(s->v);
    smearing_free(s->work);
    memory_free(s);
}

/* Computes W from V, and adds to the projection facts. */
static void project(staggered_links *s, const gauge *v)
{
    lattice *l = v->links.lattice;
    place where = v->links.where;
    unitarize_args args = { lattice_on(l, where), gauge_view_of(v), gauge_view_of(s->w),
                            s->params.projection == PROJECTION_SU3 };
    const sum_launch sum = { .where = where, .precision = v->links.precision, .args = &args, .range = lattice_all(l) };
    run_sum_into(&unitarize, &sum, s->projections.cells);
    s->w->version = lattice_new_version(l);
}

/* Computes X of all sets.  fat[0] has X_0 until all other sets are computed from it. */
static void make_fat(staggered_links *s, const gauge *w)
{
    if (staggered_level_does_nothing(&s->second))
        gauge_copy(s->fat[0], w);
    else
        smearing_apply(s->work, s->fat[0], w, &s->second);
    for (int set = s->params.epsilons - 1; set >= 0; set--) {
        gauge_sum_args args = { gauge_view_of(s->fat[set]), gauge_view_of(s->fat[0]), gauge_view_of(w),
                                s->params.epsilon[set] / 8 };
        run_map(&gauge_sum, w->links.where, w->links.precision, &args, lattice_all(w->links.lattice));
        smearing_put_phases(s->fat[set], s->fat[set], s->params.boundary, 1);
    }
}

void staggered_links_update(staggered_links *s, const gauge *u)
{
    if (s->version == u->version)
        return;
    const gauge *links = u;
    if (s->v) {
        smearing_apply(s->work, s->v, links, &s->first);
        links = s->v;
    }
    if (s->w) {
        project(s, links);
        links = s->w;
    }
    make_fat(s, links);
    if (s->naik)
        smearing_three_hops(s->naik, links, s->params.boundary);
    s->version = u->version;
}

const staggered_links_params *staggered_links_params_of(const staggered_links *s)
{
    return &s->params;
}

const gauge *staggered_v(const staggered_links *s)
{
    return s->v;
}

const gauge *staggered_w(const staggered_links *s)
{
    return s->w;
}

const gauge *staggered_fat(const staggered_links *s, int set)
{
    assert(set >= 0 && set < s->params.epsilons);
    return s->fat[set];
}

const gauge *staggered_naik(const staggered_links *s)
{
    return s->naik;
}

double staggered_naik_coefficient(const staggered_links *s, int set)
{
    return s->second.naik * (1 + s->params.epsilon[set]);
}

projection_facts staggered_projection_facts(staggered_links *s)
{
    projection_facts facts = { 0 };
    if (!s->w)
        return facts;
    sum_cell svd_links;
    max_cell inverse;
    sums_read((sum_cells){ &svd_links, &inverse }, &s->projections);
    sums_zero(&s->projections);
    double largest_inverse = max_cell_value(&inverse);
    facts.svd_links = sum_cell_value(&svd_links, SUM_BOUND);
    facts.smallest_eigenvalue = largest_inverse > 0 ? 1 / largest_inverse : 0;
    return facts;
}
