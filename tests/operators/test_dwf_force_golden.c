/* test_dwf_force_golden.c - the force of domain-wall quarks against an independent implementation in NumPy.
 *
 * golden/l4444.json: |C(0.1)^-1 C(1) phi|^2 on links projected to SU(3), eight slices, three sets of weights; its
 * momentum has another unit: Kiln's force is -2 F of the file, and Tr F^+F = 2 sum_a (D_aS)^2. */
#include "src/base/memory.h"
#include "src/config/yaml.h"
#include "src/io/configuration.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/golden_spinors.h"
#include "tests/operators/dwf_forces.h"

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

static void read_matrices(double *matrices, const yaml_node *file)
{
    for (int k = 0; k < GAUGE_REALS; k++)
        matrices[k] = number(file->item[k / 18]->item[k / 6 % 3]->item[k / 2 % 3]->item[k % 2]);
}

static void golden_force_of(quarks *q, const gauge *u, const yaml_node *entry, const char *name)
{
    const yaml_node *file = under(entry, "eo", NULL);
    quark_action a = { name, { q->Ls, number(under(entry, "M5", NULL)), { 0 }, { 0 } },
                       number(under(entry, "m", NULL)), 1, { 0 }, quarks_turned_ratio };
    golden_force want = { number(under(file, "action", NULL)), number(under(file, "total", NULL)),
                          number(under(file, "rms", NULL)), number(under(file, "max", NULL)), { 0 }, { 0 } };
    momentum *f = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum_size size;
    read_matrices(want.origin, under(file, "F_mu_at_origin", NULL));
    read_matrices(want.x1y0z1t1, under(file, "F_mu_at_x1y0z1t1", NULL));
    for (int s = 0; s < q->Ls; s++) {
        a.weights.b[s] = number(under(entry, "b", NULL)->item[s]);
        a.weights.c[s] = number(under(entry, "c", NULL)->item[s]);
    }
    golden_vector(q->odd[0]);
    double action = quarks_begin_force(q, &a, u, q->odd[0]);
    quarks_finish(q, u, f, 1, &size);
    golden_force_compare(f, size, action, &want, name);
    momentum_free(f);
}

static void golden(place where)
{
    static const char *const names[] = { "shamir", "mobius_1.5_0.5", "odwf_0.3_6.5" };
    failure why;
    configuration_facts facts;
    yaml_node *tree = yaml_read_file(reference("reference/golden/l4444.json"), &why);
    require(tree != NULL, "%s", why.why);
    gauge *u = configuration_read(where, &facts, reference("conf/l4444.proj64.ildg"), &why);
    require(u != NULL, "%s", why.why);
    for (int n = 0; n < 3; n++) {
        const yaml_node *entry = under(tree, "lat.sample.l4444", "projected", "dwf-force", names[n], NULL);
        quarks q = quarks_open(u->links.lattice, where, (int)number(under(entry, "Ns", NULL)));
        golden_force_of(&q, u, entry, names[n]);
        quarks_close(&q);
    }
    configuration_close(u);
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
