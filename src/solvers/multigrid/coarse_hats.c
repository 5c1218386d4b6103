/* coarse_hats.c - memory of preconditioned hops, and the kernels that make and apply them. */
#include "src/solvers/multigrid/coarse_hats.h"

#include "src/halo/exchange.h"
#include "src/kernels/mg_args.h"
#include "src/lattice/kernels.h"
#include "src/solvers/multigrid/transfer.h"

#include <assert.h>

MAP_KERNEL(mg_hats);
MAP_KERNEL_TUNED(mg_hat_hop);

static const char what[] = "preconditioned hops of a coarse operator";

/* Reals of a site: a word for each complex number in single precision. */
static int matrix_reals(precision p, int components)
{
    return (p == PRECISION_SINGLE ? 1 : 2) * MG_DIAGONAL * components * components;
}

coarse_hats coarse_hats_create(lattice *coarse, place where, precision p, int components)
{
    assert(components % MG_HAT_COLUMNS == 0);
    return (coarse_hats){
        .components = components,
        .matrices = field_create_ghosts(coarse, GHOSTS_NONE, where, p, matrix_reals(p, components), what),
        .scales = field_create_ghosts(coarse, GHOSTS_NONE, where, p, MG_DIAGONAL * components, what),
    };
}

void coarse_hats_free(coarse_hats *h)
{
    field_free(&h->matrices);
    field_free(&h->scales);
}

size_t coarse_hats_bytes(const lattice_shape *coarse, precision p, int components)
{
    return field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(p, components))
           + field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, MG_DIAGONAL * components);
}

void coarse_hats_make(coarse_hats *h, const field *matrices, const field *inverse, bool dagger)
{
    const field *f = &h->matrices;
    const mg_hats_args args = { .matrices = field_view_of(matrices).data, .inverse = field_view_of(inverse).data,
                                .hats = field_view_of(f).data, .scales = field_view_of(&h->scales).data,
                                .components = h->components, .dagger = dagger };
    for (int parity = 0; parity < 2; parity++)
        run_map(&mg_hats, f->where, f->precision, &args,
                transfer_parts(lattice_parity(f->lattice, parity), MG_DIAGONAL * (h->components / 3)));
}

void coarse_hats_hop(vec *out, const coarse_hats *h, bool between_gamma5, const vec *in, const coarse_terms *of)
{
    const field *f = &out->f;
    const mg_hat_hop_args args = { .l = lattice_on(f->lattice, f->where), .hats = field_view_of(&h->matrices).data,
                                   .scales = field_view_of(&h->scales).data, .in = vec_view(in),
                                   .y = vec_view(of->y ? of->y : out), .b = vec_view(of->b ? of->b : out),
                                   .out = vec_view(out), .scale = { of->scale.re, of->scale.im },
                                   .of_y = { of->of_y.re, of->of_y.im }, .of_b = { of->of_b.re, of->of_b.im },
                                   .components = h->components, .between_gamma5 = between_gamma5,
                                   .with_y = of->y != NULL, .with_b = of->b != NULL };
    field_exchange_hops(&in->f);
    run_map(&mg_hat_hop, f->where, f->precision, &args,
            transfer_parts(lattice_range(f->lattice, f->on), h->components / 3));
}
