/* test_wilson.c - the Wilson operator: numbers of another implementation, symmetries, solutions on all sites, every
 * vector format, batches. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_operator.h"
#include "src/operators/wilson_launch.h"
#include "src/solvers/solver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/golden_wilson.h"
#include "tests/operators/dwf_forces.h"
#include "tests/operators/wilson_workplace.h"

#include <math.h>

#define MASS 0.3

static clover_links plain(const wilson_workplace *w, double mass)
{
    return clover_plain_links(w->links, mass);
}

static double apart(spinor_field a, spinor_field b)
{
    double size = spinor_field_norm2(b);
    spinor_field_axpy(a, -1, b);
    return sqrt(spinor_field_norm2(a) / size);
}

static double distance(complex_number a, complex_number b) { return hypot(a.re - b.re, a.im + b.im); }

/* ---- golden numbers */

static void operator_is_known(place where, const golden_wilson *g)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 4, 6, 8 }, g->width, -1);
    const fifth_table one = fifth_one(1, 1);
    golden_vector(w.v.even);
    golden_vector(w.v.odd);
    dwf_hop_with(w.out.even, w.links, &(dwf_hop_terms){ .k = &one, .in = w.v.odd });
    dwf_hop_with(w.out.odd, w.links, &(dwf_hop_terms){ .k = &one, .in = w.v.even });
    golden_compare(w.out, &g->hop, g->name, "hop");
    clover_apply(w.out, plain(&w, GOLDEN_WILSON_MASS), false, w.v);
    golden_compare(w.out, &g->m, g->name, "M");
    clover_apply(w.out, plain(&w, GOLDEN_WILSON_MASS), true, w.v);
    golden_compare(w.out, &g->m_dagger, g->name, "M^+");
    clover_mhat(w.out.odd, plain(&w, GOLDEN_WILSON_MASS), false, w.v.odd, w.even);
    golden_compare((spinor_field){ NULL, w.out.odd }, &g->mhat, g->name, "Mhat");
    wilson_end(&w);
}

/* ---- symmetries */

static void adjoints(place where)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, -1);
    spinor_field a = spinor_field_create(w.u, 1), after = spinor_field_create(w.u, 1);
    wilson_set_random(w.v, 1);
    wilson_set_random(a, 2);
    clover_apply(w.out, plain(&w, MASS), false, w.v);
    clover_apply(after, plain(&w, MASS), true, a);
    double size = sqrt(spinor_field_norm2(w.out) * spinor_field_norm2(a));
    fact_close(distance(spinor_field_dot(a, w.out), spinor_field_dot(w.v, after)) / size, 0, 1e-14,
               "%s: <a, M b> = <M^+ a, b>", place_name(where));
    clover_mhat(w.out.odd, plain(&w, MASS), false, w.v.odd, w.even);
    clover_mhat(after.odd, plain(&w, MASS), true, a.odd, w.even);
    fact_close(distance(vec_dot(a.odd, w.out.odd), vec_dot(w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s: <a, Mhat b> = <Mhat^+ a, b>", place_name(where));
    clover_apply(after, plain(&w, MASS), true, w.v);
    wilson_gamma5(w.v);
    clover_apply(w.out, plain(&w, MASS), false, w.v);
    wilson_gamma5(w.out);
    fact_close(apart(w.out, after), 0, 1e-14, "%s: gamma5 M gamma5 = M^+", place_name(where));
    clover_mhat(w.out.odd, plain(&w, MASS), false, w.v.odd, w.even);
    wilson_gamma5(w.v);
    wilson_gamma5(w.out);
    clover_mhat(after.odd, plain(&w, MASS), true, w.v.odd, w.even);
    vec_axpy(w.out.odd, -1, after.odd);
    fact_close(sqrt(vec_norm2(w.out.odd) / vec_norm2(after.odd)), 0, 1e-14, "%s: gamma5 Mhat gamma5 = Mhat^+",
               place_name(where));
    spinor_field_free(a);
    spinor_field_free(after);
    wilson_end(&w);
}

static void covariance(place where)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, -1);
    gauge_rotation *g = gauge_rotation_create(w.l, where, PRECISION_DOUBLE, rng_key_for(4, 0, 0, RNG_TEST));
    spinor_field want = spinor_field_create(w.u, 1);
    failure f;
    wilson_set_random(w.v, 1);
    clover_apply(want, plain(&w, MASS), false, w.v);
    quarks_rotate(want.even, g);
    quarks_rotate(want.odd, g);
    gauge_rotate(w.u, g);
    quarks_rotate(w.v.even, g);
    quarks_rotate(w.v.odd, g);
    require(hop_links_update(w.links, w.u, &f), "%s", f.why);
    clover_apply(w.out, plain(&w, MASS), false, w.v);
    fact_close(apart(w.out, want), 0, 1e-14, "%s: M turns with the links", place_name(where));
    spinor_field_free(want);
    gauge_rotation_free(g);
    wilson_end(&w);
}

/* ---- solutions:  M x = v through Mhat^+ Mhat */

static void solutions(place where, double mass)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, -1);
    const clover_op op = clover_normal_operator(plain(&w, mass), &w.even, &w.odd, 1);
    vec *rhs = vec_create_like(w.odd), *right = vec_create_like(w.odd), *x = vec_create_like(w.odd);
    cg_space *space = cg_space_create_like(x, 1);
    spinor_field back = spinor_field_create(w.u, 1);
    wilson_set_random(w.v, 3);
    clover_prepare(rhs, plain(&w, mass), w.v, w.even);
    clover_mhat(right, plain(&w, mass), true, rhs, w.even);
    vec_zero(x);
    fact(cg_solve(&op.base, x, 0, right, (stop_rule){ 1e-13, 5000 }, space).converged,
         "%s, m %g: Mhat^+Mhat x = b is solved", place_name(where), mass);
    clover_reconstruct(w.out, plain(&w, mass), w.v, x);
    clover_apply(back, plain(&w, mass), false, w.out);
    fact_close(apart(back, w.v), 0, 1e-11, "%s, m %g: and M x = v on all sites", place_name(where), mass);
    spinor_field_free(back);
    cg_space_free(space);
    vec_free(rhs);
    vec_free(right);
    vec_free(x);
    wilson_end(&w);
}

/* ---- formats and batches */

static void formats(place where, const batch_kind *kind, double **on_cpu)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, -1);
    hop_links *links = hop_links_create_for(w.l, where, (vec_storage){ kind->format, kind->precision },
                                           (quark_boundary){ .t = -1 });
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
    failure f;
    fact(hop_links_update(links, w.u, &f), "%s, %s: links in the format of the vectors", place_name(where), kind->name);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        even[n] = format_vec_create(kind, w.l, ON_EVEN, where, 1);
        odd[n] = format_vec_create(kind, w.l, ON_ODD, where, 1);
    }
    clover_op op = clover_normal_operator(clover_plain_links(links, MASS), even, odd, BATCH_MAX_RHS);
    clover_op exact = clover_normal_operator(plain(&w, MASS), &w.even, &w.odd, 1);
    const format_task task = { .op = &op.base, .exact = &exact.base, .kind = kind, .lattice = w.l, .where = where,
                               .Ls = 1 };
    format_facts(&task, on_cpu);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        vec_free(even[n]);
        vec_free(odd[n]);
    }
    hop_links_free(links);
    wilson_end(&w);
}

/* M v on all sites: the GPU has the CPU's bits. */
static void same_everywhere(place where, double *on_cpu[2])
{
    wilson_workplace w = wilson_begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, -1);
    wilson_set_random(w.v, 5);
    clover_apply(w.out, plain(&w, MASS), false, w.v);
    fact(same_as_on_cpu(w.out.even, &on_cpu[0]) && same_as_on_cpu(w.out.odd, &on_cpu[1]), "%s: M v, the CPU's bits",
         place_name(where));
    wilson_end(&w);
}

/* Free quarks, periodic: Mhat = D - H^2 / D with D = 4 + m, where H is 4 at p = 0, and H^2 is -4 at p = pi/2 in all
 * directions.  The solvers are told a range that holds both. */
static void assumed_range(void)
{
    clover_operator_params params = { .boundary.t = 1, .plain = true };
    const dirac_plan plan = clover_operator_plan(&params);
    for (double mass = 0.02; mass < 4; mass *= 1.5) {
        const spectral_range range = plan.kind->range(&plan, clover_operator_add_mass(&params, mass));
        const double d = 4 + mass, least = d - 16 / d, most = d + 4 / d;
        fact(range.smallest > 0 && range.smallest <= least * least * (1 + 1e-12) && range.largest >= most * most,
             "m %g: the assumed range %g ... %g of Mhat^+Mhat holds the eigenvalues %g and %g of free quarks", mass,
             range.smallest, range.largest, least * least, most * most);
    }
}

int main(void)
{
    double *on_cpu[BATCH_KINDS + 2] = { NULL };
    assumed_range();
    FOR_EVERY_PLACE(where) {
        for (int n = 0; n < GOLDEN_WILSONS; n++)
            operator_is_known(where, &golden_wilsons[n]);
        adjoints(where);
        covariance(where);
        solutions(where, MASS);
        solutions(where, -0.2);
        for (int k = 0; k < BATCH_KINDS; k++)
            formats(where, &batch_kinds[k], &on_cpu[k]);
        same_everywhere(where, on_cpu + BATCH_KINDS);
    }
    for (int k = 0; k < BATCH_KINDS + 2; k++)
        memory_free(on_cpu[k]);
    return facts_end();
}
