/* test_clover_operator.c - clover quarks as a dirac_operator: C^+C in every storage and for several masses, their
 * determinants and forces, memory, and what is refused. */
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_force.h"
#include "src/operators/clover_operator.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/dwf_forces.h"
#include "tests/operators/golden_clover.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/wilson_workplace.h"

#include <math.h>
#include <string.h>

#define C_SW 1.7
enum { MASSES = 3 };
static const double masses[MASSES] = { 0.3, -0.1, 1.2 };
static const int extents[4] = { 4, 2, 6, 4 };
static clover_kind kind_now;                      /* of the facts below */

static clover_operator_params params_of(double c_sw)
{
    clover_operator_params p = { .boundary.t = -1, .c_sw = c_sw, .kind = kind_now };
    for (int n = 0; n < MASSES; n++)
        clover_operator_add_mass(&p, masses[n]);
    clover_operator_add_mass(&p, masses[0]);
    return p;
}

static dirac_operator *operator_on(const wilson_workplace *w, const clover_operator_params *p)
{
    const dirac_plan plan = clover_operator_plan(p);
    return plan.kind->create(&plan, w->u, false);
}

/* Other links on the same lattice; gauge_free. */
static gauge *rough_links(const wilson_workplace *w, double width)
{
    gauge *u = gauge_create(w->l, w->where, PRECISION_DOUBLE);
    double *links = analytic_links(extents, width);
    gauge_import(u, links);
    memory_free(links);
    return u;
}

/* ---- C^+C, as C after C^+ in double */

typedef struct {
    linop base;
    dirac_operator *d;
    dirac_matrix *m;
    vec *between, *work[DIRAC_WORK_VECTORS];
} twice;

static void apply_twice(const linop *a, vec *out, double shift, const vec *in)
{
    const twice *t = (const twice *)a;
    t->d->kind->apply(t->between, t->d, t->m, false, in, t->work);
    t->d->kind->apply(out, t->d, t->m, true, t->between, t->work);
    vec_axpy(out, shift, in);
}

typedef struct {
    wilson_workplace w;
    dirac_operator *d;
    vec *vectors[BATCH_MAX_RHS][DIRAC_WORK_VECTORS];
} stored;

static stored stored_begin(place where, const batch_kind *kind)
{
    const clover_operator_params p = params_of(C_SW);
    stored s = { .w = wilson_begin(where, extents, 1.2, -1) };
    failure why;
    s.d = operator_on(&s.w, &p);
    s.d->kind->open(s.d, (vec_storage){ kind->format, kind->precision });
    s.d->kind->open(s.d, (vec_storage){ kind->format, kind->precision });
    fact(dirac_update(s.d, s.w.u, &why), "%s, %s: the operator takes the links", place_name(where), kind->name);
    fact(s.d->version == s.w.u->version, "%s, %s: and knows which", place_name(where), kind->name);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < s.d->kind->work_vectors; k++)
            s.vectors[n][k] = format_vec_create(kind, s.w.l, s.d->kind->work[k], where, 1);
    return s;
}

static void stored_end(stored *s)
{
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < s->d->kind->work_vectors; k++)
            vec_free(s->vectors[n][k]);
    s->d->kind->free(s->d);
    wilson_end(&s->w);
}

static linop *normal_of(stored *s, const batch_kind *kind, const dirac_matrix *m)
{
    vec *work[BATCH_MAX_RHS][DIRAC_WORK_VECTORS];
    memcpy(work, s->vectors, sizeof work);
    return s->d->kind->normal(s->d, (vec_storage){ kind->format, kind->precision }, m,
                              (vec *const (*)[DIRAC_WORK_VECTORS])work, BATCH_MAX_RHS);
}

static void formats(place where, const batch_kind *kind, double **on_cpu)
{
    stored s = stored_begin(where, kind);
    dirac_matrix *m = s.d->kind->matrix(s.d, 1);
    linop *op = normal_of(&s, kind, m);
    const twice exact = { .base = { .apply = apply_twice }, .d = s.d, .m = m, .between = s.w.odd,
                          .work = { s.w.even, s.w.out.odd } };
    const format_task task = { .op = op, .exact = &exact.base, .kind = kind, .lattice = s.w.l, .where = where,
                               .Ls = 1 };
    format_facts(&task, on_cpu);
    memory_free(op);
    memory_free(m);
    stored_end(&s);
}

/* ---- masses */

static double apart(const vec *a, vec *b)
{
    const double size = vec_norm2(a);
    vec_axpy(b, -1, a);
    return sqrt(vec_norm2(b) / size);
}

/* Each matrix is what a term for its mass alone gives, to the last bit; in single precision to rounding. */
static void each_mass(place where)
{
    const batch_kind *single = &batch_kinds[1];
    stored s = stored_begin(where, single);
    vec *in = format_vec_create(single, s.w.l, ON_ODD, where, 1), *out = vec_create_like(in);
    wilson_set_random(s.w.v, 1);
    vec_convert(in, s.w.v.odd);
    vec_convert(s.w.v.odd, in);
    for (int n = 0; n < MASSES; n++) {
        clover_term *t = clover_term_create(s.w.l, where, PRECISION_DOUBLE, kind_now, C_SW);
        dirac_matrix *m = s.d->kind->matrix(s.d, n);
        vec *const work[DIRAC_WORK_VECTORS] = { s.w.even, s.w.odd };
        failure why;
        require(clover_term_update(t, s.w.u, masses[n], &why), "%s", why.why);
        for (int dagger = 0; dagger < 2; dagger++) {
            clover_mhat(s.w.out.odd, (clover_links){ .links = s.w.links, .term = t }, dagger, s.w.v.odd, s.w.even);
            s.d->kind->apply(s.w.odd, s.d, m, dagger, s.w.v.odd, work);
            fact(apart(s.w.out.odd, s.w.odd) == 0, "%s, m = %g: C%s is that of a term of its own", place_name(where),
                 masses[n], dagger ? "^+" : "");
        }
        fact(s.d->kind->log_det(s.d, m) == t->log_det, "%s, m = %g: and log det T_e", place_name(where), masses[n]);
        clover_mhat(s.w.odd, (clover_links){ .links = s.w.links, .term = t }, false, s.w.v.odd, s.w.even);
        clover_mhat(s.w.out.odd, (clover_links){ .links = s.w.links, .term = t }, true, s.w.odd, s.w.even);
        linop *op = normal_of(&s, single, m);
        op->apply(op, out, 0, in);
        vec_convert(s.w.odd, out);
        fact_close(apart(s.w.out.odd, s.w.odd), 0, 1e-6, "%s, m = %g: C^+C in single precision", place_name(where),
                   masses[n]);
        memory_free(op);
        memory_free(m);
        clover_term_free(t);
    }
    vec_free(in);
    vec_free(out);
    stored_end(&s);
}

static void determinants_are_known(place where, const golden_clover *g)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 4, 6, 8 }, g->width, -1);
    clover_operator_params p = params_of(GOLDEN_CLOVER_C_SW);
    failure why;
    const int golden = clover_operator_add_mass(&p, GOLDEN_CLOVER_MASS);
    dirac_operator *d = operator_on(&w, &p);
    require(dirac_update(d, w.u, &why), "%s", why.why);
    dirac_matrix *m = d->kind->matrix(d, golden);
    fact_close(d->kind->log_det(d, m) / g->log_det - 1, 0, 1e-14, "%s, %s: log det T_e of one of %d masses",
               place_name(where), g->name, p.masses);
    memory_free(m);
    d->kind->free(d);
    wilson_end(&w);
}

/* Other links change the operator, and the first ones bring the same numbers back. */
static void new_links(place where)
{
    wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
    gauge *other = rough_links(&w, 0.4);
    const clover_operator_params p = params_of(C_SW);
    dirac_operator *d = operator_on(&w, &p);
    dirac_matrix *m = d->kind->matrix(d, 2);
    double log_det[3];
    failure why;
    d->kind->open(d, (vec_storage){ VECTOR_NATIVE, PRECISION_SINGLE });
    const gauge *u[3] = { w.u, other, w.u };
    for (int n = 0; n < 3; n++) {
        require(dirac_update(d, u[n], &why), "%s", why.why);
        log_det[n] = d->kind->log_det(d, m);
    }
    fact(log_det[0] == log_det[2] && log_det[0] != log_det[1], "%s: log det T_e is that of the last links",
         place_name(where));
    memory_free(m);
    d->kind->free(d);
    gauge_free(other);
    wilson_end(&w);
}

/* ---- memory, and what is refused */

static void memory(place where)
{
    static const vec_storage in[] = { { VECTOR_NATIVE, PRECISION_SINGLE }, { VECTOR_HALF, PRECISION_SINGLE },
                                      { VECTOR_INT30, PRECISION_DOUBLE } };
    wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
    const clover_operator_params p = params_of(C_SW);
    const dirac_plan plan = clover_operator_plan(&p);
    fact(p.masses == MASSES, "a mass that is there is not added again");
    for (int count = 0; count <= 3; count++) {
        const size_t before = place_bytes_now(where);
        const memory_need planned = plan.kind->bytes(&plan, lattice_shape_of(w.l), in, count);
        dirac_operator *d = plan.kind->create(&plan, w.u, false);
        for (int i = 0; i < count; i++)
            plan.kind->open(d, in[i]);
        const size_t taken = place_bytes_now(where) - before;
        fact(taken == planned.lasting && planned.shared == 0, "%s: %d masses, %d storages: %zu bytes, %zu planned",
             place_name(where), p.masses, count, taken, planned.lasting);
        plan.kind->free(d);
        fact(place_bytes_now(where) == before, "%s: all of them are freed", place_name(where));
    }
    wilson_end(&w);
}

/* On unit links A = 0, so that T = 4 + m is singular at m = -4; on rough links it is not. */
static void singular(place where)
{
    wilson_workplace unit = wilson_begin(where, extents, 0, -1);
    gauge *rough = rough_links(&unit, 1.2);
    clover_operator_params p = params_of(C_SW);
    clover_operator_add_mass(&p, -4);
    dirac_operator *d = operator_on(&unit, &p);
    failure why = { .why = "" };
    fact(!dirac_update(d, unit.u, &why) && strstr(why.why, "no inverse") && strstr(why.why, "m = -4"),
         "%s: a mass whose term has no inverse is refused, and named (%s)", place_name(where), why.why);
    fact(d->version != unit.u->version, "%s: the operator does not have these links then", place_name(where));
    fact(!dirac_update(d, unit.u, &why), "%s: nor the second time", place_name(where));
    fact(dirac_update(d, rough, &why) && d->version == rough->version, "%s: but other links", place_name(where));
    d->kind->free(d);
    gauge_free(rough);
    wilson_end(&unit);
}

/* ---- the force: that of clover_force.h, with terms of several masses and their determinants */

enum { PAIRS = 6 };                               /* more than one launch has */

/* dS = sum_n 2 c_n Re y_n^+ dC x_n, the first half of one mass, the others of another; - 2 d log det of the first */
typedef struct { vec *x[PAIRS], *y[PAIRS]; double c[PAIRS]; } force_terms;

static force_terms terms_on(const wilson_workplace *w)
{
    force_terms t;
    for (int n = 0; n < PAIRS; n++) {
        t.x[n] = spinor_vec_create(w->l, ON_ODD, w->where, PRECISION_DOUBLE, 1);
        t.y[n] = spinor_vec_create(w->l, ON_ODD, w->where, PRECISION_DOUBLE, 1);
        vec_set_gaussian(t.x[n], rng_key_for(12, 0, (uint64_t)n, RNG_TEST), 0);
        vec_set_gaussian(t.y[n], rng_key_for(13, 0, (uint64_t)n, RNG_TEST), 0);
        t.c[n] = 0.7 - 0.4 * n;
    }
    return t;
}

static void terms_free(force_terms *t)
{
    for (int n = 0; n < PAIRS; n++) {
        vec_free(t->x[n]);
        vec_free(t->y[n]);
    }
}

#define WEIGHT 0.5
static void force_of_operator(momentum *p, const wilson_workplace *w, dirac_operator *d, const force_terms *t)
{
    const dirac_kind *kind = d->kind;
    const int half = PAIRS / 2;
    dirac_matrix *m[2] = { kind->matrix(d, 0), kind->matrix(d, 1) };
    sum_array size = sums_create(w->l, w->where, 1, 1);
    kind->force_begin(d);
    kind->force_add(d, m[0], t->c, t->x, t->y, half);
    kind->log_det_force_add(d, m[0], -2);
    kind->force_add(d, m[1], t->c + half, t->x + half, t->y + half, half);
    kind->force_finish(d, w->u, p, WEIGHT, size.cells);
    sums_free(&size);
    memory_free(m[1]);
    memory_free(m[0]);
}

static void force_of_terms(momentum *p, const wilson_workplace *w, const force_terms *t)
{
    const int half = PAIRS / 2;
    clover_force *f = clover_force_create(w->u, CLOVER_ASYMMETRIC);
    sum_array size = sums_create(w->l, w->where, 1, 1);
    clover_term *term[2];
    failure why;
    for (int n = 0; n < 2; n++) {
        term[n] = clover_term_create(w->l, w->where, PRECISION_DOUBLE, kind_now, C_SW);
        require(clover_term_update(term[n], w->u, masses[n], &why), "%s", why.why);
    }
    clover_force_begin(f);
    for (int n = 0; n < 2; n++)
        clover_force_add(f, (clover_links){ .links = w->links, .term = term[n] },
                         (hop_force_terms){ .count = half, .c = t->c + n * half, .y = t->y + n * half,
                                            .x = t->x + n * half });
    clover_force_add_log_det(f, term[0], -2);
    clover_force_finish(f, w->u, p, WEIGHT, size.cells);
    for (int n = 0; n < 2; n++)
        clover_term_free(term[n]);
    sums_free(&size);
    clover_force_free(f);
}

static void forces(place where)
{
    wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
    const clover_operator_params params = params_of(C_SW);
    const dirac_plan plan = clover_operator_plan(&params);
    const lattice_shape *shape = lattice_shape_of(w.l);
    momentum *found = momentum_create(w.l, where, PRECISION_DOUBLE), *want = momentum_create(w.l, where,
                                                                                               PRECISION_DOUBLE);
    force_terms t = terms_on(&w);
    failure why;
    const size_t before = place_bytes_now(where);
    dirac_operator *d = plan.kind->create(&plan, w.u, true);
    const size_t created = place_bytes_now(where) - before;
    plan.kind->force_reserve(d, PAIRS);
    const size_t reserved = place_bytes_now(where) - before;
    const memory_need links = plan.kind->bytes(&plan, shape, NULL, 0), of_force = plan.kind->force_bytes(&plan, shape,
                                                                                                         PAIRS);
    fact(created == links.lasting + of_force.lasting, "%s: with a force: %zu bytes, %zu planned", place_name(where),
         created, links.lasting + of_force.lasting);
    fact(reserved == created + of_force.shared, "%s: %zu for its pairs, %zu planned", place_name(where),
         reserved - created, of_force.shared);
    require(plan.kind->update(d, w.u, &why), "%s", why.why);
    momentum_zero(found);
    momentum_zero(want);
    force_of_operator(found, &w, d, &t);
    force_of_terms(want, &w, &t);
    double *a = momentum_matrices(found), *b = momentum_matrices(want);
    fact(links_apart(w.l, a, b) < 1e-14, "%s: the force of the operator is that of the terms", place_name(where));
    memory_free(b);
    memory_free(a);
    const work_count one = plan.kind->force_work(&plan, shape, 1), two = plan.kind->force_work(&plan, shape, 2),
                     of_wilson = clover_plain_kind.force_work(&plan, shape, 1);
    fact(two.flops > one.flops && two.bytes > one.bytes && one.flops > of_wilson.flops && one.bytes > of_wilson.bytes,
         "%s: its work grows with the pairs, and is more than that of Wilson quarks", place_name(where));
    plan.kind->free(d);
    fact(place_bytes_now(where) == before, "%s: all of it is freed", place_name(where));
    terms_free(&t);
    momentum_free(want);
    momentum_free(found);
    wilson_end(&w);
}

int main(void)
{
    double *on_cpu[2][BATCH_KINDS] = { { NULL } };
    FOR_EVERY_PLACE(where) {
        for (kind_now = CLOVER_LINEAR; kind_now <= CLOVER_EXPONENTIAL; kind_now++) {
            note("%s clover term", clover_kind_names[kind_now]);
            for (int k = 0; k < BATCH_KINDS; k++)
                formats(where, &batch_kinds[k], &on_cpu[kind_now][k]);
            each_mass(where);
            memory(where);
            forces(where);
        }
        kind_now = CLOVER_LINEAR;
        for (int n = 0; n < GOLDEN_CLOVERS; n++)
            determinants_are_known(where, &golden_clovers[n]);
        new_links(where);
        singular(where);
    }
    for (int k = 0; k < 2 * BATCH_KINDS; k++)
        memory_free(on_cpu[k / BATCH_KINDS][k % BATCH_KINDS]);
    return facts_end();
}
