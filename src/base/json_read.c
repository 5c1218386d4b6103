/* json_read.c - read JSON, with the place of a fault. */
#include "src/base/json_read.h"

#include <string.h>

/* Whether a value of the document is in more than JSON_DEPTH_MAX objects and lists.  The values of a document follow
 * one another, each before those within it; `end[depth]` is the first one behind an open object or list. */
static bool is_too_deep(yyjson_doc *doc)
{
    const yyjson_val *end[JSON_DEPTH_MAX];
    yyjson_val *value = yyjson_doc_get_root(doc);
    int depth = 0;
    for (size_t i = 0; i < yyjson_doc_get_val_count(doc); i++, value++) {
        if (!yyjson_is_ctn(value))
            continue;
        while (depth > 0 && value >= end[depth - 1])
            depth--;
        if (depth == JSON_DEPTH_MAX)
            return true;
        end[depth++] = unsafe_yyjson_get_next(value);
    }
    return false;
}

static bool refuse(const char *bytes, size_t n, const char *name, const yyjson_read_err *error, failure *f)
{
    size_t line = 1, column = 1, character;
    if (error->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        fatal("%s: out of host memory while reading JSON", name);
    yyjson_locate_pos(bytes, n, error->pos, &line, &column, &character);
    return fail(f, "%s:%zu:%zu: %s", name, line, column, n == 0 ? "empty" : error->msg);
}

yyjson_doc *json_read(const char *bytes, size_t n, const char *name, const yyjson_alc *memory, failure *f)
{
    yyjson_read_err error;
    /* Without YYJSON_READ_INSITU yyjson leaves the bytes as they are. */
    yyjson_doc *doc = yyjson_read_opts((char *)bytes, n, YYJSON_READ_NOFLAG, memory, &error);
    const bool ok = (doc || refuse(bytes, n, name, &error, f))
                    && (yyjson_is_obj(yyjson_doc_get_root(doc)) || fail(f, "%s: not an object of JSON", name))
                    && (!is_too_deep(doc) || fail(f, "%s: nested deeper than %d levels", name, JSON_DEPTH_MAX));
    if (ok)
        return doc;
    yyjson_doc_free(doc);
    return NULL;
}

yyjson_doc *json_read_string(const char *s, const char *name, failure *f)
{
    return json_read(s, strlen(s), name, NULL, f);
}

double json_read_number(yyjson_val *value)
{
    /* yyjson reads -0 as an integer. */
    return yyjson_is_sint(value) && yyjson_get_sint(value) == 0 ? -0.0 : yyjson_get_num(value);
}
