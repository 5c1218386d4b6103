/* progress_line.h - the line on a terminal that says what a run is doing within a trajectory.
 *
 *     trajectory 13/60: dynamics 14/40: force: light   12 s of about 31 s
 *
 * (a drift of the dynamics and their number; then the running timers of src/base/clock.h) */
#ifndef KILN_ENSEMBLE_PROGRESS_LINE_H
#define KILN_ENSEMBLE_PROGRESS_LINE_H

#include "src/base/clock.h"
#include "src/ensemble/ensemble.h"

typedef struct {
    const ensemble *e;                  /* all borrowed */
    const clock_tree *clock;
    const double *began;                /* when the trajectory began, on clock_now */
    int64_t until;                      /* the last trajectory */
    double expected;                    /* seconds that the trajectory before took; 0: unknown */
} progress_line;

/* Draw the line from now on while this thread computes, where it shows (log_shows_status); progress_line_end stops. */
void progress_line_begin(progress_line *p);
void progress_line_end(void);

/* The words of the line, as they are now. */
text progress_line_text(const progress_line *p);

#endif
