/* checksummed_line.h - lines of JSON that tell whether they still are what was written: the last member of each is the
 * digest of the text before it.
 *
 *     {"trajectory": 7, ..., "digest": "0x0123456789abcdef"}
 *
 * digest64 finds accidents; it is no signature, for whoever wants to deceive can make it anew. */
#ifndef KILN_ENSEMBLE_CHECKSUMMED_LINE_H
#define KILN_ENSEMBLE_CHECKSUMMED_LINE_H

#include "src/base/json.h"

/* Add the member "digest" to the object that is open, as its last one. */
void checksummed_line_add(json *j);

typedef enum { SEAL_NONE, SEAL_HOLDS, SEAL_BROKEN } seal_state;
seal_state checksummed_line_checksum(const char *line);                  /* with its end of line, or without */

#endif
