/* lime_records.h - write the records of a LIME file, with reasons that name file and record. */
#ifndef KILN_IO_LIME_RECORDS_H
#define KILN_IO_LIME_RECORDS_H

#include "src/base/error.h"
#include "src/base/text.h"

#include <lime.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { MESSAGE_BEGINS = 1, MESSAGE_ENDS = 2 } message_flags;

/* The file that is being written; all borrowed. */
typedef struct { const char *path; LimeWriter *writer; failure *f; } lime_records;

/* A record: its header (`flags` of message_flags), its bytes in any number of pieces, its end.  False with the
 * reason. */
bool lime_record_begin(const lime_records *file, const char *type, uint64_t bytes, int flags);
bool lime_record_put(const lime_records *file, const char *type, const void *bytes, size_t n);
bool lime_record_end(const lime_records *file, const char *type);

/* A whole record. */
bool lime_record_write(const lime_records *file, const char *type, const void *bytes, size_t n, int flags);

#endif
