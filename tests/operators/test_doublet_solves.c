/* test_doublet_solves.c - a non-degenerate doublet of twisted-mass quarks in solves: its inverse blocks, systems on all
 * sites, every vector format, batches, and the same bits on CPU and GPU. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/doublet_workplace.h"
#include "tests/operators/format_facts.h"

#include <math.h>

enum { FLAVORS = DOUBLET_FLAVORS };
static const int extents[4] = { 4, 2, 6, 4 };

/* ---- products and solves */

static double apart(vec *a, const vec *b)
{
    vec_axpy(a, -1, b);
    return sqrt(vec_norm2(a) / vec_norm2(b));
}

static double field_apart(spinor_field a, spinor_field b)
{
    spinor_field_axpy(a, -1, b);
    return sqrt(spinor_field_norm2(a) / spinor_field_norm2(b));
}

static void solves(place where, const doublet_form *f)
{
    doublet_workplace p = doublet_begin(where, extents, f);
    const doublet_links l = doublet_operator_links(p.d, p.m);
    wilson_set_random(p.v, 3);
    for (int adjoint = 0; adjoint <= CLOVER_ADJOINT; adjoint += CLOVER_ADJOINT) {
        doublet_multiply(p.out.even, l, CLOVER_T + adjoint, p.v.even, 0, NULL);
        doublet_multiply(p.out.even, l, CLOVER_INVERSE + adjoint, p.out.even, 0, NULL);
        fact_close(apart(p.out.even, p.v.even), 0, 1e-14, "%s: the inverse of E%s", p.name,
                   adjoint ? ", adjoint" : "");
    }
    spinor_field x = spinor_field_create(p.w.u, FLAVORS);
    wilson_set_random(x, 4);
    p.d->kind->apply_all(p.v, p.d, p.m, false, x, p.work);
    p.d->kind->prepare(p.out.odd, p.d, p.m, p.v, p.work.even);
    p.d->kind->apply(p.work.odd, p.d, p.m, false, x.odd, p.scratch);
    fact_close(apart(p.work.odd, p.out.odd), 0, 1e-14, "%s: C x_o is what prepare makes of D x", p.name);
    p.d->kind->reconstruct(p.out, p.d, p.m, p.v, x.odd, p.work.even);
    fact_close(field_apart(p.out, x), 0, 1e-14, "%s: reconstruct gives x", p.name);
    spinor_field_free(x);
    doublet_end(&p);
}

/* ---- formats and batches against C^+C in double; C and C^+ for solvers */

typedef struct { linop base; doublet_workplace *p; } twice;

static void apply_twice(const linop *a, vec *out, double shift, const vec *in)
{
    doublet_workplace *p = ((const twice *)a)->p;
    p->d->kind->apply(p->out.odd, p->d, p->m, false, in, p->scratch);
    p->d->kind->apply(out, p->d, p->m, true, p->out.odd, p->scratch);
    vec_axpy(out, shift, in);
}

static void formats(place where, const doublet_form *f, const batch_kind *kind, double **on_cpu)
{
    doublet_workplace p = doublet_begin(where, extents, f);
    const vec_storage in = { kind->format, kind->precision };
    vec *work[BATCH_MAX_RHS][DIRAC_WORK_VECTORS];
    failure why;
    p.d->kind->open(p.d, in);
    gauge_forget_derived(p.w.u);
    require(dirac_update(p.d, p.w.u, &why), "%s", why.why);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < p.d->kind->work_vectors; k++)
            work[n][k] = format_vec_create(kind, p.w.l, p.d->kind->work[k], where, FLAVORS);
    linop *op = p.d->kind->normal(p.d, in, p.m, (vec *const (*)[DIRAC_WORK_VECTORS])work, BATCH_MAX_RHS);
    const twice exact = { .base = { .apply = apply_twice }, .p = &p };
    const format_task task = { .op = op, .exact = &exact.base, .kind = kind, .lattice = p.w.l, .where = where,
                               .Ls = FLAVORS };
    format_facts(&task, on_cpu);
    memory_free(op);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < p.d->kind->work_vectors; k++)
            vec_free(work[n][k]);
    doublet_end(&p);
}

static void squares(place where, const doublet_form *f)
{
    doublet_workplace p = doublet_begin(where, extents, f);
    wilson_set_random(p.v, 5);
    for (int dagger = 0; dagger < 2; dagger++) {
        linop *op = p.d->kind->square(p.d, dirac_full_storage(p.d), p.m, dagger,
                                      (vec *const (*)[DIRAC_WORK_VECTORS])p.scratch, 1);
        op->apply(op, p.out.odd, 0.7, p.v.odd);
        p.d->kind->apply(p.work.odd, p.d, p.m, dagger, p.v.odd, p.scratch);
        vec_axpy(p.work.odd, 0.7, p.v.odd);
        fact_close(apart(p.out.odd, p.work.odd), 0, 1e-15, "%s: C%s + shift for solvers", p.name, dagger ? "^+" : "");
        memory_free(op);
    }
    doublet_end(&p);
}

int main(void)
{
    double *on_cpu[DOUBLET_FORMS][BATCH_KINDS] = { { NULL } };
    FOR_EVERY_PLACE(where)
        for (int n = 0; n < DOUBLET_FORMS; n++) {
            solves(where, &doublet_forms[n]);
            squares(where, &doublet_forms[n]);
            for (int k = 0; k < BATCH_KINDS; k++)
                formats(where, &doublet_forms[n], &batch_kinds[k], &on_cpu[n][k]);
        }
    for (int n = 0; n < DOUBLET_FORMS * BATCH_KINDS; n++)
        memory_free(on_cpu[n / BATCH_KINDS][n % BATCH_KINDS]);
    return facts_end();
}
