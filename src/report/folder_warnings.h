/* folder_warnings.h - warnings about the files of an ensemble: lines of the record, segments, failures. */
#ifndef KILN_REPORT_FOLDER_WARNINGS_H
#define KILN_REPORT_FOLDER_WARNINGS_H

#include "src/report/run_warnings.h"

/* Append the warnings.  `folder` may be NULL. */
void folder_warnings_add(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder);

#endif
