/* ensemble_handle.h - the types of an open ensemble (ensemble.h; members in ensemble_inside.h) and of a point of its
 * stream. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_HANDLE_H
#define KILN_ENSEMBLE_ENSEMBLE_HANDLE_H

#include <stdint.h>

typedef struct ensemble ensemble;

/* A state on disk: after this trajectory, or at this step of the next one in a mid-trajectory checkpoint (-1: none). */
typedef struct { int64_t trajectory, step; } stream_point;

#endif
