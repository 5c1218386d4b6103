/* clover_operator.c - Wilson quarks, without and with a clover term, a twisted mass or both as a dirac_operator. */
#include "src/operators/clover_operator.h"

#include "src/base/memory.h"
#include "src/operators/clover_force.h"
#include "src/operators/clover_terms.h"
#include "src/operators/hop_operator.h"

#include <assert.h>

typedef struct {
    hop_operator hop;                          /* its force: of plain quarks */
    clover_operator_params params;
    clover_term_sets terms;
    clover_force *force;                       /* NULL: created without force, or plain */
} clover_quarks;

/* A dirac_matrix.  at, odd_at: indices of its terms, odd_at if symmetric; of plain quarks 0 */
typedef struct { int at, odd_at; double mass, rho; } clover_matrix;

/* In the order of `work`: Mhat takes the first. */
enum { AT_EVEN, AT_ODD, SCRATCH };

static clover_quarks *quarks_of(const dirac_operator *d)
{
    return (clover_quarks *)d;
}

static const clover_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

dirac_plan clover_operator_plan(const clover_operator_params *p)
{
    return (dirac_plan){ .kind = p->plain ? &clover_plain_kind
                               : p->form == CLOVER_SYMMETRIC ? &clover_symmetric_kind : &clover_operator_kind,
                         .params = p, .slabs = SLAB_GROUP };
}

/* ---- links */

static dirac_operator *create_operator(const dirac_plan *plan, const gauge *u, bool with_force)
{
    clover_quarks *q = memory_alloc(sizeof *q, "clover quarks");
    q->params = *params_of(plan);
    assert(q->params.masses > 0 && !q->params.plain);
    hop_operator_begin(&q->hop, plan, u, q->params.boundary, false);
    clover_terms_open(&q->terms, &q->params, u->links.lattice, u->links.where,
                      (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE });
    if (with_force)
        q->force = clover_force_create(u, q->params.form);
    return &q->hop.base;
}

/* Without terms. */
static dirac_operator *create_plain(const dirac_plan *plan, const gauge *u, bool with_force)
{
    clover_quarks *q = memory_alloc(sizeof *q, "Wilson quarks");
    q->params = *params_of(plan);
    assert(q->params.plain && q->params.c_sw == 0);
    hop_operator_begin(&q->hop, plan, u, q->params.boundary, with_force);
    return &q->hop.base;
}

static void free_operator(dirac_operator *d)
{
    clover_quarks *q = quarks_of(d);
    clover_force_free(q->force);
    clover_terms_free(&q->terms);
    hop_operator_free(d);
}

static void open_vectors(dirac_operator *d, vec_storage in)
{
    clover_quarks *q = quarks_of(d);
    hop_operator_open(d, in);
    clover_terms_open(&q->terms, &q->params, d->lattice, d->where, in);
}

static bool update_with(dirac_operator *d, const gauge *u, const gauge *of_term, failure *why)
{
    clover_quarks *q = quarks_of(d);
    if (of_term->links.precision != PRECISION_DOUBLE)
        return fail(why, "the clover term needs links in double precision");
    return clover_terms_update(&q->terms, &q->params, of_term, why) && hop_operator_update(d, u, why);
}

static bool update_operator(dirac_operator *d, const gauge *u, failure *why)
{
    return update_with(d, u, u, why);
}

/* ---- matrices */

static clover_matrix *create_matrix(const dirac_operator *d, int index)
{
    const clover_operator_params *p = &quarks_of(d)->params;
    clover_matrix *m = memory_alloc(sizeof *m, "a matrix of Wilson quarks");
    assert(index >= 0 && index < p->matrices);
    m->mass = p->matrix[index].of.mass;
    m->rho = p->matrix[index].of.twist.rho;
    return m;
}

static dirac_matrix *matrix(const dirac_operator *d, int index)
{
    const clover_operator_params *p = &quarks_of(d)->params;
    clover_matrix *m = create_matrix(d, index);
    m->at = p->matrix[index].even;
    if (p->form == CLOVER_SYMMETRIC)
        m->odd_at = p->matrix[index].odd;
    return (dirac_matrix *)m;
}

static dirac_matrix *plain_matrix(const dirac_operator *d, int index)
{
    return (dirac_matrix *)create_matrix(d, index);
}

dirac_matrix *clover_operator_matrix_with(const dirac_operator *d, int index, double rho)
{
    clover_matrix *m = (clover_matrix *)d->kind->matrix(d, index);
    assert(d->kind == &clover_operator_kind);
    m->rho = rho;
    return (dirac_matrix *)m;
}

static const clover_matrix *matrix_of(const dirac_matrix *m)
{
    return (const clover_matrix *)m;
}

/* Terms that a kind does not have are NULL: plain quarks have none, the asymmetric form has none on odd sites. */
static clover_links links_with(const hop_links *links, const clover_terms *t, const clover_matrix *m)
{
    return (clover_links){ links, t->even[m->at], t->odd[m->odd_at], m->rho, m->mass };
}

clover_links clover_operator_links(const dirac_operator *d, const dirac_matrix *m)
{
    return links_with(hop_operator_links(d), &quarks_of(d)->terms.of[CLOVER_DOUBLE], matrix_of(m));
}

clover_links clover_operator_links_for(const dirac_operator *d, vec_storage in, const dirac_matrix *m)
{
    const clover_quarks *q = quarks_of(d);
    return links_with(hop_operator_links_for(d, in), &q->terms.of[clover_set_for(in)], matrix_of(m));
}

static void apply_operator(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                  vec *const *work)
{
    clover_mhat(out, clover_operator_links(d, m), dagger, in, work[AT_EVEN]);
}

static void apply_all(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, spinor_field in,
                      spinor_field work)
{
    (void)work;
    clover_apply(out, clover_operator_links(d, m), dagger, in);
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even)
{
    clover_prepare(rhs, clover_operator_links(d, m), v, even);
}

static void reconstruct(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                        const vec *solution, vec *even)
{
    (void)even;
    clover_reconstruct(x, clover_operator_links(d, m), v, solution);
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*work)[DIRAC_WORK_VECTORS],
                     int systems)
{
    clover_op *op = memory_alloc(sizeof *op, "a matrix of clover quarks");
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
    for (int n = 0; n < systems; n++) {
        even[n] = work[n][AT_EVEN];
        odd[n] = work[n][AT_ODD];
    }
    *op = clover_normal_operator(clover_operator_links_for(d, in, m), even, odd, systems);
    return &op->base;
}

static linop *square(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                     vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    clover_op *op = memory_alloc(sizeof *op, "a matrix of clover quarks");
    vec *even[BATCH_MAX_RHS];
    for (int n = 0; n < systems; n++)
        even[n] = work[n][AT_EVEN];
    *op = clover_mhat_operator(clover_operator_links_for(d, in, m), dagger, even, systems);
    return &op->base;
}

static double log_det(const dirac_operator *d, const dirac_matrix *m)
{
    const clover_links l = clover_operator_links(d, m);
    return l.term->log_det + (l.odd ? l.odd->log_det : 0);
}

/* ---- forces */

static void force_reserve(dirac_operator *d, int pairs)
{
    clover_force_reserve(quarks_of(d)->force, pairs);
}

static void force_begin(dirac_operator *d)
{
    clover_force_begin(quarks_of(d)->force);
}

static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    clover_force_add(quarks_of(d)->force, clover_operator_links(d, m),
                     (hop_force_terms){ .count = count, .c = c, .y = y, .x = x });
}

static void plain_force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                            int count)
{
    clover_plain_force_add(hop_operator_force(d), clover_operator_links(d, m),
                           (hop_force_terms){ .count = count, .c = c, .y = y, .x = x });
}

static void log_det_force_add(dirac_operator *d, const dirac_matrix *m, double c)
{
    const clover_links l = clover_operator_links(d, m);
    clover_force_add_log_det(quarks_of(d)->force, l.term, c);
    if (l.odd)
        clover_force_add_log_det(quarks_of(d)->force, l.odd, c);
}

static void force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    clover_force_finish(quarks_of(d)->force, u, p, weight, size);
}

static void force_finish_hops(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    clover_force_finish_hops(quarks_of(d)->force, u, p, weight, size);
}

static void force_finish_blocks(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    clover_force_finish_term(quarks_of(d)->force, u, p, weight, size);
}

/* ---- plans */

static memory_need bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    const clover_operator_params *p = params_of(plan);
    memory_need need = hop_operator_bytes(plan, shape, in, count);
    need.lasting += clover_terms_bytes(p, shape, in, count);
    return need;
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    const clover_operator_params *p = params_of(plan);
    bool is_twisted = !clover_params_have_blocks(p);
    for (int n = 0; n < p->masses; n++)
        is_twisted = is_twisted || p->mu[n] != 0;
    if (p->form == CLOVER_SYMMETRIC)
        return clover_symmetric_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE, clover_params_have_blocks(p), is_twisted);
    return is_twisted ? clover_twisted_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE, clover_params_have_blocks(p))
                      : clover_normal_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE);
}

static work_count plain_work(const dirac_plan *plan, const lattice_shape *shape)
{
    (void)plan;
    return clover_plain_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE);
}

/* An operator with force takes links in double only. */
static memory_need force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    return clover_force_bytes(shape, PRECISION_DOUBLE, params_of(plan)->form, pairs);
}

/* That of the hops, and clover_force_work of the insertions. */
static work_count force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const work_count hops = hop_operator_force_work(plan, shape, pairs), term = clover_force_work(shape, pairs);
    return (work_count){ hops.flops + term.flops, hops.bytes + term.bytes };
}

#define ALL_KINDS                                                                                                      \
    .work_vectors = SCRATCH, .work = { [AT_EVEN] = ON_EVEN, [AT_ODD] = ON_ODD }, .apply = apply_operator,              \
    .apply_all = apply_all, .prepare = prepare, .reconstruct = reconstruct, .normal = normal, .square = square,        \
    .describe = clover_params_describe

const dirac_kind clover_plain_kind = {
    .name = "Wilson",
    ALL_KINDS,
    HOP_OPERATOR,
    .create = create_plain,
    .matrix = plain_matrix,
    .range = clover_params_range,
    .force_add = plain_force_add,
    .normal_work = plain_work,
};

#define BOTH_FORMS                                                                                                     \
    ALL_KINDS, .home = ON_ODD, .image = ON_ODD, .create = create_operator, .free = free_operator,                     \
    .open = open_vectors, .update = update_operator, .matrix = matrix,                                                 \
    .max_rhs = HOP_TERMS_TOGETHER, .force_reserve = force_reserve, .force_begin = force_begin,                         \
    .force_add = force_add, .force_finish = force_finish, .update_with = update_with,                                  \
    .force_finish_hops = force_finish_hops, .force_finish_blocks = force_finish_blocks,                                \
    .log_det = log_det, .log_det_force_add = log_det_force_add, .blocks = clover_params_blocks,                        \
    .describe_blocks = clover_params_describe_blocks, .bytes = bytes, .force_bytes = force_bytes,                      \
    .normal_work = normal_work, .force_work = force_work

const dirac_kind clover_operator_kind = {
    .name = "clover",
    BOTH_FORMS,
    .range = clover_params_range,
};

const dirac_kind clover_symmetric_kind = {
    .name = "clover (even_odd: symmetric)",
    BOTH_FORMS,
    .range = clover_params_range_of_symmetric,
};
