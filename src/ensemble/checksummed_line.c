/* checksummed_line.c - the digest at the end of a line of JSON. */
#include "src/ensemble/checksummed_line.h"

#include "src/base/checksum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEAL ", \"digest\": \"0x%016" PRIx64 "\"}"
enum { SEAL_LENGTH = 33 };             /* of the text that SEAL makes */

void checksummed_line_add(json *j)
{
    json_hex(j, "digest", digest64(DIGEST64_START, json_string(j), strlen(json_string(j))));
}

/* The length of the text before the digest; false if the line has none. */
static bool find_seal(size_t *length, const char *line)
{
    static const char key[] = ", \"digest\": \"0x";
    const char *end = strchr(line, '\n');
    *length = end ? (size_t)(end - line) : strlen(line);
    if (*length < SEAL_LENGTH || strncmp(line + *length - SEAL_LENGTH, key, sizeof key - 1) != 0)
        return false;
    *length -= SEAL_LENGTH;
    return true;
}

static seal_state compare_seal(const char *seal, uint64_t digest)
{
    char expected[SEAL_LENGTH + 1];
    snprintf(expected, sizeof expected, SEAL, digest);
    return memcmp(seal, expected, SEAL_LENGTH) == 0 ? SEAL_HOLDS : SEAL_BROKEN;
}

seal_state checksummed_line_checksum(const char *line)
{
    size_t length;
    return find_seal(&length, line) ? compare_seal(line + length, digest64(DIGEST64_START, line, length)) : SEAL_NONE;
}

void checksummed_lines_check(seal_state *seal, const char *const *line, int count)
{
    digest64_text sealed[CHECKSUMMED_LINES] = { { 0 } };
    uint64_t digest[CHECKSUMMED_LINES];
    int which[CHECKSUMMED_LINES], n = 0;
    for (int i = 0; i < count; i++) {
        size_t length;
        seal[i] = SEAL_NONE;
        if (!find_seal(&length, line[i]))
            continue;
        which[n] = i;
        sealed[n++] = (digest64_text){ line[i], length };
    }
    digest64_many(digest, sealed, n);
    for (int k = 0; k < n; k++)
        seal[which[k]] = compare_seal(line[which[k]] + sealed[k].n, digest[k]);
}
