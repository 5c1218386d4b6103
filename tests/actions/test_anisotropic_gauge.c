/* test_anisotropic_gauge.c - gauge actions with a bare anisotropy: against a sum over closed paths, link by link, and
 * the force against its derivative; periodic, and with open boundaries in time.
 *
 *     Wilson and rectangles      loops with links in t have the factor xi_0, others 1/xi_0
 *     symanzik_anisotropic       the coefficients of C. Morningstar and M. Peardon, hep-lat/9901004
 */
#include "src/base/text.h"
#include "src/lattice/rng.h"
#include "tests/actions/closed_paths.h"
#include "tests/actions/derivative.h"
#include "tests/actions/gauge_action_facts.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>

static const gauge_params actions[] = {
    { .action = 0, .beta = 6, .xi_0 = 2.5, .given = { .xi_0 = true } },
    { .action = 0, .beta = 5.7, .xi_0 = 0.5, .given = { .xi_0 = true } },
    { .action = 1, .beta = 4.2, .xi_0 = 3, .given = { .xi_0 = true } },
    { .action = 2, .beta = 2.6, .xi_0 = 2, .given = { .xi_0 = true } },
    { .action = 4, .beta = 5, .c1 = -0.2, .xi_0 = 4.3, .given = { .c1 = true, .xi_0 = true } },
    { .action = 6, .beta = 2.5, .xi_0 = 5, .u_s = 0.81, .u_t = 1, .given = { .xi_0 = true, .u_s = true, .u_t = true } },
    { .action = 6, .beta = 3, .xi_0 = 1, .u_s = 0.84, .u_t = 0.97,
      .given = { .xi_0 = true, .u_s = true, .u_t = true } },
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* beta times coefficients, as the head of this file has them, by kind of loop and steps in t. */
static double coefficient(const gauge_params *p, int kind, int steps)
{
    const double xi = p->xi_0, s = p->u_s, t = p->u_t;
    const double c1 = p->action == 0 ? 0 : p->action == 1 ? -1.0 / 12 : p->action == 2 ? -0.331 : p->c1;
    const double plain[] = { 1 - 8 * c1, c1, 0 };
    if (p->action != 6)
        return p->beta * plain[kind] * (steps > 0 ? xi : 1 / xi);
    const double tadpoles[3][3] = { { 5 / (3 * xi * pow(s, 4)), 4 * xi / (3 * s * s * t * t) },
                                    { -1 / (12 * xi * pow(s, 6)), -xi / (12 * pow(s, 4) * t * t), 0 } };
    return p->beta * tadpoles[kind][steps];
}

typedef struct { const gauge_params *params; bool open; double action; } path_sum;

static void add_path(void *out, const closed_path *p)
{
    path_sum *s = out;
    const double weight = !s->open ? 1 : p->wraps ? 0 : p->at_end ? s->params->c_G / 2 : 1;
    s->action += weight * coefficient(s->params, p->kind, p->steps_in_t) * (1 - p->trace);
}

static void against_paths(const gauge_params *p, monomial *m, const gauge *u, const char *name)
{
    path_sum s = { p, lattice_is_open(u->links.lattice), 0 };
    walk_closed_paths(u, add_path, &s);
    fact_close(action_of(m, u) / s.action, 1, 1e-13, "%s: the action is the weighted sum over closed paths, %.6g", name,
               s.action);
}

static void updated(const gauge_params *p, monomial *m, const gauge *u, const char *name)
{
    const loop_weights w = gauge_monomial.link_weights(p, NULL, lattice_is_open(u->links.lattice));
    const int *n = lattice_global(u->links.lattice);
    if (n[0] >= 4 && n[3] >= 4)
        gauge_free(overrelaxation_facts(&w, m, u, name));
}

/* xi_0: 1 is the isotropic action, every bit. */
static void isotropic(const gauge *u, const char *name)
{
    for (int a = 0; a < 4; a++) {
        const gauge_params plain = { .action = a, .beta = 4.5 };
        gauge_params one = plain;
        one.xi_0 = 1;
        one.given.xi_0 = true;
        monomial *m = monomial_create(&gauge_monomial, &plain, u), *n = monomial_create(&gauge_monomial, &one, u);
        momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
        force_of(f, m, u, 1);
        force_of(f, n, u, -1);
        fact(action_of(m, u) == action_of(n, u) && momentum_kinetic(f) == 0,
             "%s, %s: xi_0: 1 has the same bits as no xi_0", name, gauge_action_names[a]);
        momentum_free(f);
        monomial_free(m);
        monomial_free(n);
    }
}

static void check(const gauge_params *p, const gauge *u, const momentum *momenta, const double *links, const char *name)
{
    monomial *m = monomial_create(&gauge_monomial, p, u);
    against_paths(p, m, u, name);
    gauge_action_facts(p, m, u, momenta, links, name);
    updated(p, m, u, name);
    monomial_free(m);
}

static void on_lattice(place where, const int extents[4], bool open, int number)
{
    lattice_shape shape = lattice_shape_single(extents);
    shape.open_in_time = open;
    lattice *l = lattice_create(&shape);
    double *links = analytic_links(extents, 1.5);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    momentum_set_gaussian(p, rng_key_for(62, 0, (uint64_t)number, RNG_MOMENTA));
    for (int a = 0; a < ACTIONS; a++) {
        gauge_params params = actions[a];
        char name[120];
        params.c_G = 1.2;
        params.given.c_G = open;
        snprintf(name, sizeof name, "%s, %s%s, %s, xi_0 %g", place_name(where), extents_to_text(extents).s,
                 open ? " open" : "", gauge_action_names[params.action], params.xi_0);
        check(&params, u, p, links, name);
    }
    if (!open)
        isotropic(u, place_name(where));
    momentum_free(p);
    gauge_free(u);
    memory_free(links);
    lattice_free(l);
}

static void refused(const char *what, gauge_params p, const char *reason)
{
    failure f = { .why = "" };
    fact(!gauge_params_check(&p, &f) && strstr(f.why, reason), "%s is refused: %s", what, f.why);
}

static void refusals(void)
{
    refused("xi_0 of symanzik_1loop", (gauge_params){ .action = 5, .beta = 6, .u0 = 0.9, .xi_0 = 2,
                                                      .given = { .u0 = true, .xi_0 = true } }, "is isotropic");
    refused("u_t of wilson", (gauge_params){ .beta = 6, .u_t = 0.9, .given = { .u_t = true } }, "no u_s and u_t");
    refused("symanzik_anisotropic without u_t",
            (gauge_params){ .action = 6, .beta = 6, .u_s = 0.9, .xi_0 = 2, .given = { .u_s = true, .xi_0 = true } },
            "needs xi_0");
    refused("symanzik_anisotropic with xi_0: 1",
            (gauge_params){ .action = 6, .beta = 6, .u_s = 0.9, .u_t = 1, .xi_0 = 1,
                            .given = { .u_s = true, .u_t = true, .xi_0 = true } }, "use symanzik_tree");
    refused("u_s: 0", (gauge_params){ .action = 6, .beta = 6, .u_t = 1, .xi_0 = 2,
                                      .given = { .u_s = true, .u_t = true, .xi_0 = true } }, "is above 0");
}

int main(void)
{
    static const int shapes[][4] = { { 4, 4, 4, 6 }, { 2, 2, 2, 2 }, { 2, 4, 2, 6 } };
    FOR_EVERY_PLACE(where)
        for (int s = 0; s < 3; s++)
            for (int open = 0; open < 2; open++)
                on_lattice(where, shapes[s], open, s);
    refusals();
    return facts_end();
}
