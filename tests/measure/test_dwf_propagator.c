/* test_dwf_propagator.c - quarks of domain-wall quarks: the Ward identity, the overlap operator, its spectrum. */
#include "src/measure/dwf_walls.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_spectrum.h"
#include "src/operators/dwf_weights.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/measure/dense_overlap.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const dirac_goal fine = { .residual = 1e-13, .max_iterations = 10000 };
#define MASS 0.07

/* Even numbers of slices, all of them. */
static const struct { dwf_weights_params weights; bool symmetric; } actions[] = {
    { { .kind = DWF_SHAMIR, .Ls = 6, .M5 = 1.8 }, true },
    { { .kind = DWF_BORICI, .Ls = 6, .M5 = 1.4 }, true },
    { { .kind = DWF_MOBIUS, .b = 1.5, .c = 0.5, .Ls = 8, .M5 = 1.8 }, true },
    { { .kind = DWF_OPTIMAL_SYMMETRIC, .lambda_min = 0.1, .lambda_max = 7, .Ls = 6, .M5 = 1.4 }, true },
    { { .kind = DWF_OPTIMAL, .lambda_min = 0.1, .lambda_max = 7, .Ls = 6, .M5 = 1.4 }, false },
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static dwf_weights weights_of(const dwf_weights_params *p)
{
    dwf_weights w;
    failure f;
    require(dwf_weights_make(&w, p, &f), "%s", f.why);
    return w;
}

typedef struct { place where; lattice *l; gauge *u; } workplace;

static workplace begin(place where, const int extents[4], double width)
{
    workplace w = { where, lattice_create_single(extents), NULL };
    double *links = analytic_links(extents, width);
    w.u = gauge_create(w.l, where, PRECISION_DOUBLE);
    gauge_import(w.u, links);
    memory_free(links);
    return w;
}

static void end(workplace *w)
{
    gauge_free(w->u);
    lattice_free(w->l);
}

static quark_propagator *propagator_of(const workplace *w, const dwf_weights *weights, int solver, int together)
{
    failure f;
    const dwf_operator_params params = { .weights = *weights, .boundary = -1, .masses = 1, .mass = { MASS } };
    const dirac_plan plan = dwf_operator_plan(&params);
    quark_propagator *p = quark_propagator_create(w->u, &plan, &dwf_walls, solver, together);
    require(quark_propagator_update(p, w->u, &f), "%s", f.why);
    return p;
}

static void random_source(spinor_field source, unsigned key)
{
    vec_set_gaussian(source.even, rng_key_for(31, 0, key, RNG_TEST), 0);
    vec_set_gaussian(source.odd, rng_key_for(31, 0, key, RNG_TEST), 0);
}

static bool run(quark_propagator *p, int count)
{
    solve_totals totals = { 0 };
    failure f;
    const dirac_operator *d = quark_propagator_operator(p);
    dirac_matrix *m = d->kind->matrix(d, 0);
    const bool ok = quark_propagator_run(p, (quark_matrix){ m, MASS }, count, &fine, &totals, &f);
    memory_free(m);
    if (!ok)
        note("%s", f.why);
    return ok && totals.iterations > 0 && totals.residual <= fine.residual;
}

static double norm2(spinor_field v) { return vec_norm2(v.even) + vec_norm2(v.odd); }

static void ward_identity(place where)
{
    const int extents[4] = { 4, 2, 4, 6 };
    workplace w = begin(where, extents, 1.2);
    for (int a = 0; a < ACTIONS; a++) {
        const dwf_weights weights = weights_of(&actions[a].weights);
        const char *name = dwf_kind_names[actions[a].weights.kind];
        quark_propagator *p = propagator_of(&w, &weights, SOLVER_DOUBLE, 1);
        const quark_line *line = quark_propagator_line(p, 0);
        random_source(line->source, 1);
        fact(run(p, 1), "%s: %s, a solve", place_name(where), name);
        double right = vec_dot(line->source.even, line->quark.even).re + vec_dot(line->source.odd, line->quark.odd).re;
        double off = (MASS * norm2(line->quark) + norm2(line->midpoint)) / right - 1;
        fact(dwf_ward_identity_holds(&weights) == actions[a].symmetric, "%s: weights the same from either wall: %s",
             name, actions[a].symmetric ? "yes" : "no");
        if (actions[a].symmetric)
            fact_close(off, 0, 1e-12, "%s: %s, m |q|^2 + |q'|^2 = Re eta^+ q", place_name(where), name);
        else
            fact(fabs(off) > 1e-3, "%s: %s, the identity does not hold (%.1e)", place_name(where), name, off);
        quark_propagator_free(p);
    }
    end(&w);
}

static double *numbers_of(spinor_field v)
{
    const size_t n = (size_t)lattice_volume(v.even->f.lattice) * SLAB_GROUP * VEC_REALS;
    double *even = memory_alloc(n * sizeof *even, "numbers"), *odd = memory_alloc(n * sizeof *odd, "numbers");
    vec_export(even, v.even);
    vec_export(odd, v.odd);
    for (size_t i = 0; i < n; i++)
        even[i] += odd[i];
    memory_free(odd);
    return even;
}

static double distance(const double *a, const double *b, size_t n)
{
    double off2 = 0, size2 = 0;
    for (size_t i = 0; i < n; i++) {
        off2 += (a[i] - b[i]) * (a[i] - b[i]);
        size2 += b[i] * b[i];
    }
    return sqrt(off2 / size2);
}

static const int small[4] = { 2, 2, 2, 2 };

/* What the code makes of a source, and the same by the dense overlap with its own sign function and with the exact one:
 * the distances of the first to the others. */
static void against_overlap(const workplace *w, const dwf_weights_params *params, double *to_own, double *to_exact)
{
    const dwf_weights weights = weights_of(params);
    quark_propagator *p = propagator_of(w, &weights, SOLVER_DOUBLE, 1);
    const quark_line *line = quark_propagator_line(p, 0);
    dense_kernel k = dense_kernel_of(hop_operator_links(quark_propagator_operator(p)), w->l, w->where, &weights);
    double *sign = memory_alloc(k.n * sizeof *sign, "signs"), *want = memory_alloc(2 * k.n * sizeof *want, "a quark");
    random_source(line->source, 2);
    fact(run(p, 1), "%s, %s, Ls %d: a solve", place_name(w->where), dwf_kind_names[params->kind], params->Ls);
    double *eta = numbers_of(line->source), *q = numbers_of(line->quark);
    for (size_t i = 0; i < k.n; i++)
        sign[i] = dense_sign(&weights, gsl_vector_get(k.value, i));
    dense_propagator(want, &k, sign, MASS, eta);
    *to_own = distance(q, want, 2 * k.n);
    for (size_t i = 0; i < k.n; i++)
        sign[i] = gsl_vector_get(k.value, i) > 0 ? 1 : -1;
    dense_propagator(want, &k, sign, MASS, eta);
    *to_exact = distance(q, want, 2 * k.n);
    memory_free(eta);
    memory_free(q);
    memory_free(sign);
    memory_free(want);
    dense_kernel_free(&k);
    quark_propagator_free(p);
}

static void overlap(place where)
{
    workplace w = begin(where, small, 1.0);
    double own, exact, before;
    for (int a = 0; a < ACTIONS; a++) {
        against_overlap(&w, &actions[a].weights, &own, &exact);
        fact_close(own, 0, 1e-11, "%s, %s: q = [D(m)^-1 - 1] eta / (1 - m), D(m) dense", place_name(where),
                   dwf_kind_names[actions[a].weights.kind]);
    }
    for (int a = 0; a < 2; a++) {
        dwf_weights_params p = actions[a].weights;
        before = INFINITY;
        for (p.Ls = 4; p.Ls <= 16; p.Ls *= 2) {
            against_overlap(&w, &p, &own, &exact);
            fact(exact < 0.5 * before, "%s, %s, Ls %d: nearer to the overlap operator (%.1e)", place_name(where),
                 dwf_kind_names[p.kind], p.Ls, exact);
            before = exact;
        }
    }
    end(&w);
}

/* The ends of the spectrum, against all of it; and what Zolotarev's weights make of it. */
static void spectrum(place where, double width)
{
    workplace w = begin(where, small, width);
    const dwf_weights_params borici = { .kind = DWF_BORICI, .Ls = 8, .M5 = 1.4 };
    const dwf_weights weights = weights_of(&borici);
    quark_propagator *p = propagator_of(&w, &weights, SOLVER_DOUBLE, 1);
    const hop_links *links = hop_operator_links(quark_propagator_operator(p));
    dwf_spectrum *s = dwf_spectrum_create(w.u, borici.M5);
    kernel_range r;
    failure f;
    const dwf_spectrum_task task = { .links = links, .key = rng_key_for(3, 0, 0, RNG_TEST), .max_iterations = 10000 };
    fact(dwf_spectrum_measure(&r, s, &task, &f), "%s: a spectrum", place_name(where));
    dense_kernel k = dense_kernel_of(links, w.l, where, &weights);
    double smallest = INFINITY, largest = 0;
    for (size_t i = 0; i < k.n; i++) {
        const double size = 2 * fabs(gsl_vector_get(k.value, i));
        smallest = fmin(smallest, size);
        largest = worse(largest, size);
    }
    fact_close(r.smallest / smallest, 1, 3e-3, "%s, width %g: smallest |gamma5 Dw|", place_name(where),
               width);
    fact_close(r.largest / largest, 1, 3e-3, "%s, width %g: largest |gamma5 Dw|", place_name(where),
               width);
    fact(r.smallest > smallest * (1 - 1e-8) && r.largest < largest * (1 + 1e-8), "%s: both from inside",
         place_name(where));
    dense_kernel_free(&k);

    const dwf_weights_params others[] = {
        { .kind = DWF_OPTIMAL, .lambda_min = 0.999 * smallest, .lambda_max = 1.001 * largest, .Ls = 8,
          .M5 = 1.4 },
        { .kind = DWF_SHAMIR, .Ls = 8, .M5 = 1.4 },
        { .kind = DWF_MOBIUS, .b = 1.5, .c = 0.5, .Ls = 8, .M5 = 1.4 },
        borici,
    };
    double optimal = 0;
    for (int a = 0; a < 4; a++) {
        const dwf_weights each = weights_of(&others[a]);
        double worst = 0;
        k = dense_kernel_of(links, w.l, where, &each);
        for (size_t i = 0; i < k.n; i++)
            worst = worse(worst, fabs(fabs(dense_sign(&each, gsl_vector_get(k.value, i))) - 1));
        dense_kernel_free(&k);
        if (a == 0)
            optimal = worst;
        else
            fact(optimal < worst, "%s, Ls 8: |S| is nearer to 1 with optimal weights (%.1e) than with %s (%.1e)",
                 place_name(where), optimal, dwf_kind_names[others[a].kind], worst);
    }
    dwf_spectrum_free(s);
    quark_propagator_free(p);
    end(&w);
}

/* Several sources at once are solved as each alone, to the last bit; in every precision to the same residual. */
static void together(place where)
{
    const int extents[4] = { 4, 2, 4, 4 };
    workplace w = begin(where, extents, 1.2);
    const dwf_weights weights = weights_of(&actions[2].weights);
    quark_propagator *exact = propagator_of(&w, &weights, SOLVER_DOUBLE, 1);
    const size_t n = (size_t)lattice_volume(w.l) * SLAB_GROUP * VEC_REALS;
    for (int solver = SOLVER_DOUBLE + 1; solver < SOLVER_ADAPTIVE; solver++) {
        quark_propagator *all = propagator_of(&w, &weights, solver, 4), *one = propagator_of(&w, &weights, solver, 1);
        bool same = true;
        double worst = 0;
        for (int i = 0; i < 3; i++)
            random_source(quark_propagator_line(all, i)->source, 10 + (unsigned)i);
        same &= run(all, 3);
        for (int i = 0; i < 3; i++) {
            random_source(quark_propagator_line(one, 0)->source, 10 + (unsigned)i);
            random_source(quark_propagator_line(exact, 0)->source, 10 + (unsigned)i);
            same &= run(one, 1) && run(exact, 1);
            double *a = numbers_of(quark_propagator_line(all, i)->quark);
            double *b = numbers_of(quark_propagator_line(one, 0)->quark);
            double *c = numbers_of(quark_propagator_line(exact, 0)->quark);
            same &= distance(a, b, n) == 0;
            worst = worse(worst, distance(a, c, n));
            memory_free(a);
            memory_free(b);
            memory_free(c);
        }
        fact(same, "%s, %s: three sources at once as each alone", place_name(where), solver_names[solver]);
        fact_close(worst, 0, 1e-11, "%s, %s: and as in double", place_name(where), solver_names[solver]);
        quark_propagator_free(all);
        quark_propagator_free(one);
    }
    quark_propagator_free(exact);
    end(&w);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        ward_identity(where);
        overlap(where);
        spectrum(where, 1.0);                   /* the smallest eigenvalue is positive, */
        spectrum(where, 0.7);                   /* and negative */
        together(where);
    }
    return facts_end();
}
