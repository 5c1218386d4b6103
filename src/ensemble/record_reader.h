/* record_reader.h - the complete lines of a record one after the other, with their checksums.
 *
 *     record_reader r = { .stream = stream };
 *     while (record_reader_next(&r))
 *         ... r.line, r.length, r.checksum ...
 *     record_reader_free(&r);
 *
 * Lines are read ahead, a batch at a time, because checksums of several lines are computed faster together. */
#ifndef KILN_ENSEMBLE_RECORD_READER_H
#define KILN_ENSEMBLE_RECORD_READER_H

#include "src/base/json_read.h"
#include "src/ensemble/checksummed_line.h"

typedef struct {
    FILE *stream;                       /* borrowed; read ahead of the line */
    /* Threads read ahead and parse lines as objects, for callers who want each line as one.  The stream must be a
     * file of this process (open_file_read), and belongs to the threads until record_reader_free. */
    bool threaded;
    const char *line;                   /* with its end; valid until the next call */
    size_t length;
    checksum_state checksum;
    bool torn;                          /* at the end: an incomplete line follows */
    struct record_ahead *ahead;         /* lines that were read ahead */
} record_reader;

/* Go to the next line; false at the end of the stream. */
bool record_reader_next(record_reader *r);

/* The line as a JSON object, valid until the next call; NULL with the reason if the line is not valid JSON. */
yyjson_val *record_reader_object(record_reader *r, failure *f);

void record_reader_free(record_reader *r);

#endif
