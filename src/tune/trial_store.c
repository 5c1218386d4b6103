/* trial_store.c - keep, write and read measurements of trials. */
#include "src/tune/trial_store.h"

#include "src/base/json_members.h"
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

bool trial_store_read(trial_store *s, yyjson_val *object)
{
    yyjson_val *trials = yyjson_obj_get(object, "trials"), *made = yyjson_obj_get(trials, "made"), *x;
    const char *conditions = yyjson_get_str(yyjson_obj_get(trials, "conditions"));
    failure why;
    const members m = { trials, NULL, &why };
    uint64_t number, learned, samples;
    size_t i, count;
    if (!trials)
        return true;
    bool good = conditions && yyjson_is_arr(made) && yyjson_arr_size(made) <= TRIALS_MOST
                && json_members_count(&number, NUMBER_MOST, &m, "number")
                && json_members_count(&samples, NUMBER_MOST, &m, "samples")
                && json_members_count(&learned, samples, &m, "learned");
    if (!good)
        return false;
    s->number = (int64_t)number;
    s->learned = (int)learned;
    s->samples = (int)samples;
    text_add(&s->conditions, "%s", conditions);
    yyjson_arr_foreach(made, i, count, x)
        good = good && read_item(s, x);
    return good;
}
