/* test_dwf_exact_golden.c - the exact one-flavor action against an independent implementation in NumPy.
 *
 * golden/l4444.json: links projected to SU(3), Moebius weights, eight slices; its momentum has another unit: Kiln's
 * force is -2 F of the file, and Tr F^+F = 2 sum_a (D_aS)^2. */
#include "src/base/memory.h"
#include "src/config/yaml.h"
#include "src/io/configuration.h"
#include "tests/actions/derivative.h"
#include "tests/actions/dwf_input.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPINOR = 12 };           /* complex numbers */

static const yaml_node *under(const yaml_node *node, const char *key)
{
    const yaml_node *value = yaml_get(node, key);
    require(value != NULL, "the reference has no \"%s\"", key);
    return value;
}

static double number(const yaml_node *node, const char *key)
{
    return strtod(under(node, key)->scalar, NULL);
}

static const char *reference(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", reference_folder(), name);
    return path;
}

static monomial *quarks_of(const yaml_node *entry, const gauge *u)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml,
             "residuals: { action: 1e-14, force: 1e-14 }\naction: mobius\nb: %.17g\nc: %.17g\nLs: %.0f\n"
             "M5: %.17g\ndeterminants: [ { flavors: 1, mass: %.17g, heavy: %.17g, method: exact } ]",
             number(entry, "b"), number(entry, "c"), number(entry, "Ns"), number(entry, "M5"), number(entry, "m1"),
             number(entry, "m2"));
    dwf_params p = dwf_from_text(yaml);
    monomial *m = monomial_create(&dwf_monomial, &p, u);
    dwf_input_free(&p);
    return m;
}

/* sin(1 + 0.7 k) + i cos(0.3 + 1.1 k), k counting all of [t][z][y][x][spin][color]; so many spins of it */
static void set_fields(monomial *m, const lattice *l, int spins)
{
    const size_t count = (size_t)lattice_volume(l) * SPINOR;
    double complex *x = memory_alloc(count * sizeof *x, "a spinor field");
    for (size_t k = 0; k < count; k++)
        x[k] = k % SPINOR < 3 * (size_t)spins ? sin(1 + 0.7 * (double)k) + I * cos(0.3 + 1.1 * (double)k) : 0;
    for (int i = 0; i < 2; i++)
        field_import(monomial_pseudofermion(m, i, NULL), (double *)x);
    memory_free(x);
}

static double difference_at(const yaml_node *file, const double *force, size_t site)
{
    double worst = 0;
    for (int k = 0; k < GAUGE_REALS; k++) {
        const yaml_node *f = file->item[k / 18]->item[k / 6 % 3]->item[k / 2 % 3]->item[k % 2];
        worst = worse(worst, fabs(force[site * GAUGE_REALS + (size_t)k] + 2 * strtod(f->scalar, NULL)));
    }
    return worst;
}

static void golden_numbers(const yaml_node *entry, const gauge *u)
{
    const char *where = place_name(u->links.where);
    const int *n = lattice_global(u->links.lattice);
    const double largest = number(entry, "max"), links = 4 * (double)lattice_volume(u->links.lattice);
    monomial *m = quarks_of(entry, u);
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    set_fields(m, u->links.lattice, 2);
    fact_close(action_of(m, u) / number(entry, "action_plus"), 1, 1e-12, "%s: action of l4444, one chirality, relative",
               where);
    set_fields(m, u->links.lattice, 4);
    fact_close(action_of(m, u) / number(entry, "action"), 1, 1e-12, "%s: action of l4444, relative", where);
    force_of(f, m, u, 1);
    momentum_size size = momentum_measure(f);
    fact_close(size.sum_norm2 / (2 * number(entry, "total")), 1, 1e-11, "%s: force, sum of squares, relative", where);
    fact_close(sqrt(size.sum_norm2 / 2 / links) / number(entry, "rms"), 1, 1e-11,
               "%s: force, root mean square, relative", where);
    fact_close(sqrt(size.max_norm2 / 2) / largest, 1, 1e-11, "%s: force, the largest, relative", where);
    double *matrices = memory_alloc(GAUGE_REALS * (size_t)links / 4 * sizeof *matrices, "matrices");
    momentum_export(matrices, f);
    fact_close(difference_at(under(entry, "F_mu_at_origin"), matrices, 0) / largest, 0, 1e-11,
               "%s: force at the origin, relative", where);
    fact_close(difference_at(under(entry, "F_mu_at_x1y0z1t1"), matrices, (size_t)(1 + n[0] * n[1] * (1 + n[2])))
               / largest, 0, 1e-11, "%s: force at x, y, z, t = 1, 0, 1, 1, relative", where);
    memory_free(matrices);
    momentum_free(f);
    monomial_free(m);
}

static void golden(place where)
{
    failure why;
    configuration_facts facts;
    yaml_node *tree = yaml_read_file(reference("reference/golden/l4444.json"), &why);
    require(tree != NULL, "%s", why.why);
    gauge *u = configuration_read(where, &facts, reference("conf/l4444.proj64.ildg"), &why);
    require(u != NULL, "%s", why.why);
    golden_numbers(under(under(under(tree, "lat.sample.l4444"), "projected"), "eofa"), u);
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
