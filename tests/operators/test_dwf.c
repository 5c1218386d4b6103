/* test_dwf.c - the domain-wall operator: numbers of another implementation, adjoints, solutions on all sites,
 * every vector format, batches. */
#include "src/operators/dwf.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/dwf_weights.h"
#include "src/solvers/solver.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/golden_dwf.h"

#include <math.h>
#include <string.h>

static const int golden_extents[4] = { 4, 4, 6, 8 };
static const fifth_corner none = { 0, 0, 0 };

/* ---- an operator at work */

typedef struct {
    place where;
    lattice *l;
    gauge *u;
    hop_links *links;
    int Ls;
    spinor_field v, out, work;
} workplace;

static workplace begin(place where, const int extents[4], int Ls, double boundary)
{
    workplace w = { .where = where, .l = lattice_create_single(extents), .Ls = Ls };
    failure f;
    double *links = analytic_links(extents, 1.2);
    w.u = gauge_create(w.l, where, PRECISION_DOUBLE);
    gauge_import(w.u, links);
    memory_free(links);
    w.links = hop_links_create(w.l, where, PRECISION_DOUBLE, boundary);
    fact(hop_links_update(w.links, w.u, &f), "%s: the test field is SU(3)", place_name(where));
    w.v = spinor_field_create(w.u, Ls);
    w.out = spinor_field_create(w.u, Ls);
    w.work = spinor_field_create(w.u, Ls);
    return w;
}

static void end(workplace *w)
{
    spinor_field_free(w->v);
    spinor_field_free(w->out);
    spinor_field_free(w->work);
    hop_links_free(w->links);
    gauge_free(w->u);
    lattice_free(w->l);
}

static void random_field(spinor_field f, unsigned key)
{
    vec_set_gaussian(f.even, rng_key_for(77, 0, key, RNG_TEST), 0);
    vec_set_gaussian(f.odd, rng_key_for(77, 0, key, RNG_TEST), 0);
}

static dwf_weights weights_of(const dwf_weights_params *p)
{
    dwf_weights w;
    failure f;
    fact(dwf_weights_make(&w, p, &f), "there are weights %s", dwf_kind_names[p->kind]);
    return w;
}

static void operators_are_known(place where, const golden_dwf *g)
{
    workplace w = begin(where, golden_extents, g->params.Ls, -1);
    dwf_weights weights = weights_of(&g->params);
    dwf_matrix m = dwf_matrix_of(&weights, g->mass, none);
    golden_vector(w.v.even);
    golden_vector(w.v.odd);
    dwf_apply(w.out, w.links, &m, false, w.v, w.work);
    golden_compare(w.out, &g->d, g->name, "D5");
    dwf_apply(w.out, w.links, &m, true, w.v, w.work);
    golden_compare(w.out, &g->d_dagger, g->name, "D5^+");
    dwf_c(w.out.odd, w.links, &m, w.v.odd, w.work.even);
    golden_compare((spinor_field){ NULL, w.out.odd }, &g->c, g->name, "C");
    end(&w);
}

/* ---- properties, for weights that differ from slice to slice */

static const int extents[4] = { 4, 2, 6, 4 };

static dwf_weights uneven(int Ls)
{
    dwf_weights w = { .Ls = Ls, .M5 = 1.7 };
    for (int s = 0; s < Ls; s++) {
        w.b[s] = 0.5 + 0.3 * s;
        w.c[s] = 0.8 - 0.25 * s;
    }
    return w;
}

static double distance(complex_number a, complex_number b) { return hypot(a.re - b.re, a.im + b.im); }

static void adjoints(place where, fifth_corner corner)
{
    const int Ls = 5;
    workplace w = begin(where, extents, Ls, -1);
    dwf_weights weights = uneven(Ls);
    dwf_matrix m = dwf_matrix_of(&weights, 0.2, corner);
    spinor_field a = spinor_field_create(w.u, Ls), after = spinor_field_create(w.u, Ls);
    vec *even = vec_create_like(a.even), *odd = vec_create_like(a.odd);
    random_field(w.v, 1);
    random_field(a, 2);
    dwf_apply(w.out, w.links, &m, false, w.v, w.work);
    dwf_apply(after, w.links, &m, true, a, w.work);
    double size = sqrt(spinor_field_dot(w.out, w.out).re * spinor_field_dot(a, a).re);
    fact_close(distance(spinor_field_dot(a, w.out), spinor_field_dot(w.v, after)) / size, 0, 1e-14,
               "%s, corner %g: <a, D5 b> = <D5^+ a, b>", place_name(where), corner.strength);
    dwf_c(w.out.odd, w.links, &m, w.v.odd, even);
    dwf_c_dagger(after.odd, w.links, &m, a.odd, even, odd);
    fact_close(distance(vec_dot(a.odd, w.out.odd), vec_dot(w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s, corner %g: <a, C b> = <C^+ a, b>", place_name(where), corner.strength);
    vec_free(even);
    vec_free(odd);
    spinor_field_free(a);
    spinor_field_free(after);
    end(&w);
}

/* x = D5^-1 v through C^+C x' = C^+ rhs. */
static void solutions(place where, const dwf_weights *weights, fifth_corner corner, const char *name)
{
    const int Ls = weights->Ls;
    workplace w = begin(where, extents, Ls, -1);
    dwf_matrix m = dwf_matrix_of(weights, 0.2, corner);
    vec *rhs = vec_create_like(w.v.odd), *right = vec_create_like(rhs), *x = vec_create_like(rhs);
    vec *even = vec_create_like(w.v.even), *odd[2] = { vec_create_like(rhs), vec_create_like(rhs) };
    vec *const (*odd_pairs)[2] = (vec *const (*)[2])&odd;
    dwf_op op = dwf_normal_operator(w.links, &m, &even, odd_pairs, 1);
    cg_space *space = cg_space_create_like(x, 1);
    spinor_field back = spinor_field_create(w.u, Ls);
    random_field(w.v, 3);
    dwf_prepare(rhs, w.links, &m, w.v, even);
    dwf_c_dagger(right, w.links, &m, rhs, even, odd[0]);
    solve_result r = cg_solve(&op.base, x, 0, right, (stop_rule){ 1e-13, 5000 }, space);
    fact(r.converged, "%s, %s: C^+C x = b is solved", place_name(where), name);
    dwf_reconstruct(w.out, w.links, &m, w.v, x, even);
    dwf_apply(back, w.links, &m, false, w.out, w.work);
    spinor_field_axpy(back, -1, w.v);
    fact_close(sqrt(spinor_field_norm2(back) / spinor_field_norm2(w.v)), 0, 1e-12, "%s, %s: and D5 x = v on all sites",
               place_name(where), name);
    spinor_field_free(back);
    cg_space_free(space);
    vec_free(rhs);
    vec_free(right);
    vec_free(x);
    vec_free(even);
    vec_free(odd[0]);
    vec_free(odd[1]);
    end(&w);
}

/* ---- formats and batches */

/* Sizes about the smallest that half knows, and near the largest float. */
static void ends_of_range(const batch_kind *kind, const hop_links *links, const dwf_matrix *m, vec *even,
                          double *on_cpu[2])
{
    const field *f = &even->f;
    vec *in = format_vec_create(kind, f->lattice, ON_ODD, f->where, m->weights.Ls), *out = vec_create_like(in);
    for (unsigned i = 0; i < 2; i++) {
        const int power = i ? 115 : -108;
        vec_set_gaussian(in, rng_key_for(78, 0, i, RNG_TEST), 0);
        double *x = vec_numbers(in);
        for (size_t j = 0; j < vec_count(in); j++)
            x[j] = ldexp(x[j], power);
        vec_import(in, x);
        memory_free(x);
        dwf_c(out, links, m, in, even);
        fact(same_as_on_cpu(out, &on_cpu[i]), "%s, %s: C v of numbers about 2^%d has the CPU's bits",
             place_name(f->where), kind->name, power);
    }
    vec_free(in);
    vec_free(out);
}

/* on_cpu: the numbers of results there, made and then compared with. */
static void formats(place where, const batch_kind *kind, double *on_cpu[3])
{
    const int Ls = 5;
    workplace w = begin(where, extents, Ls, -1);
    dwf_weights weights = uneven(Ls);
    dwf_matrix m = dwf_matrix_of(&weights, 0.2, none);
    hop_links *links = hop_links_create(w.l, where, kind->precision, -1);
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS][2], *high[1][2] = { { w.work.odd, w.out.odd } };
    failure f;
    fact(hop_links_update(links, w.u, &f), "%s, %s: links in 12 numbers", place_name(where), kind->name);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        even[n] = format_vec_create(kind, w.l, ON_EVEN, where, Ls);
        for (int i = 0; i < 2; i++)
            odd[n][i] = format_vec_create(kind, w.l, ON_ODD, where, Ls);
    }
    dwf_op op = dwf_normal_operator(links, &m, even, (vec *const (*)[2])odd, BATCH_MAX_RHS);
    dwf_op exact = dwf_normal_operator(w.links, &m, &w.work.even, (vec *const (*)[2])high, 1);
    const format_task task = { .op = &op.base, .exact = &exact.base, .kind = kind, .lattice = w.l, .where = where,
                               .Ls = Ls };
    format_facts(&task, &on_cpu[2]);
    ends_of_range(kind, links, &m, even[0], on_cpu);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        vec_free(even[n]);
        vec_free(odd[n][0]);
        vec_free(odd[n][1]);
    }
    hop_links_free(links);
    end(&w);
}

int main(void)
{
    double *on_cpu[BATCH_KINDS][3] = { 0 };
    const fifth_corner upper = { 0, 0.4, -0.3 }, lower = { 1, -0.2, -0.5 };
    FOR_EVERY_PLACE(where) {
        dwf_weights weights = uneven(5), moebius = { .Ls = 4, .M5 = 1.8 };
        for (int s = 0; s < 4; s++) {
            moebius.b[s] = 1.5;
            moebius.c[s] = 0.5;
        }
        for (int i = 0; i < GOLDEN_DWF; i++)
            operators_are_known(where, &golden_dwf_entries[i]);
        adjoints(where, none);
        adjoints(where, upper);
        adjoints(where, lower);
        solutions(where, &weights, none, "uneven weights");
        solutions(where, &moebius, none, "Moebius");
        solutions(where, &moebius, upper, "a corner above");
        solutions(where, &moebius, lower, "a corner below");
        for (int k = 0; k < BATCH_KINDS; k++)
            formats(where, &batch_kinds[k], on_cpu[k]);
    }
    for (int k = 0; k < 3 * BATCH_KINDS; k++)
        memory_free(on_cpu[k / 3][k % 3]);
    return facts_end();
}
