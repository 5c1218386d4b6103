/* test_staggered_batch.c - the staggered operator on several vectors at once is, to the last bit, what it is on each
 * alone; and what becomes of <p, (K + shift) p>. */
#include "src/operators/staggered_low.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 6, 2, 6 };             /* sites of a parity fill no whole number of tiles */
static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 1, .epsilon = { -0.17 } };
static const staggered_links_params naive = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 };

#define GUESS 3000.0                     /* of <p, (K + shift) p> */

enum { SYSTEMS = BATCH_MAX_RHS, SPOILT = 2 };

typedef struct {
    place where;
    lattice *l;
    gauge *u;
    staggered_links *s;
    staggered_low *low;
    staggered_low_op op;
    vec *between[SYSTEMS], *p[SYSTEMS], *q[SYSTEMS], *r[SYSTEMS];
    krylov_state host, *at;
    loop *body;
} workplace;

static double shift_of(int n) { return 0.05 + 0.1 * n; }

/* Random directions; residuals are the same. */
static void begin_systems(workplace *w, int count)
{
    batch_state_begin(&w->host, count);
    for (int n = 0; n < SYSTEMS; n++) {
        vec_set_gaussian(w->p[n], rng_key_for(91, 0, (unsigned)n, RNG_TEST), 0);
        vec_copy(w->r[n], w->p[n]);
        vec_zero(w->q[n]);
        vec_zero(w->between[n]);
    }
    for (int n = 0; n < count; n++) {
        w->host.system[n].shift = shift_of(n);
        w->host.system[n].rr = vec_norm2(w->r[n]);
        w->host.system[n].curvature_per_bound = SUM_WORD / sum_bound_guessed(GUESS);
    }
    batch_state_put(w->at, w->where, &w->host);
}

/* Traces of the CPU are compared with those of a GPU: vectors need their lattice. */
static lattice *shared_lattice;

static workplace *begin(place where, const staggered_links_params *params, const batch_kind *kind)
{
    workplace *w = memory_alloc(sizeof *w, "operators of a test");
    w->where = where;
    w->l = shared_lattice;
    w->u = gauge_create(w->l, where, PRECISION_DOUBLE);
    gauge_set_random(w->u, rng_key_for(90, 0, 0, RNG_TEST));
    w->s = staggered_links_create(params, w->u);
    staggered_links_update(w->s, w->u);
    w->low = staggered_low_create(w->s, kind->format, kind->precision);
    staggered_low_update(w->low);
    for (int n = 0; n < SYSTEMS; n++) {
        w->between[n] = staggered_low_vec(w->low, ON_ODD);
        w->p[n] = staggered_low_vec(w->low, ON_EVEN);
        w->q[n] = staggered_low_vec(w->low, ON_EVEN);
        w->r[n] = staggered_low_vec(w->low, ON_EVEN);
    }
    w->op = staggered_low_operator(w->low, 0, w->between[0]);
    staggered_low_set_work(&w->op, w->between, SYSTEMS);
    w->at = batch_state_create(where, &w->host);
    w->body = loop_create(where);
    begin_systems(w, SYSTEMS);
    return w;
}

static void end(workplace *w)
{
    loop_free(w->body);
    batch_state_free(w->at, w->where);
    for (int n = 0; n < SYSTEMS; n++) {
        vec_free(w->between[n]);
        vec_free(w->p[n]);
        vec_free(w->q[n]);
        vec_free(w->r[n]);
    }
    staggered_low_free(w->low);
    staggered_links_free(w->s);
    gauge_free(w->u);
    memory_free(w);
}

/* Iterations without a solution, until a system stops: `count` systems, `max_rhs` a launch. */
static void run(workplace *w, int from, int count, int max_rhs)
{
    loop_clear(w->body);
    for (int first = from; first < from + count; first += max_rhs) {
        krylov_batch b = batch_of(w->at, first, max_rhs, first + max_rhs == from + count);
        w->op.base.add_batch(&w->op.base, w->body, &b, w->q + first, w->p + first);
    }
    for (int first = from; first < from + count; first += max_rhs) {
        krylov_batch b = batch_of(w->at, first, max_rhs, first + max_rhs == from + count);
        vec_batch_residual(w->body, &b, w->r + first, w->q + first);
        vec_batch_direction(w->body, &b, w->p + first, w->r + first, w->p + first);
    }
    loop_run(w->body, &w->at->going);
    batch_state_get(&w->host, w->at, w->where);
}

/* One application, by as many systems as there are. */
static void one_is_the_other(place where, const staggered_links_params *params, const batch_kind *kind)
{
    workplace *w = begin(where, params, kind);
    const linop *k = &w->op.base;
    vec *want[SYSTEMS], *between[SYSTEMS], *scratch = vec_create_like(w->between[0]);
    double dot[SYSTEMS], product[SYSTEMS];
    staggered_low_op alone = staggered_low_operator(w->low, 0, scratch);
    for (int n = 0; n < SYSTEMS; n++) {
        want[n] = vec_create_like(w->p[n]);
        dot[n] = alone.base.apply_dot(&alone.base, want[n], shift_of(n), w->p[n], GUESS);
        product[n] = vec_dot(w->p[n], want[n]).re;
        between[n] = vec_create_like(scratch);
        vec_copy(between[n], scratch);
    }
    for (int count = 1; count <= SYSTEMS; count *= 2) {
        bool hops = true, normals = true, alphas = true, others = true;
        double worst = 0;
        begin_systems(w, count);
        run(w, 0, count, count);
        for (int n = 0; n < count; n++) {
            const krylov_system *s = &w->host.system[n];
            double rr = s->before;
            hops &= same_numbers(w->between[n], between[n]);
            normals &= same_numbers(w->q[n], want[n]);
            alphas &= s->stepped && s->alpha == rr / dot[n];
            worst = worse(worst, fabs(s->alpha * product[n] / rr - 1));
        }
        for (int n = count; n < SYSTEMS; n++)
            others &= vec_norm2(w->q[n]) == 0 && vec_norm2(w->between[n]) == 0;
        fact(hops, "%s, %s, %s: D v of %d at once", place_name(where), kind->name, staggered_kind_names[params->kind],
             count);
        fact(normals && others, "%s, %s, %s: (K + shift) v of %d, each with its shift", place_name(where), kind->name,
             staggered_kind_names[params->kind], count);
        fact(alphas && worst < 1e-15, "%s, %s, %s: |r|^2 / <p, (K + shift) p> of %d", place_name(where), kind->name,
             staggered_kind_names[params->kind], count);
    }
    fact(k->max_rhs == SYSTEMS && alone.base.max_rhs == 1, "%s, %s: %d vectors make room for as many systems",
         place_name(where), kind->name, SYSTEMS);
    staggered_low_set_work(&alone, w->between, 7);
    fact(alone.base.max_rhs == 4, "%s, %s: 7 for four of them", place_name(where), kind->name);
    vec_free(scratch);
    for (int n = 0; n < SYSTEMS; n++) {
        vec_free(want[n]);
        vec_free(between[n]);
    }
    end(w);
}

/* What a system has gone through. */
typedef struct { vec *r, *p; krylov_system numbers; } trace;

static trace trace_of(const workplace *w, int n)
{
    trace t = { vec_create_like(w->r[n]), vec_create_like(w->p[n]), w->host.system[n] };
    vec_copy(t.r, w->r[n]);
    vec_copy(t.p, w->p[n]);
    return t;
}

static void trace_free(trace *t)
{
    vec_free(t->r);
    vec_free(t->p);
}

static bool same_trace(const trace *t, const workplace *w, int n)
{
    return same_numbers(t->r, w->r[n]) && same_numbers(t->p, w->p[n]) &&
           memcmp(&t->numbers, &w->host.system[n], sizeof t->numbers) == 0;
}

enum { STEPS = 6 };

static void begin_steps(workplace *w, int count)
{
    begin_systems(w, count);
    for (int n = 0; n < count; n++)
        w->host.system[n].most = STEPS;
    batch_state_put(w->at, w->where, &w->host);
}

/* Several iterations in batches of any size, cut into launches of any number; traces are those of the CPU. */
static void company_does_not_matter(place where, const batch_kind *kind, trace *traces)
{
    workplace *w = begin(where, &hisq, kind);
    trace alone[SYSTEMS];
    bool spent = true;
    for (int n = 0; n < SYSTEMS; n++) {
        begin_steps(w, SYSTEMS);
        w->host.count = 1;
        w->host.number[0] = n;
        batch_state_put(w->at, where, &w->host);
        run(w, n, 1, 1);
        alone[n] = trace_of(w, n);
        spent &= alone[n].numbers.status == SYSTEM_SPENT && alone[n].numbers.steps == STEPS && !w->host.going;
    }
    fact(spent, "%s, %s: %d iterations, then a system stops", place_name(where), kind->name, STEPS);
    for (int max_rhs = 1; max_rhs <= SYSTEMS; max_rhs *= 2) {
        bool same = true;
        const int sizes[2] = { max_rhs, SYSTEMS };
        for (int i = 0; i < 2; i++) {
            begin_steps(w, sizes[i]);
            run(w, 0, sizes[i], max_rhs);
            for (int n = 0; n < sizes[i]; n++)
                same &= same_trace(&alone[n], w, n);
        }
        fact(same, "%s, %s: the same bits as alone for systems in launches of %d", place_name(where), kind->name,
             max_rhs);
    }
    if (where == PLACE_GPU) {
        bool same = true;
        for (int n = 0; n < SYSTEMS; n++)
            same &= same_trace(&traces[n], w, n);
        fact(same, "%s: CPU and GPU give the same bits of %d iterations", kind->name, STEPS);
    }
    for (int n = 0; n < SYSTEMS; n++) {
        if (where == PLACE_CPU)
            traces[n] = alone[n];
        else
            trace_free(&alone[n]);
    }
    end(w);
}

static void spoil(vec *v)
{
    double *numbers = memory_alloc((size_t)lattice_volume(v->f.lattice) * VEC_REALS * sizeof *numbers, "a vector");
    vec_export(numbers, v);
    numbers[VEC_REALS * extents[0] * extents[1]] = numbers[VEC_REALS * (extents[0] * extents[1] + 1)] = NAN;
    vec_import(v, numbers);                               /* one of the two sites is even */
    memory_free(numbers);
}

/* A NaN in one system stays there. */
static void one_is_spoilt(place where, const batch_kind *kind)
{
    workplace *w = begin(where, &hisq, kind);
    trace sound[SYSTEMS];
    run(w, 0, SYSTEMS, SYSTEMS);
    for (int n = 0; n < SYSTEMS; n++)
        sound[n] = trace_of(w, n);
    begin_systems(w, SYSTEMS);
    spoil(w->p[SPOILT]);
    run(w, 0, SYSTEMS, SYSTEMS);
    bool others = true;
    for (int n = 0; n < SYSTEMS; n++)
        others &= n == SPOILT || same_trace(&sound[n], w, n);
    const krylov_system *s = &w->host.system[SPOILT];
    fact(s->status == SYSTEM_NOT_FINITE && !s->stepped && s->steps == 0 && !w->host.going,
         "%s, %s: a direction with a NaN stops its system before the step", place_name(where), kind->name);
    vec *r = vec_create_like(w->r[SPOILT]);
    vec_set_gaussian(r, rng_key_for(91, 0, SPOILT, RNG_TEST), 0);
    fact(same_numbers(r, w->r[SPOILT]), "%s, %s: whose residual stays as it was", place_name(where), kind->name);
    fact(others, "%s, %s: and the others make theirs as ever", place_name(where), kind->name);
    begin_systems(w, SYSTEMS);
    w->host.system[SPOILT].shift = -1000;
    batch_state_put(w->at, where, &w->host);
    run(w, 0, SYSTEMS, SYSTEMS);
    others = true;
    for (int n = 0; n < SYSTEMS; n++)
        others &= n == SPOILT || same_trace(&sound[n], w, n);
    fact(s->status == SYSTEM_NEGATIVE && !s->stepped && s->alpha == 0 && same_numbers(r, w->r[SPOILT]) && others,
         "%s, %s: the same of an operator that is not positive", place_name(where), kind->name);
    vec_free(r);
    for (int n = 0; n < SYSTEMS; n++)
        trace_free(&sound[n]);
    end(w);
}

/* A pass after the end. */
static void nothing_happens(place where, const batch_kind *kind)
{
    workplace *w = begin(where, &hisq, kind);
    trace before[SYSTEMS];
    vec *q[SYSTEMS], *between[SYSTEMS];
    for (int n = 0; n < SYSTEMS; n++) {
        vec_set_gaussian(w->r[n], rng_key_for(92, 0, (unsigned)n, RNG_TEST), 0);
        vec_set_gaussian(w->q[n], rng_key_for(92, 1, (unsigned)n, RNG_TEST), 0);
        vec_set_gaussian(w->between[n], rng_key_for(92, 2, (unsigned)n, RNG_TEST), 0);
        vec_copy(q[n] = vec_create_like(w->q[n]), w->q[n]);
        vec_copy(between[n] = vec_create_like(w->between[n]), w->between[n]);
        w->host.system[n].alpha = w->host.system[n].beta = 1;
    }
    w->host.going = 0;
    batch_state_put(w->at, where, &w->host);
    for (int n = 0; n < SYSTEMS; n++) {
        before[n] = trace_of(w, n);
        before[n].numbers.stepped = 0;
    }
    run(w, 0, SYSTEMS, SYSTEMS);
    bool same = true;
    for (int n = 0; n < SYSTEMS; n++)
        same &= same_trace(&before[n], w, n) && same_numbers(q[n], w->q[n]) && same_numbers(between[n], w->between[n]);
    fact(same, "%s, %s: a batch that has stopped stays as it is", place_name(where), kind->name);
    for (int n = 0; n < SYSTEMS; n++) {
        trace_free(&before[n]);
        vec_free(q[n]);
        vec_free(between[n]);
    }
    end(w);
}

int main(void)
{
    static trace traces[BATCH_KINDS][SYSTEMS];
    shared_lattice = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        for (int k = 0; k < BATCH_KINDS; k++) {
            one_is_the_other(where, &hisq, &batch_kinds[k]);
            one_is_the_other(where, &naive, &batch_kinds[k]);
            company_does_not_matter(where, &batch_kinds[k], traces[k]);
            one_is_spoilt(where, &batch_kinds[k]);
            nothing_happens(where, &batch_kinds[k]);
        }
    for (int k = 0; k < BATCH_KINDS; k++)
        for (int n = 0; n < SYSTEMS; n++)
            trace_free(&traces[k][n]);
    lattice_free(shared_lattice);
    return facts_end();
}
