/* json_members.h - typed access to the members of an object that was read.
 *
 *     const members m = { object, path, f };
 *     bool ok = json_members_real(&dh, &m, "dH") && json_members_bool(&accepted, &m, "accepted");
 *
 * Each returns false (NULL) with the reason if the member is missing or has another type, or if there is no object. */
#ifndef KILN_BASE_JSON_MEMBERS_H
#define KILN_BASE_JSON_MEMBERS_H

#include "src/base/json_read.h"

#include <stdint.h>

/* For optional members: NULL or false without a reason, also if there is no object.  Numbers are read as json_real
 * writes them: null is NaN. */
yyjson_val *json_member_object(yyjson_val *object, const char *key);
yyjson_val *json_member_list(yyjson_val *object, const char *key);
const char *json_member_text(yyjson_val *object, const char *key);
bool json_member_real(yyjson_val *object, const char *key, double *value);
bool json_value_real(double *value, yyjson_val *from);              /* the same for a value at hand */
bool json_member_bool(yyjson_val *object, const char *key, bool *value);

/* `where`, the file for example, begins the reason; may be NULL.  All is borrowed. */
typedef struct { yyjson_val *object; const char *where; failure *f; } members;

const char *json_members_text(const members *m, const char *key);                    /* borrowed from the document */
bool json_members_object(members *within, const members *m, const char *key);

/* A count up to `largest`: a number, or a text with one, in decimal or with 0x before it, as json_hex writes it. */
bool json_members_count(uint64_t *value, uint64_t largest, const members *m, const char *key);
bool json_members_integer(int64_t *value, const members *m, const char *key);
bool json_members_bool(bool *value, const members *m, const char *key);
bool json_members_real(double *value, const members *m, const char *key);            /* null: NaN; missing: false */
/* A list of `count` numbers, as json_real_exact writes them, NaN and infinities included. */
bool json_members_reals(double *value, int64_t count, const members *m, const char *key);

#endif
