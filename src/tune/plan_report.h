/* plan_report.h - a plan, for people and for programs. */
#ifndef KILN_TUNE_PLAN_REPORT_H
#define KILN_TUNE_PLAN_REPORT_H

#include "src/ensemble/links_at_hand.h"
#include "src/tune/plan.h"
#include "src/tune/plan_advice.h"

/* A memory: what is wanted of it, and what is free; 0: not known. */
typedef struct { size_t needed, available; } memory_verdict;

/* All that was found.  On the CPU one memory holds everything, and `host` is not used. */
typedef struct {
    const run_params *p;
    place where;
    memory_verdict device, host;
    bool memory_fits, disk_fits;
    advice_list advice;            /* made where the device's memory is too small */
    bool timed;                    /* there is a `time` */
    plan_time time;
    links_at_hand links;           /* that a probe was on */
    plan_disk disk;
} plan;

void plan_print(const plan *q);
void plan_print_json(const plan *q);

/* What does not fit, a sentence for people with by how much (LOG_ERROR); nothing where all does. */
void plan_tell_refusal(const plan *q);

#endif
