/* tune_file.h - write the tuned input: the user's file with new values, and the evidence for them as comments. */
#ifndef KILN_TUNE_TUNE_FILE_H
#define KILN_TUNE_TUNE_FILE_H

#include "src/config/text_refs.h"
#include "src/tune/tune_report.h"

typedef struct {
    const char *input, *output;            /* paths */
    const char *directory;                 /* of the new ensemble, absolute; NULL: unchanged */
    const char *links;                     /* description of the links of the tuning */
    const text_refs *sets;                 /* --set values of the input, also written */
    bool renew;                            /* replace a file that kiln tune wrote from the same input
                                            * for the same folder */
} tune_file;

/* Whether the input can be written with its --set values; false with the reason. */
bool tune_file_check(const tune_file *file, failure *f);

/* Whether the output may be written: it does not exist, or may be replaced, and the disk lets a file be made there.
 * False with the reason and what to do.  Collective. */
bool tune_file_may_write(const tune_file *file, const run_params *p, failure *f);

/* Write the file, read it back, and compare.  An existing file is not overwritten, except with `renew` one that kiln
 * tune wrote from the same input for the same folder.  False with the reason, on all ranks.  Collective
 * (comm/comm.h). */
bool tune_file_write(const tune_file *file, const run_params *p, const tune_result *r, const tune_request *w,
                     failure *f);

/* The same with other values: `set` as --set takes them, a note for hmc.tuning, and lines of comments for the head. */
typedef struct { int count; const char *const *set; const char *note, *evidence; } tune_file_values;
bool tune_file_write_values(const tune_file *file, const run_params *p, const tune_file_values *values, failure *f);

#endif
