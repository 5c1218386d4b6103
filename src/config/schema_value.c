/* schema_value.c - reads scalars strictly: nothing is guessed, rounded or clipped. */
#include "src/config/schema_value.h"

#include "src/base/memory.h"
#include "src/base/utf8.h"
#include "src/config/number.h"
#include "src/config/schema_describe.h"
#include "src/config/suggest.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

static bool refuse_type(text *why, const yaml_node *node, const param_spec *spec, const char *hint)
{
    describe_mismatch(why, spec, node);
    if (*hint)
        text_add(why, "; %s", hint);
    return false;
}

static bool refuse_value(text *why, const yaml_node *node, const param_spec *spec, const char *verdict)
{
    text_add(why, "%s is %s; allowed: ", excerpt(node->scalar).s, verdict);
    describe_allowed(why, spec);
    return false;
}

/* An unquoted scalar that is not a number gets the hint; a quoted one is always a text. */
static bool refuse_number(text *why, const yaml_node *node, const param_spec *spec, text *hint)
{
    bool quoted = node->type == YAML_SCALAR && node->quoted;
    refuse_type(why, node, spec, quoted ? "write numbers without quotes" : text_string(hint));
    text_free(hint);
    return false;
}

static bool in_range(double value, const param_spec *spec)
{
    param_range range = param_range_of(spec);
    return (range.above_min ? value > range.min : value >= range.min)
           && (range.below_max ? value < range.max : value <= range.max);
}

bool read_int(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    int64_t number;
    text hint = { 0 };
    if (node->type != YAML_SCALAR || node->quoted || !number_read_integer(node->scalar, &number, &hint))
        return refuse_number(why, node, spec, &hint);
    if (!in_range((double)number, spec))
        return refuse_value(why, node, spec, "out of range");
    if ((spec->flags & PARAM_EVEN) && number % 2 != 0)
        return refuse_value(why, node, spec, "odd");
    *(int64_t *)value = number;
    return true;
}

bool read_int32(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    param_spec element = *spec;                 /* a single integer, for messages */
    element.type = PARAM_INT;
    int64_t number;
    if (!read_int(node, &element, &number, why))
        return false;
    if (number < INT_MIN || number > INT_MAX)
        return refuse_value(why, node, &element, "too large for 32 bits");
    *(int *)value = (int)number;
    return true;
}

bool read_real(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    param_spec element = *spec;                 /* a single number, for messages, also in a PARAM_REAL3 */
    element.type = PARAM_REAL;
    double number;
    text hint = { 0 };
    if (node->type != YAML_SCALAR || node->quoted || !number_read_real(node->scalar, &number, &hint))
        return refuse_number(why, node, &element, &hint);
    if (!in_range(number, spec))
        return refuse_value(why, node, &element, "out of range");
    *(double *)value = number;
    return true;
}

/* Words that other YAML readers take for true or false. */
static const char *bool_meant(const char *word)
{
    static const struct { const char *word, *meant; } words[] = {
        { "true", "write true" },   { "yes", "write true" },   { "on", "write true" },   { "y", "write true" },
        { "false", "write false" }, { "no", "write false" },   { "off", "write false" }, { "n", "write false" },
        { "1", "write true" },      { "0", "write false" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(word, words[i].word) == 0)
            return words[i].meant;
    return "";
}

bool read_bool(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    if (node->type != YAML_SCALAR)
        return refuse_type(why, node, spec, "");
    bool is_true = strcmp(node->scalar, "true") == 0, is_false = strcmp(node->scalar, "false") == 0;
    if (node->quoted && (is_true || is_false))
        return refuse_type(why, node, spec, "write it without quotes");
    if (!is_true && !is_false)
        return refuse_type(why, node, spec, bool_meant(node->scalar));
    *(bool *)value = is_true;
    return true;
}

static char *copy_of(const char *s)
{
    size_t n = strlen(s);
    char *copy = memory_alloc(n + 1, "a text of the input");
    memcpy(copy, s, n);
    return copy;
}

bool read_text(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    bool refused = node->type != YAML_SCALAR || yaml_is_null(node);
    if (refused || ((spec->flags & PARAM_NOT_EMPTY) && !*node->scalar))
        return refuse_type(why, node, spec, "");
    *(char **)value = copy_of(node->scalar);
    return true;
}

const char *schema_make_absolute(char **path, const char *input)
{
    text full = path_absolute(*path, input);
    memory_free(*path);
    *path = copy_of(text_string(&full));
    text_free(&full);
    if (**path && **path != '/')
        return "a relative path is relative to the working directory, which was removed; change to an existing folder, "
               "or write an absolute path";
    return utf8_is_valid(*path) ? NULL : "the absolute path has bytes that are not UTF-8; rename the folder";
}

bool read_choice(const yaml_node *node, const param_spec *spec, void *value, text *why)
{
    if (node->type == YAML_SCALAR)
        for (int i = 0; spec->choices[i]; i++)
            if (strcmp(node->scalar, spec->choices[i]) == 0) {
                *(int *)value = i;
                return true;
            }
    refuse_type(why, node, spec, "");
    if (node->type == YAML_SCALAR) {
        near_miss near = { .word = node->scalar };
        for (int i = 0; spec->choices[i]; i++)
            suggest_try(&near, spec->choices[i]);
        suggest_report(why, &near);
    }
    return false;
}
