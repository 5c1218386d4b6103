/* test_stout_measurement.c - measurements of quarks on stout links: all numbers are those of the measurement without
 * smearing on the smeared links, bit for bit; memory is as planned. */
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/operators/stout.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

/* In the order of their memory, so that the largest so far is that of the latest one. */
static const char *const kinds[] = {
    "kind: condensate, action: naive, masses: [ { mass: 0.2 } ], sources: 1, "
    "modes: { count: 2, basis: 8, deflate: true }",
    "kind: wilson_reweighting, c_sw: 1.3, masses: [ { mass: 0.2, rho: 0.1 }, { mass: 0.1, mu: 0.3, rho: 0.1 } ], "
    "sources: 2, max_rhs: 2",
    "kind: wilson, c_sw: 1.3, clover: exponential, masses: [ { mass: 0.2 }, { mass: 0.1, mu: 0.3 } ], max_rhs: 2",
    "kind: staggered_mesons, source_type: z2_corners, masses: [ { mass: 0.2 }, { mass: 0.6, naik_epsilon: auto } ], "
    "pairs: [ { quark: 0, antiquark: 1 } ]",
    "kind: condensate, masses: [ { mass: 0.2 }, { mass: 0.6, naik_epsilon: auto } ], sources: 1, number_density: true",
    "kind: domain_wall, action: mobius, Ls: 4, masses: [ { mass: 0.2 } ], random_sources: 1, "
    "modes: { count: 2, basis: 12, deflate: true }",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const stout_params smearing = { 2, 0.1, false };
#define SMEARING ", stout: { levels: 2, rho: 0.1 }"

static const int extents[4] = { 4, 4, 2, 6 };

/* The JSON of a measurement (memory_free) without the digest of its settings, and the bytes that it takes and plans. */
typedef struct { char *json, settings[24]; size_t taken, planned; } result;

/* Move the digest out of the JSON: the settings name the stout links. */
static void move_settings(result *r)
{
    static const char before[] = "\"settings\": \"";
    char *digest = strstr(r->json, before);
    if (!digest)
        return;
    digest += strlen(before);
    const size_t length = strcspn(digest, "\"");
    snprintf(r->settings, sizeof r->settings, "%.*s", (int)length, digest);
    memmove(digest, digest + length, strlen(digest + length) + 1);
}

static result measured(const gauge *u, const char *kind, const char *more)
{
    run_input in;
    json j = { 0 };
    clock_tree clock = { 0 };
    run_from_text(&in, "lattice: [%d, %d, %d, %d]\nrandom: { seed: 7 }\n"
                       "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                       "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
                       "output: { directory: nowhere }\nmeasurements: [ { %s%s } ]\n",
                  extents[0], extents[1], extents[2], extents[3], kind, more);
    const memory_need need = measurements_bytes(run_measurements(&in.p), lattice_shape_of(u->links.lattice));
    const size_t before = place_bytes_now(u->links.where);
    measurements *m = measurements_create(run_measurements(&in.p), u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &(measurement_point){ 7, 0, 1 }, &j, &clock);
    json_close(&j);
    const size_t taken = place_bytes_peak(u->links.where) - before;
    measurements_free(m);
    const size_t length = strlen(json_string(&j)) + 1;
    result r = { .json = memory_alloc(length, "a result"), .taken = taken, .planned = memory_need_sum(need) };
    memcpy(r.json, json_string(&j), length);
    move_settings(&r);
    json_free(&j);
    run_input_free(&in);
    return r;
}

static void on_links(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    stout *s = stout_create(&smearing, u);
    const gauge *smeared = stout_links(s, u);
    lattice_sum_scratch(l, where);           /* made for the first sum; it belongs to the lattice */
    for (int n = 0; n < KINDS; n++) {
        const result got = measured(u, kinds[n], SMEARING), want = measured(smeared, kinds[n], ""),
                     thin = measured(u, kinds[n], "");
        fact(strstr(got.json, "\"converged\": true") && strcmp(got.json, want.json) == 0,
             "%s, { %s }: measured on the stout links", place_name(where), kinds[n]);
        fact(strcmp(got.json, thin.json) != 0, "%s: not on the thin ones", place_name(where));
        fact(got.settings[0] && strcmp(got.settings, thin.settings) != 0, "%s: stout links are settings of their own",
             place_name(where));
        fact_close((double)got.taken, (double)got.planned, 0, "%s: memory is as planned", place_name(where));
        memory_free(thin.json);
        memory_free(want.json);
        memory_free(got.json);
    }
    stout_free(s);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        on_links(where);
    return facts_end();
}
