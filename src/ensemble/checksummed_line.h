/* checksummed_line.h - lines of JSON with a checksum: the last member of a line is the digest of the text before it.
 *
 *     {"trajectory": 7, ..., "digest": "0x0123456789abcdef"}
 *
 * digest64 detects accidental changes.  It is no signature: anyone can compute it. */
#ifndef KILN_ENSEMBLE_CHECKSUMMED_LINE_H
#define KILN_ENSEMBLE_CHECKSUMMED_LINE_H

#include "src/base/json.h"

/* Add the member "digest" to the object that is open, as its last one. */
void checksummed_line_add(json *j);

typedef enum { SEAL_NONE, SEAL_HOLDS, SEAL_BROKEN } seal_state;
seal_state checksummed_line_checksum(const char *line);                  /* with its end of line, or without */
/* Those of up to CHECKSUMMED_LINES lines, faster than one by one. */
enum { CHECKSUMMED_LINES = 16 };
void checksummed_lines_check(seal_state *seal, const char *const *line, int count);

#endif
