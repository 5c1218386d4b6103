/* sealed_line.c - the digest at the end of a line of JSON, and the members of a line. */
#include "src/hmc/sealed_line.h"

#include "src/base/checksum.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEAL ", \"digest\": \"0x%016" PRIx64 "\"}"
enum { SEAL_LENGTH = 33 };             /* of the text that SEAL makes */

void seal_add(json *j)
{
    sealed_word(j, "digest", digest64(DIGEST64_START, json_string(j), strlen(json_string(j))));
}

void sealed_word(json *j, const char *key, uint64_t value)
{
    char word[24];
    snprintf(word, sizeof word, "0x%016" PRIx64, value);
    json_text(j, key, word);
}

seal_state seal_of(const char *line)
{
    char seal[SEAL_LENGTH + 1], key[] = ", \"digest\": \"0x";
    size_t length = strcspn(line, "\n");
    if (length < SEAL_LENGTH || strncmp(line + length - SEAL_LENGTH, key, sizeof key - 1) != 0)
        return SEAL_NONE;
    snprintf(seal, sizeof seal, SEAL, digest64(DIGEST64_START, line, length - SEAL_LENGTH));
    return memcmp(line + length - SEAL_LENGTH, seal, SEAL_LENGTH) == 0 ? SEAL_HOLDS : SEAL_BROKEN;
}

static const char *scalar_of(const yaml_node *line, const char *key, failure *f)
{
    const yaml_node *node = line->type == YAML_MAPPING ? yaml_get(line, key) : NULL;
    if (node && node->type == YAML_SCALAR)
        return node->scalar;
    fail(f, "\"%s\" is missing", key);
    return NULL;
}

bool line_word(uint64_t *value, const yaml_node *line, const char *key, failure *f)
{
    const char *s = scalar_of(line, key, f);
    char *end;
    if (!s)
        return false;
    errno = 0;
    *value = strtoull(s, &end, s[0] == '0' && s[1] == 'x' ? 16 : 10);
    return (end != s && !*end && errno == 0) || fail(f, "\"%s\" is \"%.40s\", not a number of 64 bits", key, s);
}

bool line_integer(int64_t *value, const yaml_node *line, const char *key, failure *f)
{
    const char *s = scalar_of(line, key, f);
    char *end;
    if (!s)
        return false;
    errno = 0;
    *value = strtoll(s, &end, 10);
    return (end != s && !*end && errno == 0) || fail(f, "\"%s\" is \"%.40s\", not an integer", key, s);
}

bool line_bool(bool *value, const yaml_node *line, const char *key, failure *f)
{
    const char *s = scalar_of(line, key, f);
    if (!s)
        return false;
    *value = strcmp(s, "true") == 0;
    return *value || strcmp(s, "false") == 0 || fail(f, "\"%s\" is \"%.40s\", not true or false", key, s);
}

bool line_real(double *value, const yaml_node *line, const char *key, failure *f)
{
    const char *s = scalar_of(line, key, f);
    char *end = NULL;
    if (!s)
        return false;
    *value = strcmp(s, "null") == 0 ? NAN : strtod(s, &end);
    return !end || (end != s && !*end) || fail(f, "\"%s\" is \"%.40s\", not a number", key, s);
}

const yaml_node *line_object(const yaml_node *line, const char *key, failure *f)
{
    const yaml_node *node = line->type == YAML_MAPPING ? yaml_get(line, key) : NULL;
    if (node && node->type == YAML_MAPPING)
        return node;
    fail(f, "\"%s\" is missing", key);
    return NULL;
}
