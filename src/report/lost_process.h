/* lost_process.h - the last process of an ensemble, if it did not end normally but was killed, by a signal such as
 * SIGKILL or with its machine.  Its name is then still in DIRECTORY/lock (ensemble_files.h), which no process holds. */
#ifndef KILN_REPORT_LOST_PROCESS_H
#define KILN_REPORT_LOST_PROCESS_H

#include "src/base/json.h"
#include "src/base/text.h"

#include <stdint.h>

/* Where a trajectory was interrupted. */
typedef struct { int64_t trajectory, step; } midtrajectory_point;

typedef struct {
    text name;                     /* "process 4711 on node7"; "" if the last process ended normally */
    text log_end;                  /* the last line of run.log; "" without one */
    int64_t state;                 /* the trajectory of the newest state from which a run continues; -1: none */
    int64_t step;                  /* of the mid-trajectory checkpoint of the trajectory after it; 0: none */
    text command;                  /* continues the run; "" if the parameters are unknown */
} lost_process;

/* The lost process of the ensemble in `directory`, whose lock no process holds.  `command` ("": unknown) continues the
 * ensemble from the state after trajectory `state` (-1: none); `newest`: its newest mid-trajectory checkpoint
 * (trajectory 0: none).  Release it with lost_process_free. */
lost_process lost_process_find(const char *directory, const char *command, int64_t state,
                               const midtrajectory_point *newest);
void lost_process_free(lost_process *l);

/* What happened, what the log says last, where the run can continue, and how: four sentences with `between` between
 * them.  Nothing if no process is lost. */
void lost_process_add(text *out, const lost_process *l, const char *between);
/* A member `lost_process`; null if no process is lost. */
void lost_process_to_json(json *j, const lost_process *l);

#endif
