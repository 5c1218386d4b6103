/* memory_report.h - the plan of memory (hmc_memory), for people and for programs. */
#ifndef KILN_TUNE_MEMORY_REPORT_H
#define KILN_TUNE_MEMORY_REPORT_H

#include "src/base/json.h"
#include "src/hmc/hmc.h"

/* The items of the device, or of the host, a line each that begins with `before`, and their sum. */
void memory_print(const run_params *p, bool host, const char *before);

/* "key": { "links_bytes": ..., ..., "total_bytes": ... }, left open where `open`. */
void memory_to_json(json *j, const char *key, const run_params *p, bool host, bool open);

#endif
