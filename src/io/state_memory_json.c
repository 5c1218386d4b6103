/* state_memory_json.c - named lists of numbers, to JSON and back. */
#include "src/io/state_memory_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void state_memory_to_json(json *j, const state_memory *m)
{
    if (m->count == 0)
        return;
    json_open(j, "memory", '{');
    for (int64_t i = 0; i < m->count; i++) {
        json_open(j, m->list[i].name, '[');
        for (int64_t n = 0; n < m->list[i].count; n++)
            json_real(j, NULL, m->list[i].value[n]);
        json_close(j);
    }
    json_close(j);
}

static bool read_list(state_list *list, yyjson_val *key, yyjson_val *numbers, const members *of)
{
    const char *name = yyjson_get_str(key);
    yyjson_val *number;
    size_t i, count;
    if (yyjson_get_len(key) >= sizeof list->name || !yyjson_is_arr(numbers)
        || yyjson_arr_size(numbers) > STATE_NUMBERS)
        return fail(of->f, "%s: \"memory\": expected \"%.60s\" to be a list of at most %d numbers", of->where, name,
                    STATE_NUMBERS);
    snprintf(list->name, sizeof list->name, "%s", name);
    list->count = (int64_t)yyjson_arr_size(numbers);
    yyjson_arr_foreach(numbers, i, count, number) {
        list->value[i] = yyjson_is_num(number) ? json_read_number(number) : NAN;
        if (!yyjson_is_num(number) && !yyjson_is_null(number))
            return fail(of->f, "%s: \"memory\": item %zu of \"%s\" is not a number", of->where, i + 1, name);
    }
    return true;
}

bool state_memory_from_json(state_memory *m, const members *object)
{
    yyjson_val *lists = yyjson_obj_get(object->object, "memory"), *key, *numbers;
    size_t i, count;
    memset(m, 0, sizeof *m);
    if (!lists)
        return true;
    if (!yyjson_is_obj(lists) || yyjson_obj_size(lists) > STATE_LISTS)
        return fail(object->f, "%s: expected \"memory\" to be an object of at most %d lists", object->where,
                    STATE_LISTS);
    yyjson_obj_foreach(lists, i, count, key, numbers)
        if (!read_list(&m->list[m->count++], key, numbers, object))
            return false;
    return true;
}
