/* tune_longer.c - measure dH with longer steps before a setting that needs them is chosen.
 *
 * The bounds of steps (tune_bounds.h) may exclude a setting that is cheaper by prediction, or all that reach the
 * target.  If it would be clearly cheaper, a few trajectories with the cheapest one that may be measured decide: a
 * small dH moves the bounds, a large one shows which level it comes from.  A trial ends early as soon as even dH = 0 in
 * its other trajectories would leave it below the target.  This is repeated. */
#include "src/tune/tune_stages.h"

#include "src/base/log.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGER_PART 0.9                    /* fraction of the time limit at the end of this stage */

enum { TRIAL_TRAJECTORIES = 3, TRIAL_LEAST = 1 };

static bool measure_longer(tuning *t, const tune_setting *s, const tune_prediction *predicted)
{
    longer_trial *trial = &t->r->longer[t->r->longer_count++];
    *trial = (longer_trial){ .setting = *s, .predicted = predicted->variance };
    for (int n = 0; n < TRIAL_TRAJECTORIES; n++) {
        double dh;
        if (n >= TRIAL_LEAST && !tune_time_to_try(t, LONGER_PART, tune_time_of(t, s))) {
            tune_time_leave_out(t, "longer steps", TRIAL_TRAJECTORIES - n, TRIAL_TRAJECTORIES, s);
            break;
        }
        if (!tune_learn_one(t, s, &dh))
            return false;
        if (!isfinite(dh))
            tune_add_lost(&t->model, s);
        log_progress("longer steps %d/%d  %" PRId64 " steps  dH %+.4g", n + 1, TRIAL_TRAJECTORIES, s->level[0].steps,
                     dh);
        lab_accept(t->l, dh);
        trial->variance += pow(isfinite(dh) ? dh : TUNE_DH_LOST, 2);
        trial->trajectories++;
        if (tune_acceptance(trial->variance / TRIAL_TRAJECTORIES) < t->w->target)
            break;
    }
    trial->variance /= trial->trajectories;
    return tune_checkpoint_save(t);
}

static bool was_measured(const tune_result *r, const tune_setting *s)
{
    for (int i = 0; i < r->longer_count; i++)
        if (tune_same_setting(&r->longer[i].setting, s))
            return true;
    return false;
}

bool tune_longer_steps(tuning *t)
{
    tune_result *r = t->r;
    while (r->longer_count < LONGER_TRIALS) {
        tune_prediction bounded, longer;
        tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, &bounded);
        const tune_setting s = tune_find_within(&t->model, BOUND_TO_MEASURE, &t->from, t->w->target, t->w->lambdas,
                                                &longer);
        if (!tune_reaches(&longer, t->w->target) || was_measured(r, &s)
            || (tune_reaches(&bounded, t->w->target) && !(longer.cost < TUNE_GAIN * bounded.cost)))
            return true;
        if (!tune_time_to_try(t, LONGER_PART, TRIAL_LEAST * tune_time_of(t, &s))) {
            tune_time_leave_out(t, "longer steps", TRIAL_TRAJECTORIES, TRIAL_TRAJECTORIES, &s);
            return true;
        }
        if (!measure_longer(t, &s, &longer))
            return false;
        t->model.times = tune_times_of(t);
    }
    return true;
}

void tune_note_excluded(tuning *t)
{
    tune_excluded *x = &t->r->excluded;
    x->setting = tune_find_within(&t->model, BOUND_NONE, &t->from, t->w->target, t->w->lambdas, &x->predicted);
    x->why = step_obstacle_of(&t->model, &x->setting, t->w->target);
    if (!tune_reaches(&x->predicted, t->w->target)
        || !(x->predicted.cost < tune_predict(&t->model, &t->r->after).cost))
        x->why.kind = OBSTACLE_NONE;
    for (int n = 0; n < t->r->terms; n++)
        if (t->model.level[n] == x->why.level) {
            const size_t length = strlen(x->terms);
            snprintf(x->terms + length, sizeof x->terms - length, "%s%s", length > 0 ? ", " : "", t->r->name[n]);
        }
}
