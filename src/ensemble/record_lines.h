/* record_lines.h - what the checks of a record need of all its lines. */
#ifndef KILN_ENSEMBLE_RECORD_LINES_H
#define KILN_ENSEMBLE_RECORD_LINES_H

#include "src/ensemble/record_line.h"
#include "src/ensemble/record_reader.h"

/* A line.  unreadable: NULL, or the reason why it cannot be read; `l` then has at most its trajectory. */
typedef struct { checksum_state checksum; record_line l; char *unreadable; } record_item;
typedef struct { int64_t count, capacity; record_item *item; bool torn; } record_lines;

/* Append a line with the result of its checksum, and return it.  object: the line as JSON; NULL: it is none, with the
 * reason `why`. */
const record_item *record_lines_add(record_lines *all, checksum_state checksum, yyjson_val *object, const failure *why);

/* Read a whole file; no file is a record without lines.  False with the reason. */
bool record_lines_read(record_lines *all, const char *path, failure *f);
void record_lines_free(record_lines *all);

#endif
