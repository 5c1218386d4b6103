/* json_members.c - members of an object, by their types. */
#include "src/base/json_members.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- optional members */

yyjson_val *json_member_object(yyjson_val *object, const char *key)
{
    yyjson_val *found = yyjson_obj_get(object, key);
    return yyjson_is_obj(found) ? found : NULL;
}

yyjson_val *json_member_list(yyjson_val *object, const char *key)
{
    yyjson_val *found = yyjson_obj_get(object, key);
    return yyjson_is_arr(found) ? found : NULL;
}

const char *json_member_text(yyjson_val *object, const char *key)
{
    return yyjson_get_str(yyjson_obj_get(object, key));
}

bool json_value_real(double *value, yyjson_val *from)
{
    *value = yyjson_is_num(from) ? json_read_number(from) : NAN;
    return yyjson_is_num(from) || yyjson_is_null(from);
}

bool json_member_real(yyjson_val *object, const char *key, double *value)
{
    return json_value_real(value, yyjson_obj_get(object, key));
}

bool json_member_bool(yyjson_val *object, const char *key, bool *value)
{
    yyjson_val *found = yyjson_obj_get(object, key);
    *value = yyjson_is_true(found);
    return yyjson_is_bool(found);
}

/* ---- members that must be there */

/* A value, for a message. */
typedef struct { char s[64]; } value_text;
static value_text format_value(yyjson_val *value)
{
    value_text t = { "a list" };
    if (yyjson_is_str(value))
        snprintf(t.s, sizeof t.s, "\"%.40s\"", yyjson_get_str(value));
    else if (yyjson_is_uint(value))
        snprintf(t.s, sizeof t.s, "%" PRIu64, yyjson_get_uint(value));
    else if (yyjson_is_num(value))
        snprintf(t.s, sizeof t.s, "%.15g", json_read_number(value));
    else if (yyjson_is_bool(value) || yyjson_is_null(value))
        snprintf(t.s, sizeof t.s, "%s", yyjson_get_type_desc(value));
    else if (yyjson_is_obj(value))
        snprintf(t.s, sizeof t.s, "an object");
    return t;
}

/* The member; NULL with the reason if it is missing. */
static yyjson_val *find_member(const members *m, const char *key)
{
    yyjson_val *found = yyjson_obj_get(m->object, key);
    if (!found)
        fail(m->f, "%s%s\"%s\" is missing", m->where ? m->where : "", m->where ? ": " : "", key);
    return found;
}

/* Returns false with the reason; a missing member (`found` is NULL) has been reported before. */
static bool refuse_member(const members *m, const char *key, yyjson_val *found, const char *expected)
{
    return found && fail(m->f, "%s%s\"%s\" is %s, not %s", m->where ? m->where : "", m->where ? ": " : "", key,
                         format_value(found).s, expected);
}

const char *json_members_text(const members *m, const char *key)
{
    yyjson_val *found = find_member(m, key);
    if (!yyjson_is_str(found))
        refuse_member(m, key, found, "a text");
    return yyjson_get_str(found);
}

bool json_members_object(members *within, const members *m, const char *key)
{
    yyjson_val *found = find_member(m, key);
    *within = (members){ yyjson_is_obj(found) ? found : NULL, m->where, m->f };
    return within->object || refuse_member(m, key, found, "an object");
}

/* "0x1f" or "31" */
static bool read_count(uint64_t *value, const char *s)
{
    char *end;
    if (!s || !isdigit((unsigned char)s[0]))
        return false;
    errno = 0;
    *value = strtoull(s, &end, s[0] == '0' && s[1] == 'x' ? 16 : 10);
    return !*end && !errno;
}

bool json_members_count(uint64_t *value, uint64_t largest, const members *m, const char *key)
{
    char expected[64];
    yyjson_val *found = find_member(m, key);
    *value = yyjson_get_uint(found);
    if ((yyjson_is_uint(found) || read_count(value, yyjson_get_str(found))) && *value <= largest)
        return true;
    snprintf(expected, sizeof expected, "a number from 0 to %" PRIu64, largest);
    return refuse_member(m, key, found, expected);
}

bool json_members_integer(int64_t *value, const members *m, const char *key)
{
    yyjson_val *found = find_member(m, key);
    *value = yyjson_get_sint(found);
    return (yyjson_is_int(found) && (yyjson_is_sint(found) || yyjson_get_uint(found) <= INT64_MAX))
           || refuse_member(m, key, found, "an integer");
}

bool json_members_bool(bool *value, const members *m, const char *key)
{
    return json_member_bool(m->object, key, value) || refuse_member(m, key, find_member(m, key), "true or false");
}

bool json_members_real(double *value, const members *m, const char *key)
{
    return json_member_real(m->object, key, value) || refuse_member(m, key, find_member(m, key), "a number");
}

/* As json_real_exact writes a number. */
static bool read_exact(double *value, yyjson_val *from)
{
    const char *s = yyjson_get_str(from);
    char *end = NULL;
    *value = s ? strtod(s, &end) : json_read_number(from);
    return yyjson_is_num(from) || (s && end != s && !*end);
}

bool json_members_reals(double *value, int64_t count, const members *m, const char *key)
{
    yyjson_val *list = find_member(m, key), *item;
    size_t i, size;
    if (!yyjson_is_arr(list))
        return refuse_member(m, key, list, "a list of numbers");
    if (yyjson_arr_size(list) != (size_t)count)
        return fail(m->f, "%s%s\"%s\" has %zu numbers, not %" PRId64, m->where ? m->where : "", m->where ? ": " : "",
                    key, yyjson_arr_size(list), count);
    yyjson_arr_foreach(list, i, size, item)
        if (!read_exact(&value[i], item))
            return refuse_member(m, key, item, "a list of numbers");
    return true;
}
