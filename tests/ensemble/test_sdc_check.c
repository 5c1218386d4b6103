/* test_sdc_check.c - a bit that turns over in a force, an action or a link is seen, kept, told and undone: the stream
 * ends as the undisturbed one; twice at the same spot ends the run. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/ensemble/ensemble.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <signal.h>

/* %g: rate; %s: folder */
#define QUENCHED                                                                    \
    "lattice: [4, 4, 4, 4]\n"                                                       \
    "random: { seed: 5 }\n"                                                         \
    "start: { from: hot }\n"                                                        \
    "monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4 } ]\n" \
    "heatbath: { sweeps: 2, overrelaxation: 1 }\n"                                  \
    "hmc: { trajectories: 8, thermalization: 1, reunitarize_every: 2 }\n"           \
    "sdc_check: { rate: %g }\n"                                                     \
    "output: { directory: \"%s/e\", name: c, configuration_every: 3, checkpoint_every: 1 }\n"
#define INPUT                                                                  \
    "lattice: [4, 2, 2, 4]\n"                                                  \
    "random: { seed: 5 }\n"                                                    \
    "start: { from: hot }\n"                                                   \
    "monomials:\n"                                                             \
    "  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.4 }\n"           \
    "  - kind: domain_wall\n"                                                  \
    "    name: quarks\n"                                                       \
    "    action: mobius\n"                                                     \
    "    Ls: 4\n"                                                              \
    "    determinants: [ { flavors: 2, mass: 0.4, chronological: 2 } ]\n"      \
    "    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }\n"            \
    "hmc:\n"                                                                   \
    "  trajectory_length: 0.2\n"                                               \
    "  trajectories: 8\n"                                                      \
    "  thermalization: 1\n"                                                    \
    "  levels: [ { integrator: leapfrog, steps: 3, monomials: [ quarks ] },\n" \
    "            { integrator: leapfrog, steps: 2, monomials: [ gauge ] } ]\n" \
    "sdc_check: { rate: %g }\n"                                                \
    "output: { directory: \"%s/e\", name: c, configuration_every: 3, checkpoint_every: 1 }\n"

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

/* Turns over the last bit of one number, so many times, of one trajectory. */
typedef struct { int64_t trajectory; int times, looks; bool was_action; } bit_flip;
static void flip(void *with, int64_t trajectory, field *result, double *action)
{
    bit_flip *b = with;
    b->looks++;
    if (trajectory != b->trajectory || b->times-- <= 0)
        return;
    b->was_action = *action != 0;
    if (*action != 0)
        *action = nextafter(*action, INFINITY);
    else {
        const size_t count = (size_t)lattice_volume(result->lattice) * (size_t)result->reals;
        double *numbers = memory_alloc(count * sizeof *numbers, "a force, or links");
        field_export(numbers, result);
        numbers[77] = nextafter(numbers[77], INFINITY);
        field_import(result, numbers);
        memory_free(numbers);
    }
}

typedef struct { ensemble_end end; failure why; char *record; int looks; } story;

/* The record up to what the SDC check says, and what differs from run to run. */
static char *record_of(const char *folder)
{
    char path[700];
    snprintf(path, sizeof path, "%s/e/run.jsonl", folder);
    blob b = blob_read(path);
    if (!b.bytes)
        return calloc(1, 1);
    b.bytes[b.n] = 0;
    char *kept = calloc(b.n + 1, 1);
    for (char *line = (char *)b.bytes; *line; line = strchr(line, '\n') + 1) {
        char *end = strstr(line, ", \"reunitarized\"");
        strncat(kept, line, (size_t)(end - line));
        strcat(kept, "\n");
    }
    free(b.bytes);
    return kept;
}

static story run_input_of(const char *input, const scratch *s, place where, double rate, int64_t until, bit_flip *b)
{
    static const volatile sig_atomic_t go_on;
    const sdc_check_hook hook = { flip, b };
    const run_limits limits = { .stop = &go_on, .time = walltime_begin(INFINITY), .midtrajectory_every = -1,
                                .hook = &hook };
    run_input in;
    story reported = { .end = ENSEMBLE_FAILED };
    b->looks = 0;
    run_from_text(&in, input, rate, s->folder);
    ensemble *e = ensemble_open(&in.p, where, NULL, &reported.why);
    if (e)
        reported.end = ensemble_run(e, until, &limits, ignore_progress, &reported.why);
    ensemble_close(e);
    run_input_free(&in);
    reported.record = record_of(s->folder);
    reported.looks = b->looks;
    return reported;
}

static story run(const scratch *s, place where, double rate, int64_t until, bit_flip *b)
{
    return run_input_of(INPUT, s, where, rate, until, b);
}

static bool is_there(const scratch *s, const char *name)
{
    struct stat there;
    char path[700];
    snprintf(path, sizeof path, "%s/e/%s", s->folder, name);
    return stat(path, &there) == 0;
}

/* The words of a file; free. */
static char *read_whole_text(const scratch *s, const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/e/%s", s->folder, name);
    blob b = blob_read(path);
    char *words = calloc(b.n + 1, 1);
    if (b.bytes)
        memcpy(words, b.bytes, b.n);
    free(b.bytes);
    return words;
}

static bool same_files(const scratch *a, const scratch *b, const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/e/%s", a->folder, name);
    blob left = blob_read(path);
    snprintf(path, sizeof path, "%s/e/%s", b->folder, name);
    blob right = blob_read(path);
    bool same = left.bytes && right.bytes && left.n == right.n && memcmp(left.bytes, right.bytes, left.n) == 0;
    free(left.bytes);
    free(right.bytes);
    return same;
}

static void remove_all(scratch *s)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s/e'", s->folder);
    require(system(command) == 0, "%s cannot be emptied", s->folder);
    scratch_remove(s);
}

enum { UNTIL = 8 };

static void bit_turned_over(place where, const scratch *whole, const story *undisturbed, int64_t trajectory)
{
    const char *here = place_name(where);
    scratch s = scratch_create();
    bit_flip b = { trajectory, 1, 0, false };
    char name[64];
    story reported = run(&s, where, 1, UNTIL, &b);
    const char *what = b.was_action ? "an action" : "a force";
    if (!fact(reported.end == ENSEMBLE_DONE, "%s: with a bit turned over in %s of trajectory %d the run ends well",
              here,
              what, (int)trajectory))
        note("%s", reported.why.why);
    fact(reported.looks == UNTIL + 2, "%s: it has made that trajectory again, and the one before", here);
    snprintf(name, sizeof name, trajectory % 3 == 1 ? "c.%06d.lime.corrupt" : "c.checkpoint.%06d.lime.corrupt",
             (int)trajectory - 1);
    fact(is_there(&s, name), "%s: whose state is set aside", here);
    fact(strcmp(reported.record, undisturbed->record) == 0 && same_files(&s, whole, "c.000006.lime")
         && same_files(&s, whole, "c.checkpoint.000008.lime"), "%s: and the stream is the undisturbed one", here);
    snprintf(name, sizeof name, "sdc.%06d/sdc.json", (int)trajectory);
    char *words = read_whole_text(&s, name), *log = read_whole_text(&s, "run.log");
    char *lines = read_whole_text(&s, "run.jsonl");
    fact(strstr(words, b.was_action ? "\"what\": \"action\"" : "\"what\": \"force\"") && strstr(words, "\"host\": \"")
         && strstr(words, where == PLACE_CPU ? "\"device\": \"CPU\"" : "\"device\": \"GPU"),
         "%s: what differed is kept, with host and device", here);
    snprintf(name, sizeof name, "sdc.%06d/second.npy", (int)trajectory);
    fact(is_there(&s, name) == !b.was_action && (b.was_action || strstr(words, "\"numbers_that_differ\": 1")),
         "%s: of a force, both fields", here);
    fact(strstr(log, "two evaluations of the") != NULL, "%s: the log says so", here);
    fact(strstr(lines, "\"mismatches\": 1") && strstr(lines, "\"mismatches\": 0"),
         "%s: the record tells which trajectories were looked at, and where there was a mismatch", here);
    free(words);
    free(log);
    free(lines);
    free(reported.record);
    remove_all(&s);
}

static void twice(place where)
{
    const char *here = place_name(where);
    scratch s = scratch_create();
    bit_flip b = { 5, 2, 0, false };
    story reported = run(&s, where, 1, UNTIL, &b);
    fact(reported.end == ENSEMBLE_FAILED && strstr(reported.why.why, "the second mismatch in this trajectory"),
         "%s: a second mismatch at the same spot ends the run, which says why", here);
    fact(is_there(&s, "sdc.000005") && is_there(&s, "sdc.000005.2"), "%s: both are kept", here);
    b = (bit_flip){ 5, 1, 0, false };
    free(reported.record);
    reported = run(&s, where, 1, UNTIL, &b);
    fact(reported.end == ENSEMBLE_FAILED, "%s: so does a third one, in another process", here);
    b = (bit_flip){ 0, 0, 0, false };
    free(reported.record);
    reported = run(&s, where, 1, UNTIL, &b);
    fact(reported.end == ENSEMBLE_DONE, "%s: on a machine that is right the run goes on", here);
    free(reported.record);
    remove_all(&s);
}

/* The SDC check looks seldom: what it has not looked after is undone. */
static void back_to_confirmed(place where, const scratch *whole, const story *undisturbed)
{
    const char *here = place_name(where);
    scratch s = scratch_create();
    bit_flip none = { 0, 0, 0, false };
    story first = run(&s, where, 0, 4, &none);
    fact(first.looks == 0, "%s: with a rate of 0 the SDC check does not look", here);
    bit_flip b = { 6, 1, 0, false };
    story reported = run(&s, where, 1, UNTIL, &b);
    fact(reported.end == ENSEMBLE_DONE && strcmp(reported.record, undisturbed->record) == 0
         && same_files(&s, whole, "c.checkpoint.000008.lime"),
         "%s: an SDC check that begins on the way takes what is there as it is, and undoes what comes after", here);
    fact(is_there(&s, "c.000003.lime") && !is_there(&s, "c.000003.lime.corrupt"),
         "%s: configurations from before are not touched", here);
    free(first.record);
    free(reported.record);
    remove_all(&s);
}

static void in_sweeps(place where)
{
    const char *here = place_name(where);
    scratch plain = scratch_create(), s = scratch_create();
    bit_flip none = { 0, 0, 0, false }, b = { 6, 1, 0, false };
    story unwatched = run_input_of(QUENCHED, &plain, where, 0, UNTIL, &none);
    story reported = run_input_of(QUENCHED, &s, where, 1, UNTIL, &b);
    fact(reported.end == ENSEMBLE_DONE && reported.looks == UNTIL + 2,
         "%s: of links drawn one by one, those where a bit turned over are drawn again, and those before", here);
    fact(strcmp(reported.record, unwatched.record) == 0 && same_files(&s, &plain, "c.000006.lime")
         && same_files(&s, &plain, "c.checkpoint.000008.lime"), "%s: the stream is the one without an SDC check", here);
    char *words = read_whole_text(&s, "sdc.000006/sdc.json");
    fact(strstr(words, "\"what\": \"sweeps\"") && strstr(words, "\"numbers_that_differ\": 1")
         && is_there(&s, "sdc.000006/second.npy"), "%s: both links are kept", here);
    free(words);
    free(unwatched.record);
    free(reported.record);
    remove_all(&plain);
    remove_all(&s);
}

/* ---- where it looks, and what it compares */

typedef struct { scratch s; run_system r; } system_state;

static system_state state_create(place where, double rate)
{
    system_state x = { .s = scratch_create() };
    char path[700];
    x.r = run_system_create(where, PRECISION_DOUBLE, INPUT, rate, x.s.folder);
    snprintf(path, sizeof path, "%s/e", x.s.folder);
    require(mkdir(path, 0777) == 0, "%s: cannot be made", path);
    return x;
}

static void state_free(system_state *x)
{
    run_system_free(&x->r);
    remove_all(&x->s);
}

/* How far a count is from its mean, in standard deviations. */
static double deviation(int count, int trials, double probability)
{
    return fabs(count - trials * probability) / sqrt(trials * probability * (1 - probability));
}

enum { TRIALS = 6000 };

/* Whether another run looks elsewhere. */
static bool chooses_differently(const system_state *x, int64_t seed, int64_t stream)
{
    run_params other = x->r.in->p;
    int differ = 0, looks = 0;
    other.random.seed ^= seed;
    other.random.stream ^= stream;
    for (int64_t n = 1; n <= TRIALS; n++) {
        sdc_check_choice a = sdc_check_choose(&x->r.in->p, x->r.h, n), b = sdc_check_choose(&other, x->r.h, n);
        looks += a.step >= 0;
        differ += a.step >= 0 && b.step < 0;
    }
    return deviation(differ, looks, 1 - x->r.in->p.sdc_check.rate) < 4.5;
}

static void choices(void)
{
    enum { POINTS = 32, TERMS = 2 };
    const double rate = 0.3;
    system_state x = state_create(PLACE_CPU, rate);
    const evolver *dynamics = hmc_dynamics(x.r.h);
    const int points = (int)evolver_points(dynamics);
    int looks = 0, count[POINTS][TERMS][2] = { { { 0 } } };
    double worst = 0;
    bool is_point = points > 0 && points <= POINTS;
    for (int64_t n = 1; n <= TRIALS; n++) {
        sdc_check_choice c = sdc_check_choose(&x.r.in->p, x.r.h, n);
        int at = 0;
        if (c.step < 0)
            continue;
        while (at < points && evolver_point(dynamics, at) != c.step)
            at++;
        is_point = is_point && at < points;
        looks++;
        if (is_point)
            count[at][c.term][c.what == SDC_CHECK_ACTION]++;
    }
    fact(deviation(looks, TRIALS, rate) < 4.5, "of %d trajectories with a rate of %g the SDC check looks at %d", TRIALS,
         rate, looks);
    for (int i = 0; i < (is_point ? 4 * points : 0); i++)
        worst = worse(worst, deviation(count[i / 4][i / 2 % 2][i % 2], looks, 0.25 / points));
    fact(is_point && worst < 4.5, "each of %d steps, each term, force and action: all combinations are equally "
         "frequent (within %.1f standard deviations)", points, worst);
    fact(chooses_differently(&x, 1, 0) && chooses_differently(&x, (int64_t)1 << 32, 0) && chooses_differently(&x, 0, 1),
         "another stream looks elsewhere, and so does another seed, in its upper 32 bits, too");
    state_free(&x);
}

/* A force whose size comes out larger the second time, while its field does not. */
static int forces;
static bool force_of_another_size(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size,
                                  monomial_call *c)
{
    bool done = gauge_monomial.add_force(m, u, p, weight, size, c);
    if (++forces == 2) {
        momentum *nowhere = momentum_create(u->links.lattice, u->links.where, u->links.precision);
        done = done && gauge_monomial.add_force(m, u, nowhere, weight, size, c);
        momentum_free(nowhere);
    }
    return done;
}

static void sizes(place where)
{
    static monomial_kind kind;
    const sdc_check_choice choice = { .step = 0, .term = 0, .what = SDC_CHECK_FORCE };
    const sdc_check_task task = { .choice = &choice, .trajectory = 1 };
    failure said = { .why = "" };
    system_state x = state_create(where, 1);
    gauge_set_random(x.r.u, (rng_key){ { 1, 2 }, { 3, 4 } });
    fact(sdc_check_compare(&x.r.in->p, x.r.h, x.r.u, &task, &said) == SDC_CHECK_SAME,
         "%s: a force that is the same twice is confirmed", place_name(where));
    kind = gauge_monomial;
    kind.add_force = force_of_another_size;
    hmc_terms(x.r.h)[0].m->kind = &kind;
    forces = 0;
    fact(sdc_check_compare(&x.r.in->p, x.r.h, x.r.u, &task, &said) == SDC_CHECK_DIFFERS && forces == 2
         && is_there(&x.s, "sdc.000001/sdc.json"),
         "%s: one that differs in its size alone, which the record holds, is a mismatch", place_name(where));
    state_free(&x);
}

static void on(place where)
{
    scratch whole = scratch_create(), plain = scratch_create();
    bit_flip none = { 0, 0, 0, false };
    story undisturbed = run(&whole, where, 1, UNTIL, &none), unwatched = run(&plain, where, 0, UNTIL, &none);
    fact(undisturbed.end == ENSEMBLE_DONE && undisturbed.looks == UNTIL,
         "%s: with a rate of 1 every trajectory is looked at", place_name(where));
    fact(strcmp(undisturbed.record, unwatched.record) == 0 && same_files(&whole, &plain, "c.000006.lime"),
         "%s: which does not change the stream", place_name(where));
    for (int64_t trajectory = 4; trajectory <= 6; trajectory += 2)
        bit_turned_over(where, &whole, &undisturbed, trajectory);
    back_to_confirmed(where, &whole, &undisturbed);
    twice(where);
    in_sweeps(where);
    free(undisturbed.record);
    free(unwatched.record);
    remove_all(&whole);
    remove_all(&plain);
}

int main(void)
{
    choices();
    FOR_EVERY_PLACE(where) {
        sizes(where);
        on(where);
    }
    return facts_end();
}
