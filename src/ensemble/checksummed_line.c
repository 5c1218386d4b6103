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

seal_state checksummed_line_checksum(const char *line)
{
    char seal[SEAL_LENGTH + 1], key[] = ", \"digest\": \"0x";
    size_t length = strcspn(line, "\n");
    if (length < SEAL_LENGTH || strncmp(line + length - SEAL_LENGTH, key, sizeof key - 1) != 0)
        return SEAL_NONE;
    snprintf(seal, sizeof seal, SEAL, digest64(DIGEST64_START, line, length - SEAL_LENGTH));
    return memcmp(line + length - SEAL_LENGTH, seal, SEAL_LENGTH) == 0 ? SEAL_HOLDS : SEAL_BROKEN;
}
