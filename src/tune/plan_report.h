/* plan_report.h - a plan as text and as JSON. */
#ifndef KILN_TUNE_PLAN_REPORT_H
#define KILN_TUNE_PLAN_REPORT_H

#include "src/ensemble/latest_links.h"
#include "src/tune/plan.h"
#include "src/tune/plan_advice.h"
#include "src/tune/plan_ranks.h"
#include "src/tune/rank_speed.h"

/* Bytes that the run needs of a memory, and bytes that are free; 0: unknown. */
typedef struct { size_t needed, available; } memory_verdict;

/* The complete plan.  On the CPU one memory holds everything, and `host` is not used. */
typedef struct {
    const run_params *p;
    place where;
    int ranks;                     /* of the run; the memory is that of one of them */
    memory_verdict device, host;
    ranks_fit fit;                 /* on GPUs, where device.available is known */
    rank_speed speed;              /* on GPUs */
    bool memory_fits, disk_fits;
    advice_list advice;            /* found if the memory of the device is too small */
    bool timed;                    /* `time` is set */
    plan_time time;
    latest_links links;            /* of the probe */
    plan_disk disk;
} plan;

void plan_print(const plan *q);
void plan_print_json(const plan *q);

/* Log what does not fit, and by how much (LOG_ERROR); nothing if everything fits. */
void plan_report_refusal(const plan *q);

#endif
