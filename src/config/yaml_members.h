/* yaml_members.h - typed access to the members of a mapping that was read (JSON is YAML, too).
 *
 *     const members m = { tree, path, f };
 *     bool ok = yaml_members_real(&dh, &m, "dH") && yaml_members_bool(&accepted, &m, "accepted");
 *
 * Each is false (NULL) with the reason where the member is missing or is something else, or there is no object. */
#ifndef KILN_CONFIG_YAML_MEMBERS_H
#define KILN_CONFIG_YAML_MEMBERS_H

#include "src/config/yaml.h"

#include <stdint.h>

/* For optional members: NULL or false, without a reason. */
const yaml_node *yaml_member(const yaml_node *object, const char *key, yaml_type type);
bool yaml_member_real(const yaml_node *object, const char *key, double *value);
bool yaml_member_bool(const yaml_node *object, const char *key, bool *value);

/* `where` stands before the reason, the file for example; NULL: nothing does.  All is borrowed. */
typedef struct { const yaml_node *object; const char *where; failure *f; } members;

const char *yaml_members_text(const members *m, const char *key);                    /* borrowed from the tree */
bool yaml_members_object(members *within, const members *m, const char *key);

/* A count up to `largest`, in decimal or with 0x before it, as json_hex writes it. */
bool yaml_members_count(uint64_t *value, uint64_t largest, const members *m, const char *key);
bool yaml_members_integer(int64_t *value, const members *m, const char *key);
bool yaml_members_bool(bool *value, const members *m, const char *key);
bool yaml_members_real(double *value, const members *m, const char *key);            /* null and what is missing: NaN */
/* A list of `count` numbers, as json_real_exact writes them; NaN and infinities too. */
bool yaml_members_reals(double *value, int64_t count, const members *m, const char *key);

#endif
