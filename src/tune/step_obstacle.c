/* step_obstacle.c - the first bound of steps that a setting breaks. */
#include "src/tune/step_obstacle.h"

#include "src/tune/tune_bounds.h"

#include <math.h>

step_obstacle step_obstacle_of(const tune_model *m, const tune_setting *s, double target)
{
    const step_bounds b = step_bounds_of(m, s);
    const tune_prediction p = tune_predict(m, s);
    step_obstacle o = { .kind = OBSTACLE_NONE };
    if ((double)s->level[0].steps <= b.lost * (1 + 1e-9)) {
        o.kind = OBSTACLE_LOST;
        o.steps = step_count(s, o.level);
    } else if ((double)s->level[0].steps < b.least * (1 - 1e-9)) {
        o.kind = b.is_stability ? OBSTACLE_STABILITY : OBSTACLE_GROWTH;
        o.level = b.least_level;
        o.steps = step_count(s, o.level);
        o.measured = b.is_stability ? NAN : o.steps * TUNE_GROWTH * b.least / (double)s->level[0].steps;
        o.omega_dt = b.omega_dt / (double)s->level[0].steps;
        o.limit = b.limit;
    } else if (tune_acceptance(p.largest) < target) {
        o.kind = OBSTACLE_REST;
        o.level = b.rest_level;
        o.steps = step_count(s, o.level);
        o.measured = step_count(b.measured >= 0 ? &m->sample[b.measured].made : s, o.level);
        o.variance = p.largest;
    }
    return o;
}
