/* test_tune_target.c - a target that cannot be reached: solves with large residuals leave a part of <dH^2> that no
 * steps reduce.  The tuner finds it, keeps the nearest setting, and says so.  And what a time limit leaves. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_bounds.h"
#include "src/tune/tune_report.h"
#include "src/tune/tune_time.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <string.h>

#define TARGET 0.95

static tune_model m;                       /* large */

static tune_setting setting_of(int64_t steps)
{
    static char *name = "gluons";
    tune_setting s = { .count = 1 };
    s.level[0].monomials = (text_list){ 1, &name };
    s.level[0].integrator = toy_scheme_index("omelyan");
    s.level[0].lambda = OMELYAN_LAMBDA;
    s.level[0].steps = steps;
    return s;
}

static void clear_model(void)
{
    memset(&m, 0, sizeof m);
    m.terms = 1;
    m.length = 1;
    m.times = (lab_times){ .force = { 10 }, .drift = 0.1, .refresh = 1, .energy = 1 };
}

/* dH beyond second order of this size. */
static void add(int64_t steps, double dh, int trajectories)
{
    const tune_setting s = setting_of(steps);
    const brackets none = { .d = { 0 } };
    for (int i = 0; i < trajectories; i++)
        tune_add(&m, &s, &none, i % 2 ? dh : -dh);
}

static void floors(void)
{
    tune_prediction p;
    tune_setting s = setting_of(4);
    clear_model();
    add(4, 0.5, 8);
    add(8, 0.5 / 16, 8);
    fact(m.floor == 0, "a dH that falls with the steps has no floor");
    clear_model();
    add(4, 0.5, 8);
    add(8, 0.4, 2);
    fact(m.floor == 0, "two trajectories show none");
    clear_model();
    add(4, 0.5, 8);
    add(3, 0.5, 8);
    fact(m.floor == 0, "nor does dH of 4 steps that is as large as that of 3");
    add(8, 0.4, 8);
    fact_close(m.floor, 0.16, 1e-12, "dH of 8 steps that is far too large is the floor");
    fact_close(m.floor_error, 0.08, 1e-12, "eight trajectories determine it to one half");
    add(32, 0.4, 8);
    fact_close(m.floor_error, 0.16 * sqrt(2. / 16), 1e-12, "more steps with the same dH make it more precise");
    p = tune_predict(&m, &s);
    fact(p.variance > 0.16 && p.variance < 0.5, "that of 4 steps does not grow by the dH of 32 (<dH^2> %g)",
         p.variance);
    s = tune_find(&m, &s, TARGET, false, &p);
    fact(!tune_reaches(&p, TARGET) && s.level[0].steps == 4, "no setting has an acceptance of %g", TARGET);
    s = tune_find_on_floor(&m, &s, false, &p);
    const tune_setting longer = setting_of(s.level[0].steps - 1);
    fact(p.variance <= 1.25 * 0.16 && tune_predict(&m, &longer).variance > 1.25 * 0.16 * 0.8,
         "%d steps add at most a quarter to the floor (<dH^2> %g)", (int)s.level[0].steps, p.variance);
}

static tune_proof proof_of(int64_t steps, double variance, int trajectories)
{
    tune_proof p = { .setting = setting_of(steps), .variance = variance, .trajectories = trajectories,
                     .variance_error = variance * sqrt(2. / trajectories), .exp_error = 1 };
    tune_judge(&p);
    return p;
}

static void nearest(void)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    clear_model();
    add(4, 0.5, 8);
    memset(r, 0, sizeof *r);
    fact(tune_nearest_proof(r, &m) == NULL, "without proofs none is nearest");
    r->proof[r->proofs++] = proof_of(8, 0.2, 12);
    r->proof[r->proofs++] = proof_of(4, 1.5, 12);
    fact(tune_nearest_proof(r, &m) == &r->proof[0], "the first one is, if its <dH^2> is much smaller");
    r->proof[0] = proof_of(4, 1.5, 12);
    r->proof[1] = proof_of(8, 0.2, 12);
    fact(tune_nearest_proof(r, &m) == &r->proof[1], "or the last one");
    r->proof[r->proofs++] = proof_of(16, 0.15, 12);
    fact(tune_nearest_proof(r, &m) == &r->proof[1], "of two that differ within errors, the cheaper one is kept");
    r->proof[2] = proof_of(16, 0.02, 12);
    fact(tune_nearest_proof(r, &m) == &r->proof[2], "of two that do not, the one with less <dH^2>");
    r->proof[2] = proof_of(16, 0.02, 3);
    fact(tune_nearest_proof(r, &m) == &r->proof[1], "three trajectories do not count");
    memory_free(r);
}

/* The setting that is taken in place of 8 steps with another lambda. */
static int64_t preferred(const tune_result *r)
{
    tune_setting s = setting_of(8);
    s.level[0].lambda = 0.2;
    tune_prediction p = tune_predict(&m, &s);
    tune_prefer_proven(&s, &p, r, &m, 0.8);
    return s.level[0].lambda == 0.2 ? 0 : s.level[0].steps;
}

static void proven(void)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    clear_model();
    add(8, 0.3, 8);
    memset(r, 0, sizeof *r);
    fact(preferred(r) == 0, "without proofs the choice stays");
    r->proof[r->proofs++] = proof_of(12, 0.01, 12);
    fact(preferred(r) == 0, "a proof of a setting that costs more is no reason to keep it");
    r->proof[r->proofs++] = proof_of(8, 0.1, 3);
    fact(preferred(r) == 8, "one of a setting that costs the same is, also of three trajectories");
    r->proof[1] = proof_of(8, 2, 12);
    fact(preferred(r) == 0, "but not one that missed the target");
    memory_free(r);
}

static void slopes(void)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    const tune_setting s = setting_of(8), longer = setting_of(3);
    const brackets change = { .d = { 1 } };
    memset(r, 0, sizeof *r);
    clear_model();
    for (int i = 0; i < 4; i++) {
        tune_add(&m, i == 1 ? &longer : &s, &change, 0);
        tune_sample *x = &m.sample[i];
        x->learning = i != 1;
        x->dh = (i == 1 ? 50 : 2) * x->predicted;
    }
    tune_conclude_slope(r, &m);
    fact_close(r->slope, 2, 1e-12, "a trial between trajectories of learning does not count for their second order");
    fact_close(r->slope_error, 0, 1e-12, "nor for its error");
    memory_free(r);
}

/* ---- a tuning */

static text report_of(const tune_result *r)
{
    text out = { 0 };
    target_to_text(&out, r, TARGET, "# ");
    return out;
}

static void unreachable(scratch *files, place where)
{
    static const lab_times given = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };
    const tune_request w = { .target = TARGET, .thermalization = 4, .learn = 6, .prove = 12, .times = &given };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    failure why;
    const char *path = input_to_tune(files, WILSON_INPUT_TO_TUNE("", ""));
    require(tune_input(r, path, where, "monomials.1.residuals.force=0.01", &w, &why), "%s", why.why);
    const tune_proof *p = tune_proof_of_choice(r);
    fact(!r->reached && p && r->floor > 0.01,
         "%s: forces with a residual of 0.01 leave a floor of <dH^2>: %.3g +- %.2g", place_name(where),
         r->floor, r->floor_error);
    int64_t most = 0;
    double least = INFINITY;
    for (int i = 0; i < r->proofs; i++) {
        most = r->proof[i].setting.level[0].steps > most ? r->proof[i].setting.level[0].steps : most;
        least = fmin(least, r->proof[i].variance - r->proof[i].variance_error);
    }
    fact(most <= 12, "ever shorter steps are not tried (at most %d)", (int)most);
    fact(p && p->variance - p->variance_error <= 2 * (least + p->variance_error),
         "the setting that is kept is as near as any that was verified (<dH^2> %.3g)", p ? p->variance : NAN);
    fact(r->now.variance < 1, "the steps of the input are still predicted as they were measured: <dH^2> %.3g",
         r->now.variance);
    text out = report_of(r);
    fact(strstr(text_string(&out), "NOT REACHED: 0.") && strstr(text_string(&out), " below the target;\n#   of the s")
         && strstr(text_string(&out), "does not depend on the steps") && strstr(text_string(&out), "residuals.force"),
         "the report says by how much the target is missed, why, and what to do: %s", text_string(&out));
    text_free(&out);
    memory_free(r);
}

/* ---- reports */

static void expect(const tune_result *r, const char *what, const char *sentence)
{
    text out = report_of(r);
    json j = { 0 };
    json_open(&j, NULL, '{');
    target_to_json(&j, r, TARGET);
    json_close(&j);
    fact(strstr(text_string(&out), what) != NULL, "%s: %s", sentence, text_string(&out));
    fact(strstr(json_string(&j), r->reached ? "\"reached\": true" : "\"reached\": false")
         && strstr(json_string(&j), tune_proof_of_choice(r) ? "\"verified\": true" : "\"verified\": false"),
         "and the JSON: %s", json_string(&j));
    json_free(&j);
    text_free(&out);
}

static void reports(void)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    memset(r, 0, sizeof *r);
    r->after = setting_of(5);
    r->then = (tune_prediction){ .acceptance = 0.97, .acceptance_error = 0.01 };
    r->reached = true;
    expect(r, "not verified: the prediction reaches it\n", "a setting without a proof is not verified");
    left_out_add(&r->left_out, "learning", "", "3 of 12 trajectories");
    expect(r, "--minutes ended before all planned trajectories were run\n", "it says so if the time was over");
    r->proofs = 1;
    r->proof[0] = (tune_proof){ .setting = setting_of(4), .trajectories = 12, .variance = 0.2, .enough = true };
    expect(r, "not verified: the prediction reaches it\n", "the proof of another setting is none");
    r->proof[0].setting = r->after;
    r->reached = false;
    expect(r, "no time was left (--minutes) to try other steps: ", "a target that is missed for lack of time");
    r->left_out.count = 0;
    expect(r, "dH is larger than predicted", "or by a wrong prediction");
    expect(r, "NOT REACHED: 0.823 +- 0 from the <dH^2> of 12 trajectories, 0.13 below the target", "by how much");
    r->floor = 0.2;
    expect(r, "limits the acceptance to\n#   about 0.82", "or by the floor");
    r->floor = 0.001;
    expect(r, "dH is larger than predicted", "not by a floor that allows the target");
    r->reached = true;
    r->proof[0].variance = 0.001;
    expect(r, "reached, within errors\n", "one that is reached");
    memory_free(r);
}

/* ---- time */

/* A trajectory of 10 s with brackets; so many seconds of 100 have passed. */
static tuning *tuning_after(double seconds, const tune_request *w, tune_result *r)
{
    tuning *t = memory_alloc(sizeof *t, "a tuning");
    memset(t, 0, sizeof *t);
    clear_model();
    add(8, 0.3, 4);
    t->model = m;
    t->r = r;
    t->w = w;
    t->from = setting_of(8);
    t->began = shared_clock_now() - seconds;
    tune_time_note(t, &t->from, 10);
    return t;
}

static void times(void)
{
    const tune_request w = { .target = 0.8, .seconds = 100, .learn = 4, .prove = 2 }, none = { .target = 0.8 };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    const tune_setting learned = setting_of(8), twice = setting_of(16);
    tuning *t = tuning_after(0, &w, r);
    fact_close(tune_time_of(t, &learned), 10, 1e-12, "a trajectory like the last one takes as long");
    fact(tune_time_of(t, &twice) > 17 && tune_time_of(t, &twice) < 20, "one with twice the steps %.3g s in place of 10",
         tune_time_of(t, &twice));
    memory_free(t);
    const struct { double passed; bool left, learns, tries; } at[] = {
        { 1, true, true, true }, { 66, true, true, true }, { 75, true, false, false }, { 90, false, false, false },
    };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        t = tuning_after(at[i].passed, &w, r);
        fact(tune_time_left(t, 10) == at[i].left, "after %g s of 100, 10 s are %sleft", at[i].passed,
             at[i].left ? "" : "not ");
        fact(tune_time_to_learn(t, &learned) == at[i].learns, "one more trajectory leaves %s for two of the proof",
             at[i].learns ? "time" : "no time");
        fact(tune_time_to_try(t, 1, 10) == at[i].tries && !tune_time_to_try(t, 0, 10),
             "a trial of 10 s may %sbegin; none whose share has passed", at[i].tries ? "" : "not ");
        memory_free(t);
    }
    const tune_request long_proof = { .target = 0.8, .seconds = 100, .learn = 4, .prove = 50 };
    t = tuning_after(50, &long_proof, r);
    fact(tune_time_to_learn(t, &learned), "a proof that is too long leaves learning its share");
    memory_free(t);
    t = tuning_after(1e9, &none, r);
    fact(tune_time_left(t, 1e9) && tune_time_to_learn(t, &learned) && tune_time_to_try(t, 0.5, 1e9),
         "without a limit there is time for all");
    memory_free(t);
    memory_free(r);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    floors();
    nearest();
    proven();
    slopes();
    reports();
    times();
    FOR_EVERY_PLACE(where)
        unreachable(&files, where);
    scratch_remove(&files);
    return facts_end();
}
