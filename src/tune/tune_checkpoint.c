/* tune_checkpoint.c - save and restore the trajectories of a tuning. */
#include "src/tune/tune_checkpoint.h"

#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/io/disk.h"
#include "src/tune/checkpoint_folder.h"
#include "src/tune/checkpoint_state.h"
#include "src/tune/checkpoint_values.h"
#include "src/tune/tune_conditions.h"
#include "src/tune/tune_verification.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORCE_REALS = sizeof(force_sums) / sizeof(double) };

/* ---- write */

static void add_tuning(json *j, const tuning *t)
{
    const tune_model *m = t->learned ? t->learned : &t->model;
    const lab_times times = t->learned ? t->learned->times : tune_times_of(t);
    const tune_result *r = t->r;
    json_text(j, "version", version_program());
    json_hex(j, "input", run_params_digest(&t->in->p));
    json_text(j, "links", t->origin);
    json_text(j, "timed_by", text_string(&t->conditions));
    json_open(j, "learning", '{');
    checkpoint_add_setting(j, &t->learning);
    json_close(j);
    checkpoint_add_choice(j, t);
    json_int(j, "number", t->number);
    json_int(j, "thermalization", r->thermalized);
    json_int(j, "learned", r->learned);
    json_real(j, "plaquette", r->plaquette);
    json_reals(j, "order_steps", (const double[]){ (double)r->order_steps[0], (double)r->order_steps[1] }, 2);
    json_reals(j, "order_dH", r->order_dh, 2);
    json_reals(j, "omega_squared", m->omega2, LAB_TERMS);
    json_reals(j, "forces", (const double *)&t->forces, FORCE_REALS);
    checkpoint_add_times(j, &times);
    json_real(j, "seconds", t->learned ? t->learned_one : t->one);
    checkpoint_add_trajectories(j, m, 0);
    checkpoint_add_steps(j, r);
    trial_store_to_json(j, &t->trials);
}

bool tune_checkpoint_save(tuning *t)
{
    if (!t->w->checkpoint)
        return true;
    if (!tune_is_as_given(t) && !t->learned)
        return tune_verification_save(t);
    json j = { 0 };
    json_open(&j, NULL, '{');
    add_tuning(&j, t);
    json_close(&j);
    const bool saved = checkpoint_state_save(t, &checkpoint_of_input, &j, &t->saved, t->trials.number);
    json_free(&j);
    return saved;
}

/* ---- read */

/* The number of trajectories so far. */
static int64_t number_in(yyjson_val *object)
{
    return (int64_t)json_read_number(yyjson_obj_get(object, "number"));
}

static bool read_tuning(tuning *t, yyjson_val *object)
{
    tune_result *r = t->r;
    double steps[2];
    t->number = number_in(object);
    r->plaquette = json_read_number(yyjson_obj_get(object, "plaquette"));
    t->one = json_read_number(yyjson_obj_get(object, "seconds"));
    const bool good = checkpoint_read_count(&r->thermalized, object, "thermalization", INT32_MAX)
                      && r->thermalized <= t->number
                      && checkpoint_read_reals(steps, 2, object, "order_steps")
                      && checkpoint_read_reals(r->order_dh, 2, object, "order_dH")
                      && checkpoint_read_reals(t->model.omega2, LAB_TERMS, object, "omega_squared")
                      && checkpoint_read_reals((double *)&t->forces, FORCE_REALS, object, "forces")
                      && checkpoint_read_times(&t->model.times, object)
                      && checkpoint_read_setting(&t->learning, t, yyjson_obj_get(object, "learning"))
                      && checkpoint_read_choice(t, object) && checkpoint_read_trajectories(t, object)
                      && checkpoint_read_count(&r->learned, object, "learned", t->model.samples)
                      && checkpoint_read_steps(t, object) && trial_store_read(&t->trials, object);
    if (!good)
        return false;
    r->order_steps[0] = (int64_t)steps[0];
    r->order_steps[1] = (int64_t)steps[1];
    if (steps[1] > 0)
        tune_conclude_order(r);
    return true;
}

static bool fail_content(const char *folder, yyjson_val *object, failure *f)
{
    const char *version = yyjson_get_str(yyjson_obj_get(object, "version"));
    return fail(f, "%s/%s: unexpected content: it is damaged, or from another version of Kiln (written by %s, read by "
                   "%s); choose another folder, or remove this one", folder, checkpoint_of_input.file,
                version ? version : "unknown", version_program());
}

/* Whether the document is a checkpoint of this input. */
static bool check_content(yyjson_val *object, const char *folder, const run_params *p, failure *f)
{
    const char *input = yyjson_get_str(yyjson_obj_get(object, "input"));
    if (!input || !(json_read_number(yyjson_obj_get(object, "number")) >= 1))
        return fail_content(folder, object, f);
    return strtoull(input, NULL, 0) == run_params_digest(p)
           || fail(f, "%s/%s is of another input; choose another folder", folder, checkpoint_of_input.file);
}

/* The document; NULL without one.  False with the reason and what to do if it is unreadable or of another input. */
static bool open_file(yyjson_doc **doc, const char *folder, const run_params *p, failure *f)
{
    text path = checkpoint_file_path(&checkpoint_of_input, folder);
    failure why = { .why = "" };
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
    return checkpoint_links_read(t, &checkpoint_of_input, number, f);
}

void tune_checkpoint_remove_links(const tuning *t, int64_t number)
{
    checkpoint_links_remove(t, &checkpoint_of_input, number);
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
    text path = checkpoint_links_path(&checkpoint_of_input, folder, number_in(object));
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

/* Under other conditions than those of the checkpoint, its times and its verification are not valid.  dH is. */
static void check_conditions(tuning *t, yyjson_val *object)
{
    failure why;
    const char *then = yyjson_get_str(yyjson_obj_get(object, "timed_by"));
    if (tune_conditions_are(t, then ? then : "an unknown program", &why))
        return;
    log_line(LOG_INFO, "times and verification in %s are made again: %s", t->w->checkpoint, why.why);
    tune_verification_forget(t);
    t->model.times = (lab_times){ .energy = 0 };
    for (int i = 0; i < t->model.samples; i++)
        t->model.sample[i].seconds = 0;
    t->one = 0;
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
        if (good)
            check_conditions(t, object);
    }
    yyjson_doc_free(doc);
    if (t->continued)
        warn_of_thermalization(t);
    if (t->continued)
        log_line(LOG_INFO, "continued from %s: %d trajectories of thermalization, %d to learn from, %d in all",
                 t->w->checkpoint, t->r->thermalized, t->r->learned, t->model.samples);
    return good;
}
