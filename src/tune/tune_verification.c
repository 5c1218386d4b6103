/* tune_verification.c - save the verification of a tuned input, and continue it. */
#include "src/tune/tune_verification.h"

#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/comm/comm.h"
#include "src/io/disk.h"
#include "src/tune/checkpoint_state.h"
#include "src/tune/checkpoint_values.h"
#include "src/tune/tune_floor.h"

#include <stdlib.h>
#include <string.h>

static uint64_t digest_of(const tuning *t)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "conditions", text_string(&t->trials.conditions));
    json_open(&j, "set", '[');
    for (int i = 0; i < t->r->sets; i++)
        json_text(&j, NULL, t->r->set[i]);
    json_close(&j);
    json_reals(&j, "omega_squared", t->model.omega2, LAB_TERMS);
    checkpoint_add_times(&j, &t->model.times);
    checkpoint_add_trajectories(&j, &t->model, 0);
    json_close(&j);
    const uint64_t digest = digest64(DIGEST64_START, json_string(&j), strlen(json_string(&j)));
    json_free(&j);
    return digest;
}

bool tune_verification_save(tuning *t)
{
    const lab_times times = tune_times_of(t);
    const int64_t stale = t->verification.stale;
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "version", version_program());
    json_hex(&j, "depends_on", t->verification.digest);
    json_int(&j, "number", t->number);
    checkpoint_add_choice(&j, t);
    checkpoint_add_times(&j, &times);
    json_real(&j, "seconds", t->one);
    checkpoint_add_trajectories(&j, &t->model, t->verification.first);
    checkpoint_add_steps(&j, t->r);
    json_close(&j);
    const bool saved = checkpoint_state_save(t, &checkpoint_of_verification, &j, &t->verification.saved, 0);
    if (saved && stale > 0 && stale != t->number)
        checkpoint_links_remove(t, &checkpoint_of_verification, stale);
    if (saved)
        t->verification.stale = 0;
    json_free(&j);
    return saved;
}

void tune_verification_forget(tuning *t)
{
    t->r->longer_count = t->r->proofs = 0;
    t->target_before = 0;
    t->ended = false;
}

/* False with the reason if the verification may not be used; the model, the result and the links may have changed. */
static bool read_verification(tuning *t, yyjson_val *object, failure *why)
{
    const char *digest = yyjson_get_str(yyjson_obj_get(object, "depends_on"));
    const int64_t number = (int64_t)json_read_number(yyjson_obj_get(object, "number"));
    t->verification.stale = number;
    if (!comm_decide(comm_world(), digest && strtoull(digest, NULL, 0) == t->verification.digest))
        return fail(why, "it is of other values, trials or conditions");
    if (number < 1 || !checkpoint_read_choice(t, object) || !checkpoint_read_times(&t->model.times, object)
        || !checkpoint_read_trajectories(t, object) || !checkpoint_read_steps(t, object))
        return fail(why, "unexpected content");
    t->one = json_read_number(yyjson_obj_get(object, "seconds"));
    if (!checkpoint_links_read(t, &checkpoint_of_verification, number, why))
        return false;
    t->verification.saved = t->number = number;
    t->verification.stale = 0;
    lab_number(t->l, number);
    return true;
}

/* Read it, or stay with what the trials have left; false if their links cannot be read again. */
static bool continue_from(yyjson_doc *doc, tuning *t, failure *why)
{
    const lab_times times = t->model.times;
    const double one = t->one;
    const tune_setting one_setting = t->one_setting;
    if (doc && read_verification(t, yyjson_doc_get_root(doc), why)) {
        log_line(LOG_INFO, "%s with the chosen values are reused from %s",
                 nouns_to_text(t->model.samples - t->verification.first, "trajectory", "trajectories").s,
                 t->w->checkpoint);
        return true;
    }
    log_line(LOG_INFO, "the verification in %s is made again: %s", t->w->checkpoint, why->why);
    tune_verification_forget(t);
    t->model.samples = t->verification.first;
    t->model.times = times;
    tune_find_floor(&t->model);
    t->one = one;
    t->one_setting = one_setting;
    return checkpoint_links_read(t, &checkpoint_of_input, t->number, t->f);
}

bool tune_verification_load(tuning *t)
{
    failure why = { .why = "" };
    tune_verification_forget(t);
    t->verification.first = t->model.samples;
    t->verification.digest = digest_of(t);
    if (!t->w->checkpoint)
        return true;
    text path = checkpoint_file_path(&checkpoint_of_verification, t->w->checkpoint);
    bool done = true;
    if (disk_has(text_string(&path))) {
        yyjson_doc *doc = disk_read_json(text_string(&path), &why);
        done = continue_from(doc, t, &why);
        yyjson_doc_free(doc);
    }
    text_free(&path);
    return done;
}
