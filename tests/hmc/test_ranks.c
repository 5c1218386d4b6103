/* test_ranks.c - the bits of a stream do not depend on how ranks divide the lattice: for every action, trajectories on
 * grids of ranks (threads of this process) give the links, energies, observables and measurements of one rank. */
#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/grid.h"
#include "src/measure/measurement.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

typedef struct { const char *name, *extents, *monomials, *measurements; } action;

#define GAUGE(action) "  - { kind: gauge, name: gauge, action: " action ", beta: 5.8 }\n"
#define OPEN "boundary: { time: open }\n"              /* follows the monomials */
#define FLOW "{ kind: flow, t_max: 0.1 }"
#define QUARKS(rest) GAUGE("symanzik_tree") "  - { name: quarks, " rest " }\n"

static const action actions[] = {
    { "plaquette", "4, 4, 4, 8", GAUGE("wilson"), FLOW },
    { "Symanzik", "4, 8, 4, 4", GAUGE("symanzik_tree"), "" },
    { "one-loop Symanzik", "8, 4, 4, 4",
      "  - { kind: gauge, name: gauge, action: symanzik_1loop, beta: 6.8, u0: 0.87 }\n", "" },
    { "open boundaries in time", "4, 4, 4, 8", GAUGE("wilson") OPEN,
      "{ kind: flow, t_max: 0.1, plateau_first: 2, plateau_last: 5 }" },
    { "one-loop Symanzik, open boundaries", "4, 8, 4, 8",
      "  - { kind: gauge, name: gauge, action: symanzik_1loop, beta: 6.8, u0: 0.87, c_G: 1.2 }\n" OPEN,
      "{ kind: schwinger_dyson }" },
    { "parallel tempering", "4, 4, 4, 8",
      GAUGE("symanzik_tree") "tempering: { replicas: 3, defect: { direction: z, size: 1 } }\n", "" },
    { "naive staggered quarks, double", "8, 8, 8, 8",
      QUARKS("kind: staggered, action: naive, solver: double, largest_eigenvalue: 30, determinants: [ { quarks: "
             "[ { mass: 0.4, flavors: 2 } ] } ]"), "" },
    { "HISQ", "8, 8, 8, 8", QUARKS("kind: staggered, largest_eigenvalue: 30, determinants: [ { quarks: "
                                   "[ { mass: 0.2, flavors: 2 }, { mass: 0.4, flavors: 1 } ] } ]"),
      "{ kind: condensate, masses: [ { mass: 0.4 } ], sources: 1 }, { kind: schwinger_dyson }" },
    { "asqtad", "4, 4, 4, 8",
      QUARKS("kind: staggered, action: asqtad, u0: 0.9, solver: double-single-half, largest_eigenvalue: 30, "
             "determinants: [ { quarks: [ { mass: 0.4, flavors: 2 } ], hasenbusch: [ { mass: 1 } ] } ]"),
      "{ kind: condensate, action: asqtad, masses: [ { mass: 0.4 } ], sources: 1 }" },
    { "Shamir", "4, 4, 4, 8", QUARKS("kind: domain_wall, action: shamir, Ls: 4, M5: 1.8, determinants: "
                                     "[ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.5 } ] }, "
                                     "{ flavors: 1, mass: 0.3, method: exact } ]"),
      "{ kind: domain_wall, action: shamir, Ls: 4, M5: 1.8, masses: [ { mass: 0.4 } ], random_sources: 1 }" },
    { "Moebius in half", "4, 4, 4, 8",
      QUARKS("kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, solver: double-half, "
             "determinants: [ { flavors: 2, mass: 0.3 } ]"), "" },
    { "optimal, with the spectrum of the kernel", "4, 4, 4, 8",
      QUARKS("kind: domain_wall, action: optimal, Ls: 4, M5: 1.8, lambda_min: 0.3, determinants: "
             "[ { flavors: 2, mass: 0.4 } ]"),
      "{ kind: domain_wall, action: optimal, Ls: 4, M5: 1.8, lambda_min: 0.3, masses: [ { mass: 0.4 } ], "
      "random_sources: 1 }" },
    { "2 flavors, Wilson", "4, 4, 4, 8",
      GAUGE("iwasaki") "  - { name: quarks, kind: wilson, solver: double-single, determinants: "
      "[ { flavors: 2, mass: 1 } ] }\n", "" },
    { "exponential clover", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, clover: exponential, solver: double-single, "
             "determinants: [ { flavors: 2, mass: 1 } ]"), "" },
    { "2 + 1 flavors, clover", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, solver: double-single-half, determinants: "
             "[ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.4 } ]"),
      "{ kind: wilson, c_sw: 1.3, masses: [ { mass: 0.4, mu: 0.1 } ], random_sources: 1 }, "
      "{ kind: schwinger_dyson }" },
    { "anisotropic clover, exponential", "4, 4, 4, 8",
      "  - { name: gauge, kind: gauge, action: wilson, beta: 5.6, xi_0: 2.5 }\n"
      "  - { name: quarks, kind: wilson, xi_0: 2.5, nu: 1.1, c_s: 1.5, c_t: 0.9, clover: exponential, "
      "even_odd: symmetric, solver: double-single-half, determinants: [ { flavors: 2, mass: 0.2, hasenbusch: "
      "[ { mass: 0.5 } ] } ] }\n",
      "{ kind: wilson, xi_0: 2.5, nu: 1.1, c_s: 1.5, c_t: 0.9, clover: exponential, masses: [ { mass: 0.2 } ], "
      "random_sources: 1 }" },
    { "clover by BiCGstab(2) in half", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, method: bicgstab2, solver: double-half, determinants: "
             "[ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.5 } ] } ]"), "" },
    { "twisted mass, clover", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, solver: double-single-half, determinants: "
             "[ { flavors: 2, mass: 0.1, mu: 0.2, rho: 0.1, hasenbusch: [ { rho: 0.3 } ] } ]"),
      "{ kind: wilson_reweighting, c_sw: 1.3, masses: [ { mass: 0.1, mu: 0.2, rho: 0.1 } ], sources: 2 }" },
    { "2 + 1 flavors, clover, symmetric", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, even_odd: symmetric, solver: double-single-half, determinants: "
             "[ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.4 } ]"), "" },
    { "twisted mass, exponential clover, symmetric, by BiCGstab(2) in half", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, clover: exponential, even_odd: symmetric, method: bicgstab2, "
             "solver: double-half, determinants: [ { flavors: 2, mass: 0.1, mu: 0.2, rho: 0.1, "
             "hasenbusch: [ { rho: 0.3 } ] } ]"), "" },
    { "doublet with phases in space", "4, 4, 4, 8",
      QUARKS("kind: wilson_doublet, theta: [0.4, -0.7, 0.5], mass: 0.2, mu_sigma: 0.3, mu_delta: 0.2, "
             "solver: double-single-half"),
      "{ kind: wilson_doublet, theta: [0.4, -0.7, 0.5], mass: 0.2, mu_sigma: 0.3, mu_delta: 0.2, "
      "masses: [ { mass: 0.2, mu: 0.1 } ], heavy: true, source_type: z2_wall }" },
    { "doublet, clover", "4, 4, 4, 8",
      QUARKS("kind: wilson_doublet, c_sw: 1.3, mass: 0.2, mu_sigma: 0.3, mu_delta: -0.2, hasenbusch: [ { mu_sigma: 0.8 "
             "} ], solver: double-half"), "" },
    { "2 + 1 flavors, clover, open boundaries", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, c_F: 1.2, solver: double-single-half, determinants: "
             "[ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.4 } ]") OPEN, "" },
    { "twisted mass, exponential clover, open boundaries", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, clover: exponential, even_odd: symmetric, method: bicgstab2, "
             "solver: double-half, determinants: [ { flavors: 2, mass: 0.1, mu: 0.2, rho: 0.1, "
             "hasenbusch: [ { rho: 0.3 } ] } ]") OPEN, "" },
    { "doublet, clover, open boundaries", "4, 4, 4, 8",
      QUARKS("kind: wilson_doublet, c_sw: 1.3, mass: 0.2, mu_sigma: 0.3, mu_delta: 0.2, "
             "solver: double-half") OPEN, "" },
    { "clover with phases in space", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, theta: [0.4, -0.7, 0.5], solver: double-single-half, determinants: "
             "[ { flavors: 2, mass: 0.4 } ]"),
      "{ kind: wilson, theta: [0.4, -0.7, 0.5], masses: [ { mass: 0.4 } ], random_sources: 1 }" },
    { "clover on stout links", "4, 4, 4, 8",
      QUARKS("kind: wilson, c_sw: 1.3, stout: { levels: 2, rho: 0.1 }, solver: double-single-half, "
             "determinants: [ { flavors: 2, mass: 0.3 } ]"),
      "{ kind: domain_wall, Ls: 4, stout: { levels: 2, rho: 0.1 }, masses: [ { mass: 0.4 } ], random_sources: 1 }" },
    { "naive staggered quarks on stout links", "8, 8, 8, 8",
      QUARKS("kind: staggered, action: naive, stout: { levels: 2, rho: 0.12 }, solver: double-single, "
             "largest_eigenvalue: 30, determinants: [ { quarks: [ { mass: 0.4, flavors: 2 } ] } ]"),
      "{ kind: condensate, action: naive, stout: { levels: 2, rho: 0.12 }, masses: [ { mass: 0.4 } ], sources: 1 }" },
};

static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 }, { 2, 2, 2, 2 } };
enum { GPU_RANKS = 2 };                      /* at most, that share a GPU */
enum { ACTIONS = sizeof actions / sizeof *actions, GRIDS = sizeof grids / sizeof *grids, NUMBERS = 16 };

typedef struct { uint64_t links, measured; double number[NUMBERS]; } result;

typedef struct { const action *a; place where; const int *grid; result of[16]; bool possible; } task;

static bool has_quarks(const action *a)
{
    return strstr(a->monomials, "quarks") != NULL;
}

/* With quarks one trajectory of one step: their solves are long on ranks that share few processors. */
static int trajectories_of(const action *a)
{
    return has_quarks(a) ? 1 : 2;
}

static void run_input_text(text *t, const action *a)
{
    text_add(t, "lattice: [%s]\nrandom: { seed: 79 }\nmonomials:\n%shmc:\n  trajectory_length: 0.2\n"
                "  trajectories: 2\n  thermalization: 2\n"
                "  levels: [ { integrator: omelyan, steps: %d, monomials: [ gauge%s ] } ]\n"
                "output: { directory: unused }\nmeasurements: [ %s ]\n",
             a->extents, a->monomials, trajectories_of(a), has_quarks(a) ? ", quarks" : "", a->measurements);
}

static uint64_t digest_of_measurements(const run_system *s)
{
    json j = { 0 };
    clock_tree clock = { 0 };
    measurements *m = measurements_create(run_measurements(&s->in->p), s->u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, s->u, &(measurement_point){ 79, 0, 1 }, &j, &clock);
    json_close(&j);
    const uint64_t digest = digest64(DIGEST64_START, json_string(&j), strlen(json_string(&j)));
    require(!strstr(json_string(&j), "\"converged\":false"), "%s", json_string(&j));
    measurements_free(m);
    json_free(&j);
    return digest;
}

/* Trajectories; all that a record has of them. */
static int make_stream(void *of)
{
    task *t = of;
    text input = { 0 };
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    run_input_text(&input, t->a);
    run_system s = run_system_create(t->where, PRECISION_DOUBLE, "%s", text_string(&input));
    result r = { .links = DIGEST64_START };
    double *at = r.number;
    for (int n = 1; n <= trajectories_of(t->a); n++) {
        const hmc_outcome o = run_system_trajectory(&s, n);
        *at++ = o.dh;
        *at++ = o.before.kinetic;
    }
    const plaquette_means p = gauge_plaquette(s.u);
    const field_strength_means f = gauge_field_strength(s.u);
    const link_quality_means q = gauge_link_quality(s.u);
    const double more[] = { p.average, p.spatial, p.temporal, gauge_rectangle(s.u), gauge_parallelogram(s.u), f.energy,
                            q.link_trace, q.unitarity };
    memcpy(at, more, sizeof more);
    at += sizeof more / sizeof *more;
    for (int mu = 0; mu < 4; mu++)
        *at++ = gauge_polyakov(s.u, mu).re;
    r.measured = digest_of_measurements(&s);
    double *links = links_of(s.u);
    r.links = digest64(r.links, links, link_numbers(s.u->links.lattice) * sizeof *links);
    memory_free(links);
    t->of[comm_rank(comm_world())] = r;
    run_system_free(&s);
    text_free(&input);
    return 0;
}

static int ranks_of(const int grid[4])
{
    return grid[0] * grid[1] * grid[2] * grid[3];
}

/* The grids that divide the lattice of an action, and on GPUs those of few ranks, which wait for each other.  On CPUs,
 * where a trajectory with quarks takes long, one of them, another one for the next action; all with KILN_NIGHTLY=1. */
static int choose_grids(int chosen[], place where, const action *a)
{
    int extents[4], n = 0;
    sscanf(a->extents, "%d, %d, %d, %d", &extents[0], &extents[1], &extents[2], &extents[3]);
    for (int g = 0; g < GRIDS; g++)
        if (grid_is_possible(extents, grids[g], strstr(a->monomials, "staggered") ? 3 : 2, NULL)
            && (where == PLACE_CPU || ranks_of(grids[g]) <= GPU_RANKS * device_count(NULL)))
            chosen[n++] = g;
    if (where == PLACE_CPU && has_quarks(a) && !nightly() && n > 0) {
        chosen[0] = chosen[(a - actions) % n];
        n = 1;
    }
    return n;
}

static void same_on_grids(place where, const action *a)
{
    task single = { .a = a, .where = where };
    make_stream(&single);
    int chosen[GRIDS];
    const int n = choose_grids(chosen, where, a);
    for (int i = 0; i < n; i++) {
        const int *grid = grids[chosen[i]];
        task t = { .a = a, .where = where, .grid = grid };
        int different = 0;
        comm_run_threads(ranks_of(grid), make_stream, &t);
        for (int r = 0; r < ranks_of(grid); r++)
            different += memcmp(&t.of[r], &single.of[0], sizeof single.of[0]) != 0;
        fact(different == 0, "%s, %s: the same bits on a grid of %s (dH %.17g, %.17g; links %s, measurements %s)",
             place_name(where), a->name, extents_to_text(grid).s, t.of[0].number[0], single.of[0].number[0],
             t.of[0].links == single.of[0].links ? "equal" : "differ",
             t.of[0].measured == single.of[0].measured ? "equal" : "differ");
    }
}

static void streams(place where)
{
    for (int i = 0; i < ACTIONS; i++)
        same_on_grids(where, &actions[i]);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        streams(where);
    return facts_end();
}
