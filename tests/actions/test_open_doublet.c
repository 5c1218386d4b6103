/* test_open_doublet.c - the non-degenerate doublet with open boundaries in time: its operator is that of periodic
 * boundaries between the first and the last slice; new fields, force, memory, bits. */
#include "actions/doublet_params.h"
#include "actions/quarks.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/actions/quark_monomial_facts.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/format_facts.h"

#include <complex.h>
#include <math.h>

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
enum { SPINOR = 12 };

static lattice *lattice_with(const int extents[4], bool open)
{
    lattice_shape shape = lattice_shape_single(extents);
    shape.open_in_time = open;
    return lattice_create(&shape);
}

/* A number of a field of n sites that is 0 in the first and the last slice. */
static double complex number_inside(const int n[4], size_t i)
{
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, t = i / slice;
    return t > 0 && t < (size_t)n[3] - 1 ? cos(1.7 * (double)i + 0.3) + I * sin(2.9 * (double)i * (double)i + 1) : 0;
}

/* M of a monomial. */
static double complex *applied(const dirac_plan *plan, place where, const int n[4], bool open, const double *links,
                               const double complex *v)
{
    failure f;
    lattice *l = lattice_with(n, open);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    dirac_operator *d = plan->kind->create(plan, u, false);
    require(dirac_update(d, u, &f), "%s", f.why);
    dirac_matrix *m = d->kind->matrix(d, 0);
    const int slices = plan->slabs / SLAB_GROUP;
    spinor_field in = spinor_field_create(u, slices), out = spinor_field_create(u, slices);
    spinor_field spare = spinor_field_create(u, slices);
    vec_import(in.even, (const double *)v);
    vec_import(in.odd, (const double *)v);
    d->kind->apply_all(out, d, m, false, in, spare);
    double complex *got = (double complex *)vec_numbers(out.even), *odd = (double complex *)vec_numbers(out.odd);
    for (size_t i = 0; i < vec_count(out.even) / 2; i++)
        got[i] += odd[i];
    memory_free(odd);
    spinor_field_free(spare);
    spinor_field_free(out);
    spinor_field_free(in);
    memory_free(m);
    d->kind->free(d);
    gauge_free(u);
    lattice_free(l);
    return got;
}

static void between_ends(place where, const char *yaml, const char *name)
{
    const monomial_kind *kind = &doublet_monomial;
    const int n[4] = { 2, 4, 2, 6 };
    failure f;
    quark_plan plan;
    void *params = monomial_params(kind, yaml);
    require(quark_plan_make(&plan, kind, params, &f), "%s", f.why);
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, volume = slice * (size_t)n[3];
    const size_t count = volume * (size_t)(plan.d.slabs / SLAB_GROUP);
    double *links = analytic_links(n, 1.1), off = 0, ends = 0;
    double complex *v = memory_alloc(count * sizeof *v, "spinors");
    for (size_t i = 0; i < count; i++)
        v[i] = number_inside(n, i % volume) * cexp(I * (double)(i / volume));
    lattice *l = lattice_with(n, true);             /* inactive links are unit matrices in both */
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    gauge_export(links, u);
    double complex *got = applied(&plan.d, where, n, true, links, v);
    double complex *want = applied(&plan.d, where, n, false, links, v);
    for (size_t i = 0; i < count; i++) {
        const size_t t = i % volume / slice;
        if (t == 0 || t == (size_t)n[3] - 1)
            ends = worse(ends, cabs(got[i]));
        else
            off = worse(off, cabs(got[i] - want[i]));
    }
    fact_close(off, 0, 1e-13, "%s, %s: M is that of a periodic lattice between the ends", place_name(where), name);
    fact(ends == 0, "%s, %s: and 0 at the ends", place_name(where), name);
    memory_free(got);
    memory_free(want);
    memory_free(v);
    memory_free(links);
    gauge_free(u);
    lattice_free(l);
    quark_plan_free(&plan);
    monomial_params_free(kind, params);
}

#define DOUBLET "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\nmass: 0.2\nmu_sigma: 0.4\nmu_delta: 0.2\n"
static const struct { const char *name, *yaml; } doublets[] = {
    { "doublet", DOUBLET },
    { "doublet, clover", "c_sw: 1.3\n" DOUBLET },
    { "doublet, exponential clover", "c_sw: 1.3\nclover: exponential\n" DOUBLET },
};
enum { DOUBLETS = sizeof doublets / sizeof *doublets };

static void actions(place where, double **first)
{
    const int n[4] = { 2, 2, 2, 6 };
    lattice *l = lattice_with(n, true);
    quark_monomial_case all[DOUBLETS];
    for (int i = 0; i < DOUBLETS; i++)
        all[i] = (quark_monomial_case){ &doublet_monomial, doublets[i].name, doublets[i].yaml, TIGHT };
    quark_monomial_all_facts(all, DOUBLETS, l, where, first);
    lattice_free(l);
}

int main(void)
{
    double *first[DOUBLETS] = { NULL };
    FOR_EVERY_PLACE(where) {
        for (int i = 0; i < DOUBLETS; i++)
            between_ends(where, doublets[i].yaml, doublets[i].name);
        actions(where, first);
    }
    for (int i = 0; i < DOUBLETS; i++)
        memory_free(first[i]);
    return facts_end();
}
