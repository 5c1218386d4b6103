/* json.h - write JSON value by value; adds commas and closing brackets.
 *
 *     json j = { 0 };
 *     json_open(&j, NULL, '{');
 *     json_real(&j, "dH", dh);
 *     json_open(&j, "plaquette", '{'); json_real(&j, "average", p); json_close(&j);
 *     json_close(&j);
 *     puts(json_string(&j));  json_free(&j);
 *
 * A key is NULL inside an array and at the top.  Reals have 17 digits, so that they are read back with the same
 * bits; NaN and infinities, which JSON does not have, become null.  Texts are UTF-8, whatever bytes they have
 * (base/utf8.h). */
#ifndef KILN_BASE_JSON_H
#define KILN_BASE_JSON_H

#include "src/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_DEPTH = 32 };
typedef struct { text out; int depth; char closers[JSON_DEPTH]; bool filled[JSON_DEPTH]; } json;

void json_open(json *j, const char *key, char bracket);     /* '{' or '[' */
void json_close(json *j);
void json_real(json *j, const char *key, double value);
/* The same, but NaN and infinities as the texts "nan", "inf" and "-inf", which strtod reads; json_real writes null. */
void json_real_exact(json *j, const char *key, double value);
void json_reals(json *j, const char *key, const double *value, int count);      /* an array */
void json_int(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);
void json_text(json *j, const char *key, const char *value); /* NULL is written as null */
void json_hex(json *j, const char *key, uint64_t value);     /* as text: most readers hold doubles */
void json_insert(json *j, const char *key, const json *written);   /* a whole value, written elsewhere */
const char *json_string(const json *j);                      /* borrowed */
void json_free(json *j);

#endif
