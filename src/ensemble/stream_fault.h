/* stream_fault.h - a fault in the files of a stream: where, what, expected, found, what to do.
 *
 * kiln audit prints the five parts; kiln run makes one message of them. */
#ifndef KILN_ENSEMBLE_STREAM_FAULT_H
#define KILN_ENSEMBLE_STREAM_FAULT_H

#include "src/base/json.h"
#include "src/base/text.h"

typedef struct { text where, what, expected, found, advice; } stream_fault;

/* Fill an empty fault; returns false, so that `return stream_fault_set(...);` reads well. */
bool stream_fault_set(stream_fault *fault, const char *where, const char *what, const char *expected,
                      const char *found, const char *advice);
void stream_fault_free(stream_fault *fault);

/* The fault as one sentence; returns false. */
bool stream_fault_fail(const stream_fault *fault, failure *f);

/* The fault as an object under `key` (NULL: an item of a list); null without one (`fault` NULL). */
void stream_fault_to_json(json *j, const char *key, const stream_fault *fault);

/* A formatted part of a fault. */
typedef struct { char s[1200]; } fault_reason;
fault_reason fault_format(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
