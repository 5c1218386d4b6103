/* memory_report.h - the memory plan (hmc_memory) as text and as JSON. */
#ifndef KILN_TUNE_MEMORY_REPORT_H
#define KILN_TUNE_MEMORY_REPORT_H

#include "src/base/json.h"
#include "src/hmc/hmc.h"

/* Print the items of the device, or of the host, and their sum; each line begins with `before`. */
void memory_print(const run_params *p, place where, bool host, const char *before);

/* "key": { "links_bytes": ..., ..., "total_bytes": ... }, left open where `open`. */
void memory_to_json(json *j, const char *key, const run_params *p, place where, bool host, bool open);

#endif
