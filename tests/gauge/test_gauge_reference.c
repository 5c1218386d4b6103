/* test_gauge_reference.c - configurations of other codes: what they and an independent implementation found.
 *
 * golden/l4444.json          a NumPy implementation on l4444, as stored in 32 bits and projected to SU(3) in 64;
 *                            its momentum has another unit: Kiln's force is -2 F of the file, and
 *                            Tr F^+F = 2 sum_a (D_aS)^2
 * milc/f211b670.l6666        MILC in double precision, on links reunitarized after reading: loops, action, force,
 *                            momenta (Re Tr up to 3; the same unit of momenta as Kiln's)
 */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/config/yaml.h"
#include "src/io/configuration.h"
#include "src/lattice/kernels.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The node under a list of keys that NULL ends; an item of a list by its number. */
static const yaml_node *under(const yaml_node *node, ...)
{
    va_list keys;
    va_start(keys, node);
    for (const char *key = va_arg(keys, const char *); key; key = va_arg(keys, const char *)) {
        node = node->type == YAML_SEQUENCE ? node->item[atoi(key)] : yaml_get(node, key);
        require(node != NULL, "the reference has no \"%s\"", key);
    }
    va_end(keys);
    return node;
}

static double number(const yaml_node *node)
{
    return strtod(node->scalar, NULL);
}

static const char *reference(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", reference_folder(), name);
    return path;
}

static yaml_node *read_numbers(const char *name)
{
    failure why;
    yaml_node *tree = yaml_read_file(reference(name), &why);
    require(tree != NULL, "%s", why.why);
    return tree;
}

static gauge *read_links(place where, const char *name)
{
    failure why;
    configuration_facts facts;
    gauge *u = configuration_read(where, &facts, reference(name), &why);
    require(u != NULL, "%s", why.why);
    return u;
}

/* The force in `f`, its sizes as the record of a run has them */
static momentum_size force_of(const gauge_params *params, const gauge *u, momentum *f)
{
    sum_array size = monomial_size_create(u);
    sum_cell sum;
    max_cell max;
    monomial *m = monomial_create(&gauge_monomial, params, u);
    momentum_zero(f);
    monomial_add_force(m, u, f, 1, size.cells, &(monomial_call){ .clock = NULL });
    sums_read((sum_cells){ &sum, &max }, &size);
    monomial_free(m);
    sums_free(&size);
    return (momentum_size){ sum_cell_value(&sum, SUM_BOUND), max_cell_value(&max) };
}

static double action_of(const gauge_params *params, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    double s;
    monomial_action(&s, m, u, &(monomial_call){ .clock = NULL });
    monomial_free(m);
    return s;
}

static double *matrices_of(const momentum *p)
{
    double *matrices = memory_alloc(GAUGE_REALS * (size_t)lattice_volume(p->f.lattice) * sizeof *matrices, "matrices");
    momentum_export(matrices, p);
    return matrices;
}

static void observables_of_golden(const yaml_node *golden, const gauge *u, const char *name, double tolerance)
{
    plaquette_means p = gauge_plaquette(u);
    fact_close(p.average, number(under(golden, "plaquette", "plaq", NULL)), tolerance, "%s: plaquette", name);
    fact_close(p.spatial, number(under(golden, "plaquette", "plaq_s", NULL)), tolerance, "%s: spatial plaquette", name);
    fact_close(p.temporal, number(under(golden, "plaquette", "plaq_t", NULL)), tolerance, "%s: temporal plaquette",
               name);
    fact_close(gauge_rectangle(u), number(under(golden, "rect", NULL)), tolerance, "%s: rectangle", name);
    fact_close(gauge_parallelogram(u), number(under(golden, "pgram", NULL)), tolerance, "%s: parallelogram", name);
    fact_close(gauge_link_quality(u).link_trace, number(under(golden, "linktrace", NULL)), tolerance, "%s: link trace",
               name);
    for (int mu = 0; mu < 4; mu++) {
        char axis[2] = { "xyzt"[mu], 0 };
        polyakov_mean l = gauge_polyakov(u, mu);
        fact_close(l.re, number(under(golden, "poly", axis, "0", NULL)), tolerance, "%s: Re Polyakov %s", name, axis);
        fact_close(l.im, number(under(golden, "poly", axis, "1", NULL)), tolerance, "%s: Im Polyakov %s", name, axis);
    }
}

/* -2 F of the file against Kiln's force at a site, relative to the largest force */
static double difference_at(const yaml_node *file, const double *force, size_t site, double largest)
{
    double worst = 0;
    for (int k = 0; k < 4 * 18; k++) {
        const yaml_node *f = file->item[k / 18]->item[k / 6 % 3]->item[k / 2 % 3]->item[k % 2];
        worst = worse(worst, fabs(force[site * GAUGE_REALS + (size_t)k] + 2 * number(f)));
    }
    return worst / largest;
}

static void actions_of_golden(const yaml_node *golden, const gauge *u, const char *name, double tolerance)
{
    static const struct { const char *key; gauge_params params; } actions[] = {
        { "wilson", { .action = 0, .beta = 6 } },
        { "symanzik_tree", { .action = 1, .beta = 6 } },
        { "iwasaki", { .action = 2, .beta = 6 } },
        { "dbw2", { .action = 3, .beta = 6 } },
        { "lw_u0.8788_nf0", { .action = 5, .beta = 6, .u0 = 0.8788 } },
        { "lw_u0.87_nf4", { .action = 5, .beta = 6, .u0 = 0.87, .flavors = 4 } },
    };
    const int *n = lattice_global(u->links.lattice), at[4] = { 1, 0, 1, 1 };
    size_t second = (size_t)(at[0] + n[0] * (at[1] + n[1] * (at[2] + n[2] * at[3])));
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    for (int a = 0; a < 6; a++) {
        const char *key = actions[a].key;
        const yaml_node *want = under(golden, "gauge-force", key, NULL);
        fact_close(action_of(&actions[a].params, u) / number(under(golden, "actions", key, NULL)), 1, tolerance,
                   "%s: action %s, relative", name, key);
        momentum_size size = force_of(&actions[a].params, u, f);
        double largest = number(under(want, "max", NULL)), *matrices = matrices_of(f);
        fact_close(size.sum_norm2 / (2 * number(under(want, "total", NULL))), 1, 2 * tolerance,
                   "%s: force %s, sum of squares, relative", name, key);
        fact_close(sqrt(size.max_norm2 / 2) / largest, 1, tolerance, "%s: force %s, the largest, relative", name, key);
        fact_close(difference_at(under(want, "F_mu_at_origin", NULL), matrices, 0, largest), 0, tolerance,
                   "%s: force %s at the origin, relative", name, key);
        fact_close(difference_at(under(want, "F_mu_at_x1y0z1t1", NULL), matrices, second, largest), 0, tolerance,
                   "%s: force %s at x, y, z, t = 1, 0, 1, 1, relative", name, key);
        memory_free(matrices);
    }
    momentum_free(f);
}

static void golden(place where)
{
    static const struct { const char *group, *file; } fields[] = {
        { "raw", "conf/l4444.ildg" }, { "projected", "conf/l4444.proj64.ildg" },
    };
    yaml_node *tree = read_numbers("reference/golden/l4444.json");
    for (int n = 0; n < 2; n++) {
        char name[64];
        snprintf(name, sizeof name, "%s, l4444 %s", place_name(where), fields[n].group);
        gauge *u = read_links(where, fields[n].file);
        const yaml_node *group = under(tree, "lat.sample.l4444", fields[n].group, NULL);
        observables_of_golden(group, u, name, 4e-15);
        actions_of_golden(group, u, name, 4e-15);
        configuration_close(u);
    }
    yaml_tree_free(tree);
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++)
        worst = worse(worst, fabs(a[i] - b[i]));
    return worst;
}

static double *read_field(const char *name, const lattice *l)
{
    const int *n = lattice_global(l);
    size_t shape[] = { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 };
    failure why;
    double *numbers = npy_read(reference(name), 8, shape, &why);
    require(numbers != NULL, "%s", why.why);
    return numbers;
}

static void milc(place where)
{
    const char *name = place_name(where);
    const gauge_params params = { .action = 5, .beta = 6.7, .u0 = 0.89, .flavors = 4 };
    gauge *u = read_links(where, "conf/f211b670.l6666.milc");
    lattice *l = u->links.lattice;
    size_t count = GAUGE_REALS * (size_t)lattice_volume(l);
    yaml_node *obs = read_numbers("reference/milc/f211b670.l6666/obs.json");
    double *links = memory_alloc(count * sizeof *links, "links"), size = 0;

    double change = gauge_reunitarize_change(u);
    fact(change > 0 && change < 3e-7, "%s, MILC: reunitarization moves links of 32 bits by their rounding", name);
    gauge_export(links, u);
    double *want = read_field("reference/milc/f211b670.l6666/U.npy", l);
    fact_close(largest_difference(links, want, count), 0, 1e-15, "%s, MILC: the links after it", name);
    memory_free(want);

    plaquette_means p = gauge_plaquette(u);
    polyakov_mean line = gauge_polyakov(u, 3);
    fact_close(3 * p.spatial, number(under(obs, "plaq_ss", NULL)), 4e-15, "%s, MILC: spatial plaquette", name);
    fact_close(3 * p.temporal, number(under(obs, "plaq_st", NULL)), 4e-15, "%s, MILC: temporal plaquette", name);
    fact_close(3 * gauge_rectangle(u), number(under(obs, "loop_rectangle_mean_ReTr", NULL)), 4e-15,
               "%s, MILC: rectangle", name);
    fact_close(3 * gauge_parallelogram(u), number(under(obs, "loop_parallelogram_mean_ReTr", NULL)), 4e-15,
               "%s, MILC: parallelogram", name);
    fact_close(3 * line.re, number(under(obs, "ploop_re", NULL)), 4e-15, "%s, MILC: Re Polyakov", name);
    fact_close(3 * line.im, number(under(obs, "ploop_im", NULL)), 4e-15, "%s, MILC: Im Polyakov", name);
    loop_coefficients c = gauge_action_coefficients(&params);
    fact_close(c.rectangle, number(under(obs, "loop_rectangle_coeff", NULL)), 1e-16, "%s, MILC: c_rect", name);
    fact_close(c.parallelogram, number(under(obs, "loop_parallelogram_coeff", NULL)), 1e-16, "%s, MILC: c_par", name);
    fact_close(action_of(&params, u) / number(under(obs, "S_gauge_beta_over_3", NULL)), 1, 4e-15,
               "%s, MILC: S_g, relative", name);

    momentum *f = momentum_create(l, where, PRECISION_DOUBLE);
    force_of(&params, u, f);
    double *force = matrices_of(f);
    want = read_field("reference/milc/f211b670.l6666/gauge_force.npy", l);
    for (size_t i = 0; i < count; i++)
        size = fmax(size, fabs(want[i]));
    fact_close(largest_difference(force, want, count) / size, 0, 1e-13,
               "%s, MILC: the force, relative to its largest element", name);
    memory_free(want);
    memory_free(force);

    want = read_field("reference/milc/f211b670.l6666/mom_start.npy", l);
    fact_close(momentum_import(f, want), 0, 1e-14, "%s, MILC: its momenta are antihermitian and traceless", name);
    double shift = 4 * 4 * (double)lattice_volume(l);         /* MILC prints T less its mean, 4 a link */
    fact_close(momentum_kinetic(f) - shift, -205.282772130477, 1e-9, "%s, MILC: their kinetic energy", name);
    memory_free(want);
    momentum_free(f);
    memory_free(links);
    yaml_tree_free(obs);
    configuration_close(u);
}

int main(void)
{
    if (!reference_folder()) {
        skip("configurations and numbers of other codes", "there is no folder of reference data (KILN_SHARED)");
        return facts_end();
    }
    FOR_EVERY_PLACE(where) {
        golden(where);
        milc(where);
    }
    return facts_end();
}
