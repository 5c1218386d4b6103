/* multigrid.c - the set-up and the cycle. */
#include "src/solvers/multigrid/multigrid.h"

#include "src/base/clock_now.h"
#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

const multigrid_settings multigrid_default = { .block = { 4, 4, 4, 4 }, .vectors = 24, .setup_iterations = 80,
                                               .setup_passes = 1, .pre_smooth = 0, .post_smooth = 6,
                                               .coarse_residual = 0.2, .coarse_iterations = 100 };

enum { SETUP_RESTART = 10, COARSE_RESTART = 20 };
#define SETUP_RESIDUAL 1e-4                /* of Mhat x = 0; below it rounding errors would take over */

struct multigrid {
    multigrid_settings settings;
    precision p;
    aggregates *a;
    transfer *t;
    coarse_operator *coarse;
    clover_links links;                    /* of the last update */
    vec *even, *odd[4], *half[2];          /* of fine sites; half: in precision p, for vectors in double */
    spinor_field rhs, x;                   /* coarse */
    vec *schur;
    gcr_space *fine_space, *coarse_space;
    multigrid_report report;
};

/* Odd vectors of the fine lattice. */
enum { RESIDUAL, PRODUCT, ERROR, SOURCE };

bool multigrid_is_possible(const lattice_shape *shape, const multigrid_settings *s, failure *f)
{
    if (s->vectors < MG_VECTORS_STEP || s->vectors > MG_VECTORS_MAX || s->vectors % MG_VECTORS_STEP)
        return fail(f, "%d near-null vectors: their number must be a multiple of %d, at most %d", s->vectors,
                    MG_VECTORS_STEP, MG_VECTORS_MAX);
    return aggregates_are_possible(shape, s->block, f);
}

multigrid *multigrid_create(lattice *l, place where, precision p, const multigrid_settings *s)
{
    multigrid *m = memory_alloc(sizeof *m, "multigrid");
    assert(multigrid_is_possible(lattice_shape_of(l), s, NULL));
    m->settings = *s;
    m->p = p;
    m->a = aggregates_create(l, where, s->block);
    m->t = transfer_create(m->a, s->vectors, p);
    m->coarse = coarse_operator_create(m->t);
    m->even = spinor_vec_create(l, ON_EVEN, where, p, 1);
    for (int i = 0; i < 4; i++)
        m->odd[i] = spinor_vec_create(l, ON_ODD, where, p, 1);
    for (int i = 0; i < 2; i++)
        m->half[i] = spinor_vec_create(l, ON_ODD, where, p, 1);
    m->rhs = transfer_coarse_field(m->t);
    m->x = transfer_coarse_field(m->t);
    m->schur = transfer_coarse_vec(m->t, ON_ODD);
    m->fine_space = gcr_space_create(m->odd[0], SETUP_RESTART);
    m->coarse_space = gcr_space_create(m->schur, COARSE_RESTART);
    return m;
}

void multigrid_free(multigrid *m)
{
    if (!m)
        return;
    gcr_space_free(m->fine_space);
    gcr_space_free(m->coarse_space);
    vec_free(m->schur);
    spinor_field_free(m->rhs);
    spinor_field_free(m->x);
    for (int i = 0; i < 2; i++)
        vec_free(m->half[i]);
    for (int i = 0; i < 4; i++)
        vec_free(m->odd[i]);
    vec_free(m->even);
    coarse_operator_free(m->coarse);
    transfer_free(m->t);
    aggregates_free(m->a);
    memory_free(m);
}

size_t multigrid_bytes(const lattice_shape *shape, precision p, const multigrid_settings *s)
{
    const lattice_shape coarse = aggregates_coarse_shape(shape, s->block);
    const size_t fine = SLAB_GROUP * vec_bytes(shape, p, ON_ODD),
                 small = (size_t)(2 * s->vectors / 3) * vec_bytes(&coarse, p, ON_ODD);
    return aggregates_bytes(shape, s->block) + transfer_bytes(shape, s->block, s->vectors, p)
           + coarse_operator_bytes(&coarse, s->vectors, p) + 7 * fine + 5 * small
           + gcr_space_bytes(fine, SETUP_RESTART) + gcr_space_bytes(small, COARSE_RESTART);
}

/* ---- the cycle */

/* x += a r, r -= a A r */
static void smooth(multigrid *m, vec *x, vec *r, int steps)
{
    vec *q = m->odd[PRODUCT];
    for (int i = 0; i < steps; i++) {
        clover_mhat(q, m->links, false, r, m->even);
        const complex_number product = vec_dot(q, r);
        const double size2 = vec_norm2(q);
        if (!(size2 > 0))
            return;
        const complex_number a = { product.re / size2, product.im / size2 };
        vec_complex_axpy(x, a, r);
        vec_complex_axpy(r, (complex_number){ -a.re, -a.im }, q);
    }
}

/* x += (P M_c^-1 P^+ (0, r))_o */
static void correct(multigrid *m, vec *x, const vec *r)
{
    const coarse_mhat mhat = coarse_operator_mhat(m->coarse);
    const gcr_request request = { .residual = m->settings.coarse_residual,
                                  .max_iterations = m->settings.coarse_iterations, .restart = COARSE_RESTART };
    transfer_restrict(m->rhs, m->t, r, false);
    coarse_operator_prepare(m->schur, m->coarse, m->rhs);
    vec_zero(m->x.odd);
    m->report.coarse_iterations += gcr_solve(m->coarse_space, m->x.odd, &mhat.base, m->schur, &request).iterations;
    coarse_operator_reconstruct(m->x.even, m->coarse, m->rhs, m->x.odd);
    transfer_prolong(x, m->t, m->x, true);
}

void multigrid_apply(multigrid *m, vec *out, const vec *in)
{
    vec *r = m->odd[RESIDUAL], *q = m->odd[PRODUCT];
    vec_copy(r, in);
    vec_zero(out);
    smooth(m, out, r, m->settings.pre_smooth);
    correct(m, out, r);
    clover_mhat(q, m->links, false, out, m->even);
    vec_copy(r, in);
    vec_axpy(r, -1, q);
    smooth(m, out, r, m->settings.post_smooth);
    m->report.cycles++;
}

static void apply_for_gcr(void *of, vec *out, const vec *in)
{
    multigrid *m = of;
    if (in->f.precision == m->p) {
        multigrid_apply(m, out, in);
        return;
    }
    vec_convert(m->half[0], in);
    multigrid_apply(m, m->half[1], m->half[0]);
    vec_convert(out, m->half[1]);
}

preconditioner multigrid_preconditioner(multigrid *m)
{
    return (preconditioner){ apply_for_gcr, m };
}

/* ---- the set-up */

static void set_length_one(vec *v)
{
    vec_combine(v, 1 / sqrt(vec_norm2(v)), v, NULL, NULL, 0);
}

/* x <- x - about Mhat^-1 Mhat x: what is left has small eigenvalues. */
static void relax(multigrid *m, vec *x)
{
    vec *even[1] = { m->even }, *e = m->odd[ERROR], *b = m->odd[SOURCE];
    const clover_op mhat = clover_mhat_operator(m->links, false, even, 1);
    const gcr_request request = { .residual = SETUP_RESIDUAL, .max_iterations = m->settings.setup_iterations,
                                  .restart = SETUP_RESTART };
    clover_mhat(b, m->links, false, x, m->even);
    vec_zero(e);
    gcr_solve(m->fine_space, e, &mhat.base, b, &request);
    vec_axpy(x, -1, e);
    set_length_one(x);
}

/* Vector v of the basis from its odd sites: M (x_e, x_o) is zero on even sites. */
static void set_vector(multigrid *m, int v, vec *odd)
{
    clover_hop_even(m->even, m->links, -1, false, odd);
    transfer_set_vector(m->t, v, (spinor_field){ m->even, odd });
}

static void start_vector(multigrid *m, int v, vec *x, rng_key key)
{
    vec_set_gaussian(x, key, (uint32_t)(v * SLAB_GROUP * VECTOR_DRAWS));
    relax(m, x);
    set_vector(m, v, x);
}

static bool make_coarse(multigrid *m, failure *why)
{
    transfer_orthonormalize(m->t);
    return coarse_operator_update(m->coarse, m->links, why);
}

bool multigrid_update(multigrid *m, clover_links l, rng_key key, failure *why)
{
    const double began = clock_now();
    const vec *like = m->half[0];
    vec *x = m->half[0];
    m->links = l;
    m->report = (multigrid_report){ 0 };
    for (int v = 0; v < m->settings.vectors; v++)
        start_vector(m, v, x, key);
    bool done = make_coarse(m, why);
    vec **better = memory_alloc((size_t)m->settings.vectors * sizeof *better, "near-null vectors");
    for (int pass = 0; done && pass < m->settings.setup_passes; pass++) {
        for (int v = 0; v < m->settings.vectors; v++) {
            better[v] = vec_create_native(like, m->p);
            spinor_field now = { m->even, x };
            transfer_column(now, m->t, v, 2);
            multigrid_apply(m, better[v], x);
            set_length_one(better[v]);
        }
        for (int v = 0; v < m->settings.vectors; v++) {
            set_vector(m, v, better[v]);
            vec_free(better[v]);
        }
        done = make_coarse(m, why);
    }
    memory_free(better);
    m->report = (multigrid_report){ .setup_seconds = clock_now() - began };
    return done;
}

multigrid_report multigrid_report_of(const multigrid *m)
{
    return m->report;
}

const transfer *multigrid_transfer(const multigrid *m)
{
    return m->t;
}

const coarse_operator *multigrid_coarse(const multigrid *m)
{
    return m->coarse;
}
