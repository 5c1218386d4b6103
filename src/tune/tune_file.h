/* tune_file.h - the input that a tuning came to, written: the user's own file with other values in it, and the evidence
 * in comments above. */
#ifndef KILN_TUNE_TUNE_FILE_H
#define KILN_TUNE_TUNE_FILE_H

#include "src/config/text_refs.h"
#include "src/tune/tune_report.h"

typedef struct {
    const char *input, *output;            /* paths */
    const char *directory;                 /* of the ensemble to come, absolute; NULL: as it was */
    const char *links;                     /* where the tuning was made, in words */
    const text_refs *sets;              /* that were over the input: written too */
} tune_file;

/* Whether the input can be written anew with the sets that are over it; if not, why. */
bool tune_file_check(const tune_file *file, failure *f);

/* Write it, read it back, and compare with what it shall say; an existing file is not overwritten.  False with the
 * reason. */
bool tune_file_write(const tune_file *file, const run_params *p, const tune_result *r, const tune_request *w,
                     failure *f);

#endif
