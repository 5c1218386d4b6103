/* doublet_operator.c - a non-degenerate doublet of twisted-mass quarks as a dirac_operator.
 *
 * The force with a clover term: with x_e = -E_e^-1 hop_eo x_o and y_e = -(E_e^+)^-1 (hop_oe)^+ y_o
 *     y_o^+ dC x_o = y^+ d(hop + T) x   on all sites and both flavors. */
#include "src/operators/doublet_operator.h"

#include "src/base/memory.h"
#include "src/operators/clover_force.h"
#include "src/operators/clover_terms.h"
#include "src/operators/hop_operator.h"

#include <assert.h>
#include <math.h>

enum { SLICES = DOUBLET_FLAVORS };

typedef struct { vec *y, *x; } inner_vectors;

typedef struct {
    hop_operator hop;                          /* its force: of plain quarks */
    doublet_operator_params params;
    clover_operator_params of_terms;           /* with the twists mu of doublet.h, by the indices of matrices */
    clover_term_sets terms;
    clover_force *force;                       /* NULL: created without force, or plain */
    inner_vectors inner[HOP_TERMS_TOGETHER];   /* of this force: on even sites, NULL where not yet needed */
} doublet;

/* A dirac_matrix; plain: of quarks without a clover term. */
typedef struct { int index; doublet_mus mus; dwf_matrix plain; } doublet_matrix;

/* In the order of `work`: C takes the first, C^+ of plain quarks the first two, C^+C of plain quarks all. */
enum { AT_EVEN, AT_ODD, AT_SECOND_ODD, SCRATCH };

static doublet *doublet_of(const dirac_operator *d)
{
    return (doublet *)d;
}

static const doublet_matrix *matrix_of(const dirac_matrix *m)
{
    return (const doublet_matrix *)m;
}

static const doublet_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

static bool is_plain(const doublet_operator_params *p)
{
    return p->c_sw == 0;
}

dirac_plan doublet_operator_plan(const doublet_operator_params *p)
{
    return (dirac_plan){ .kind = is_plain(p) ? &doublet_plain_kind : &doublet_clover_kind, .params = p,
                         .slabs = SLAB_GROUP * SLICES };
}

/* ---- links */

static dirac_operator *create_operator(const dirac_plan *plan, const gauge *u, bool with_force)
{
    doublet *d = memory_alloc(sizeof *d, "a doublet of quarks");
    d->params = *params_of(plan);
    d->of_terms = doublet_operator_terms(&d->params);
    const bool plain = is_plain(&d->params);
    hop_operator_begin(&d->hop, plan, u, d->params.boundary, with_force && plain);
    clover_terms_open(&d->terms, &d->of_terms, u->links.lattice, u->links.where,
                      (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE });
    if (!plain && with_force)
        d->force = clover_force_create_slices(u, SLICES);
    return &d->hop.base;
}

static void free_operator(dirac_operator *base)
{
    doublet *d = doublet_of(base);
    for (int n = 0; n < HOP_TERMS_TOGETHER; n++) {
        vec_free(d->inner[n].y);
        vec_free(d->inner[n].x);
    }
    clover_force_free(d->force);
    clover_terms_free(&d->terms);
    hop_operator_free(base);
}

static void open_vectors(dirac_operator *base, vec_storage in)
{
    doublet *d = doublet_of(base);
    hop_operator_open(base, in);
    clover_terms_open(&d->terms, &d->of_terms, base->lattice, base->where, in);
}

static bool update_operator(dirac_operator *base, const gauge *u, failure *why)
{
    doublet *d = doublet_of(base);
    if (!is_plain(&d->params) && u->links.precision != PRECISION_DOUBLE)
        return fail(why, "the clover term needs links in double precision");
    return clover_terms_update(&d->terms, &d->of_terms, u, why) && hop_operator_update(base, u, why);
}

/* ---- matrices */

static dirac_matrix *matrix(const dirac_operator *base, int index)
{
    const doublet_operator_params *p = &doublet_of(base)->params;
    doublet_matrix *m = memory_alloc(sizeof *m, "a matrix of a doublet of quarks");
    assert(index >= 0 && index < p->matrices);
    m->index = index;
    m->mus = p->matrix[index].mus;
    if (is_plain(p))
        m->plain = doublet_plain_matrix(p->matrix[index].mass, m->mus);
    return (dirac_matrix *)m;
}

static doublet_links links_with(const doublet *d, const dirac_matrix *m, const hop_links *links, const clover_terms *t)
{
    const doublet_matrix *of = matrix_of(m);
    return (doublet_links){ links, t->even[of->index], of->mus, is_plain(&d->params) ? &of->plain : NULL };
}

doublet_links doublet_operator_links(const dirac_operator *base, const dirac_matrix *m)
{
    const doublet *d = doublet_of(base);
    return links_with(d, m, hop_operator_links(base), &d->terms.of[CLOVER_DOUBLE]);
}

static doublet_links links_for(const dirac_operator *base, const dirac_matrix *m, vec_storage in)
{
    const doublet *d = doublet_of(base);
    return links_with(d, m, hop_operator_links_for(base, in), &d->terms.of[clover_set_for(in)]);
}

static void apply_operator(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                           vec *const *work)
{
    doublet_c(out, doublet_operator_links(d, m), dagger, in, work[AT_EVEN], work[AT_ODD]);
}

static void apply_all(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, spinor_field in,
                      spinor_field work)
{
    (void)work;
    doublet_apply(out, doublet_operator_links(d, m), dagger, in);
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even)
{
    doublet_prepare(rhs, doublet_operator_links(d, m), v, even);
}

static void reconstruct(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                        const vec *solution, vec *even)
{
    (void)even;
    doublet_reconstruct(x, doublet_operator_links(d, m), v, solution);
}

/* Scratch vectors by kind. */
typedef struct { vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS], *pairs[BATCH_MAX_RHS][2]; } doublet_work;

static doublet_work work_of(vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    doublet_work r = { 0 };
    for (int n = 0; n < systems; n++) {
        r.even[n] = work[n][AT_EVEN];
        r.odd[n] = r.pairs[n][0] = work[n][AT_ODD];
        r.pairs[n][1] = work[n][AT_SECOND_ODD];
    }
    return r;
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*work)[DIRAC_WORK_VECTORS],
                     int systems)
{
    doublet_op *op = memory_alloc(sizeof *op, "a matrix of a doublet of quarks");
    const doublet_work r = work_of(work, systems);
    *op = doublet_normal(links_for(d, m, in), r.even, r.odd, systems);
    return &op->base;
}

static linop *square(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                     vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    doublet_op *op = memory_alloc(sizeof *op, "a matrix of a doublet of quarks");
    const doublet_work r = work_of(work, systems);
    *op = doublet_square(links_for(d, m, in), dagger, r.even, systems);
    return &op->base;
}

static linop *plain_normal(dirac_operator *d, vec_storage in, const dirac_matrix *m,
                           vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    dwf_op *op = memory_alloc(sizeof *op, "a matrix of a doublet of quarks");
    const doublet_work r = work_of(work, systems);
    *op = dwf_normal_operator(hop_operator_links_for(d, in), &matrix_of(m)->plain, r.even, (vec *const (*)[2])r.pairs,
                      systems);
    return &op->base;
}

static linop *plain_square(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                           vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    dwf_op *op = memory_alloc(sizeof *op, "a matrix of a doublet of quarks");
    const doublet_work r = work_of(work, systems);
    *op = dwf_c_operator(hop_operator_links_for(d, in), &matrix_of(m)->plain, dagger, r.even,
                         (vec *const (*)[2])r.pairs, systems);
    return &op->base;
}

static double log_det(const dirac_operator *d, const dirac_matrix *m)
{
    return 2 * doublet_of(d)->terms.of[CLOVER_DOUBLE].even[matrix_of(m)->index]->log_det;
}

/* ---- forces */

static const inner_vectors *inner_of(dirac_operator *base, int n)
{
    inner_vectors *r = &doublet_of(base)->inner[n];
    if (!r->y) {
        r->y = spinor_vec_create(base->lattice, ON_EVEN, base->where, PRECISION_DOUBLE, SLICES);
        r->x = spinor_vec_create(base->lattice, ON_EVEN, base->where, PRECISION_DOUBLE, SLICES);
    }
    return r;
}

static void force_reserve(dirac_operator *d, int pairs)
{
    for (int n = 0; n < hop_terms_together(pairs); n++)
        inner_of(d, n);
}

static void force_begin(dirac_operator *d)
{
    clover_force_begin(doublet_of(d)->force);
}

/* Adds at most HOP_TERMS_TOGETHER pairs. */
static void add_together(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                         int count)
{
    const doublet_links l = doublet_operator_links(d, m);
    hop_pair pairs[HOP_TERMS_TOGETHER];
    for (int n = 0; n < count; n++) {
        const inner_vectors *r = inner_of(d, n);
        doublet_hop_even(r->y, l, -1, true, y[n]);
        doublet_hop_even(r->x, l, -1, false, x[n]);
        pairs[n] = (hop_pair){ 2 * c[n], { r->y, y[n] }, { r->x, x[n] } };
    }
    clover_force_add_pairs(doublet_of(d)->force, l.links, l.term, pairs, count);
}

static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    for (int done = 0; done < count; done += HOP_TERMS_TOGETHER)
        add_together(d, m, c + done, x + done, y + done, hop_terms_together(count - done));
}

static void plain_force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                            int count)
{
    hop_force_add(hop_operator_force(d), hop_operator_links(d), &matrix_of(m)->plain,
                  (hop_force_terms){ .count = count, .c = c, .y = y, .x = x });
}

static void log_det_force_add(dirac_operator *d, const dirac_matrix *m, double c)
{
    const clover_terms *terms = &doublet_of(d)->terms.of[CLOVER_DOUBLE];
    clover_force_add_log_det(doublet_of(d)->force, terms->even[matrix_of(m)->index], 2 * c);
}

static void force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    clover_force_finish(doublet_of(d)->force, u, p, weight, size);
}

/* ---- plans */

/* Eigenvalues of C^+C.  Upper end: as for clover quarks (clover_params.c), with |A| <= |mu_sigma| + |mu_delta|.  Lower
 * end: |D v| >= (|mu_sigma| - |mu_delta|) |v|, and C^-1 is a block of D^-1.  C of plain quarks is this C divided by
 * E_o, where E_o^+ E_o is between T^2 + (mu_sigma - mu_delta)^2 and T^2 + (mu_sigma + mu_delta)^2. */
#define NORMAL_LEAST 1e-4

static spectral_range range(const dirac_plan *plan, int index)
{
    const doublet_operator_params *p = params_of(plan);
    const doublet_matrix_params *m = &p->matrix[index];
    const double diagonal = 4 + m->mass, inverse = 16 / diagonal, least = fmax(diagonal - inverse, 0),
                 apart = fmax(fabs(m->mus.sigma) - fabs(m->mus.delta), 0),
                 all = fabs(m->mus.sigma) + fabs(m->mus.delta),
                 largest = diagonal + inverse + all;
    spectral_range r = { fmax(fmax(least * least, apart * apart), NORMAL_LEAST), largest * largest };
    if (is_plain(p)) {
        r.smallest /= diagonal * diagonal + all * all;
        r.largest /= diagonal * diagonal + apart * apart;
    }
    return r;
}

static void describe(text *out, const dirac_plan *plan, int index)
{
    const doublet_operator_params *p = params_of(plan);
    text_add(out, "%g", p->matrix[index].mass);
    if (p->matrices > 1)
        text_add(out, ", mu_sigma %g", p->matrix[index].mus.sigma);
}

static void describe_blocks(text *out, const dirac_plan *plan, int index)
{
    text_add(out, "log |det E_e|, mass ");
    describe(out, plan, index);
}

static memory_need bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    const clover_operator_params of = doublet_operator_terms(params_of(plan));
    memory_need need = hop_operator_bytes(plan, shape, in, count);
    need.lasting += clover_terms_bytes(&of, shape, in, count);
    return need;
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    (void)plan;
    return doublet_normal_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE);
}

static work_count plain_work(const dirac_plan *plan, const lattice_shape *shape)
{
    (void)plan;
    return dwf_normal_work(shape, SLICES, VECTOR_NATIVE, PRECISION_DOUBLE);
}

static memory_need force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    memory_need need = clover_force_bytes(shape, PRECISION_DOUBLE, CLOVER_ASYMMETRIC, 0);
    need.shared = 2 * (size_t)hop_terms_together(pairs) * (size_t)plan->slabs
                  * vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    return need;
}

/* That of the hops, and clover_force_work of the insertions of each flavor. */
static work_count force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const work_count hops = hop_operator_force_work(plan, shape, pairs);
    const work_count term = clover_force_work(shape, SLICES * pairs);
    return (work_count){ hops.flops + term.flops, hops.bytes + term.bytes };
}

#define BOTH_KINDS                                                                                                     \
    .home = ON_ODD, .image = ON_ODD, .work = { [AT_EVEN] = ON_EVEN, [AT_ODD] = ON_ODD, [AT_SECOND_ODD] = ON_ODD },     \
    .create = create_operator, .free = free_operator, .open = open_vectors, .update = update_operator,                 \
    .matrix = matrix, .describe = describe, .apply = apply_operator, .apply_all = apply_all, .prepare = prepare,       \
    .reconstruct = reconstruct, .max_rhs = HOP_TERMS_TOGETHER, .range = range, .bytes = bytes

const dirac_kind doublet_plain_kind = {
    .name = "doublet",
    BOTH_KINDS,
    .work_vectors = SCRATCH,
    .normal = plain_normal,
    .square = plain_square,
    .force_reserve = hop_operator_force_reserve,
    .force_begin = hop_operator_force_begin,
    .force_add = plain_force_add,
    .force_finish = hop_operator_force_finish,
    .force_bytes = hop_operator_force_bytes,
    .force_work = hop_operator_force_work,
    .normal_work = plain_work,
};

const dirac_kind doublet_clover_kind = {
    .name = "doublet with a clover term",
    BOTH_KINDS,
    .work_vectors = AT_SECOND_ODD,
    .normal = normal,
    .square = square,
    .force_reserve = force_reserve,
    .force_begin = force_begin,
    .force_add = force_add,
    .force_finish = force_finish,
    .log_det = log_det,
    .log_det_force_add = log_det_force_add,
    .describe_blocks = describe_blocks,
    .force_bytes = force_bytes,
    .force_work = force_work,
    .normal_work = normal_work,
};
