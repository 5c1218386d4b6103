/* coarse_system.c - Wilson-type quarks on a small random gauge field, for tests of multigrid. */
#include "tests/solvers/multigrid/coarse_system.h"

#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/operators/spinor_field.h"

#define C_SW 1.2
#define MU 0.1
#define RHO 0.15
#define SPACE 0.6                         /* nu/xi_0 */
#define C_F 1.1

const char *const coarse_quarks_names[QUARKS] = { "Wilson", "clover", "exponential clover", "twisted clover",
                                                  "clover with rho", "anisotropic Wilson" };

/* Random links, drawn towards 1: U <- exp(width P) on a cold start. */
static void set_links(gauge *u, double width)
{
    momentum *p = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(12, 0, 0, RNG_TEST));
    gauge_set_unit(u);
    gauge_drift(u, width, p);
    momentum_free(p);
}

static quark_boundary boundary_of(const coarse_request *r)
{
    return (quark_boundary){ .t = -1, .anisotropic = r->quarks == QUARKS_UNEVEN, .space = SPACE };
}

static clover_links new_links(const coarse_system *s, const coarse_request *r, vec_storage in)
{
    const clover_kind kind = r->quarks == QUARKS_EXPONENTIAL ? CLOVER_EXPONENTIAL : CLOVER_LINEAR;
    hop_links *hops = hop_links_create_for(s->l, r->where, in, boundary_of(r));
    clover_term *t = r->quarks == QUARKS_WILSON || r->quarks == QUARKS_UNEVEN
                         ? clover_term_create_number(s->l)
                         : clover_term_create_for(s->l, r->where, in, kind, C_SW);
    failure why;
    require(hop_links_update(hops, s->u, &why), "%s", why.why);
    clover_term_twist(t, r->quarks == QUARKS_TWISTED ? MU : 0);
    if (r->open && t->blocks && kind == CLOVER_LINEAR)
        t->blocks->beside_ends = C_F - 1;
    return (clover_links){ .links = hops, .term = t, .rho = r->quarks == QUARKS_RHO ? RHO : 0 };
}

static void free_links(clover_links l)
{
    clover_term_free((clover_term *)l.term);
    hop_links_free((hop_links *)l.links);
}

void coarse_system_create(coarse_system *s, const coarse_request *r)
{
    failure why;
    const quark_boundary boundary = boundary_of(r);
    *s = (coarse_system){ .l = NULL };
    grid_want(r->grid);
    lattice_shape shape = grid_shape_here(r->extents, GRID_HOPS_LEAST);
    shape.open_in_time = r->open;
    s->l = lattice_create(&shape);
    s->u = gauge_create(s->l, r->where, PRECISION_DOUBLE);
    set_links(s->u, r->width);
    s->exact = new_links(s, r, (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE });
    s->links = new_links(s, r, (vec_storage){ VECTOR_NATIVE, r->p });
    s->half = new_links(s, r, (vec_storage){ VECTOR_HALF, PRECISION_SINGLE });
    const double diagonal = r->mass + hop_mass_shift(&boundary);
    require(clover_term_update((clover_term *)s->exact.term, s->u, diagonal, &why), "%s", why.why);
    clover_term_convert((clover_term *)s->links.term, s->exact.term);
    clover_term_convert((clover_term *)s->half.term, s->exact.term);
}

void coarse_system_free(coarse_system *s)
{
    free_links(s->half);
    free_links(s->links);
    free_links(s->exact);
    gauge_free(s->u);
    lattice_free(s->l);
}

vec *coarse_system_vec(const coarse_system *s, parity_set on, precision p)
{
    return spinor_vec_create(s->l, on, s->u->links.where, p, 1);
}
