/* format_facts.c - the normal operator of spinors in a vector format. */
#include "tests/operators/format_facts.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"

#include <math.h>
#include <string.h>

typedef struct {
    place where;
    const char *name;                                        /* of the format */
    const linop *op;
    vec *p[BATCH_MAX_RHS], *q[BATCH_MAX_RHS];
    vec *alone[BATCH_MAX_RHS];                              /* (A + shift_n) p_n, one by one */
    double dot[BATCH_MAX_RHS];                              /* <p_n, .> */
} systems;

vec *format_vec_create(const batch_kind *kind, lattice *l, parity_set on, place where, int Ls)
{
    return kind->format == VECTOR_NATIVE ? vec_create_slabs(l, on, where, kind->precision, SLAB_GROUP * Ls)
                                         : vec_create_slabs_format(l, on, where, kind->format, SLAB_GROUP * Ls);
}

static bool has_numbers(const vec *v, const double *want)
{
    double *x = vec_numbers(v);
    bool same = want && memcmp(x, want, vec_count(v) * sizeof *x) == 0;
    memory_free(x);
    return same;
}

bool same_as_on_cpu(const vec *v, double **on_cpu)
{
    return v->f.where == PLACE_GPU ? has_numbers(v, *on_cpu) : (*on_cpu = vec_numbers(v)) != NULL;
}

static double shift_of(int n) { return 0.05 * n; }

static void one_by_one(systems *s, double tolerance)
{
    double off = 0;
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        s->dot[n] = s->op->apply_dot(s->op, s->alone[n], shift_of(n), s->p[n], 1);
        off = worse(off, fabs(vec_dot(s->p[n], s->alone[n]).re / s->dot[n] - 1));
    }
    fact_close(off, 0, tolerance, "%s, %s: <v, (A + shift) v>", place_name(s->where), s->name);
}

static void near_exact(const systems *s, const linop *exact, double tolerance)
{
    vec *p = vec_create_native(s->p[1], PRECISION_DOUBLE), *q = vec_create_like(p), *low = vec_create_like(p);
    vec_convert(p, s->p[1]);
    vec_convert(low, s->alone[1]);
    exact->apply(exact, q, shift_of(1), p);
    double size = vec_norm2(q);
    vec_axpy(low, -1, q);
    fact_close(sqrt(vec_norm2(low) / size), 0, tolerance, "%s, %s: A v is near that in double", place_name(s->where),
               s->name);
    vec_free(p);
    vec_free(q);
    vec_free(low);
}

/* (A + shift_n) p_n of `count` at once, and alpha_n = 1 / <p_n, .>; p is overwritten. */
static void run_batch(const systems *s, int count, double *alpha)
{
    krylov_state *host = memory_alloc(sizeof *host, "a state"), *at;
    loop *body = loop_create(s->where);
    batch_state_begin(host, count);
    for (int n = 0; n < count; n++) {
        host->system[n].shift = shift_of(n);
        host->system[n].rr = 1;
    }
    at = batch_state_create(s->where, host);
    krylov_batch b = batch_of(at, 0, count, true);
    s->op->add_batch(s->op, body, &b, s->q, s->p);
    vec_batch_residual(body, &b, s->p, s->q);                /* ends the step */
    loop_run(body, &at->going);
    batch_state_get(host, at, s->where);
    for (int n = 0; n < count; n++)
        alpha[n] = host->system[n].alpha;
    loop_free(body);
    batch_state_free(at, s->where);
    memory_free(host);
}

static void set_directions(systems *s)
{
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        vec_set_gaussian(s->p[n], rng_key_for(78, 0, (unsigned)n, RNG_TEST), 0);
}

static void at_once(systems *s)
{
    for (int count = 1; count <= BATCH_MAX_RHS; count *= 2) {
        double alpha[BATCH_MAX_RHS], worst = 0;
        bool same = true;
        set_directions(s);
        run_batch(s, count, alpha);
        for (int n = 0; n < count; n++) {
            double *want = vec_numbers(s->alone[n]);
            same &= has_numbers(s->q[n], want);
            memory_free(want);
            worst = worse(worst, fabs(alpha[n] * s->dot[n] - 1));
        }
        fact(same, "%s, %s: (A + shift) v of %d at once are those alone", place_name(s->where), s->name, count);
        fact_close(worst, 0, 1e-14, "%s, %s: and their products", place_name(s->where), s->name);
    }
}

void format_facts(const format_task *t, double **on_cpu)
{
    const batch_kind *kind = t->kind;
    const place where = t->where;
    static const double tolerances[BATCH_KINDS] = { 1e-14, 1e-6, 3e-4, 3e-5, 3e-8 };
    const double tolerance = tolerances[kind - batch_kinds];
    systems s = { .where = where, .name = kind->name, .op = t->op };
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        s.p[n] = format_vec_create(kind, t->lattice, ON_ODD, where, t->Ls);
        s.q[n] = vec_create_like(s.p[n]);
        s.alone[n] = vec_create_like(s.p[n]);
    }
    set_directions(&s);
    fact(t->op->max_rhs == BATCH_MAX_RHS, "%s, %s: all systems together", place_name(where), kind->name);
    one_by_one(&s, tolerance);
    near_exact(&s, t->exact, tolerance);
    at_once(&s);
    fact(same_as_on_cpu(s.alone[3], on_cpu), "%s, %s: the CPU's bits", place_name(where), kind->name);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        vec_free(s.p[n]);
        vec_free(s.q[n]);
        vec_free(s.alone[n]);
    }
}
