/* checkpoint_values.c - write and read the parts of a checkpoint of a tuning. */
#include "src/tune/checkpoint_values.h"

#include "src/base/json_members.h"

enum { BRACKET_REALS = sizeof(brackets) / sizeof(double), TIME_REALS = sizeof(lab_times) / sizeof(double),
       PREDICTION_REALS = sizeof(tune_prediction) / sizeof(double), PROOF_REALS = sizeof(proof_sums) / sizeof(double) };

/* ---- write */

void checkpoint_add_setting(json *j, const tune_setting *s)
{
    double steps[SHADOW_LEVELS], lambda[SHADOW_LEVELS];
    for (int e = 0; e < s->count; e++) {
        steps[e] = (double)s->level[e].steps;
        lambda[e] = s->level[e].lambda;
    }
    json_reals(j, "steps", steps, s->count);
    json_reals(j, "lambda", lambda, s->count);
}

void checkpoint_add_trajectories(json *j, const tune_model *m, int first)
{
    json_open(j, "trajectories", '[');
    for (int i = first; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        json_open(j, NULL, '{');
        checkpoint_add_setting(j, &x->made);
        json_real(j, "dH", x->dh);
        json_real(j, "seconds", x->seconds);
        json_bool(j, "learning", x->learning);
        json_reals(j, "brackets", (const double *)&x->change, BRACKET_REALS);
        json_close(j);
    }
    json_close(j);
}

void checkpoint_add_steps(json *j, const tune_result *r)
{
    json_open(j, "longer_steps", '[');
    for (int i = 0; i < r->longer_count; i++) {
        const longer_trial *x = &r->longer[i];
        json_open(j, NULL, '{');
        checkpoint_add_setting(j, &x->setting);
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
        checkpoint_add_setting(j, &p->setting);
        json_int(j, "trajectories", p->trajectories);
        json_reals(j, "predicted", (const double *)&p->predicted, PREDICTION_REALS);
        json_reals(j, "sums", (const double *)&p->sums, PROOF_REALS);
        json_close(j);
    }
    json_close(j);
}

void checkpoint_add_choice(json *j, const tuning *t)
{
    json_real(j, "target", t->target_before);
    json_bool(j, "keep_lambda", t->lambdas_kept);
    json_bool(j, "ended", t->ended);
    json_open(j, "choice", '{');
    checkpoint_add_setting(j, &t->choice);
    json_close(j);
}

void checkpoint_add_times(json *j, const lab_times *times)
{
    json_reals(j, "times", (const double *)times, TIME_REALS);
}

/* ---- read */

bool checkpoint_read_count(int *to, yyjson_val *object, const char *key, int most)
{
    failure why;
    uint64_t number;
    const bool good = json_members_count(&number, (uint64_t)most, &(members){ object, NULL, &why }, key);
    *to = good ? (int)number : 0;
    return good;
}

bool checkpoint_read_reals(double *to, int count, yyjson_val *object, const char *key)
{
    yyjson_val *list = yyjson_obj_get(object, key);
    for (int i = 0; i < count; i++)
        to[i] = json_read_number(yyjson_arr_get(list, (size_t)i));
    return yyjson_arr_size(list) == (size_t)count;
}

bool checkpoint_read_setting(tune_setting *s, const tuning *t, yyjson_val *object)
{
    double steps[SHADOW_LEVELS], lambda[SHADOW_LEVELS];
    *s = t->from;
    bool good = checkpoint_read_reals(steps, s->count, object, "steps")
                && checkpoint_read_reals(lambda, s->count, object, "lambda");
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
    if (!checkpoint_read_setting(&s, t, x) || !checkpoint_read_reals((double *)&change, BRACKET_REALS, x, "brackets")
        || !yyjson_is_bool(learning))
        return false;
    tune_sample *added = tune_add(&t->model, &s, &change, json_read_number(yyjson_obj_get(x, "dH")));
    if (!added)
        return false;
    added->seconds = json_read_number(yyjson_obj_get(x, "seconds"));
    added->learning = yyjson_get_bool(learning);
    t->one_setting = s;
    return true;
}

static bool read_longer(tuning *t, yyjson_val *x)
{
    longer_trial *trial = &t->r->longer[t->r->longer_count++];
    const bool good = checkpoint_read_count(&trial->trajectories, x, "trajectories", TUNE_SAMPLES);
    trial->variance = json_read_number(yyjson_obj_get(x, "dH_squared"));
    trial->predicted = json_read_number(yyjson_obj_get(x, "dH_squared_predicted"));
    return good && checkpoint_read_setting(&trial->setting, t, x);
}

static bool read_proof(tuning *t, yyjson_val *x)
{
    tune_proof *p = &t->r->proof[t->r->proofs++];
    const bool good = checkpoint_read_setting(&p->setting, t, x)
                      && checkpoint_read_reals((double *)&p->predicted, PREDICTION_REALS, x, "predicted")
                      && checkpoint_read_reals((double *)&p->sums, PROOF_REALS, x, "sums")
                      && checkpoint_read_count(&p->trajectories, x, "trajectories", INT32_MAX)
                      && p->trajectories > 0;
    if (good)
        tune_conclude_proof(p);
    return good;
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

bool checkpoint_read_trajectories(tuning *t, yyjson_val *object)
{
    return read_list(t, object, "trajectories", TUNE_SAMPLES, read_trajectory);
}

bool checkpoint_read_steps(tuning *t, yyjson_val *object)
{
    return read_list(t, object, "longer_steps", LONGER_TRIALS, read_longer)
           && read_list(t, object, "proofs", TUNE_PROOFS, read_proof);
}

bool checkpoint_read_choice(tuning *t, yyjson_val *object)
{
    t->target_before = json_read_number(yyjson_obj_get(object, "target"));
    t->lambdas_kept = yyjson_get_bool(yyjson_obj_get(object, "keep_lambda"));
    t->ended = yyjson_get_bool(yyjson_obj_get(object, "ended"));
    return checkpoint_read_setting(&t->choice, t, yyjson_obj_get(object, "choice"));
}

bool checkpoint_read_times(lab_times *times, yyjson_val *object)
{
    return checkpoint_read_reals((double *)times, TIME_REALS, object, "times");
}
