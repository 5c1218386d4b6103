/* test_random_keys.c - each random number of a run depends on the seed (all 63 bits), the stream, the trajectory and
 * the purpose: the program must draw what this test draws with keys that it assembles itself (keyed_run.h). */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/start_links.h"
#include "src/gauge/heatbath.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"
#include "src/tune/tune_lab.h"
#include "tests/facts.h"
#include "tests/hmc/keyed_run.h"
#include "tests/on_every_backend.h"

#include <math.h>

#define TWO_TERMS                                                          \
    "  - { kind: gauge, name: second, action: wilson, beta: 2 }\n"         \
    "hmc: { trajectories: 2, trajectory_length: 0.1, thermalization: 2,\n" \
    "       levels: [ { integrator: leapfrog, steps: 1, monomials: [first, second] } ] }\n"

static bool same_keys(rng_key a, rng_key b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- which keys the terms of the action are given */

enum { KEYS = 8 };
static struct { int count; rng_key key[KEYS]; } given;

static bool note_key(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    (void)m;
    (void)u;
    (void)c;
    given.key[given.count++ % KEYS] = key;
    return true;
}

/* The terms of `h` become gauge actions that note the keys they are given. */
static void listen(hmc *h)
{
    static monomial_kind listening;
    listening = gauge_monomial;
    listening.refresh = note_key;
    for (int t = 0; t < hmc_term_count(h); t++)
        hmc_terms(h)[t].m->kind = &listening;
}

static bool as_expected(const keyed_run *x)
{
    return gauge_distance(x->u, x->expected) == 0;
}

/* ---- trajectories */

static void trajectory(place where)
{
    const char *here = place_name(where);
    keyed_run x = keyed_run_create(where, TWO_TERMS);
    hmc *h = hmc_create(&x.in.p, x.u);
    listen(h);
    given.count = 0;
    hmc_outcome o = hmc_trajectory(h, x.u, NUMBER, NULL, NULL);
    fact(o.before.kinetic == keyed_run_kinetic(&x, keyed_run_key(NUMBER, RNG_MOMENTA)),
         "%s: the momenta are drawn with the key of seed, stream, trajectory and purpose", here);
    fact(given.count == 2 && same_keys(given.key[0], keyed_run_key(NUMBER, RNG_PSEUDOFERMION))
         && same_keys(given.key[1], keyed_run_key(NUMBER, RNG_PSEUDOFERMION + 1)),
         "%s: so are the pseudofermions of each term, whose number is part of the purpose", here);
    const philox_words w = rng_words(keyed_run_key(NUMBER, RNG_METROPOLIS), 0, 0);
    fact(o.random == rng_uniform(w.v[0], w.v[1]), "%s: so is the number of the Metropolis test", here);
    hmc_free(h);
    keyed_run_free(&x);
}

/* The tuner's trajectories have numbers of their own, which no ensemble reaches. */
static void tuner(place where)
{
    const char *here = place_name(where);
    keyed_run x = keyed_run_create(where, TWO_TERMS);
    lab *l = lab_create(&x.in.p, x.u, NULL);
    failure why;
    listen(lab_hmc(l));
    given.count = 0;
    bool own = true, momenta = true, terms = true, tested = true;
    for (uint32_t n = 0; n < 2; n++) {
        require(lab_begin(l, &why), "%s", why.why);
        const uint32_t number = given.key[2 * n].high[0];
        own = own && number > 3999999999 && number == given.key[0].high[0] + n;
        for (uint32_t t = 0; t < 2; t++)
            terms = terms && same_keys(given.key[2 * n + t], keyed_run_key(number, RNG_PSEUDOFERMION + t));
        momenta = momenta && momentum_kinetic(hmc_momenta(lab_hmc(l)))
                             == keyed_run_kinetic(&x, keyed_run_key(number, RNG_MOMENTA));
        const philox_words w = rng_words(keyed_run_key(number, RNG_METROPOLIS), 0, 0);
        const double limit = -log(rng_uniform(w.v[0], w.v[1]));
        tested = tested && lab_accept(l, limit - 1e-9) && !lab_accept(l, limit + 1e-9);
    }
    fact(own, "%s: each of the tuner's trajectories has a number that no ensemble reaches", here);
    fact(momenta && terms && tested, "%s: momenta, pseudofermions and Metropolis test of the tuner are drawn with the "
         "key of seed, stream, trajectory and purpose", here);
    lab_free(l);
    keyed_run_free(&x);
}

/* ---- links */

/* One trajectory of sweeps is refresh times a sweep with numbers of its own and overrelaxation sweeps after it. */
static void sweeps(place where)
{
    enum { REFRESH = 3, OVERRELAXATION = 2 };
    keyed_run x = keyed_run_create(where, "heatbath: { sweeps: 3, overrelaxation: 2 }\n"
                                   "hmc: { trajectories: 1, reunitarize_every: 0 }\n");
    hmc *h = hmc_create(&x.in.p, x.u);
    hmc_trajectory(h, x.u, NUMBER, NULL, NULL);
    heatbath *b = heatbath_create(x.expected, &(loop_weights){ 3.0 / 3, 0, 0, ISOTROPIC_WEIGHTS });
    for (int n = 0; n < REFRESH; n++) {
        heatbath_sweep(b, x.expected, keyed_run_key(NUMBER, RNG_HEATBATH), n);
        for (int m = 0; m < OVERRELAXATION; m++)
            heatbath_overrelax(b, x.expected);
    }
    fact(as_expected(&x), "%s: three heat-bath sweeps of a trajectory, each with its own numbers and followed by two "
         "of overrelaxation, give the links that the same sweeps give one by one", place_name(where));
    heatbath_free(b);
    hmc_free(h);
    keyed_run_free(&x);
}

static void hot_start(place where)
{
    static const char *const heatbath_keys[] = { "", ", heatbath: { sweeps: 2, beta: 6, settle: 3 }" };
    static const char one_term[] =
        "start: { from: hot%s }\n"
        "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [first] } ] }\n";
    for (int swept = 0; swept <= 1; swept++) {
        char keys[300];
        text origin = { 0 };
        failure why;
        snprintf(keys, sizeof keys, one_term, heatbath_keys[swept]);
        keyed_run x = keyed_run_create(where, keys);
        require(start_links_make(x.u, &x.in.p, NULL, &origin, &why), "%s", why.why);
        gauge_set_random(x.expected, keyed_run_key(0, RNG_START_LINKS));
        for (int n = 0; n < 5 * swept; n++) {
            heatbath *b = heatbath_create(x.expected, &(loop_weights){ (n < 2 ? 6.0 : 3.0) / 3, 0, 0,
                                                                             ISOTROPIC_WEIGHTS });
            heatbath_sweep(b, x.expected, keyed_run_key(0, RNG_HEATBATH), n);
            gauge_reunitarize(x.expected);
            heatbath_free(b);
        }
        fact(as_expected(&x), "%s: a hot start%s is drawn with the key of seed and stream", place_name(where),
             swept ? " with sweeps of two couplings over it, each sweep with its own numbers," : "");
        text_free(&origin);
        keyed_run_free(&x);
    }
}

/* ---- measurements */

#define CONDENSATE(name)                                                                                    \
    "  - { kind: condensate, name: " name ", action: naive, sources: 1, residual: 1e-3, masses: [ { mass: 1 } ] }\n"
#define MEASURED TWO_TERMS "measurements:\n" CONDENSATE("a") CONDENSATE("b")

/* The object of one measurement in `lines`, up to the end of its masses; "" if there is none. */
static void object_of(char *object, size_t size, const char *lines, const char *name)
{
    char begin[32];
    snprintf(begin, sizeof begin, "\"%s\": {\"kind\"", name);
    const char *from = strstr(lines, begin), *to = from ? strstr(from, "]") : NULL;
    snprintf(object, size, "%.*s", to ? (int)(to - from) : 0, to ? from + strlen(begin) : "");
}

typedef struct { char a[1000], b[1000]; } measured;

static measured measure(const keyed_run *x, const gauge *u, measurement_point point)
{
    json j = { 0 };
    clock_tree clock = { 0 };
    measured found;
    measurements *m = measurements_create(run_measurements(&x->in.p), u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &point, &j, &clock);
    json_close(&j);
    object_of(found.a, sizeof found.a, json_string(&j), "a");
    object_of(found.b, sizeof found.b, json_string(&j), "b");
    json_free(&j);
    measurements_free(m);
    return found;
}

static void sources(place where)
{
    static const struct { const char *what; measurement_point point; } others[] = {
        { "the lower half of the seed", { SEED ^ 1, STREAM, 5 } },
        { "the upper half of the seed", { SEED ^ 1ull << 32, STREAM, 5 } },
        { "the stream", { SEED, STREAM ^ 1, 5 } },
        { "the trajectory", { SEED, STREAM, 6 } },
    };
    keyed_run x = keyed_run_create(where, MEASURED);
    measured first = measure(&x, x.u, (measurement_point){ SEED, STREAM, 5 });
    measured again = measure(&x, x.u, (measurement_point){ SEED, STREAM, 5 });
    fact(first.a[0] && strcmp(first.a, again.a) == 0 && strcmp(first.b, again.b) == 0,
         "%s: the same seed, stream and trajectory have the same sources", place_name(where));
    fact(strcmp(first.a, first.b) != 0, "%s: two measurements of one run have different sources", place_name(where));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        measured other = measure(&x, x.u, others[i].point);
        fact(strcmp(first.a, other.a) != 0 && strcmp(first.b, other.b) != 0,
             "%s: sources depend on %s", place_name(where), others[i].what);
    }
    keyed_run_free(&x);
    static const struct { const char *what, *input; } lists[] = {
        { "with another measurement before them", TWO_TERMS "measurements:\n" CONDENSATE("c") CONDENSATE("a")
                                                  CONDENSATE("b") },
        { "in another order", TWO_TERMS "measurements:\n" CONDENSATE("b") CONDENSATE("a") },
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        x = keyed_run_create(where, lists[i].input);
        measured other = measure(&x, x.u, (measurement_point){ SEED, STREAM, 5 });
        fact(strcmp(first.a, other.a) == 0 && strcmp(first.b, other.b) == 0,
             "%s: measurements have the same sources %s", place_name(where), lists[i].what);
        keyed_run_free(&x);
    }
}

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

/* What a run records of its second trajectory is what is measured on its links with this key. */
static void recorded(place where)
{
    static const volatile sig_atomic_t go_on;
    const run_limits limits = { .stop = &go_on, .time = walltime_begin(INFINITY), .midtrajectory_every = -1 };
    failure why;
    keyed_run x = keyed_run_create(where, MEASURED);
    ensemble *e = ensemble_open(&x.in.p, where, NULL, &why);
    require(e && ensemble_run(e, 2, &limits, ignore_progress, &why) == ENSEMBLE_DONE, "%s", why.why);
    configuration_facts facts;
    const char *last = scratch_path(&x.s, "e/c.000002.lime");
    require(configuration_load(x.u, LINKS_AS_STORED, &facts, last, &why), "%s", why.why);
    measured expected = measure(&x, x.u, (measurement_point){ SEED, STREAM, 2 });
    blob content = blob_read(scratch_path(&x.s, "e/run.jsonl"));
    require(content.bytes != NULL, "%s cannot be read", x.s.path);
    content.bytes[content.n] = 0;
    const char *line = strchr((const char *)content.bytes, '\n');
    char a[1000], b[1000];
    object_of(a, sizeof a, line ? line : "", "a");
    object_of(b, sizeof b, line ? line : "", "b");
    fact(a[0] && strcmp(a, expected.a) == 0 && strcmp(b, expected.b) == 0,
         "%s: the measurements of a run have the sources of its seed, stream and trajectory", place_name(where));
    free(content.bytes);
    ensemble_close(e);
    keyed_run_free(&x);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        trajectory(where);
        tuner(where);
        sweeps(where);
        hot_start(where);
        sources(where);
        recorded(where);
    }
    return facts_end();
}
