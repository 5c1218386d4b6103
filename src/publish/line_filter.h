/* line_filter.h - which lines of a file with one JSON object per line are used.
 *
 * Lines that changed since Kiln wrote them are left out.  So are the lines of a record that do not continue the lines
 * before them, as the means of kiln status leave them out: they are of another run, or there a second time. */
#ifndef KILN_PUBLISH_LINE_FILTER_H
#define KILN_PUBLISH_LINE_FILTER_H

#include "src/ensemble/record_continuity.h"

#include <stddef.h>

typedef struct {
    const continuity_rules *rules;     /* of a record; NULL for other files */
    size_t changed, strays;            /* left out; strays: lines that do not continue the record */
    int64_t first_stray;               /* the number of the first of these */
    bool checksummed;                  /* an earlier line has a checksum */
    record_continuity continuity;
} line_filter;

/* Whether line number `number` of the file, the next one, is used.  object: NULL if it is no JSON. */
bool line_filter_takes(line_filter *filter, yyjson_val *object, checksum_state checksum, int64_t number);

#endif
