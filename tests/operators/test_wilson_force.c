/* test_wilson_force.c - the force of Wilson quarks: numbers of another implementation, derivatives and symmetries
 * (force_facts.h). */
#include "src/base/memory.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/force_facts.h"
#include "tests/operators/golden_wilson.h"
#include "tests/operators/wilson_workplace.h"

#include <stdio.h>

#define ONE_SLICE { 1, 1, { 1 }, { 0 } }
static const quark_action actions[] = {
    { "two flavors", ONE_SLICE, 0.1, 0, { 0 }, quarks_wilson },
    { "two flavors, negative mass", ONE_SLICE, -0.4, 0, { 0 }, quarks_wilson },
    { "ratio", ONE_SLICE, 0.1, 0.7, { 0 }, quarks_wilson_ratio },
    { "products", ONE_SLICE, 0.1, 0, { 0 }, quarks_wilson_products },
};
enum { ACTIONS = sizeof actions / sizeof *actions, SHOWN = 2 };

/* x <- M^-1 v through Mhat */
static void solve_all_sites(quarks *q, spinor_field x, spinor_field v, double mass)
{
    const clover_links l = clover_plain_links(q->links, mass);
    clover_op a = clover_normal_operator(l, &q->even, &q->odd[0], 1);
    vec *rhs = q->odd[1], *normal = q->odd[2];
    clover_prepare(rhs, l, v, q->even);
    clover_mhat(normal, l, true, rhs, q->even);
    vec_zero(x.odd);
    require(cg_solve(&a.base, x.odd, 0, normal, (stop_rule){ 1e-14, 5000 }, q->space).converged,
            "a solve did not converge");
    clover_reconstruct(x, l, v, x.odd);
}

/* phi^+ (M^+M)^-1 phi = |Y|^2, Y = (M^+)^-1 phi = gamma5 M^-1 gamma5 phi, X = M^-1 Y:  dS = -2 Re Y^+ dhop X */
static void golden_on_all_sites(quarks *q, const gauge *u, const golden_wilson *g)
{
    spinor_field phi = golden_field(u, 1), x = spinor_field_create(u, 1), y = spinor_field_create(u, 1);
    momentum *f = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum_size size;
    char name[64];
    wilson_gamma5(phi);
    solve_all_sites(q, y, phi, GOLDEN_WILSON_MASS);
    wilson_gamma5(y);
    solve_all_sites(q, x, y, GOLDEN_WILSON_MASS);
    hop_force_begin(q->force);
    hop_force_add_hop(q->force, q->links, -2, y, x);
    quarks_finish(q, u, f, 1, &size);
    snprintf(name, sizeof name, "%s, all sites", g->name);
    golden_force_compare(f, size, spinor_field_norm2(y), &g->all_sites, name);
    momentum_free(f);
    spinor_field_free(y);
    spinor_field_free(x);
    spinor_field_free(phi);
}

static void golden_on_odd_sites(quarks *q, const gauge *u, const golden_wilson *g)
{
    const quark_action a = { "golden", ONE_SLICE, GOLDEN_WILSON_MASS, 0, { 0 }, quarks_wilson };
    momentum *f = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum_size size;
    char name[64];
    golden_vector(q->odd[0]);
    double action = quarks_begin_force(q, &a, u, q->odd[0]);
    quarks_finish(q, u, f, 1, &size);
    snprintf(name, sizeof name, "%s, odd sites", g->name);
    golden_force_compare(f, size, action, &g->odd_sites, name);
    momentum_free(f);
}

static void golden(place where, const golden_wilson *g)
{
    static const int extents[4] = { 4, 4, 6, 8 };
    failure why;
    double *links = analytic_links(extents, g->width);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    quarks q = quarks_open(l, where, 1);
    gauge_import(u, links);
    require(hop_links_update(q.links, u, &why), "%s", why.why);
    golden_on_all_sites(&q, u, g);
    golden_on_odd_sites(&q, u, g);
    quarks_close(&q);
    gauge_free(u);
    lattice_free(l);
    memory_free(links);
}

int main(void)
{
    double *first[ACTIONS] = { NULL };
    FOR_EVERY_PLACE(where) {
        for (int n = 0; n < GOLDEN_WILSONS; n++)
            golden(where, &golden_wilsons[n]);
        quark_force_facts(actions, ACTIONS, &actions[SHOWN], where, first);
    }
    for (int n = 0; n < ACTIONS; n++)
        memory_free(first[n]);
    return facts_end();
}
