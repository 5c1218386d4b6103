/* record_reader.h - the complete lines of a record one after the other, with their checksums.
 *
 *     record_reader r = { .stream = stream };
 *     while (record_reader_next(&r))
 *         ... r.line, r.length, r.seal ...
 *     record_reader_free(&r); */
#ifndef KILN_ENSEMBLE_RECORD_READER_H
#define KILN_ENSEMBLE_RECORD_READER_H

#include "src/base/json_read.h"
#include "src/ensemble/checksummed_line.h"

typedef struct {
    FILE *stream;                       /* borrowed; read ahead of the line */
    const char *line;                   /* with its end */
    size_t length;
    seal_state seal;
    bool torn;                          /* at the end: an incomplete line follows */
    /* Lines that were read ahead; the line as an object, and its memory. */
    int read, next;
    char *text[CHECKSUMMED_LINES];
    size_t capacity[CHECKSUMMED_LINES], lengths[CHECKSUMMED_LINES];
    seal_state seals[CHECKSUMMED_LINES];
    yyjson_doc *doc;
    yyjson_alc *memory;
} record_reader;

/* Go to the next line; false at the end of the stream. */
bool record_reader_next(record_reader *r);

/* The line as an object, which is valid until the next call; NULL with the reason if it is none of JSON. */
yyjson_val *record_reader_object(record_reader *r, failure *f);

void record_reader_free(record_reader *r);

#endif
