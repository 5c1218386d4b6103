/* failure_report.h - what the end of a run says of a trajectory that failed, after saving it (failure_folder.h). */
#ifndef KILN_ENSEMBLE_FAILURE_REPORT_H
#define KILN_ENSEMBLE_FAILURE_REPORT_H

#include "src/ensemble/failure_folder.h"

/* saved: in `folder`, else `why` not.  replica: of tempering, else 0.  cause: why a step failed that has nothing to do
 * with the step, and "; ", or "". */
typedef struct { bool saved; int replica; char folder[1024], cause[512]; failure why; } failure_report;

/* Save the scene and report it.  With tempering on groups of ranks, all groups call it with their own scenes, and that
 * of the group whose update failed is saved. */
failure_report failure_report_make(const failure_scene *scene);

#endif
