/* test_domain_wall_force_golden.c - the force of domain-wall quarks against an independent implementation in NumPy.
 *
 * golden/l4444.json: |C(0.1)^-1 C(1) phi|^2 on links projected to SU(3), eight slices, three sets of weights; its
 * momentum has another unit: Kiln's force is -2 F of the file, and Tr F^+F = 2 sum_a (D_aS)^2. */
#include "src/base/memory.h"
#include "src/config/yaml.h"
#include "src/io/configuration.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/wall_forces.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const yaml_node *under(const yaml_node *node, ...)
{
    va_list keys;
    va_start(keys, node);
    for (const char *key = va_arg(keys, const char *); key; key = va_arg(keys, const char *)) {
        node = yaml_get(node, key);
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

/* sin(1 + 0.7 k) + i cos(0.3 + 1.1 k), k counting all of [t][z][y][x][slice][spin][colour] */
static void set_golden(vec *v)
{
    size_t sites = (size_t)lattice_volume(v->f.lattice), slices = (size_t)v->f.slabs / SLAB_GROUP;
    double complex *x = memory_alloc(sites * slices * 12 * sizeof *x, "a vector");
    for (size_t k = 0; k < sites * slices * 12; k++) {
        size_t site = k / 12 / slices, slice = k / 12 % slices;
        x[(slice * sites + site) * 12 + k % 12] = sin(1 + 0.7 * (double)k) + I * cos(0.3 + 1.1 * (double)k);
    }
    vec_import(v, (double *)x);
    memory_free(x);
}

static double difference_at(const yaml_node *file, const double *force, size_t site)
{
    double worst = 0;
    for (int k = 0; k < GAUGE_REALS; k++) {
        const yaml_node *f = file->item[k / 18]->item[k / 6 % 3]->item[k / 2 % 3]->item[k % 2];
        worst = fmax(worst, fabs(force[site * GAUGE_REALS + (size_t)k] + 2 * number(f)));
    }
    return worst;
}

static void golden_force(quarks *q, const gauge *u, const yaml_node *entry, const char *name)
{
    const yaml_node *want = under(entry, "eo", NULL);
    quark_action a = { name, { q->slices, number(under(entry, "M5", NULL)), { 0 }, { 0 } },
                       number(under(entry, "m", NULL)), 1, { 0 }, quarks_turned_ratio };
    const int *n = lattice_extents(q->l);
    vec *phi = q->odd[0];
    momentum *f = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum_size size;
    double largest = number(under(want, "max", NULL)), links = 4 * (double)lattice_volume(q->l);
    for (int s = 0; s < q->slices; s++) {
        a.weights.b[s] = number(under(entry, "b", NULL)->item[s]);
        a.weights.c[s] = number(under(entry, "c", NULL)->item[s]);
    }
    set_golden(phi);
    fact_close(quarks_add_force(q, &a, u, phi, f, 1, &size) / number(under(want, "action", NULL)), 1, 1e-12,
               "%s: action of l4444, %s, relative", place_name(q->where), name);
    fact_close(size.sum_norm2 / (2 * number(under(want, "total", NULL))), 1, 1e-11,
               "%s: force of l4444, %s, sum of squares, relative", place_name(q->where), name);
    fact_close(sqrt(size.sum_norm2 / 2 / links) / number(under(want, "rms", NULL)), 1, 1e-11,
               "%s: force of l4444, %s, root mean square, relative", place_name(q->where), name);
    fact_close(sqrt(size.max_norm2 / 2) / largest, 1, 1e-11, "%s: force of l4444, %s, the largest, relative",
               place_name(q->where), name);
    double *matrices = momentum_matrices(f);
    fact_close(difference_at(under(want, "F_mu_at_origin", NULL), matrices, 0) / largest, 0, 1e-11,
               "%s: force of l4444, %s, at the origin, relative", place_name(q->where), name);
    fact_close(difference_at(under(want, "F_mu_at_x1y0z1t1", NULL), matrices,
                             (size_t)(1 + n[0] * n[1] * (1 + n[2]))) / largest, 0, 1e-11,
               "%s: force of l4444, %s, at x, y, z, t = 1, 0, 1, 1, relative", place_name(q->where), name);
    memory_free(matrices);
    momentum_free(f);
}

static void golden(place where)
{
    static const char *const names[] = { "shamir", "mobius_1.5_0.5", "odwf_0.3_6.5" };
    failure why;
    links_info info;
    configuration_facts facts;
    yaml_node *tree = yaml_read_file(reference("reference/golden/l4444.json"), &why);
    require(tree != NULL, "%s", why.why);
    double *links = configuration_read(reference("conf/l4444.proj64.ildg"), &info, &why);
    require(links != NULL, "%s", why.why);
    lattice *l = lattice_create(info.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    configuration_import(u, &facts, &info, links);
    for (int n = 0; n < 3; n++) {
        const yaml_node *entry = under(tree, "lat.sample.l4444", "projected", "dwf-force", names[n], NULL);
        quarks q = quarks_open(l, where, (int)number(under(entry, "Ns", NULL)));
        golden_force(&q, u, entry, names[n]);
        quarks_close(&q);
    }
    gauge_free(u);
    lattice_free(l);
    memory_free(links);
    yaml_tree_free(tree);
}

int main(void)
{
    if (!reference_folder()) {
        skip("numbers of an independent implementation", "there is no folder of reference data");
        return facts_end();
    }
    FOR_EVERY_PLACE(where)
        golden(where);
    return facts_end();
}
