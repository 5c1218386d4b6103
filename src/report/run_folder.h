/* run_folder.h - the folder of an ensemble except its record: parameters, lock, states, segments, failures. */
#ifndef KILN_REPORT_RUN_FOLDER_H
#define KILN_REPORT_RUN_FOLDER_H

#include "src/base/text.h"
#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/segment_parameters.h"
#include "src/hmc/run_input.h"
#include "src/report/device_log.h"
#include "src/report/failed_run.h"
#include "src/report/lost_process.h"
#include "src/report/restart_log.h"

typedef struct {
    bool running;                  /* a process holds the lock */
    bool known;                    /* parameters.yaml was read; else `why` has the reason */
    run_input in;
    text why;
    int64_t start;                 /* start.trajectory; if unreadable, from the first segment */
    text newest[2];                /* path of the newest file of each state_file_kind; "" if none */
    int configurations;
    int failures, mismatches;      /* folders of failure_folder.h and of sdc_check.h; the paths of the last ones */
    text failure, mismatch;
    midtrajectory_point midtrajectory;             /* the newest mid-trajectory checkpoint; a trajectory of 0: none */
    segments segments;             /* empty if there is no line; `segments_failure` may have the reason */
    failure segments_failure;
    segment_parameters *segment;   /* of each of them */
    int set_aside;                 /* files that were found damaged */
    restart_log restarts;          /* after kills of the process */
    device_log devices;
    /* If none is running: how the last process ended, and the trajectory of the newest state from which a run
     * continues; -1: none, or unknown. */
    lost_process lost;
    failed_run failed;             /* not if that process is lost */
    int64_t state;
} run_folder;

/* Whether a process holds the lock. */
bool run_folder_is_locked(const char *directory);

/* Read parameters and segments, then the rest. */
void run_folder_read(run_folder *s, const char *directory);
void run_folder_list(run_folder *s, const char *directory);
/* Both. */
void run_folder_inspect(run_folder *s, const char *directory);
/* Update `running`, and what is known if none is running. */
void run_folder_check_lock(run_folder *s, const char *directory);
void run_folder_free(run_folder *s);

#endif
