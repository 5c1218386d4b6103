/* tune_checkpoint.c - save and restore the trajectories of a tuning. */
#include "src/tune/tune_checkpoint.h"

#include "src/base/json.h"
#include "src/base/json_read.h"
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"
#include "src/tune/checkpoint_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "tuning.json"

enum { BRACKET_REALS = sizeof(brackets) / sizeof(double), TIME_REALS = sizeof(lab_times) / sizeof(double),
       FORCE_REALS = sizeof(force_sums) / sizeof(double), PREDICTION_REALS = sizeof(tune_prediction) / sizeof(double),
       PROOF_REALS = sizeof(proof_sums) / sizeof(double) };

static text links_path(const char *folder, int64_t number)
{
    text path = { 0 };
    text_add(&path, "%s/links.%06" PRId64 ".lime", folder, number);
    return path;
}

/* ---- write */

static void add_setting(json *j, const tune_setting *s)
{
    double steps[SHADOW_LEVELS], lambda[SHADOW_LEVELS];
    for (int e = 0; e < s->count; e++) {
        steps[e] = (double)s->level[e].steps;
        lambda[e] = s->level[e].lambda;
    }
    json_reals(j, "steps", steps, s->count);
    json_reals(j, "lambda", lambda, s->count);
}

static void add_trajectories(json *j, const tune_model *m)
{
    json_open(j, "trajectories", '[');
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        json_open(j, NULL, '{');
        add_setting(j, &x->made);
        json_real(j, "dH", x->dh);
        json_real(j, "seconds", x->seconds);
        json_bool(j, "learning", x->learning);
        json_reals(j, "brackets", (const double *)&x->change, BRACKET_REALS);
        json_close(j);
    }
    json_close(j);
}

static void add_steps(json *j, const tune_result *r)
{
    json_open(j, "longer_steps", '[');
    for (int i = 0; i < r->longer_count; i++) {
        const longer_trial *x = &r->longer[i];
        json_open(j, NULL, '{');
        add_setting(j, &x->setting);
        json_int(j, "trajectories", x->trajectories);
        json_real(j, "dH_squared", x->variance);
        json_real(j, "dH_squared_predicted", x->predicted);
        json_close(j);
    }
    json_close(j);
    json_open(j, "proofs", '[');
    for (int i = 0; i < r->proofs; i++) {
        const tune_proof *p = &r->proof[i];
        json_open(j, NULL, '{');
        add_setting(j, &p->setting);
        json_int(j, "trajectories", p->trajectories);
        json_reals(j, "predicted", (const double *)&p->predicted, PREDICTION_REALS);
        json_reals(j, "sums", (const double *)&p->sums, PROOF_REALS);
        json_close(j);
    }
    json_close(j);
}

static void add_tuning(json *j, const tuning *t)
{
    const tune_model *m = t->learned ? t->learned : &t->model;
    const lab_times times = t->learned ? t->learned->times : tune_times_of(t);
    const tune_result *r = t->r;
    json_text(j, "version", version_program());
    json_hex(j, "input", run_params_digest(&t->in->p));
    json_text(j, "links", t->origin);
    json_open(j, "learning", '{');
    add_setting(j, &t->learning);
    json_close(j);
    json_real(j, "target", t->target_before);
    json_bool(j, "ended", t->ended);
    json_open(j, "choice", '{');
    add_setting(j, &t->choice);
    json_close(j);
    json_int(j, "number", t->number);
    json_int(j, "thermalization", r->thermalized);
    json_int(j, "learned", r->learned);
    json_real(j, "plaquette", r->plaquette);
    json_reals(j, "order_steps", (const double[]){ (double)r->order_steps[0], (double)r->order_steps[1] }, 2);
    json_reals(j, "order_dH", r->order_dh, 2);
    json_reals(j, "omega_squared", m->omega2, LAB_TERMS);
    json_reals(j, "forces", (const double *)&t->forces, FORCE_REALS);
    json_reals(j, "times", (const double *)&times, TIME_REALS);
    json_real(j, "seconds", t->learned ? t->learned_one : t->one);
    add_trajectories(j, m);
    add_steps(j, r);
    trial_store_to_json(j, &t->trials);
}

bool tune_checkpoint_save(tuning *t)
{
    if (!t->w->checkpoint || !(tune_is_as_given(t) || t->learned))
        return true;
    json j = { 0 };
    text links = links_path(t->w->checkpoint, t->number), path = { 0 };
    text_add(&path, "%s/%s", t->w->checkpoint, FILE_NAME);
    json_open(&j, NULL, '{');
    add_tuning(&j, t);
    json_close(&j);
    const configuration_label as = { .bits = 64, .replace = true };
    const bool saved = (t->saved == t->number || configuration_save(t->u, text_string(&links), &as, NULL, t->f))
                       && safe_file_write_text(text_string(&path), json_string(&j), true, t->f);
    if (saved && t->saved != t->number) {
        text old = links_path(t->w->checkpoint, t->saved);
        if (t->saved > 0 && t->saved != t->trials.number)
            disk_unlink(text_string(&old));
        text_free(&old);
        t->saved = t->number;
    }
    text_free(&links);
    text_free(&path);
    json_free(&j);
    return saved;
}

/* ---- read */

static int64_t read_int(yyjson_val *object, const char *key)
{
    return (int64_t)json_read_number(yyjson_obj_get(object, key));
}

/* A number of trajectories from 0 to `most`; false if there is none. */
static bool read_count(int *to, yyjson_val *object, const char *key, int64_t most)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    const double number = json_read_number(value);
    const bool good = yyjson_is_num(value) && number >= 0 && number <= (double)most;
    *to = good ? (int)number : 0;
    return good;
}

static bool read_reals(double *to, int count, yyjson_val *object, const char *key)
{
    yyjson_val *list = yyjson_obj_get(object, key);
    for (int i = 0; i < count; i++)
        to[i] = json_read_number(yyjson_arr_get(list, (size_t)i));
    return yyjson_arr_size(list) == (size_t)count;
}

/* A setting of the input's schemes and monomials. */
static bool read_setting(tune_setting *s, const tuning *t, yyjson_val *object)
{
    double steps[SHADOW_LEVELS], lambda[SHADOW_LEVELS];
    *s = t->r->before;
    bool good = read_reals(steps, s->count, object, "steps") && read_reals(lambda, s->count, object, "lambda");
    for (int e = 0; e < s->count && good; e++) {
        s->level[e].steps = (int64_t)steps[e];
        s->level[e].lambda = lambda[e];
        good = steps[e] >= 1;
    }
    return good;
}

static bool read_trajectory(tuning *t, yyjson_val *x)
{
    tune_setting s;
    brackets change;
    yyjson_val *learning = yyjson_obj_get(x, "learning");
    const bool good = read_setting(&s, t, x) && read_reals((double *)&change, BRACKET_REALS, x, "brackets")
                      && yyjson_is_bool(learning);
    if (good) {
        tune_sample *added = tune_add(&t->model, &s, &change, json_read_number(yyjson_obj_get(x, "dH")));
        added->seconds = json_read_number(yyjson_obj_get(x, "seconds"));
        added->learning = yyjson_get_bool(learning);
        t->one_setting = s;
    }
    return good;
}

static bool read_longer(tuning *t, yyjson_val *x)
{
    longer_trial *trial = &t->r->longer[t->r->longer_count++];
    trial->trajectories = (int)read_int(x, "trajectories");
    trial->variance = json_read_number(yyjson_obj_get(x, "dH_squared"));
    trial->predicted = json_read_number(yyjson_obj_get(x, "dH_squared_predicted"));
    return read_setting(&trial->setting, t, x);
}

static bool read_proof(tuning *t, yyjson_val *x)
{
    tune_proof *p = &t->r->proof[t->r->proofs++];
    const bool good = read_setting(&p->setting, t, x)
                      && read_reals((double *)&p->predicted, PREDICTION_REALS, x, "predicted")
                      && read_reals((double *)&p->sums, PROOF_REALS, x, "sums");
    p->trajectories = (int)read_int(x, "trajectories");
    if (good)
        tune_conclude_proof(p);
    return good && p->trajectories > 0;
}

typedef bool reader(tuning *t, yyjson_val *x);

static bool read_list(tuning *t, yyjson_val *object, const char *key, size_t most, reader *read)
{
    yyjson_val *list = yyjson_obj_get(object, key), *x;
    size_t i, count;
    bool good = yyjson_is_arr(list) && yyjson_arr_size(list) <= most;
    if (good)
        yyjson_arr_foreach(list, i, count, x)
            good = good && read(t, x);
    return good;
}

static bool read_tuning(tuning *t, yyjson_val *object)
{
    tune_result *r = t->r;
    double steps[2];
    t->number = read_int(object, "number");
    t->target_before = json_read_number(yyjson_obj_get(object, "target"));
    t->ended = yyjson_get_bool(yyjson_obj_get(object, "ended"));
    if (!read_count(&r->thermalized, object, "thermalization", t->number)
        || !read_count(&r->learned, object, "learned", TUNE_SAMPLES))
        return false;
    r->plaquette = json_read_number(yyjson_obj_get(object, "plaquette"));
    t->one = json_read_number(yyjson_obj_get(object, "seconds"));
    const bool good = read_reals(steps, 2, object, "order_steps") && read_reals(r->order_dh, 2, object, "order_dH")
                      && read_reals(t->model.omega2, LAB_TERMS, object, "omega_squared")
                      && read_reals((double *)&t->forces, FORCE_REALS, object, "forces")
                      && read_reals((double *)&t->model.times, TIME_REALS, object, "times")
                      && read_setting(&t->learning, t, yyjson_obj_get(object, "learning"))
                      && read_setting(&t->choice, t, yyjson_obj_get(object, "choice"))
                      && read_list(t, object, "trajectories", TUNE_SAMPLES, read_trajectory)
                      && read_list(t, object, "longer_steps", LONGER_TRIALS, read_longer)
                      && read_list(t, object, "proofs", TUNE_PROOFS, read_proof)
                      && trial_store_read(&t->trials, object);
    r->order_steps[0] = (int64_t)steps[0];
    r->order_steps[1] = (int64_t)steps[1];
    if (steps[1] > 0)
        tune_conclude_order(r);
    return good && r->learned <= t->model.samples;
}

static bool fail_content(const char *folder, yyjson_val *object, failure *f)
{
    const char *version = yyjson_get_str(yyjson_obj_get(object, "version"));
    return fail(f, "%s/%s: unexpected content: it is damaged, or from another version of Kiln (written by %s, read by "
                   "%s); choose another folder, or remove this one", folder, FILE_NAME, version ? version : "unknown",
                version_program());
}

/* Whether the document is a checkpoint of this input. */
static bool check_content(yyjson_val *object, const char *folder, const run_params *p, failure *f)
{
    const char *input = yyjson_get_str(yyjson_obj_get(object, "input"));
    if (!input || !(json_read_number(yyjson_obj_get(object, "number")) >= 1))
        return fail_content(folder, object, f);
    return strtoull(input, NULL, 0) == run_params_digest(p)
           || fail(f, "%s/%s is of another input; choose another folder", folder, FILE_NAME);
}

/* The document; NULL without one.  False with the reason and what to do if it is unreadable or of another input. */
static bool open_file(yyjson_doc **doc, const char *folder, const run_params *p, failure *f)
{
    text path = { 0 };
    failure why = { .why = "" };
    text_add(&path, "%s/%s", folder, FILE_NAME);
    *doc = NULL;
    const bool done = !disk_has(text_string(&path)) || (*doc = disk_read_json(text_string(&path), &why)) != NULL
                      || checkpoint_folder_fail(folder, &why, f);
    text_free(&path);
    if (*doc && !check_content(yyjson_doc_get_root(*doc), folder, p, f)) {
        yyjson_doc_free(*doc);
        *doc = NULL;
        return false;
    }
    return done;
}

bool tune_checkpoint_read_links(tuning *t, int64_t number, failure *f)
{
    latest_links at;
    text path = links_path(t->w->checkpoint, number);
    const bool read = latest_links_load(&at, t->u, &t->in->p, text_string(&path), NULL, f);
    text_free(&at.origin);
    text_free(&path);
    return read;
}

void tune_checkpoint_remove_links(const tuning *t, int64_t number)
{
    text path = links_path(t->w->checkpoint, number);
    disk_unlink(text_string(&path));
    text_free(&path);
}

bool tune_checkpoint_load_links(bool *found, latest_links *at, gauge *u, const run_params *p, const char *folder,
                                failure *f)
{
    yyjson_doc *doc;
    failure why = { .why = "" };
    *found = false;
    if (!open_file(&doc, folder, p, f))
        return false;
    if (!doc)
        return true;
    yyjson_val *object = yyjson_doc_get_root(doc);
    const char *origin = yyjson_get_str(yyjson_obj_get(object, "links"));
    text path = links_path(folder, read_int(object, "number"));
    *found = latest_links_load(at, u, p, text_string(&path), NULL, &why) || checkpoint_folder_fail(folder, &why, f);
    if (*found && origin) {
        text_clear(&at->origin);
        text_add(&at->origin, "%s", origin);
    }
    text_free(&path);
    yyjson_doc_free(doc);
    return *found;
}

/* A thermalization that is over cannot change. */
static void warn_of_thermalization(const tuning *t)
{
    const int made = t->r->thermalized;
    if (made > 0 && t->w->thermalization != made && (t->r->learned > 0 || t->w->thermalization < made))
        log_line(LOG_WARNING, "a thermalization of %" PRId64 " trajectories is ignored: %s has links after %d of them; "
                              "choose another folder for another thermalization", t->w->thermalization,
                 t->w->checkpoint, made);
}

bool tune_checkpoint_load(tuning *t)
{
    yyjson_doc *doc = NULL;
    if (!t->w->checkpoint)
        return true;
    if (!open_file(&doc, t->w->checkpoint, &t->in->p, t->f))
        return false;
    bool good = true;
    if (doc) {
        yyjson_val *object = yyjson_doc_get_root(doc);
        good = read_tuning(t, object) || fail_content(t->w->checkpoint, object, t->f);
        t->continued = good;
        t->saved = good ? t->number : 0;
    }
    yyjson_doc_free(doc);
    if (t->continued)
        warn_of_thermalization(t);
    if (t->continued)
        log_line(LOG_INFO, "continued from %s: %d trajectories of thermalization, %d to learn from, %d in all",
                 t->w->checkpoint, t->r->thermalized, t->r->learned, t->model.samples);
    return good;
}
