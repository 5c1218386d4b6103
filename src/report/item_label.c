/* item_label.c - make labels from numbers of the items, with more of them where the usual ones are equal. */
#include "src/report/item_label.h"

#include "src/base/json_members.h"
#include "src/config/number.h"

#include <stdio.h>
#include <string.h>

/* A key of result_group.label: "mass"; optional: "[mu]"; named: "naik_epsilon=". */
typedef struct { char name[32]; bool optional, named; } label_key;

/* Read the first of the keys.  Returns the keys after it; NULL if there is none. */
static const char *read_key(label_key *key, const char *keys)
{
    const size_t length = strcspn(keys, " ");
    if (length == 0)
        return NULL;
    key->optional = *keys == '[';
    key->named = memchr(keys, '=', length) != NULL;
    snprintf(key->name, sizeof key->name, "%.*s", (int)strcspn(keys + key->optional, " =]"), keys + key->optional);
    return keys + length + (keys[length] == ' ');
}

/* With `all`, the optional keys count, too. */
static bool have_same_label(yyjson_val *a, yyjson_val *b, const char *keys, bool all)
{
    label_key key;
    bool same = true;
    while (same && (keys = read_key(&key, keys))) {
        double of_a, of_b;
        const bool in_a = json_member_real(a, key.name, &of_a), in_b = json_member_real(b, key.name, &of_b);
        if (all || !key.optional)
            same = in_a == in_b && (!in_a || of_a == of_b);
    }
    return same;
}

static bool is_shared(yyjson_val *list, size_t index, const char *keys, bool all)
{
    yyjson_val *const of = yyjson_arr_get(list, index);
    yyjson_val *other;
    size_t i, count;
    yyjson_arr_foreach(list, i, count, other)
        if (i != index && have_same_label(of, other, keys, all))
            return true;
    return false;
}

static void add_part(text *label, const label_key *key, double number)
{
    text_add_bytes(label, label->length > 0 ? "," : "(", 1);
    if (key->named)
        text_add(label, "%s=", key->name);
    number_add_real(label, number);
}

text item_label(const result_group *g, yyjson_val *list, size_t index)
{
    const bool all = is_shared(list, index, g->label, false), numbered = all && is_shared(list, index, g->label, true);
    text label = { 0 };
    label_key key;
    double number;
    for (const char *keys = g->label; (keys = read_key(&key, keys));)
        if ((all || !key.optional) && json_member_real(yyjson_arr_get(list, index), key.name, &number))
            add_part(&label, &key, number);
    if (numbered)
        text_add(&label, "%s%s.%zu", label.length > 0 ? "," : "(", g->list, index);
    text_add_bytes(&label, ")", label.length > 0);
    return label;
}
