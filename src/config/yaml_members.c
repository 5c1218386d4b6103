/* yaml_members.c - members of a mapping, by their types. */
#include "src/config/yaml_members.h"

#include "src/config/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const yaml_node *yaml_member(const yaml_node *object, const char *key, yaml_type type)
{
    const yaml_node *found = object && object->type == YAML_MAPPING ? yaml_get(object, key) : NULL;
    return found && found->type == type ? found : NULL;
}

static const yaml_node *find_member(const members *m, const char *key, yaml_type type)
{
    const yaml_node *node = yaml_member(m->object, key, type);
    if (!node)
        fail(m->f, "%s%s\"%s\" is missing", m->where ? m->where : "", m->where ? ": " : "", key);
    return node;
}

static bool refuse_member(const members *m, const char *key, const char *s, const char *expected)
{
    return fail(m->f, "%s%s\"%s\" is \"%.40s\", not %s", m->where ? m->where : "", m->where ? ": " : "", key, s,
                expected);
}

const char *yaml_members_text(const members *m, const char *key)
{
    const yaml_node *node = find_member(m, key, YAML_SCALAR);
    return node ? node->scalar : NULL;
}

bool yaml_members_object(members *within, const members *m, const char *key)
{
    *within = (members){ find_member(m, key, YAML_MAPPING), m->where, m->f };
    return within->object != NULL;
}

bool yaml_members_count(uint64_t *value, uint64_t largest, const members *m, const char *key)
{
    const char *s = yaml_members_text(m, key);
    char *end, expected[64];
    if (!s)
        return false;
    errno = 0;
    *value = strtoull(s, &end, s[0] == '0' && s[1] == 'x' ? 16 : 10);
    if (isdigit((unsigned char)s[0]) && !*end && !errno && *value <= largest)
        return true;
    snprintf(expected, sizeof expected, "a number from 0 to %" PRIu64, largest);
    return refuse_member(m, key, s, expected);
}

bool yaml_members_integer(int64_t *value, const members *m, const char *key)
{
    const char *s = yaml_members_text(m, key);
    char *end;
    if (!s)
        return false;
    errno = 0;
    *value = strtoll(s, &end, 10);
    return (end != s && !*end && !errno) || refuse_member(m, key, s, "an integer");
}

bool yaml_members_bool(bool *value, const members *m, const char *key)
{
    const char *s = yaml_members_text(m, key);
    if (!s)
        return false;
    *value = strcmp(s, "true") == 0;
    return *value || strcmp(s, "false") == 0 || refuse_member(m, key, s, "true or false");
}

bool yaml_members_real(double *value, const members *m, const char *key)
{
    const yaml_node *node = find_member(m, key, YAML_SCALAR);
    text hint = { 0 };
    *value = NAN;
    if (!node)
        return false;
    const char *s = node->scalar;
    const bool read = !node->quoted && (strcmp(s, "null") == 0 || number_read_real(s, value, &hint));
    text_free(&hint);
    return read || refuse_member(m, key, s, "a number");
}

bool yaml_members_reals(double *value, int64_t count, const members *m, const char *key)
{
    const yaml_node *list = find_member(m, key, YAML_SEQUENCE);
    if (!list)
        return false;
    if (list->count != count)
        return fail(m->f, "%s%s\"%s\" has %d numbers, not %" PRId64, m->where ? m->where : "", m->where ? ": " : "",
                    key, list->count, count);
    for (int i = 0; i < list->count; i++) {
        const char *s = list->item[i]->type == YAML_SCALAR ? list->item[i]->scalar : "";
        char *end;
        value[i] = strtod(s, &end);
        if (end == s || *end)
            return refuse_member(m, key, s, "a list of numbers");
    }
    return true;
}

bool yaml_member_real(const yaml_node *object, const char *key, double *value)
{
    return yaml_members_real(value, &(members){ .object = object }, key);
}

bool yaml_member_bool(const yaml_node *object, const char *key, bool *value)
{
    return yaml_members_bool(value, &(members){ .object = object }, key);
}
