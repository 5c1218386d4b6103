/* multigrid.c - near-null vectors, coarse operators, and the cycle. */
#include "src/solvers/multigrid/multigrid.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/multigrid/smoother.h"

#include <assert.h>
#include <math.h>

enum { SETUP_RESTART = 10, COARSE_RESTART = 20, ODD_VECTORS = 5 };
enum { COARSE_DEGREE = 4 };                /* of the polynomial that preconditions coarse solves */
#define SMOOTHING      0.02                /* |r| / |b| at which the solve that gives a polynomial ends: further
                                            * coefficients would consist of rounding errors */
#define SETUP_RESIDUAL 1e-4                /* of solves in the setup; below it rounding errors would dominate */

/* Odd vectors of the fine lattice. */
enum { RESIDUAL, PRODUCT, ERROR, SOURCE, START };

static const vec_storage half = { VECTOR_HALF, PRECISION_SINGLE };
enum { HALF_X, HALF_SOURCE, HALF_PRODUCT, HALF_VECTORS };

struct multigrid {
    multigrid_settings settings;
    aggregates *a;
    transfer *t;
    vec *null[MG_VECTORS_LARGEST];         /* near-null vectors: odd, in double */
    coarse_operator *coarse;
    smoother pre, post, coarse_polynomial; /* in Mhat; in Mhat_c, without steps if there is none */
    /* The matrix for which M_c was computed.  tried: on the present links; valid: with success, else `why` not. */
    struct { double mass, mu, rho; bool tried, valid; failure why; } made;
    clover_links links, half_links;
    vec *even, *odd[ODD_VECTORS];
    vec *half_even, *half[HALF_VECTORS];   /* NULL: smoothing in single precision */
    spinor_field rhs, x;                   /* of M_c x = rhs */
    vec *odd_rhs;                          /* of Mhat_c, on odd coarse sites */
    gcr_space *fine_space, *coarse_space;
    multigrid_counts counts;
};

/* ---- settings */

static int block_for(int extent)
{
    int block = 4;
    while (extent % (2 * block))
        block--;
    return block;
}

multigrid_settings multigrid_defaults(void)
{
    return (multigrid_settings){ .vectors = MULTIGRID_VECTORS, .setup_iterations = MULTIGRID_SETUP_ITERATIONS,
                                 .setup_passes = MULTIGRID_SETUP_PASSES, .pre_smooth = MULTIGRID_PRE_SMOOTH,
                                 .post_smooth = MULTIGRID_POST_SMOOTH, .smoothed = SMOOTHED_SINGLE,
                                 .coarse_residual = MULTIGRID_COARSE_RESIDUAL,
                                 .coarse_iterations = MULTIGRID_COARSE_ITERATIONS };
}

multigrid_settings multigrid_settings_for(const multigrid_settings *wanted, const int global[4])
{
    multigrid_settings s = wanted->vectors == 0 ? multigrid_defaults() : *wanted;
    for (int mu = 0; mu < 4; mu++)
        s.block[mu] = s.block[mu] == 0 ? block_for(global[mu]) : s.block[mu];
    return s;
}

bool multigrid_vectors_are_possible(int vectors, failure *f)
{
    const bool possible = vectors >= MG_VECTORS_STEP && vectors <= MG_VECTORS_LARGEST && vectors % MG_VECTORS_STEP == 0;
    return possible || fail(f, "%d near-null vectors: their number must be a multiple of %d, at most %d", vectors,
                            MG_VECTORS_STEP, MG_VECTORS_LARGEST);
}

bool multigrid_is_possible(const lattice_shape *shape, const multigrid_settings *s, failure *f)
{
    return multigrid_vectors_are_possible(s->vectors, f) && aggregates_are_possible(shape, s->block, f);
}

/* Directions of fine_space: for near-null vectors, and for the polynomials. */
static int fine_restart(const multigrid_settings *s)
{
    const int smooth = s->pre_smooth > s->post_smooth ? s->pre_smooth : s->post_smooth;
    return smooth > SETUP_RESTART ? smooth : SETUP_RESTART;
}

static bool is_smoothed_in_half(const multigrid_settings *s)
{
    return s->smoothed == SMOOTHED_HALF;
}

multigrid *multigrid_create(lattice *l, place where, const multigrid_settings *s)
{
    multigrid *m = memory_alloc(sizeof *m, "multigrid");
    assert(multigrid_is_possible(lattice_shape_of(l), s, NULL));
    m->settings = *s;
    m->a = aggregates_create(l, where, s->block);
    m->t = transfer_create(m->a, s->vectors, PRECISION_SINGLE);
    m->coarse = coarse_operator_create(m->t);
    for (int v = 0; v < s->vectors; v++)
        m->null[v] = spinor_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, 1);
    m->even = spinor_vec_create(l, ON_EVEN, where, PRECISION_SINGLE, 1);
    for (int i = 0; i < ODD_VECTORS; i++)
        m->odd[i] = spinor_vec_create(l, ON_ODD, where, PRECISION_SINGLE, 1);
    if (is_smoothed_in_half(s)) {
        m->half_even = vec_create_stored(l, ON_EVEN, where, half, SLAB_GROUP);
        for (int i = 0; i < HALF_VECTORS; i++)
            m->half[i] = vec_create_stored(l, ON_ODD, where, half, SLAB_GROUP);
    }
    m->rhs = transfer_coarse_field(m->t);
    m->x = transfer_coarse_field(m->t);
    m->odd_rhs = transfer_coarse_vec(m->t, ON_ODD);
    m->fine_space = gcr_space_create(m->odd[0], fine_restart(s));
    m->coarse_space = gcr_space_create(m->odd_rhs, COARSE_RESTART);
    return m;
}

void multigrid_free(multigrid *m)
{
    if (!m)
        return;
    gcr_space_free(m->fine_space);
    gcr_space_free(m->coarse_space);
    vec_free(m->odd_rhs);
    spinor_field_free(m->rhs);
    spinor_field_free(m->x);
    for (int i = 0; i < ODD_VECTORS; i++)
        vec_free(m->odd[i]);
    vec_free(m->even);
    for (int i = 0; i < HALF_VECTORS; i++)
        vec_free(m->half[i]);
    vec_free(m->half_even);
    for (int v = 0; v < m->settings.vectors; v++)
        vec_free(m->null[v]);
    coarse_operator_free(m->coarse);
    transfer_free(m->t);
    aggregates_free(m->a);
    memory_free(m);
}

size_t multigrid_bytes(const lattice_shape *shape, const multigrid_settings *s)
{
    const precision p = PRECISION_SINGLE;
    const lattice_shape coarse = aggregates_coarse_shape(shape, s->block);
    const size_t fine = SLAB_GROUP * vec_bytes(shape, p, ON_ODD),
                 small = (size_t)(2 * s->vectors / 3) * vec_bytes(&coarse, p, ON_ODD),
                 low = is_smoothed_in_half(s) ? SLAB_GROUP * vec_format_bytes(shape, half.format, ON_ODD) : 0;
    return aggregates_bytes(shape, s->block) + transfer_bytes(shape, s->block, s->vectors, p)
           + coarse_operator_bytes(shape, s->block, s->vectors, p) + (1 + ODD_VECTORS) * fine + (1 + HALF_VECTORS) * low
           + 5 * small + gcr_space_bytes(fine, fine_restart(s)) + gcr_space_bytes(small, COARSE_RESTART);
}

vec *multigrid_vector(multigrid *m, int v)
{
    assert(v < m->settings.vectors);
    return m->null[v];
}

multigrid_counts *multigrid_counts_of(multigrid *m)
{
    return &m->counts;
}

/* ---- the cycle */

/* r <- in - Mhat x, or with Mhat^+ */
static void residual_of(multigrid *m, bool dagger, vec *r, const vec *in, const vec *x)
{
    vec *q = m->odd[PRODUCT];
    clover_mhat(q, m->links, dagger, x, m->even);
    vec_direction(r, (complex_number){ -1, 0 }, q, 1, in);
}

/* x <- x + s(Mhat) (b - Mhat x).  In half, the change of x is computed and rounded in 16 bits: a smoother need not be
 * accurate. */
static void smooth(multigrid *m, bool dagger, vec *x, const vec *b, const smoother *p, bool from_zero)
{
    vec *q = m->odd[PRODUCT], **low = m->half, *even[1] = { m->even }, *half_even[1] = { m->half_even };
    smoothing s = { .x = x, .b = b, .product = q, .conjugate = dagger, .from_zero = from_zero };
    if (!is_smoothed_in_half(&m->settings)) {
        const clover_op mhat = clover_mhat_operator(m->links, dagger, even, 1);
        s.a = &mhat.base;
        smoother_apply(p, &s);
        return;
    }
    const clover_op mhat = clover_mhat_operator(m->half_links, dagger, half_even, 1);
    if (!from_zero)
        residual_of(m, dagger, m->odd[RESIDUAL], b, x);
    vec_convert(low[HALF_SOURCE], from_zero ? b : m->odd[RESIDUAL]);
    s = (smoothing){ .a = &mhat.base, .x = low[HALF_X], .b = low[HALF_SOURCE], .product = low[HALF_PRODUCT],
                     .conjugate = dagger, .from_zero = true };
    smoother_apply(p, &s);
    vec_convert(from_zero ? x : q, low[HALF_X]);
    if (!from_zero)
        vec_axpy(x, 1, q);
}

/* The preconditioner of the coarse solve: out <- s(A) in. */
typedef struct { const smoother *p; const linop *a; bool dagger; } coarse_context;

static void precondition_coarse(void *of, vec *out, const vec *in)
{
    const coarse_context *c = of;
    smoother_apply(c->p, &(smoothing){ .a = c->a, .x = out, .b = in, .conjugate = c->dagger, .from_zero = true,
                                       .relax = coarse_operator_relax });
}

/* x <- x + (P M_c^-1 P^+ (0, r))_o, or without x on the right side if from_zero */
static void correct(multigrid *m, bool dagger, vec *x, const vec *r, bool from_zero)
{
    const coarse_operator *c = m->coarse;
    const coarse_mhat mhat = coarse_operator_mhat(c, dagger);
    coarse_context context = { &m->coarse_polynomial, &mhat.base, dagger };
    const preconditioner k = { precondition_coarse, &context };
    const gcr_request request = { .residual = m->settings.coarse_residual,
                                  .max_iterations = m->settings.coarse_iterations, .restart = COARSE_RESTART,
                                  .k = m->coarse_polynomial.steps > 0 ? &k : NULL, .from_zero = true };
    transfer_restrict(m->rhs, m->t, r, false);
    coarse_operator_prepare(m->odd_rhs, c, dagger, m->rhs);
    m->counts.coarse_iterations += gcr_solve(m->coarse_space, m->x.odd, &mhat.base, m->odd_rhs, &request).iterations;
    coarse_operator_reconstruct(m->x.even, c, dagger, m->rhs, m->x.odd);
    transfer_prolong(x, m->t, m->x, !from_zero);
}

void multigrid_apply(multigrid *m, bool dagger, vec *out, const vec *in)
{
    const bool smoothed = m->pre.steps > 0;
    vec *r = m->odd[RESIDUAL];
    assert(in->f.precision == PRECISION_SINGLE && m->made.valid);
    if (smoothed) {
        smooth(m, dagger, out, in, &m->pre, true);
        residual_of(m, dagger, r, in, out);
    }
    correct(m, dagger, out, smoothed ? r : in, !smoothed);
    if (m->post.steps > 0)
        smooth(m, dagger, out, in, &m->post, false);
    m->counts.cycles++;
}

/* ---- random vectors */

/* Numbers of the random vectors: v of near-null vector v, then those of the vectors that give the polynomials.  Vector
 * n takes the draws from n SLAB_GROUP VECTOR_DRAWS on.  A coarse vector takes more draws, so it has the last number. */
enum { SMOOTHER_VECTOR = MG_VECTORS_LARGEST, COARSE_VECTOR };

static void set_random(vec *v, int number)
{
    vec_set_gaussian(v, rng_key_for(0, 0, 0, RNG_MULTIGRID), (uint32_t)(number * SLAB_GROUP * VECTOR_DRAWS));
}

/* ---- the basis */

static void set_length_one(vec *v)
{
    vec_combine(v, 1 / sqrt(vec_norm2(v)), v, NULL, NULL, 0);
}

/* x <- x - e, normalized, where GCR solves Mhat e = Mhat x in few iterations: components with large eigenvalues
 * cancel. */
static void remove_large_eigenvalues(multigrid *m, vec *x)
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

/* Computes P from the near-null vectors.  Their even part x_e = -(T_e + i mu gamma5)^-1 hop_eo x_o makes
 * M (x_e, x_o) zero on even sites. */
static void make_basis(multigrid *m)
{
    vec *x = m->odd[START];
    for (int v = 0; v < m->settings.vectors; v++) {
        vec_convert(x, m->null[v]);
        clover_hop_even(m->even, m->links, -1, false, x);
        transfer_set_vector(m->t, v, (spinor_field){ m->even, x });
    }
    transfer_orthonormalize(m->t);
    m->made.tried = m->made.valid = false;
}

static void set_links(multigrid *m, multigrid_links l)
{
    m->links = l.single;
    m->half_links = l.half;
}

void multigrid_follow(multigrid *m, multigrid_links l)
{
    set_links(m, l);
    make_basis(m);
}

static void start_vectors(multigrid *m)
{
    vec *x = m->odd[START];
    for (int v = 0; v < m->settings.vectors; v++) {
        set_random(x, v);
        remove_large_eigenvalues(m, x);
        vec_convert(m->null[v], x);
    }
}

/* Replaces each near-null vector by one cycle applied to it, with the basis from all vectors before this pass. */
static void improve_vectors(multigrid *m)
{
    vec *x = m->odd[START], *better = m->odd[SOURCE];
    for (int v = 0; v < m->settings.vectors; v++) {
        vec_convert(x, m->null[v]);
        multigrid_apply(m, false, better, x);
        set_length_one(better);
        vec_convert(m->null[v], better);
    }
}

bool multigrid_rebuild(multigrid *m, multigrid_links l, failure *why)
{
    set_links(m, l);
    start_vectors(m);
    make_basis(m);
    for (int pass = 0; pass < m->settings.setup_passes; pass++) {
        if (!multigrid_use(m, l, why))
            return false;
        improve_vectors(m);
        make_basis(m);
    }
    m->counts.rebuilt++;
    return multigrid_use(m, l, why);
}

/* ---- matrices */

/* The residual polynomials of GMRES for a random vector, from a GCR solve (smoother.h). */
static bool make_smoothers(multigrid *m, failure *why)
{
    vec *even[1] = { m->even }, *b = m->odd[SOURCE], *x = m->odd[ERROR];
    const clover_op mhat = clover_mhat_operator(m->links, false, even, 1);
    const int steps = fine_restart(&m->settings);
    const gcr_request request = { .residual = SMOOTHING, .max_iterations = steps, .restart = steps,
                                  .from_zero = true };
    set_random(b, SMOOTHER_VECTOR);
    gcr_solve(m->fine_space, x, &mhat.base, b, &request);
    return (smoother_of(&m->pre, m->fine_space, m->settings.pre_smooth)
            && smoother_of(&m->post, m->fine_space, m->settings.post_smooth))
           || fail(why, "multigrid: no polynomial smooths this matrix");
}

/* The polynomial of GMRES for a random coarse vector: a preconditioner without inner products.  Coarse solves have none
 * if its roots are not found. */
static void make_coarse_polynomial(multigrid *m)
{
    const coarse_mhat mhat = coarse_operator_mhat(m->coarse, false);
    const gcr_request request = { .residual = SMOOTHING, .max_iterations = COARSE_DEGREE, .restart = COARSE_RESTART,
                                  .from_zero = true };
    set_random(m->odd_rhs, COARSE_VECTOR);
    gcr_solve(m->coarse_space, m->x.odd, &mhat.base, m->odd_rhs, &request);
    if (!smoother_of(&m->coarse_polynomial, m->coarse_space, COARSE_DEGREE))
        m->coarse_polynomial.steps = 0;
}

bool multigrid_use(multigrid *m, multigrid_links l, failure *why)
{
    const double mass = l.single.term->mass, mu = l.single.term->mu, rho = l.single.rho;
    const bool tried = m->made.tried && m->made.mass == mass && m->made.mu == mu && m->made.rho == rho;
    set_links(m, l);
    if (!tried) {
        m->made.mass = mass;
        m->made.mu = mu;
        m->made.rho = rho;
        m->made.tried = true;
        m->made.valid = make_smoothers(m, &m->made.why) && coarse_operator_update(m->coarse, m->links, &m->made.why);
        if (m->made.valid)
            make_coarse_polynomial(m);
        m->counts.matrices++;
    }
    return m->made.valid || fail(why, "%s", m->made.why.why);
}
