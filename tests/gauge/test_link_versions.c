/* test_link_versions.c - links that were written have a version of their own, by which what was made of others is
 * known to be out of date. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/operators/link_fields.h"

static const int extents[4] = { 4, 4, 2, 4 };

int main(void)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, PLACE_CPU, PRECISION_DOUBLE, rng_key_for(1, 0, 0, RNG_GAUGE_ROTATION));
    enum { VERBS = 6 };
    uint64_t seen[VERBS + 1] = { u->version };
    for (int n = 1; n <= VERBS; n++) {
        switch (n) {
        case 1: gauge_set_unit(u); break;
        case 2: gauge_set_random(u, rng_key_for(1, 0, 0, RNG_START_LINKS)); break;
        case 3: gauge_drift(u, 0.1, p); break;
        case 4: gauge_reunitarize(u); break;
        case 5: gauge_rotate(u, g); break;
        case 6: {
            double *links = links_of(u);
            gauge_import(u, links);
            memory_free(links);
            break;
        }
        }
        seen[n] = u->version;
    }
    bool fresh = seen[0] != 0 && v->version != seen[0];
    for (int n = 1; n <= VERBS; n++)
        fresh = fresh && seen[n] > seen[n - 1];
    fact(fresh, "links that were written have a version that no links had before");
    gauge_copy(v, u);
    fact(v->version == u->version, "a copy has the version of its source");
    gauge_rotation_free(g);
    momentum_free(p);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
    return facts_end();
}
