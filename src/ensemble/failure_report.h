/* failure_report.h - save a trajectory that failed (failure_folder.h), and collect the facts for the last message. */
#ifndef KILN_ENSEMBLE_FAILURE_REPORT_H
#define KILN_ENSEMBLE_FAILURE_REPORT_H

#include "src/ensemble/failure_folder.h"

/* saved: in `folder`; if not, `why` not.  replica: of tempering, else 0.  cause: "", or what the message says before
 * the reason of the step: that the integration became unstable. */
typedef struct { bool saved; int replica; char folder[1024], cause[512]; failure why; } failure_report;

/* Save the scene and report it.  With tempering on groups of ranks, all groups call it with their own scenes, and that
 * of the group whose update failed is saved. */
failure_report failure_report_make(const failure_scene *scene);

#endif
