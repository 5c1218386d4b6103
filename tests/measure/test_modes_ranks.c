/* test_modes_ranks.c - low modes of all quarks, and solves that they deflate, have the same bits on each grid of
 * ranks. */
#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/config/yaml.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { COUNT = 2 };

/* Keys of the quarks; the modes of each kind, and one condensate from a deflated solve. */
static const char *const quarks[] = {
    "kind: wilson, correlators: false, spectrum: false, random_sources: 1, residual: 1e-6, c_sw: 1.3, "
    "masses: [ { mass: 0.4 } ], modes: { count: 2, deflate: true, residual: 1e-4 }",
    "kind: domain_wall, action: mobius, Ls: 2, M5: 1.4, b: 1.5, c: 0.5, correlators: false, spectrum: false, "
    "random_sources: 1, residual: 1e-6, masses: [ { mass: 0.2 } ], modes: { count: 2, deflate: true, residual: 1e-4 }",
};
enum { KINDS = sizeof quarks / sizeof *quarks };

static uint64_t digest_modes(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    for (int k = 0; k < KINDS; k++) {
        yaml_node *tree = measured(u, quarks[k]);
        const yaml_node *values = yaml_get(measured_of_mass(tree, 0, "modes"), "eigenvalues");
        require(values && values->count == COUNT, "%s: no eigenvalues", quarks[k]);
        for (int i = 0; i < COUNT; i++) {
            const double lambda = measured_number(values->item[i]);
            require(isfinite(lambda), "%s: eigenvalue %d is not finite", quarks[k], i);
            digest = digest64(digest, &lambda, sizeof lambda);
        }
        const double condensate = measured_real(tree, 0, "condensate");
        require(isfinite(condensate), "%s: no condensate", quarks[k]);
        digest = digest64(digest, &condensate, sizeof condensate);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    return digest;
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_modes, "eigenvalues and deflated condensates");
    return facts_end();
}
