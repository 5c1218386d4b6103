/* test_tune_metropolis.c - the trajectories of a tuning end with the Metropolis test: a rejected one leaves the links
 * from which it began.  Otherwise the links leave equilibrium, and dH of later trajectories with them. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/io/disk.h"
#include "src/lattice/rng.h"
#include "src/tune/tune_checkpoint.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>

/* Forces of the outer level cost so much that longer steps of it are measured. */
static const lab_times given = { .force = { 100, 1 }, .drift = 1, .refresh = 1, .energy = 1, .rest = 1 };

static const char gluons[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 1 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: weak, action: wilson, beta: 0.2 }\n"
    "  - { kind: gauge, name: strong, action: wilson, beta: 8 }\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 4, monomials: [weak] }\n"
    "    - { integrator: omelyan, steps: 2, monomials: [strong] }\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

typedef struct { run_input in; lattice *l; gauge *u, *before; failure why; } bench;

static void bench_create(bench *x, const char *path, int seed, place where)
{
    char set[32], *sets[] = { set };
    fault_list faults = { 0 };
    snprintf(set, sizeof set, "random.seed=%d", seed);
    require(run_input_read(&x->in, path, sets, 1, &faults), "%s", text_string(&faults.lines));
    fault_list_free(&faults);
    x->l = lattice_create_single(x->in.p.extents);
    x->u = gauge_create(x->l, where, PRECISION_DOUBLE);
    x->before = gauge_create(x->l, where, PRECISION_DOUBLE);
}

static void bench_free(bench *x)
{
    gauge_free(x->before);
    gauge_free(x->u);
    lattice_free(x->l);
    run_input_free(&x->in);
}

/* Put the start links into x->u and x->before. */
static void load(bench *x, latest_links *at)
{
    require(latest_links_load(at, x->u, &x->in.p, NULL, NULL, &x->why), "%s", x->why.why);
    gauge_copy(x->before, x->u);
}

/* ---- one trajectory */

static void one_trajectory(bench *x, const char *here)
{
    enum { TRAJECTORIES = 200 };
    latest_links at;
    double dh;
    load(x, &at);
    lab *b = lab_create(&x->in.p, x->u, NULL);
    const double never[] = { NAN, INFINITY, 50 };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        require(lab_begin(b, &x->why)
                && lab_run(b, x->in.p.hmc.levels.item, x->in.p.hmc.levels.count, &dh, &x->why), "%s", x->why.why);
        fact(gauge_distance(x->u, x->before) > 0.1 && !lab_accept(b, never[i])
             && gauge_distance(x->u, x->before) == 0, "%s: dH of %g is rejected, and the links return", here,
             never[i]);
    }
    require(lab_begin(b, &x->why)
            && lab_run(b, x->in.p.hmc.levels.item, x->in.p.hmc.levels.count, &dh, &x->why), "%s", x->why.why);
    gauge_copy(x->before, x->u);
    fact(lab_accept(b, -0.1) && gauge_distance(x->u, x->before) < 1e-12,
         "%s: dH of -0.1 is accepted, and the links at the end stay", here);
    int accepted = 0;
    for (int n = 0; n < TRAJECTORIES; n++) {
        require(lab_begin(b, &x->why), "%s", x->why.why);
        accepted += lab_accept(b, M_LN2);
    }
    fact_close(accepted / (double)TRAJECTORIES, 0.5, 4 * sqrt(0.25 / TRAJECTORIES),
               "%s: dH of ln 2 is accepted with probability 1/2", here);
    lab_free(b);
    text_free(&at.origin);
}

/* ---- stages of a tuning */

/* A tuning that continues: the number of its last trajectory; and how many calls had a new trajectory that passes the
 * test, and how many had none but others. */
typedef struct { const char *path, *folder; int64_t number; int passed, failed; } stages;

/* The test of a trajectory of a tuning. */
static bool passes(const bench *x, int64_t number, double dh)
{
    const uint64_t first = 4000000000, seed = (uint64_t)x->in.p.random.seed;
    return rng_scalar(rng_key_for(seed, 0, first + (uint64_t)number, RNG_METROPOLIS)) < exp(-dh);
}

/* Whether one of the last `count` trajectories in the checkpoint passes. */
static bool one_passes(const bench *x, stages *s, yyjson_val *object, int64_t count)
{
    yyjson_val *list = yyjson_obj_get(object, "trajectories");
    const int64_t all = (int64_t)yyjson_arr_size(list);
    bool passed = false;
    for (int64_t n = 0; n < count; n++)
        passed |= passes(x, s->number - n,
                         yyjson_get_num(yyjson_obj_get(yyjson_arr_get(list, (size_t)(all - 1 - n)), "dH")));
    if (count > 0)
        *(passed ? &s->passed : &s->failed) += 1;
    return passed;
}

/* Continue the tuning; whether its links have changed if one of its new trajectories passes the test, and only then. */
static bool continues(bench *x, stages *s, tune_result *r, double target, int learn, int prove)
{
    const tune_request w = { .target = target, .thermalization = 12, .learn = learn, .prove = prove, .times = &given,
                             .checkpoint = s->folder };
    const tune_source source = { .path = s->path };
    latest_links at;
    text file = { 0 };
    bool found;
    require(tune_checkpoint_load_links(&found, &at, x->u, &x->in.p, s->folder, &x->why), "%s", x->why.why);
    if (!found)
        load(x, &at);
    gauge_copy(x->before, x->u);
    const tune_task task = { .in = &x->in, .source = &source, .u = x->u, .memory = &at.memory, .request = &w };
    require(tune_run(r, &task, &x->why), "%s", x->why.why);
    text_add(&file, "%s/tuning.json", s->folder);
    yyjson_doc *doc = disk_read_json(text_string(&file), &x->why);
    require(doc != NULL, "%s", x->why.why);
    const int64_t number = yyjson_get_sint(yyjson_obj_get(yyjson_doc_get_root(doc), "number"));
    const int64_t count = number - s->number;
    s->number = number;
    const bool moved = gauge_distance(x->u, x->before) > 0;
    const bool good = !found || moved == one_passes(x, s, yyjson_doc_get_root(doc), count);
    yyjson_doc_free(doc);
    text_free(&at.origin);
    text_free(&file);
    return good;
}

static void fact_both(const stages *s, bool good, const char *here, const char *stage)
{
    fact(good && s->passed > 0 && s->failed > 0,
         "%s: links change in %s if a trajectory passes the Metropolis test (%d times), and not otherwise (%d times)",
         here, stage, s->passed, s->failed);
}

static void learn_and_verify(bench *x, const char *path, scratch *files, const char *here)
{
    enum { LEARN = 40, PROVE = 14 };
    stages s = { .path = path, .folder = files->folder };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    bool good = true;
    for (int learn = 2; learn <= LEARN; learn++)
        good &= continues(x, &s, r, 0.6, learn, 0);
    fact_both(&s, good, here, "learning");
    s.passed = s.failed = 0;
    good = true;
    for (int prove = 1; prove <= PROVE; prove++)
        good &= continues(x, &s, r, 0.6, LEARN, prove);
    fact_both(&s, good, here, "the verification");
    memory_free(r);
}

/* With a high target no longer steps are tried, with a low one they are. */
static void longer_steps(const char *path, place where)
{
    enum { SEEDS = 12 };
    stages s = { .path = path };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    bool good = true;
    for (int seed = 1; seed <= SEEDS; seed++) {
        scratch files = scratch_create();
        bench x;
        bench_create(&x, path, seed, where);
        s.folder = files.folder;
        s.number = 0;
        good &= continues(&x, &s, r, 0.95, 4, 0);
        good &= continues(&x, &s, r, 0.7, 4, 0);
        bench_free(&x);
        scratch_remove(&files);
    }
    fact_both(&s, good, place_name(where), "longer steps");
    memory_free(r);
}

int main(void)
{
    scratch inputs = scratch_create();
    log_set_quiet(true);
    char path[sizeof inputs.path];
    snprintf(path, sizeof path, "%s", input_to_tune(&inputs, gluons));
    FOR_EVERY_PLACE(where) {
        scratch files = scratch_create();
        bench x;
        bench_create(&x, path, 1, where);
        one_trajectory(&x, place_name(where));
        learn_and_verify(&x, path, &files, place_name(where));
        bench_free(&x);
        scratch_remove(&files);
        longer_steps(path, where);
    }
    scratch_remove(&inputs);
    return facts_end();
}
