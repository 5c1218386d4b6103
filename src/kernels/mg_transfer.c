/* mg_transfer.c - between fine and coarse vectors of multigrid, and between the orders of fine ones. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

SITE_MAP(mg_block, mg_block_args, a, part)
{
    const int spin = part.before % SPINS, slice = part.before / SPINS % a->count,
              row = part.before / SPINS / a->count;
    const site x = in_first_slab(part), fine = site_follow(a->sites.fine + (size_t)row * a->sites.stride, x);
    const place_of o = find_blocked(&a->out, x);
    if (a->direction < 0 || any_leaves(a->leaves, fine, a->direction))
        store_blocked(&a->out, &o, row, a->first + slice, spin,
                      load_vector(&a->in, site_in_slab(&a->in, SPINS * slice + spin, fine)));
}

/* The place of row 0 is moved to that of the row of each site. */
SITE_FN place_of find_row(const mg_unblock_args *a, site fine)
{
    place_of o = find_blocked(&a->in, site_follow(a->aggregate, fine));
    for (int lane = 0; lane < LANES; lane++)
        o.first[lane] += (ptrdiff_t)blocked_at(&a->in, a->row[fine.at[lane]], 0, 0) * SITE_TILE;
    o.together = LANES == 1;
    return o;
}

SITE_MAP(mg_unblock, mg_unblock_args, a, x)
{
    const int spin = x.before / a->out.slab_sites;
    const place_of o = find_row(a, in_first_slab(x));
    const bool there = a->chirality == 2 || spin / 2 == a->chirality;
    color_vector v = there ? load_blocked(&a->in, &o, 0, a->v, spin) : vector_zero();
    if (a->add)
        v = vector_axpy(1, load_vector(&a->out, x), v);
    store_vector(&a->out, x, v);
}

SITE_MAP(mg_restrict, mg_restrict_args, a, x)
{
    const int vectors = a->basis.vectors, rows = a->basis.rows;
    const site here = in_first_slab(x);
    const term_place t = term_of(x, 2 * vectors);
    const int chirality = t.first >= vectors, v = t.first - chirality * vectors;
    const place_of in = find_blocked(&a->in, here), basis = find_blocked(&a->basis, here);
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int row = rows * t.term / a->count; row < rows * (t.term + 1) / a->count; row++) {
        UNROLL_LOOP
        for (int i = 0; i < 2; i++) {
            const int spin = 2 * chirality + i;
            const color_vector psi = load_blocked(&a->in, &in, row, 0, spin);
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                const color_vector b = load_blocked(&a->basis, &basis, row, v + j, spin);
                UNROLL_LOOP
                for (int k = 0; k < 3; k++)
                    sum.c[j] = cplx_conj_mad(b.c[k], psi.c[k], sum.c[j]);
            }
        }
    }
    store_term(a->terms, 2 * vectors, t, here, sum);
}

SITE_MAP(mg_prolong, mg_prolong_args, a, part)
{
    const int vectors = a->basis.vectors, row = part.before / SPINS, spin = part.before % SPINS;
    const site here = in_first_slab(part);
    const place_of basis = find_blocked(&a->basis, here), out = find_blocked(&a->out, here);
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int v = 0; v < vectors; v += 3) {
        const color_vector z = load_vector(&a->in, site_in_slab(&a->in, (spin / 2 * vectors + v) / 3, here));
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            const color_vector b = load_blocked(&a->basis, &basis, row, v + j, spin);
            UNROLL_LOOP
            for (int k = 0; k < 3; k++)
                sum.c[k] = cplx_mad(z.c[j], b.c[k], sum.c[k]);
        }
    }
    store_blocked(&a->out, &out, row, 0, spin, sum);
}
