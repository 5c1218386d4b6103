/* json_read.h - read JSON, through yyjson; a fault has its line and column.
 *
 *     yyjson_doc *doc = json_read(line, strlen(line), "line", NULL, &why);
 *     yyjson_val *object = yyjson_doc_get_root(doc);              (NULL without a document)
 *     ... yyjson_obj_get, yyjson_arr_foreach, yyjson_obj_foreach, base/json_members.h ...
 *     yyjson_doc_free(doc);
 *
 * Values are borrowed from the document and never changed.  Of several members with the same key the
 * first is used. */
#ifndef KILN_BASE_JSON_READ_H
#define KILN_BASE_JSON_READ_H

#include "src/base/error.h"

#include "yyjson/yyjson.h"

/* Largest depth of objects and lists in a text: functions that read them may be recursive. */
enum { JSON_DEPTH_MAX = 32 };

/* The document in the `n` bytes at `bytes`, which must be an object; free it with yyjson_doc_free.  NULL with
 * "NAME:LINE:COLUMN: reason" for wrong JSON.  `memory` (yyjson_alc_dyn_new) lets many texts reuse memory; may be
 * NULL. */
yyjson_doc *json_read(const char *bytes, size_t n, const char *name, const yyjson_alc *memory, failure *f);
yyjson_doc *json_read_string(const char *s, const char *name, failure *f);

/* The value of a JSON number, rounded to the nearest double: what json_real wrote comes back bit by bit.  0 if it is
 * not a number. */
double json_read_number(yyjson_val *value);

#endif
