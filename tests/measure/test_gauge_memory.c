/* test_gauge_memory.c - measurements of gauge observables, and of mesons from walls of Coulomb's gauge, take the memory
 * that is planned for them, to the byte. */
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

static const int extents[4] = { 4, 4, 2, 6 };

/* By ascending need: the peak is then that of the last one. */
static const char *const kinds[] = {
    "kind: gauge_fixing, quality: 1e-3",
    "kind: gauge_fixing, gauge: coulomb, quality: 1e-3",
    "kind: polyakov",
    "kind: wilson_loops, ape_levels: 2",
    "kind: flow, action: zeuthen, t_max: 0.02, tolerance: 0.1",
    "kind: staggered_mesons, source_type: corner_wall, gauge_quality: 1e-2, masses: [ { mass: 0.5 }, { mass: 0.6, "
    "naik_epsilon: 0.1 } ], pairs: [ { quark: 0, antiquark: 1 } ], residual: 1e-3",
    "kind: wilson_loops, ape_levels: 2, time_links: hyp1, off_axis: true",
    "kind: wilson, source_type: wall, gauge_quality: 1e-2, c_sw: 1, masses: [ { mass: 0.5 }, { mass: 0.6 }, "
    "{ mass: 0.7 } ], pairs: [ { quark: 0, antiquark: 2 } ], residual: 1e-3, random_sources: 1",
    "kind: wilson_doublet, mass: 0.5, mu_sigma: 0.3, mu_delta: 0.2, heavy: true, masses: [ { mass: 0.5, mu: 0.1 }, "
    "{ mass: 0.6 } ], residual: 1e-3, smearing: { steps: 2, width: 1, links: stout, levels: 2, rho: 0.1 }",
    "kind: wilson, c_sw: 1, masses: [ { mass: 0.5 }, { mass: 0.6 }, { mass: 0.7 } ], pairs: [ { quark: 0, "
    "antiquark: 2 } ], residual: 1e-3, random_sources: 1, smearing: { steps: 2, width: 1, links: ape, levels: 1 }, "
    "baryons: true",
    "kind: domain_wall, action: mobius, Ls: 4, source_type: wall, gauge_quality: 1e-2, masses: [ { mass: 0.2 }, "
    "{ mass: 0.3 } ], pairs: [ { quark: 0, antiquark: 1 } ], residual: 1e-3, random_sources: 0, spectrum: false",
    "kind: wilson_doublet, c_sw: 1, stout: { levels: 1, rho: 0.1 }, source_type: wall, gauge_quality: 1e-2, mass: 0.5, "
    "mu_sigma: 0.3, mu_delta: 0.2, heavy: true, masses: [ { mass: 0.5, mu: 0.1 }, { mass: 0.6 } ], residual: 1e-3",
    "kind: wilson_doublet, mass: 0.5, mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.5, mu: 0.1 } ], source_type: "
    "z2_wall, residual: 1e-3, max_rhs: 8, smearing: { steps: 2, width: 1, links: ape, levels: 1 }",
    "kind: domain_wall, action: mobius, Ls: 4, masses: [ { mass: 0.2 }, { mass: 0.3 } ], pairs: [ { quark: 0, "
    "antiquark: 1 } ], residual: 1e-3, random_sources: 0, spectrum: false, smearing: { steps: 2, width: 1, "
    "links: stout, levels: 2, rho: 0.1 }, baryons: true",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void as_planned(const gauge *u, const char *kind)
{
    const place where = u->links.where;
    run_input in;
    json j = { 0 };
    clock_tree clock = { 0 };
    run_from_text(&in, "lattice: [%d, %d, %d, %d]\nrandom: { seed: 7 }\n"
                       "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                       "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
                       "output: { directory: nowhere }\nmeasurements: [ { %s } ]\n",
                  extents[0], extents[1], extents[2], extents[3], kind);
    const memory_need need = measurements_bytes(run_measurements(&in.p), lattice_shape_of(u->links.lattice));
    const size_t before = place_bytes_now(where);
    measurements *m = measurements_create(run_measurements(&in.p), u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &(measurement_point){ 7, 0, 1 }, &j, &clock);
    json_close(&j);
    fact_close((double)(place_bytes_peak(where) - before), (double)memory_need_sum(need), 0,
               "%s, %s: memory is as planned", place_name(where), kind);
    measurements_free(m);
    json_free(&j);
    run_input_free(&in);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(1, 0, 0, RNG_TEST));
        lattice_sum_scratch(l, where);               /* of the lattice: made by the first sum, not by a measurement */
        for (int n = 0; n < KINDS; n++)
            as_planned(u, kinds[n]);
        gauge_free(u);
    }
    lattice_free(l);
    return facts_end();
}
