/* checksummed_line.h - lines of JSON with a checksum: the last member of a line is the digest of the text before it.
 *
 *     {"trajectory": 7, ..., "digest": "0x0123456789abcdef"}
 *
 * digest64 detects accidental changes.  It is no signature: anyone can compute it. */
#ifndef KILN_ENSEMBLE_CHECKSUMMED_LINE_H
#define KILN_ENSEMBLE_CHECKSUMMED_LINE_H

#include "src/base/json.h"

/* Add the member "digest" to the object that is open.  It must be the last member. */
void checksummed_line_add(json *j);

/* Whether a line, with or without its end of line, has a checksum, and whether it is that of the text before it. */
typedef enum { CHECKSUM_MISSING, CHECKSUM_HOLDS, CHECKSUM_DIFFERS } checksum_state;
checksum_state checksummed_line_check(const char *line);
/* Whether a line of a record has changed since Kiln wrote it: its checksum is wrong, or it has none and an earlier line
 * has one.  *begun: whether an earlier line has one; false before the first line. */
bool checksum_is_changed(bool *begun, checksum_state checksum);
/* The state of `count` lines, up to CHECKSUMMED_LINES; faster than one by one. */
enum { CHECKSUMMED_LINES = 16 };
void checksummed_lines_check(checksum_state *checksum, const char *const *line, int count);

#endif
