/* test_replica_keys.c - updates of replicas of parallel tempering: a dH that is not finite; and random numbers, which
 * those of the second replica must draw with keys that this test assembles itself (see keyed_run.h).
 *
 *     purpose   RNG_REPLICA + 64 replica + the purpose of a usual run             (src/lattice/rng.h)
 *               RNG_REPLICA_FIELD + 64 replica + the number of the monomial, of pseudofermions */
#include "actions/gauge_action.h"
#include "src/base/json_read.h"
#include "src/base/log.h"
#include "src/gauge/defect.h"
#include "src/gauge/heatbath.h"
#include "src/hmc/hmc.h"
#include "src/hmc/pure_gauge.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/keyed_run.h"
#include "tests/on_every_backend.h"

#include <math.h>

#define OF_REPLICA_1 (RNG_REPLICA + 64)             /* + the purpose: that of updates of the second replica */

/* Whether the second replica accepted by the number of its own Metropolis test. */
static bool is_tested(const hmc *h, uint32_t number, int accepted[2])
{
    json j = { 0 };
    failure why;
    json_open(&j, NULL, '{');
    hmc_replicas_to_json(h, &j);
    json_close(&j);
    yyjson_doc *doc = json_read_string(json_string(&j), "replicas", &why);
    require(doc != NULL, "%s", why.why);
    yyjson_val *replicas = yyjson_obj_get(yyjson_obj_get(yyjson_doc_get_root(doc), "tempering"), "replicas");
    yyjson_val *one = yyjson_arr_get(replicas, 1);
    const philox_words w = rng_words(keyed_run_key(number, OF_REPLICA_1 + RNG_METROPOLIS), 0, 0);
    const bool expected = rng_uniform(w.v[0], w.v[1]) < exp(-yyjson_get_num(yyjson_obj_get(one, "dH")));
    const bool found = yyjson_get_bool(yyjson_obj_get(one, "accepted"));
    accepted[found]++;
    yyjson_doc_free(doc);
    json_free(&j);
    return found == expected;
}

/* The kinetic energies of the momenta that the run has when it computes the action: at both ends of a trajectory. */
static struct { hmc *h; int count; double kinetic[4]; bool broken; } seen;    /* broken: the second
                                                                               * action is NaN */

static bool see_momenta(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    seen.kinetic[seen.count++ % 4] = momentum_kinetic(hmc_momenta(seen.h));
    const bool done = gauge_monomial.action(value, m, u, c);
    if (seen.broken && seen.count == 2)
        *value = NAN;
    return done;
}

/* The last replica is updated first. */
static void dynamics_of_replica(place where)
{
    enum { LAST = 20 };
    keyed_run x = keyed_run_create(where, "hmc: { trajectories: 1, trajectory_length: 1, thermalization: 2,\n"
                                   "       levels: [ { integrator: leapfrog, steps: 6, monomials: [first] } ] }\n"
                                   "tempering: { replicas: 2, swap_every: 1000 }\n");
    hmc *h = hmc_create(&x.in.p, x.u);
    int accepted[2] = { 0, 0 };
    bool tested = true;
    static monomial_kind seeing;
    seeing = gauge_monomial;
    seeing.action = see_momenta;
    hmc_terms(h)[0].m->kind = &seeing;
    seen.h = h;
    seen.count = 0;
    hmc_trajectory(h, x.u, NUMBER, NULL, NULL);
    const rng_key of_momenta = keyed_run_key(NUMBER, OF_REPLICA_1 + RNG_MOMENTA);
    fact(seen.count == 4 && seen.kinetic[0] == keyed_run_kinetic(&x, of_momenta),
         "%s: momenta of the second replica are drawn with its own purpose", place_name(where));
    for (uint32_t n = 3; n <= LAST; n++) {
        hmc_trajectory(h, x.u, n, NULL, NULL);
        tested = tested && is_tested(h, n, accepted);
    }
    fact(tested && accepted[0] > 2 && accepted[1] > 2, "%s: its Metropolis test has a number of its own: %d accepted, "
         "%d rejected", place_name(where), accepted[1], accepted[0]);
    hmc_free(h);
    keyed_run_free(&x);
}

/* Its pseudofermions: those of a monomial that draws nothing but notes its key. */
static rng_key keys_of_fields[4];
static int fields_drawn;

static bool note_key(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    (void)m, (void)u, (void)c;
    keys_of_fields[fields_drawn++ % 4] = key;
    return true;
}

static bool is_key(rng_key a, rng_key b)
{
    return a.key[0] == b.key[0] && a.key[1] == b.key[1] && a.high[0] == b.high[0] && a.high[1] == b.high[1];
}

static void fields_of_replica(place where)
{
    keyed_run x = keyed_run_create(where, "hmc: { trajectories: 1, trajectory_length: 1,\n"
                                   "       levels: [ { integrator: leapfrog, steps: 6, monomials: [first] } ] }\n"
                                   "tempering: { replicas: 2, swap_every: 1000 }\n");
    hmc *h = hmc_create(&x.in.p, x.u);
    static monomial_kind drawing;
    drawing = gauge_monomial;
    drawing.refresh = note_key;
    hmc_terms(h)[0].m->kind = &drawing;
    fields_drawn = 0;
    hmc_trajectory(h, x.u, NUMBER, NULL, NULL);
    fact(fields_drawn == 2 && is_key(keys_of_fields[0], keyed_run_key(NUMBER, RNG_REPLICA_FIELD + 64))
             && is_key(keys_of_fields[1], keyed_run_key(NUMBER, RNG_PSEUDOFERMION)),
         "%s: pseudofermions of the second replica have a purpose of their own, those of the first the usual one",
         place_name(where));
    hmc_free(h);
    keyed_run_free(&x);
}

/* The update of the second replica has no dH: it is rejected, with a warning. */
static void undefined_dh(place where)
{
    keyed_run x = keyed_run_create(where, "hmc: { trajectories: 1, trajectory_length: 1,\n"
                                   "       levels: [ { integrator: leapfrog, steps: 6, monomials: [first] } ] }\n"
                                   "tempering: { replicas: 2, swap_every: 1000 }\n");
    failure why;
    hmc *h = hmc_create(&x.in.p, x.u);
    static monomial_kind breaking;
    breaking = gauge_monomial;
    breaking.action = see_momenta;
    hmc_terms(h)[0].m->kind = &breaking;
    seen.h = h;
    seen.count = 0;
    seen.broken = true;
    require(log_open_file(scratch_path(&x.s, "log"), &why), "%s", why.why);
    hmc_trajectory(h, x.u, 7, NULL, NULL);
    log_close_file();
    seen.broken = false;
    blob said = blob_read(scratch_path(&x.s, "log"));
    require(said.bytes != NULL, "%s cannot be read", x.s.path);
    said.bytes[said.n] = 0;
    fact(strstr((const char *)said.bytes, "trajectory 7: dH of replica 1 is not finite")
             && !strstr((const char *)said.bytes, "dH of replica 0"), "%s: a replica without a dH is a warning",
         place_name(where));
    fact(gauge_distance(x.u, x.expected) != 0, "%s: the first replica is updated all the same", place_name(where));
    free(said.bytes);
    hmc_free(h);
    keyed_run_free(&x);
}

static void sweeps_of_replica(place where)
{
    keyed_run x = keyed_run_create(where, "heatbath: { sweeps: 1 }\nhmc: { trajectories: 1, reunitarize_every: 0 }\n");
    const link_defect d = { { 0, 2, { 3, 0, 0, 0 } }, 0 };
    pure_gauge *q = pure_gauge_create(&x.in.p, x.u);
    pure_gauge_set_replica(q, 1, &d);
    pure_gauge_sweep(q, x.u, NUMBER);
    heatbath *b = heatbath_create(x.expected, &(loop_weights){ 3.0 / 3, 0, 0, ISOTROPIC_WEIGHTS });
    defect_weight_links(x.expected, &d);
    heatbath_sweep(b, x.expected, keyed_run_key(NUMBER, OF_REPLICA_1 + RNG_HEATBATH), 0);
    defect_restore_links(x.expected, &d, keyed_run_key(NUMBER, OF_REPLICA_1 + RNG_DEFECT));
    fact(gauge_distance(x.u, x.expected) == 0, "%s: sweeps of the second replica, and the links of its open defect, "
         "have purposes of their own", place_name(where));
    heatbath_free(b);
    pure_gauge_free(q);
    keyed_run_free(&x);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dynamics_of_replica(where);
        fields_of_replica(where);
        undefined_dh(where);
        sweeps_of_replica(where);
    }
    return facts_end();
}
