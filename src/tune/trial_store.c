/* trial_store.c - keep, write and read measurements of trials. */
#include "src/tune/trial_store.h"

#include "src/base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 64, TRIALS_MOST = 4096, NUMBER_MOST = 100000000 };

const stored_trial *trial_store_find(const trial_store *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(text_string(&s->item[i].name), name) == 0)
            return &s->item[i];
    return NULL;
}

static stored_trial *add_item(trial_store *s, const char *name, int count)
{
    if (s->count == s->capacity) {
        const int capacity = s->capacity > 0 ? 2 * s->capacity : FIRST_CAPACITY;
        stored_trial *larger = memory_alloc((size_t)capacity * sizeof *larger, "trials of a tuning");
        if (s->count > 0)
            memcpy(larger, s->item, (size_t)s->count * sizeof *larger);
        memory_free(s->item);
        s->item = larger;
        s->capacity = capacity;
    }
    stored_trial *added = &s->item[s->count++];
    *added = (stored_trial){ .count = count };
    text_add(&added->name, "%s", name);
    if (count > 0)
        added->value = memory_alloc((size_t)count * sizeof *added->value, "a trial of a tuning");
    return added;
}

void trial_store_add(trial_store *s, const char *name, const double *value, int count)
{
    stored_trial *added = add_item(s, name, count);
    if (count > 0)
        memcpy(added->value, value, (size_t)count * sizeof *value);
}

void trial_store_clear(trial_store *s)
{
    for (int i = 0; i < s->count; i++) {
        text_free(&s->item[i].name);
        memory_free(s->item[i].value);
    }
    memory_free(s->item);
    text_free(&s->conditions);
    *s = (trial_store){ .number = 0 };
}

void trial_store_to_json(json *j, const trial_store *s)
{
    json_open(j, "trials", '{');
    json_int(j, "number", s->number);
    json_int(j, "learned", s->learned);
    json_int(j, "samples", s->samples);
    json_text(j, "conditions", text_string(&s->conditions));
    json_open(j, "made", '[');
    for (int i = 0; i < s->count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "trial", text_string(&s->item[i].name));
        json_reals(j, "values", s->item[i].value, s->item[i].count);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static bool read_item(trial_store *s, yyjson_val *x)
{
    const char *name = yyjson_get_str(yyjson_obj_get(x, "trial"));
    yyjson_val *values = yyjson_obj_get(x, "values"), *value;
    size_t i, count;
    if (!name || !yyjson_is_arr(values))
        return false;
    stored_trial *added = add_item(s, name, (int)yyjson_arr_size(values));
    yyjson_arr_foreach(values, i, count, value)
        added->value[i] = json_read_number(value);
    return true;
}

/* A number of trajectories; -1 if it is none. */
static int read_count(yyjson_val *object, const char *key)
{
    const double number = json_read_number(yyjson_obj_get(object, key));
    return number >= 0 && number <= NUMBER_MOST ? (int)number : -1;
}

bool trial_store_read(trial_store *s, yyjson_val *object)
{
    yyjson_val *trials = yyjson_obj_get(object, "trials"), *made = yyjson_obj_get(trials, "made"), *x;
    const char *conditions = yyjson_get_str(yyjson_obj_get(trials, "conditions"));
    size_t i, count;
    if (!trials)
        return true;
    bool good = conditions && yyjson_is_arr(made) && yyjson_arr_size(made) <= TRIALS_MOST;
    s->number = read_count(trials, "number");
    s->learned = read_count(trials, "learned");
    s->samples = read_count(trials, "samples");
    if (good)
        text_add(&s->conditions, "%s", conditions);
    if (good)
        yyjson_arr_foreach(made, i, count, x)
            good = good && read_item(s, x);
    return good && s->number >= 0 && s->learned >= 0 && s->samples >= s->learned;
}
