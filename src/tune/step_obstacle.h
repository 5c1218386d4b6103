/* step_obstacle.h - which bound of steps (tune_bounds.h) excludes a setting. */
#ifndef KILN_TUNE_STEP_OBSTACLE_H
#define KILN_TUNE_STEP_OBSTACLE_H

#include "src/tune/tune_model.h"

/* Why a setting is not chosen.  On the level that decides: the number of its steps in a trajectory, and that of the
 * trajectories that were measured (OBSTACLE_GROWTH and OBSTACLE_REST only). */
typedef enum { OBSTACLE_NONE, OBSTACLE_STABILITY, OBSTACLE_GROWTH, OBSTACLE_REST, OBSTACLE_LOST } obstacle_kind;
typedef struct {
    obstacle_kind kind;
    int level;
    double steps, measured;
    double omega_dt, limit;                /* limit: TUNE_STABLE times that of the scheme; OBSTACLE_STABILITY only */
    double variance;                       /* <dH^2> that is not excluded; OBSTACLE_REST only */
} step_obstacle;

step_obstacle step_obstacle_of(const tune_model *m, const tune_setting *s, double target);

#endif
