/* headlines.c - from the results of measurements to titles and numbers. */
#include "src/cli/headlines.h"

#include "src/config/number.h"
#include "src/config/yaml_members.h"
#include "src/measure/measurement.h"

#include <string.h>

typedef struct { void (*tell)(void *out, const char *title, double value); void *out; } listener;

/* "flow.t0", "light.condensate(0.05)"; "condensate(0.05)" where the measurement has the name of its number. */
static text title_of(const char *name, const headline *h, const yaml_node *object)
{
    text title = { 0 };
    double label;
    if (strcmp(name, h->key) != 0)
        text_add(&title, "%s.", name);
    text_add(&title, "%s", h->key);
    if (h->list && member_real(object, h->label, &label)) {
        text_add(&title, "(");
        number_add_real(&title, label);
        text_add(&title, ")");
    }
    return title;
}

/* "polyakov.re": member re of member polyakov */
static bool value_at(const yaml_node *object, const char *path, double *value)
{
    text first = { 0 };
    size_t length = strcspn(path, ".");
    text_add_bytes(&first, path, length);
    bool found = path[length] ? value_at(member(object, text_string(&first), YAML_MAPPING), path + length + 1, value)
                              : member_real(object, text_string(&first), value);
    text_free(&first);
    return found;
}

static void tell_one(const listener *l, const char *name, const headline *h, const yaml_node *object)
{
    double value;
    text title = title_of(name, h, object);
    if (value_at(object, h->key, &value))
        l->tell(l->out, text_string(&title), value);
    text_free(&title);
}

static void tell_headline(const listener *l, const char *name, const headline *h, const yaml_node *result)
{
    const yaml_node *list = h->list ? member(result, h->list, YAML_SEQUENCE) : NULL;
    if (!h->list)
        tell_one(l, name, h, result);
    for (int i = 0; list && i < list->count; i++)
        tell_one(l, name, h, list->item[i]);
}

void headlines_tell(const yaml_node *results, void (*tell)(void *out, const char *title, double value), void *out)
{
    const listener l = { tell, out };
    for (int i = 0; results && results->type == YAML_MAPPING && i < results->count; i++) {
        const yaml_node *kind = member(results->item[i], "kind", YAML_SCALAR);
        const measurement_kind *known = kind ? measurement_kind_named(kind->scalar) : NULL;
        for (const headline *h = known ? known->headlines : NULL; h && h->key; h++)
            tell_headline(&l, results->key[i]->scalar, h, results->item[i]);
    }
}
