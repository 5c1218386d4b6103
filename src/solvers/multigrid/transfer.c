/* transfer.c - P and P^+ of multigrid. */
#include "src/solvers/multigrid/transfer.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(mg_restrict);
MAP_KERNEL(mg_add_terms);
MAP_KERNEL(mg_gather);
MAP_KERNEL(mg_prolong);
MAP_KERNEL(mg_column);
MAP_KERNEL(mg_set_column);
MAP_KERNEL(mg_panel_products);
MAP_KERNEL(mg_panel_project);
MAP_KERNEL(mg_panel_orthonormalize);

_Static_assert(2 * MG_VECTORS_LARGEST <= MG_COMPONENTS_MAX, "kernels have room for all components");
enum { ALL_SPINS = 2 };                    /* of mg_column_args: both chiralities */
enum { RESTRICT_TERMS = 8 };
enum { PASSES = 2 };                       /* of each panel: once loses digits where vectors are nearly dependent */

static int array_reals(int vectors)
{
    return 4 * vectors;
}

static int term_reals(int vectors)
{
    return MG_TERMS_MAX * array_reals(vectors);
}

static int product_reals(int vectors)
{
    return 2 * 2 * vectors * MG_TILE;
}

transfer *transfer_create(const aggregates *a, int vectors, precision p)
{
    transfer *t = memory_alloc(sizeof *t, "near-null vectors");
    assert(vectors > 0 && vectors % MG_VECTORS_STEP == 0 && vectors <= MG_VECTORS_MAX);
    t->a = a;
    t->vectors = vectors;
    t->basis.even = spinor_vec_create(a->fine, ON_EVEN, a->where, p, vectors);
    t->basis.odd = spinor_vec_create(a->fine, ON_ODD, a->where, p, vectors);
    t->array = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, array_reals(vectors), "a coarse vector");
    t->terms = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, term_reals(vectors), "terms of coarse vectors");
    return t;
}

void transfer_free(transfer *t)
{
    if (!t)
        return;
    spinor_field_free(t->basis);
    field_free(&t->terms);
    field_free(&t->array);
    memory_free(t);
}

size_t transfer_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p)
{
    const lattice_shape coarse = aggregates_coarse_shape(fine, block);
    return 2 * (size_t)(SLAB_GROUP * vectors) * vec_bytes(fine, p, ON_ODD)
           + field_bytes_on(&coarse, ON_ALL, GHOSTS_NONE, p, array_reals(vectors) + term_reals(vectors))
           + field_bytes_on(&coarse, ON_ALL, GHOSTS_NONE, p, product_reals(vectors));
}

/* The sites of four slabs of one parity. */
static site_range spins_of(const vec *v)
{
    return lattice_slabs(v->f.lattice, v->f.on, SLAB_GROUP);
}

static void run_on_spins(const map_kernel *k, spinor_field spinor, const transfer *t, int v, int chirality)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *s = spinor_field_part(spinor, on), *basis = spinor_field_part(t->basis, on);
        const mg_column_args args = { .basis = vec_view(basis), .out = vec_view(s), .v = v, .chirality = chirality };
        assert(s->f.slabs == SLAB_GROUP && s->f.precision == basis->f.precision && s->format == VECTOR_NATIVE);
        run_map(k, s->f.where, s->f.precision, &args, spins_of(s));
    }
}

void transfer_set_vector(transfer *t, int v, spinor_field in)
{
    run_on_spins(&mg_set_column, in, t, v, ALL_SPINS);
}

void transfer_column(spinor_field out, const transfer *t, int v, int chirality)
{
    run_on_spins(&mg_column, out, t, v, chirality);
}

site_range transfer_parts(site_range r, int parts)
{
    return (site_range){ .first = r.first, .sites = r.sites, .parts = parts, .step = 0, .slab_sites = 1 };
}

/* products <- V_v^+ V_(panel + j), for v from `row` on, `rows` of them */
static void set_panel_products(const field *products, const transfer *t, int panel, int row, int rows)
{
    const aggregates *a = t->a;
    const mg_panel_products_args args = { .sites = { aggregates_view(a, 0), aggregates_view(a, 1) },
                                          .basis = { vec_view(t->basis.even), vec_view(t->basis.odd) },
                                          .products = field_view_of(products).data, .vectors = t->vectors,
                                          .panel = panel, .row = row };
    for (int parity = 0; parity < 2; parity++)
        run_map(&mg_panel_products, a->where, products->precision, &args,
                transfer_parts(lattice_parity(a->coarse, parity), 2 * (rows / MG_TILE)));
}

static void run_on_panel(const map_kernel *k, const field *products, const transfer *t, int panel)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *basis = spinor_field_part(t->basis, on);
        const mg_panel_args args = { .aggregate = t->a->aggregate, .basis = vec_view(basis),
                                     .products = field_view_of(products).data, .vectors = t->vectors, .panel = panel };
        run_map(k, t->a->where, products->precision, &args, transfer_parts(lattice_range(t->a->fine, on), SLAB_GROUP));
    }
}

void transfer_orthonormalize(transfer *t)
{
    field products = field_create_ghosts(t->a->coarse, GHOSTS_NONE, t->a->where, t->array.precision,
                                         product_reals(t->vectors), "products of near-null vectors");
    for (int panel = 0; panel < t->vectors; panel += MG_TILE)
        for (int pass = 0; pass < PASSES; pass++) {
            if (panel > 0) {
                set_panel_products(&products, t, panel, 0, panel);
                run_on_panel(&mg_panel_project, &products, t, panel);
            }
            set_panel_products(&products, t, panel, panel, MG_TILE);
            run_on_panel(&mg_panel_orthonormalize, &products, t, panel);
        }
    field_free(&products);
}

vec *transfer_coarse_vec(const transfer *t, parity_set on)
{
    return spinor_vec_create(t->a->coarse, on, t->a->where, t->basis.odd->f.precision, t->vectors / MG_VECTORS_STEP);
}

spinor_field transfer_coarse_field(const transfer *t)
{
    return (spinor_field){ transfer_coarse_vec(t, ON_EVEN), transfer_coarse_vec(t, ON_ODD) };
}

void transfer_add_terms(vec *out, const transfer *t, terms_sum sum)
{
    const mg_add_args args = { .terms = field_view_of(&t->terms).data, .y = vec_view(sum.y ? sum.y : out),
                               .out = vec_view(out), .components = 2 * t->vectors, .hops = sum.hops,
                               .others = sum.others, .scale = sum.scale, .with_y = sum.y != NULL };
    run_map(&mg_add_terms, out->f.where, out->f.precision, &args, vec_sites(out));
}

void transfer_restrict(spinor_field out, const transfer *t, const vec *in, bool add)
{
    const int parity = in->f.on == ON_ODD;
    const field *terms = &t->terms;
    assert(in->f.slabs == SLAB_GROUP && in->format == VECTOR_NATIVE && in->f.precision == out.odd->f.precision);
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *c = spinor_field_part(out, on);
        const mg_restrict_args args = { .sites = aggregates_view(t->a, parity), .in = vec_view(in),
                                        .basis = vec_view(spinor_field_part(t->basis, in->f.on)),
                                        .terms = field_view_of(terms).data, .vectors = t->vectors,
                                        .count = RESTRICT_TERMS };
        run_map(&mg_restrict, terms->where, terms->precision, &args,
                transfer_parts(lattice_range(t->a->coarse, on), RESTRICT_TERMS * (2 * t->vectors / 3)));
        transfer_add_terms(c, t, (terms_sum){ .others = RESTRICT_TERMS, .y = add ? c : NULL });
    }
}

void transfer_prolong(vec *out, const transfer *t, spinor_field in, bool add)
{
    const field *f = &t->array;
    assert(out->f.slabs == SLAB_GROUP && out->format == VECTOR_NATIVE && out->f.precision == f->precision);
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *c = spinor_field_part(in, on);
        const mg_gather_args args = { .in = vec_view(c), .array = field_view_of(f).data, .reals = f->reals };
        run_map(&mg_gather, f->where, f->precision, &args, vec_sites(c));
    }
    const vec *basis = spinor_field_part(t->basis, out->f.on);
    const mg_prolong_args args = { .aggregate = t->a->aggregate, .basis = vec_view(basis), .out = vec_view(out),
                                   .array = field_view_of(f).data, .vectors = t->vectors,
                                   .reals = f->reals, .add = add };
    run_map(&mg_prolong, f->where, f->precision, &args, spins_of(out));
}
