/* cg_mixed.c - conjugate gradients in mixed precision (M. A. Clark et al., Maximizing the Bang Per Bit, Lattice 2022).
 *
 * In low precision,
 *     a_j = |r|^2 / <p_j, A p_j>,  r' = r - a_j A p_j,  p_j+1 = r' + b p_j,  b = Re <r', r' - r> / |r|^2,
 * while x gets sum a_j p_j in high precision, from a ring of p_j, a few at a time: a p that was rounded is as good as
 * any other, if A p and x have the same.  b is Polak and Ribiere's, which is |r'|^2 / |r|^2 where r' and r are
 * orthogonal.  When |r'| has fallen to delta times its largest, or to the tolerance, r is replaced by the true
 * b - A x of high precision; p loses what it has of the new r, <r, p> / |r|^2, and b is |r|^2 true / |r|^2 before:
 * the directions go on.
 *
 * Where that fails the true residual, defect correction takes over from the best x (|r| falls by `inner`, then new r,
 * and p = r), and where that fails too, plain conjugate gradients in high precision. */
#include "src/solvers/cg_space.h"
#include "src/solvers/mixed_space.h"

#include <math.h>

/* A cycle of defect correction that leaves more of |r| than this has failed. */
#define CYCLE_GAIN 0.999

typedef struct {
    mixed_system system;
    const mixed_rule *rule;
    double target, best;             /* |r|^2: where to stop; of the best x */
    int max_iterations;
    mixed_record record;
    double alpha[MIXED_RING];        /* steps along the directions of the ring that x does not have yet */
    int at, pending;                 /* the place of the current direction; steps not yet in x */
} mixed_solve;

static bool in_high(const mixed_solve *m)
{
    return m->rule->refinements & MIXED_HIGH_SOLUTION;
}

/* Without MIXED_HIGH_SOLUTION there is one direction, and beside it the solution in low precision. */
static vec *low_solution(const mixed_solve *m)
{
    return m->system.w->ring[1];
}

/* x <- x + what is pending */
static void flush(mixed_solve *m)
{
    if (m->pending == 0)
        return;
    double unit = 1 / m->system.scale, c[MIXED_RING];
    for (int i = 0; i < m->pending; i++)
        c[i] = m->alpha[i] * unit;
    if (in_high(m))
        vec_gather(m->system.x, c, m->system.w->ring, m->pending);
    else {
        vec *sum = low_solution(m);
        vec_gather(m->system.x, &unit, &sum, 1);
        vec_zero(sum);
    }
    m->pending = 0;
    m->at = 0;
}

/* One more step along the current direction. */
static void note_step(mixed_solve *m, double alpha)
{
    if (!in_high(m))
        vec_axpy(low_solution(m), alpha, m->system.w->ring[0]);
    m->alpha[in_high(m) ? m->pending : 0] = alpha;
    m->pending = in_high(m) ? m->pending + 1 : 1;
}

/* The next direction, in the next place of the ring; x takes the steps before they are overwritten. */
static void turn(mixed_solve *m, double beta)
{
    mixed_space *w = m->system.w;
    const vec *from = w->ring[m->at];
    m->at = in_high(m) ? (m->at + 1) % MIXED_RING : 0;
    vec *p = w->ring[m->at];
    if (m->at == 0 && in_high(m))
        flush(m);
    vec_direction(p, (complex_number){ 1, 0 }, w->r, beta, from);
}

/* After an update: the new residual is in its place. */
static void turn_anew(mixed_solve *m, mixed_method method, double beta, const vec *from)
{
    mixed_space *w = m->system.w;
    if (method == BY_DEFECT_CORRECTION)
        vec_copy(w->ring[0], w->r);
    else
        mixed_direction(w->ring[0], 1, w->r, m->system.rr, beta, from, m->rule, &m->record);
}

/* The residual of what x is now; the best x is kept. */
static void update(mixed_solve *m)
{
    flush(m);
    mixed_true_residual(&m->system, &m->record);
    if (m->system.rr < m->best && m->system.rr > m->target) {
        vec_copy(m->system.w->high->v[1], m->system.x);
        m->best = m->system.rr;
    }
}

static bool is_done(const mixed_solve *m)
{
    return m->system.rr <= m->target || m->record.low_iterations >= m->max_iterations;
}

/* From the true residual of x, until it is small enough or the steps are used up.  `from`: a direction to go on from;
 * NULL: the residual. */
static mixed_failure iterate(mixed_solve *m, mixed_method method, const vec *from)
{
    mixed_space *w = m->system.w;
    const linop *low = m->system.low;
    mixed_progress progress = mixed_progress_from(m->system.rr);
    double rr = m->system.rr, alpha = 1;
    m->at = m->pending = 0;
    if (!in_high(m))
        vec_zero(low_solution(m));
    if (from)
        turn_anew(m, method, 1, from);
    else
        vec_copy(w->ring[0], w->r);
    while (!is_done(m)) {
        double curvature = low->apply_dot(low, w->q, m->system.shift, w->ring[m->at], rr / alpha);
        if (!(curvature > 0 && isfinite(curvature))) {
            update(m);
            return isfinite(curvature) ? FAILED_CURVATURE : FAILED_NUMBERS;
        }
        alpha = rr / curvature;
        double before = rr;
        residual_sums next = vec_residual_update(w->r, -alpha, w->q, rr);
        if (!isfinite(next.norm2)) {
            update(m);
            return FAILED_NUMBERS;
        }
        rr = next.norm2;
        m->record.low_iterations++;
        note_step(m, alpha);
        bool time = mixed_is_time(&progress, m->rule, rr);
        if (method == BY_DEFECT_CORRECTION)
            time = rr <= m->rule->inner * m->rule->inner * progress.start || progress.steps >= m->rule->patience;
        if (!time && rr > m->target && m->record.low_iterations < m->max_iterations) {
            bool polak = m->rule->refinements & MIXED_POLAK_RIBIERE && next.change >= 0;
            turn(m, (polak ? next.change : rr) / before);
            continue;
        }
        int last = m->at;
        double start = progress.start;
        update(m);
        m->record.updates++;
        m->record.cycles += method == BY_DEFECT_CORRECTION;
        mixed_failure wrong = mixed_progress_seen(&progress, m->rule, m->system.rr);
        if (is_done(m))
            return NO_FAILURE;
        if (method == BY_DEFECT_CORRECTION && m->system.rr > CYCLE_GAIN * CYCLE_GAIN * start)
            wrong = wrong ? wrong : FAILED_RESIDUAL;
        if (wrong)
            return wrong;
        turn_anew(m, method, m->system.rr / before, w->ring[last]);
        rr = m->system.rr;
    }
    return NO_FAILURE;
}

/* Back to the best x, if this one is worse. */
static void return_to_best(mixed_solve *m)
{
    if (m->system.rr <= m->best)
        return;
    vec_copy(m->system.x, m->system.w->high->v[1]);
    mixed_true_residual(&m->system, &m->record);
}

/* The methods in low precision, one after the other; false where none is left. */
static bool solve_low(mixed_solve *m, const vec *from)
{
    m->best = m->system.rr;
    if (!is_done(m))
        vec_copy(m->system.w->high->v[1], m->system.x);
    for (mixed_method method = BY_RELIABLE_UPDATES; method < BY_HIGH_PRECISION; method++) {
        m->record.last = method;
        mixed_failure wrong = iterate(m, method, method == BY_RELIABLE_UPDATES ? from : NULL);
        if (m->system.rr <= m->target)
            return true;
        return_to_best(m);
        if (wrong == NO_FAILURE)
            return true;
        m->record.why[method] = wrong;
        m->record.switched_at[method] = m->record.low_iterations;
        m->record.switches++;
    }
    return is_done(m);
}

mixed_result cg_continue_mixed(const linop *high, const linop *low, vec *x, double shift, const vec *b, stop_rule stop,
                               const mixed_rule *rule, mixed_space *w, const vec *p)
{
    mixed_result result = { 0 };
    double bb = vec_norm2(b);
    if (!(bb > 0 && isfinite(bb))) {
        if (bb == 0)
            vec_zero(x);
        result.solve.converged = bb == 0;
        result.solve.residual = bb;                                 /* 0, or not a number */
        return result;
    }
    double scale = mixed_scale(b, bb);
    mixed_solve m = { .system = { high, low, x, shift, b, scale, bb * scale * scale, 0, w }, .rule = rule,
                      .max_iterations = stop.max_iterations };
    m.target = stop.tolerance * stop.tolerance * m.system.bb;
    mixed_true_residual(&m.system, &m.record);
    bool ended = !isfinite(m.system.rr) || solve_low(&m, p);
    result.record = m.record;
    result.solve = (solve_result){ .converged = m.system.rr <= m.target, .iterations = m.record.low_iterations,
                                   .residual = sqrt(m.system.rr / m.system.bb) };
    if (ended)
        return result;
    stop.max_iterations -= m.record.low_iterations;
    result.solve = cg_solve(high, x, shift, b, stop, w->high);
    result.record.last = BY_HIGH_PRECISION;
    result.record.high_iterations = result.solve.iterations;
    result.solve.iterations += m.record.low_iterations;
    return result;
}

mixed_result cg_solve_mixed(const linop *high, const linop *low, vec *x, double shift, const vec *b, stop_rule stop,
                            const mixed_rule *rule, mixed_space *w)
{
    return cg_continue_mixed(high, low, x, shift, b, stop, rule, w, NULL);
}
