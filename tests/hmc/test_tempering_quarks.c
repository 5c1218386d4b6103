/* test_tempering_quarks.c - parallel tempering with quarks: the first and the last replica have the means of runs with
 * quarks without tempering, with the periodic gauge action and with that of the open defect.  The quarks of all of them
 * see the same links.
 *
 * Random numbers have fixed seeds: a fact that holds once holds always. */
#include "tests/facts.h"
#include "tests/hmc/defect_means.h"
#include "tests/hmc/run_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BETA 4.5
#define INPUT                                                                                                       \
    "lattice: [2, 2, 2, 4]\nrandom: { seed: %d }\nmonomials:\n"                                                     \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 4.5 }\n%s"                                              \
    "hmc: { trajectories: 1000000, thermalization: 20, trajectory_length: 0.7, levels: [\n"                        \
    "  { integrator: omelyan, steps: 4, monomials: [gauge%s] } ] }\n%s\noutput: { directory: unused }\n"
#define QUARKS                                                                                                 \
    "  - { kind: wilson, name: quarks, determinants: [ { flavors: 2, kappa: 0.16 } ],\n" \
    "      residuals: { refresh: 1e-8, action: 1e-8, force: 1e-5 }, solver: double }\n"
#define TEMPERING "tempering: { replicas: 3, factors: [ { c: 1 }, { c: 0.5 }, { c: 0 } ], defect: { size: 1 } }"

enum { LENGTH = 240, SETTLE = 30 };
static const defect_scale scale = { BETA, 2 };

static void add(defect_means *m, int n, const gauge *u, const defect_box *box)
{
    defect_means_add(m, scale, (n - SETTLE) * DEFECT_BLOCKS / LENGTH, u, box, (double)DEFECT_BLOCKS / LENGTH);
}

static defect_box box_in(const state_memory *memory, const char *replica)
{
    const double *value = state_memory_find(memory, replica)->value;
    return (defect_box){ 0, 1, { (int)value[1], (int)value[2], (int)value[3], (int)value[4] } };
}

/* m[0]: of the first replica; m[1]: of the last. */
static void run_tempered(defect_means m[2], int seed)
{
    run_system s = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, seed, QUARKS, ", quarks", TEMPERING);
    gauge *last = gauge_create(s.l, PLACE_CPU, PRECISION_DOUBLE);
    int moves = 0, at = 0;
    memset(m, 0, 2 * sizeof *m);
    for (int n = 0; n < SETTLE + LENGTH; n++) {
        state_memory memory;
        run_system_trajectory(&s, n + 1);
        hmc_get_memory(s.h, &memory);
        moves += (int)state_memory_find(&memory, "replica.0")->value[0] != at;
        at = (int)state_memory_find(&memory, "replica.0")->value[0];
        if (n < SETTLE)
            continue;
        const defect_box first = box_in(&memory, "replica.0"), of_last = box_in(&memory, "replica.2");
        field_copy(&last->links, hmc_state_field(s.h, false, 1));
        gauge_forget_derived(last);
        add(&m[0], n, s.u, &first);
        add(&m[1], n, last, &of_last);
    }
    fact(moves > LENGTH / 20, "the first replica gets other links %d times", moves);
    gauge_free(last);
    run_system_free(&s);
}

/* Without tempering, with the factor c in the gauge action. */
static void run_fixed(defect_means *m, double c, int seed, const char *quarks, const char *level)
{
    run_system s = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, seed, quarks, level, "");
    gauge *memory = gauge_create(s.l, PLACE_CPU, PRECISION_DOUBLE);
    const link_defect d = { { 0, 1, { 1, 1, 0, 2 } }, c };
    monomial *of_links = hmc_terms(s.h)[0].m;
    of_links->kind->set_defect(of_links, &d, memory);
    memset(m, 0, sizeof *m);
    for (int n = 0; n < SETTLE + LENGTH; n++) {
        run_system_trajectory(&s, n + 1);
        if (n >= SETTLE)
            add(m, n, s.u, &d.box);
    }
    gauge_free(memory);
    run_system_free(&s);
}

/* All others than those at the defect. */
static double far_from(double *error, const defect_means *m)
{
    double mean;
    defect_means_estimate(&mean, error, m->ring[2]);
    return mean;
}

int main(void)
{
    defect_means periodic, open, quenched, tempered[2];
    double error[2];
    run_fixed(&periodic, 1, 91, QUARKS, ", quarks");
    run_fixed(&open, 0, 92, QUARKS, ", quarks");
    run_fixed(&quenched, 1, 93, "", "");
    run_tempered(tempered, 94);
    defect_means_same(&tempered[0], &periodic, "first replica: means of a run with quarks");
    defect_means_same(&tempered[1], &open, "last replica: means of a run with quarks and c = 0 in the gauge action");
    const double moved = far_from(&error[0], &quenched) - far_from(&error[1], &periodic);
    fact(moved > 10 * hypot(error[0], error[1]), "quarks change plaquettes: by %.3g, with errors of %.2g", moved,
         hypot(error[0], error[1]));
    return facts_end();
}
