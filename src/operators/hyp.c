/* hyp.c - the three levels of hypercubic smearing: blended staples into a scratch field, and projected. */
#include "src/operators/hyp.h"

#include "src/base/memory.h"
#include "src/kernels/line_args.h"
#include "src/kernels/staggered_args.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(hyp_links);
SUM_KERNEL(unitarize, 1, 1);

enum { TURNS = 3, LEVEL_FIELDS = 2 * TURNS + 1 };
const hyp_params hyp1 = { { 0.75, 0.6, 0.3 } }, hyp2 = { { 1, 1, 0.5 } };

/* inner[k - 1], middle[k - 1] of levels 1 and 2, k = 1 ... 3 */
struct hyp_levels { gauge *inner[TURNS], *middle[TURNS], *scratch; };

hyp_levels *hyp_levels_create(const gauge *u)
{
    const field *f = &u->links;
    hyp_levels *h = memory_alloc(sizeof *h, "levels of hypercubic smearing");
    h->scratch = gauge_create(f->lattice, f->where, f->precision);
    for (int k = 0; k < TURNS; k++) {
        h->inner[k] = gauge_create(f->lattice, f->where, f->precision);
        h->middle[k] = gauge_create(f->lattice, f->where, f->precision);
    }
    return h;
}

void hyp_levels_free(hyp_levels *h)
{
    if (!h)
        return;
    for (int k = TURNS - 1; k >= 0; k--) {
        gauge_free(h->middle[k]);
        gauge_free(h->inner[k]);
    }
    gauge_free(h->scratch);
    memory_free(h);
}

size_t hyp_levels_bytes(const lattice_shape *shape, precision p)
{
    return LEVEL_FIELDS * field_bytes(shape, p, GAUGE_REALS);
}

/* One level into `out`, from the fields `in` of the level before (level 1: none). */
static void smear_level(gauge *out, const gauge *u, hyp_levels *h, gauge *const in[TURNS], hyp_args args)
{
    lattice *l = u->links.lattice;
    const place where = u->links.where;
    const precision digits = u->links.precision;
    args.l = lattice_on(l, where);
    args.u = args.in[0] = gauge_view_of(u);
    args.out = gauge_view_of(h->scratch);
    gauge_exchange(u, GHOSTS_SIDES);
    for (int k = 0; k < TURNS; k++) {
        if (in)
            gauge_exchange(in[k], GHOSTS_SIDES);
        args.in[k + 1] = gauge_view_of(in ? in[k] : u);
    }
    run_map(&hyp_links, where, digits, &args, lattice_all(l));
    gauge_forget_derived(h->scratch);
    const unitarize_args project = { args.l, args.out, gauge_view_of(out), true };
    const sum_launch launch = { .where = where, .precision = digits, .args = &project, .range = lattice_all(l) };
    const sum_array unread = sums_scratch(l, where, unitarize.sums, unitarize.maxima);
    run_sum_into(&unitarize, &launch, unread.cells);
    gauge_forget_derived(out);
}

void hyp_smear(gauge *out, const gauge *u, hyp_levels *h, const hyp_params *p)
{
    for (int k = 1; k <= TURNS; k++)
        smear_level(h->inner[k - 1], u, h, NULL, (hyp_args){ .alpha = p->alpha[2], .level = 1, .k = k });
    for (int k = 1; k <= TURNS; k++)
        smear_level(h->middle[k - 1], u, h, h->inner, (hyp_args){ .alpha = p->alpha[1], .level = 2, .k = k });
    smear_level(out, u, h, h->middle, (hyp_args){ .alpha = p->alpha[0], .level = 3, .k = 1 });
}
