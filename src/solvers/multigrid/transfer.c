/* transfer.c - P and P^+ of multigrid. */
#include "src/solvers/multigrid/transfer.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(mg_block);
MAP_KERNEL(mg_unblock);
MAP_KERNEL(mg_restrict);
MAP_KERNEL(mg_add_terms);
MAP_KERNEL(mg_prolong);
MAP_KERNEL(mg_panel_products);
MAP_KERNEL(mg_panel_project);
MAP_KERNEL(mg_panel_orthonormalize);

_Static_assert(2 * MG_VECTORS_LARGEST <= MG_COMPONENTS_MAX, "kernels have room for all components");
enum { ALL_SPINS = 2 };                    /* of mg_unblock_args: both chiralities */
enum { ALL_ROWS = -1 };                    /* of mg_block_args */
enum { RESTRICT_TERMS = 8 };
enum { PASSES = 2 };                       /* of each panel: once loses digits where vectors are nearly dependent */

static int term_reals(int vectors)
{
    return MG_TERMS_MAX * 4 * vectors;
}

static int product_reals(int vectors)
{
    return 2 * 2 * vectors * MG_TILE;
}

static int blocked_reals(const int block[4], int vectors)
{
    return block[0] * block[1] * block[2] * block[3] / 2 * SLAB_GROUP * VEC_REALS * vectors;
}

field transfer_blocked(const aggregates *a, int vectors, precision p)
{
    return field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, blocked_reals(a->block, vectors),
                               "near-null vectors");
}

size_t transfer_blocked_bytes(const lattice_shape *coarse, const int block[4], int vectors, precision p)
{
    return field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, blocked_reals(block, vectors));
}

blocked_view transfer_blocked_view(const transfer *t, const field *f, int vectors)
{
    return (blocked_view){ field_view_of(f).data, t->a->rows, vectors };
}

static blocked_view basis_view(const transfer *t, int parity)
{
    return transfer_blocked_view(t, &t->basis[parity], t->vectors);
}

transfer *transfer_create(const aggregates *a, int vectors, precision p)
{
    transfer *t = memory_alloc(sizeof *t, "near-null vectors");
    assert(vectors > 0 && vectors % MG_VECTORS_STEP == 0 && vectors <= MG_VECTORS_LARGEST);
    t->a = a;
    t->p = p;
    t->vectors = vectors;
    for (int parity = 0; parity < 2; parity++)
        t->basis[parity] = transfer_blocked(a, vectors, p);
    t->one = transfer_blocked(a, 1, p);
    t->terms = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, term_reals(vectors), "terms of coarse vectors");
    return t;
}

void transfer_free(transfer *t)
{
    if (!t)
        return;
    field_free(&t->basis[0]);
    field_free(&t->basis[1]);
    field_free(&t->one);
    field_free(&t->terms);
    memory_free(t);
}

size_t transfer_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p)
{
    const lattice_shape coarse = aggregates_coarse_shape(fine, block);
    return transfer_blocked_bytes(&coarse, block, 2 * vectors + 1, p)
           + field_bytes_on(&coarse, ON_ALL, GHOSTS_NONE, p, term_reals(vectors))
           + field_bytes_on(&coarse, ON_ALL, GHOSTS_NONE, p, product_reals(vectors));
}

site_range transfer_parts(site_range r, int parts)
{
    return (site_range){ .first = r.first, .sites = r.sites, .parts = parts, .step = 0, .slab_sites = 1 };
}

/* On all coarse sites, in `parts` parts. */
static void run_on_coarse(const map_kernel *k, const transfer *t, const void *args, int parts)
{
    for (int parity = 0; parity < 2; parity++)
        run_map(k, t->a->where, t->p, args, transfer_parts(lattice_parity(t->a->coarse, parity), parts));
}

static int parity_of(const vec *v)
{
    return v->f.on == ON_ODD;
}

static void assert_is_spinor(const vec *v, const transfer *t)
{
    assert(v->f.slabs % SLAB_GROUP == 0 && v->format == VECTOR_NATIVE && v->f.precision == t->p);
    (void)v, (void)t;
}

/* ---- blocked order */

/* Vectors first, first + 1, .. of `out`; direction: of mg_block_args. */
typedef struct { int first, count, direction; } blocked_part;

static void block_into(blocked_view out, const transfer *t, const vec *in, blocked_part part)
{
    const mg_block_args args = { .sites = aggregates_view(t->a, parity_of(in)), .in = vec_view(in), .out = out,
                                 .leaves = t->a->leaves, .direction = part.direction, .first = part.first,
                                 .count = part.count };
    assert_is_spinor(in, t);
    run_on_coarse(&mg_block, t, &args, out.rows * part.count * SLAB_GROUP);
}

void transfer_block(const field *out, const transfer *t, const vec *in, int vectors, int direction)
{
    block_into(transfer_blocked_view(t, out, vectors), t, in, (blocked_part){ 0, vectors, direction });
}

static void unblock(vec *out, const transfer *t, blocked_view in, int v, int chirality, bool add)
{
    const mg_unblock_args args = { .aggregate = t->a->aggregate, .row = t->a->row, .in = in, .out = vec_view(out),
                                   .v = v, .chirality = chirality, .add = add };
    assert_is_spinor(out, t);
    run_map(&mg_unblock, t->a->where, t->p, &args, lattice_slabs(out->f.lattice, out->f.on, SLAB_GROUP));
}

void transfer_set_vector(transfer *t, int v, spinor_field in)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *from = spinor_field_part(in, on);
        block_into(basis_view(t, parity_of(from)), t, from, (blocked_part){ v, 1, ALL_ROWS });
    }
}

void transfer_column(spinor_field out, const transfer *t, int v, int chirality)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *to = spinor_field_part(out, on);
        unblock(to, t, basis_view(t, parity_of(to)), v, chirality, false);
    }
}

/* ---- the basis */

/* products <- V_v^+ V_(panel + j), for v from `row` on, `rows` of them */
static void set_panel_products(const field *products, const transfer *t, int panel, int row, int rows)
{
    const mg_panel_products_args args = { .basis = { basis_view(t, 0), basis_view(t, 1) },
                                          .products = field_view_of(products).data, .panel = panel, .row = row };
    run_on_coarse(&mg_panel_products, t, &args, 2 * (rows / MG_TILE));
}

static void run_on_panel(const map_kernel *k, const field *products, const transfer *t, int panel)
{
    for (int parity = 0; parity < 2; parity++) {
        const mg_panel_args args = { .basis = basis_view(t, parity), .products = field_view_of(products).data,
                                     .panel = panel };
        run_on_coarse(k, t, &args, t->a->rows * SLAB_GROUP);
    }
}

void transfer_orthonormalize(transfer *t)
{
    field products = field_create_ghosts(t->a->coarse, GHOSTS_NONE, t->a->where, t->p,
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
    return spinor_vec_create(t->a->coarse, on, t->a->where, t->p, t->vectors / MG_VECTORS_STEP);
}

spinor_field transfer_coarse_field(const transfer *t)
{
    return (spinor_field){ transfer_coarse_vec(t, ON_EVEN), transfer_coarse_vec(t, ON_ODD) };
}

void transfer_add_terms(vec *out, const transfer *t, int count, const vec *y)
{
    const mg_add_args args = { .terms = field_view_of(&t->terms).data, .y = vec_view(y ? y : out),
                               .out = vec_view(out), .components = 2 * t->vectors, .count = count,
                               .with_y = y != NULL };
    run_map(&mg_add_terms, out->f.where, out->f.precision, &args, vec_sites(out));
}

void transfer_restrict(spinor_field out, const transfer *t, const vec *in, bool add)
{
    const mg_restrict_args args = { .basis = basis_view(t, parity_of(in)), .in = transfer_blocked_view(t, &t->one, 1),
                                    .terms = field_view_of(&t->terms).data, .count = RESTRICT_TERMS };
    block_into(args.in, t, in, (blocked_part){ 0, 1, ALL_ROWS });
    run_on_coarse(&mg_restrict, t, &args, RESTRICT_TERMS * (2 * t->vectors / 3));
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *c = spinor_field_part(out, on);
        transfer_add_terms(c, t, RESTRICT_TERMS, add ? c : NULL);
    }
}

void transfer_prolong(vec *out, const transfer *t, spinor_field in, bool add)
{
    const blocked_view one = transfer_blocked_view(t, &t->one, 1);
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *c = spinor_field_part(in, on);
        const mg_prolong_args args = { .basis = basis_view(t, parity_of(out)), .out = one, .in = vec_view(c) };
        run_map(&mg_prolong, t->a->where, t->p, &args,
                transfer_parts(lattice_range(t->a->coarse, on), one.rows * SLAB_GROUP));
    }
    unblock(out, t, one, 0, ALL_SPINS, add);
}
