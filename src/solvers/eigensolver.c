/* eigensolver.c - the lowest eigenpairs of a hermitian operator: thick-restart Lanczos with a Chebyshev filter. */
#include "src/solvers/eigensolver.h"

#include "src/base/memory.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/chebyshev.h"

#include <assert.h>
#include <math.h>

/* Lanczos steps for the upper bound of the spectrum. */
enum { BOUND_STEPS = 24 };

/* Steps between two solutions of the projected problem, which test the residuals of its pairs. */
enum { CHECK_STEPS = 8 };

/* A vector that orthogonalization reduces by this factor has only rounding errors left. */
#define INVARIANT 1e-13

/* A chosen cut is CUT_MARGIN times a Ritz value; it is lowered only if it becomes smaller by the second factor. */
#define CUT_MARGIN 1.1
#define CUT_STEP 0.7

/* ---- a search: Lanczos from one start vector, orthogonal to the known pairs */

typedef struct {
    const linop *a;
    eigen_space *s;
    const eigen_goal *goal;
    eigen_result *result;
    chebyshev filter;
    bool adapts;                         /* the cut of the filter is chosen, not given */
    rng_key key;
    uint32_t draw;                       /* of the next random vector */
    int64_t dimension;                   /* of the vectors' space */
    int size;                            /* Lanczos vectors at the end of the cycle */
    bool exhausted;                      /* they span the space, together with the known eigenvectors */
} search;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int64_t dimension_of(const vec *v)
{
    const int64_t sites = lattice_volume(v->f.lattice) / (v->f.on == ON_ALL ? 1 : 2);
    return sites * v->f.slabs * (VEC_REALS / 2);
}

static void set_random(search *k, vec *v)
{
    vec_set_gaussian(v, k->key, k->draw);
    k->draw += (uint32_t)(v->f.slabs * VECTOR_DRAWS);
}

static void scale(vec *v, double a)
{
    vec_combine(v, a, v, NULL, NULL, 0);
}

/* Lanczos vector `index` <- a random vector, orthogonal to the vectors before it. */
static void set_start_vector(search *k, int index)
{
    vec *v = k->s->v[index];
    set_random(k, v);
    scale(v, 1 / sqrt(vec_norm2(v)));
    scale(v, 1 / eigen_orthogonalize(k->s, v, index));
}

static void apply_filter(search *k, vec *out, const vec *in)
{
    chebyshev_apply(&k->filter, k->a, out, in, k->s->scratch);
    k->result->applications += k->filter.degree;
}

/* The number of first Ritz pairs, up to `wanted`, that could be lower than the known eigenvalues. */
static int candidates(const search *k, int wanted)
{
    const eigen_space *s = k->s;
    const int most = smaller(wanted, k->size);
    int count = 0;
    if (s->found < k->goal->count)
        return most;
    const double level = chebyshev_value(&k->filter, s->pair[s->found - 1].value);
    while (count < most && ritz_value(s->projected, count) + ritz_bound(s->projected, count) >= level)
        count++;
    return count;
}

/* Whether the residuals of p(A) suggest that the residuals of A satisfy the goal.  A component y of x in the interval
 * of the filter gives a residual of about theta |y| for p(A), and of at most |y| `upper` for A. */
static bool seems_converged(const search *k, int wanted)
{
    const ritz *r = k->s->projected;
    const int count = candidates(k, wanted);
    bool small = k->size >= wanted;
    for (int i = 0; small && i < count; i++)
        small = ritz_bound(r, i) <= k->goal->residual * ritz_value(r, i);
    return small;
}

/* Lanczos step j: computes vector j + 1 and row j of the projection.  Returns the coupling of the two vectors. */
static double make_step(search *k, int j)
{
    eigen_space *s = k->s;
    vec *w = s->v[j + 1];
    apply_filter(k, w, s->v[j]);
    const double alpha = vec_dot(s->v[j], w).re, size = sqrt(vec_norm2(w));
    const double beta = eigen_orthogonalize(s, w, j + 1);
    ritz_set_diagonal(s->projected, j, alpha);
    k->exhausted = s->found + j + 1 >= k->dimension;
    if (beta > INVARIANT * size) {
        scale(w, 1 / beta);
        return isfinite(alpha) ? beta : NAN;
    }
    if (!k->exhausted)
        set_start_vector(k, j + 1);
    return isfinite(alpha) && isfinite(size) ? 0 : NAN;
}

/* Computes Lanczos vectors after number `first`, until the first `wanted` pairs seem to be converged or the basis is
 * full, and the Ritz pairs.  False if a number is not finite. */
static bool run_cycle(search *k, int first, int wanted)
{
    eigen_space *s = k->s;
    bool ends = false;
    k->exhausted = false;
    for (k->size = first; !ends;) {
        const double beta = make_step(k, k->size++);
        if (isnan(beta))
            return fail(&k->result->why, "the eigensolver: a vector is not finite");
        ends = k->size == s->basis || k->exhausted;
        if (!ends)
            ritz_set_next(s->projected, k->size - 1, beta);
        if (ends || k->size % CHECK_STEPS == 0) {
            ritz_solve(s->projected, k->size, beta);
            ends = ends || seems_converged(k, wanted);
        }
    }
    return true;
}

/* Restarts with another filter, from the sum of the first `kept` Ritz vectors. */
static void restart_with(search *k, chebyshev filter, int kept)
{
    eigen_space *s = k->s;
    for (int i = 0; i < kept; i++) {
        eigen_make_ritz_vector(k->s, i);
        if (i > 0)
            vec_axpy(s->spare[0], 1, s->spare[i]);
    }
    eigen_exchange(&s->v[0], &s->spare[0]);
    scale(s->v[0], 1 / eigen_orthogonalize(k->s, s->v[0], 0));
    ritz_clear(s->projected);
    k->filter = filter;
}

/* ---- pairs */

/* The eigenvalue and the residual of x, with `work` for A x. */
static eigen_pair pair_with(const linop *a, vec *x, vec *work, double goal, double upper)
{
    eigen_pair p = { .x = x };
    p.value = a->apply_dot(a, work, 0, x, upper);
    p.residual = sqrt(vec_axpy_norm2(work, -p.value, x, goal * goal * upper * upper)) / upper;
    return p;
}

/* Ritz vector i, in spare[i], as an approximate eigenvector of A. */
static eigen_pair pair_of(search *k, int i)
{
    k->result->applications++;
    return pair_with(k->a, k->s->spare[i], k->s->scratch[0], k->goal->residual, k->filter.upper);
}

/* Whether this pair belongs to the lowest known pairs. */
static bool is_lower(const search *k, const eigen_pair *p)
{
    const eigen_space *s = k->s;
    return s->found < k->goal->count
           || p->value < s->pair[s->found - 1].value - k->goal->residual * k->filter.upper;
}

/* Inserts the pair into the known pairs, in ascending order; drops the largest one if there are too many. */
static void insert(search *k, const eigen_pair *p)
{
    eigen_space *s = k->s;
    if (s->found < k->goal->count)
        s->found++;
    vec *x = s->pair[s->found - 1].x;
    int i = s->found - 1;
    for (; i > 0 && s->pair[i - 1].value > p->value; i--)
        s->pair[i] = s->pair[i - 1];
    vec_copy(x, p->x);
    s->pair[i] = (eigen_pair){ x, p->value, p->residual };
}

/* The number of first Ritz pairs, up to `wanted`, that satisfy the goal. */
static int count_converged(search *k, eigen_pair *pair, int wanted)
{
    for (int i = 0; i < wanted; i++) {
        eigen_make_ritz_vector(k->s, i);
        pair[i] = pair_of(k, i);
        if (!(pair[i].residual <= k->goal->residual))
            return i;
    }
    return wanted;
}

/* Computes a filter with a cut from the Ritz values.  False if this cut is not much lower than the current one. */
static bool improve_filter(const search *k, chebyshev *better, int kept)
{
    *better = k->filter;
    if (!k->adapts || kept < 1)
        return false;
    const double cut = CUT_MARGIN * chebyshev_inverse(&k->filter, ritz_value(k->s->projected, kept - 1));
    if (!(cut > 0 && cut < CUT_STEP * (k->filter.degree == 1 ? k->filter.upper : k->filter.cut)))
        return false;
    better->cut = cut;
    better->degree = k->goal->degree > 0 ? k->goal->degree : chebyshev_degree(cut, k->filter.upper);
    return true;
}

/* Searches the lowest `wanted` pairs that are orthogonal to the known pairs.  *found <- the number of pairs that are
 * lower than the known ones.  False with the reason if they do not converge. */
static bool run_search(search *k, int wanted, int *found)
{
    eigen_space *s = k->s;
    eigen_result *r = k->result;
    eigen_pair *pair = memory_alloc((size_t)wanted * sizeof *pair, "eigenpairs");
    int first = 0, converged = 0, ready = 0;
    bool finite = true;
    ritz_clear(s->projected);
    set_start_vector(k, 0);
    while ((finite = run_cycle(k, first, wanted))) {
        ready = candidates(k, wanted);
        converged = count_converged(k, pair, ready);
        if (converged == ready || k->exhausted || r->restarts >= k->goal->max_restarts)
            break;
        const int kept = smaller(eigen_kept(wanted, s->basis), k->size - 1);
        chebyshev better;
        if (improve_filter(k, &better, kept)) {
            restart_with(k, better, kept);
            first = 0;
        } else {
            eigen_restart(s, kept);
            first = kept;
        }
        r->restarts++;
    }
    *found = 0;
    for (int i = 0; i < converged; i++)
        if (is_lower(k, &pair[i])) {
            insert(k, &pair[i]);
            ++*found;
        }
    memory_free(pair);
    return finite && (converged == ready
                      || fail(&r->why, "%d of %d eigenpairs have residuals up to %.1e after %d restarts", s->found,
                              k->goal->count, k->goal->residual, r->restarts));
}

/* ---- all searches */

/* Computes an upper bound of the spectrum, and the first filter. */
static bool begin(search *k)
{
    eigen_space *s = k->s;
    cg_space work = { .v = { s->v[1], s->v[2], s->scratch[0] } };
    set_random(k, s->v[0]);
    const spectrum_estimate e = lanczos_spectrum(k->a, s->v[0], BOUND_STEPS, &work);
    const eigen_goal *goal = k->goal;
    k->result->applications += e.steps;
    k->result->upper = e.largest;
    if (!(e.largest > 0 && isfinite(e.largest)))
        return fail(&k->result->why, "the eigensolver: the largest eigenvalue is %g, but a positive one is expected",
                    e.largest);
    if (!(goal->cut < e.largest))
        return fail(&k->result->why, "the cut %g of the Chebyshev filter is not below the largest eigenvalue, %g",
                    goal->cut, e.largest);
    k->adapts = goal->cut == 0;
    k->filter = (chebyshev){ .degree = 1, .upper = e.largest };
    if (!k->adapts)
        k->filter = (chebyshev){ .degree = goal->degree > 0 ? goal->degree : chebyshev_degree(goal->cut, e.largest),
                                 .cut = goal->cut, .upper = e.largest };
    return true;
}

/* A filter orders only eigenvalues below its cut: false if a pair exceeds a given cut. */
static bool is_below_cut(const search *k)
{
    const eigen_space *s = k->s;
    const double last = s->pair[s->found - 1].value;
    return k->adapts || last < k->filter.cut
           || fail(&k->result->why, "eigenvalue %d is %g, but the cut %g of the Chebyshev filter must be above it: "
                   "give a larger cut, or none", s->found, last, k->filter.cut);
}

eigen_result eigen_lowest(const linop *a, eigen_space *s, const eigen_goal *goal, rng_key key, uint32_t first_draw)
{
    eigen_result r = { .why = { "" } };
    search k = { .a = a, .s = s, .goal = goal, .result = &r, .key = key, .draw = first_draw,
                 .dimension = dimension_of(s->v[0]) };
    int wanted = goal->count, found = 1;
    assert(goal->count <= s->count && goal->count <= k.dimension);
    s->found = 0;
    r.converged = begin(&k);
    while (r.converged && found > 0 && s->found < k.dimension) {
        r.converged = run_search(&k, wanted, &found) && is_below_cut(&k);
        wanted = wanted == goal->count ? 1 : smaller(2 * wanted, goal->count);
    }
    r.converged = r.converged && (s->found == goal->count
                                  || fail(&r.why, "only %d of %d eigenpairs exist", s->found, goal->count));
    r.found = s->found;
    r.cut = k.filter.cut;
    r.degree = k.filter.degree;
    return r;
}

/* ---- pairs from the caller */

/* Largest deviation of |x|^2 from 1 in double precision. */
#define NORM_TOLERANCE 1e-10

bool eigen_accept(const linop *a, eigen_space *s, const eigen_goal *goal, double upper)
{
    assert(goal->count <= s->count);
    for (int i = 0; i < goal->count; i++) {
        const eigen_pair p = pair_with(a, s->pair[i].x, s->scratch[0], goal->residual, upper);
        if (!(p.residual <= goal->residual && fabs(vec_norm2(p.x) - 1) <= NORM_TOLERANCE
              && (i == 0 || p.value >= s->pair[i - 1].value)))
            return false;
        s->pair[i] = p;
    }
    s->found = goal->count;
    return true;
}
