/* checksummed_line.c - the digest at the end of a line of JSON. */
#include "src/ensemble/checksummed_line.h"

#include "src/base/checksum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MEMBER ", \"digest\": \"0x%016" PRIx64 "\"}"
enum { MEMBER_LENGTH = 33 };           /* of the formatted MEMBER */

void checksummed_line_add(json *j)
{
    json_hex(j, "digest", digest64(DIGEST64_START, json_string(j), strlen(json_string(j))));
}

/* The length of the text before the digest; false if the line has none. */
static bool find_member(size_t *length, const char *line)
{
    static const char key[] = ", \"digest\": \"0x";
    const char *end = strchr(line, '\n');
    *length = end ? (size_t)(end - line) : strlen(line);
    if (*length < MEMBER_LENGTH || strncmp(line + *length - MEMBER_LENGTH, key, sizeof key - 1) != 0)
        return false;
    *length -= MEMBER_LENGTH;
    return true;
}

static checksum_state compare_checksum(const char *member, uint64_t digest)
{
    char expected[MEMBER_LENGTH + 1];
    snprintf(expected, sizeof expected, MEMBER, digest);
    return memcmp(member, expected, MEMBER_LENGTH) == 0 ? CHECKSUM_HOLDS : CHECKSUM_DIFFERS;
}

checksum_state checksummed_line_check(const char *line)
{
    size_t length;
    if (!find_member(&length, line))
        return CHECKSUM_MISSING;
    return compare_checksum(line + length, digest64(DIGEST64_START, line, length));
}

bool checksum_is_changed(bool *begun, checksum_state checksum)
{
    const bool lost = *begun && checksum == CHECKSUM_MISSING;
    *begun = *begun || checksum != CHECKSUM_MISSING;
    return checksum == CHECKSUM_DIFFERS || lost;
}

void checksummed_lines_check(checksum_state *checksum, const char *const *line, int count)
{
    digest64_text checksummed[CHECKSUMMED_LINES] = { { 0 } };
    uint64_t digest[CHECKSUMMED_LINES];
    int which[CHECKSUMMED_LINES], n = 0;
    for (int i = 0; i < count; i++) {
        size_t length;
        checksum[i] = CHECKSUM_MISSING;
        if (!find_member(&length, line[i]))
            continue;
        which[n] = i;
        checksummed[n++] = (digest64_text){ line[i], length };
    }
    digest64_many(digest, checksummed, n);
    for (int k = 0; k < n; k++)
        checksum[which[k]] = compare_checksum(line[which[k]] + checksummed[k].n, digest[k]);
}
