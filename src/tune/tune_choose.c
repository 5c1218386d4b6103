/* tune_choose.c - choose a setting from the model and verify it with trajectories; or keep the nearest verified one.
 *
 * A target that no setting reaches by prediction, because of the floor of <dH^2> (tune_floor.h), is replaced by steps
 * that hardly add to the floor.  If all proofs are below the target, the cheapest of those settings is kept whose
 * measured <dH^2> is the least within errors. */
#include "src/tune/tune_stages.h"

#include "src/base/log.h"
#include "src/tune/tune_time.h"

#include <inttypes.h>
#include <math.h>

/* Add trajectories with the setting, as many as there is time for, and judge them if there are any. */
static bool prove_setting(tuning *t, const tune_setting *s, const tune_prediction *predicted)
{
    tune_proof *p = &t->r->proof[t->r->proofs];
    double two = 0, four = 0, e = 0, ee = 0;
    int accepted = 0;
    *p = (tune_proof){ .setting = *s, .predicted = *predicted };
    for (int64_t n = 0; n < t->w->prove; n++) {
        double dh;
        if (!tune_time_left(t, tune_time_of(t, s))) {
            t->r->in_time = false;
            break;
        }
        if (!tune_learn_one(t, s, &dh))
            return false;
        if (!isfinite(dh))
            tune_add_lost(&t->model, s);
        const double weight = isfinite(dh) ? exp(-dh) : 0, d = isfinite(dh) ? dh : TUNE_DH_LOST;
        const bool done = lab_accept(t->l, dh);
        accepted += done;
        two += d * d;
        four += d * d * d * d;
        e += weight;
        ee += weight * weight;
        p->trajectories++;
        p->seconds += t->plain;
        log_progress("verification %" PRId64 "/%" PRId64 "  dH %+.4g  %s", n + 1, t->w->prove, dh,
                     done ? "accepted" : "rejected");
    }
    if (p->trajectories == 0)
        return true;
    const double n = p->trajectories;
    t->r->proofs++;
    p->seconds /= n;
    p->variance = two / n;
    p->variance_error = tune_variance_error(p->variance, four / n, n);
    p->accepted = accepted / n;
    p->exp_minus_dh = e / n;
    /* A few trajectories underestimate the scatter: use at least that of dH with the predicted variance. */
    p->exp_error = sqrt(fmax(ee / n - p->exp_minus_dh * p->exp_minus_dh, expm1(predicted->variance)) / n);
    tune_judge(p);
    return true;
}

/* Whether the chosen setting reaches the target by prediction. */
static bool choose_setting(tuning *t, tune_setting *chosen, tune_prediction *found)
{
    *chosen = tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, found);
    if (tune_reaches(found, t->w->target))
        return true;
    if (t->model.floor > 0)
        *chosen = tune_find_on_floor(&t->model, &t->from, t->w->lambdas, found);
    return false;
}

static bool is_reached(const tuning *t)
{
    const tune_proof *p = tune_proof_of_choice(t->r);
    return tune_predict(&t->model, &t->r->after).acceptance >= t->w->target
           && (!p || tune_is_reached(p, t->w->target));
}

static void conclude_choice(tuning *t)
{
    tune_result *r = t->r;
    r->reached = is_reached(t);
    const tune_proof *p = tune_proof_of_choice(r), *nearest = tune_nearest_proof(r, &t->model);
    if (!r->reached && p && p->enough && nearest) {
        r->after = nearest->setting;
        r->reached = is_reached(t);
    }
    r->floor = t->model.floor;
    r->floor_error = t->model.floor_error;
    if (t->given)
        t->given->times = r->times;
    r->now = tune_predict(t->given ? t->given : &t->model, &r->before);
    r->then = tune_predict(&t->model, &r->after);
}

bool tune_choose(tuning *t)
{
    tune_result *r = t->r;
    for (int round = 0; round < TUNE_PROOFS; round++) {
        tune_prediction found;
        tune_setting chosen;
        r->times = t->model.times = tune_times_of(t);
        const bool reaches = choose_setting(t, &chosen, &found);
        const bool proven = round > 0 && tune_same_setting(&chosen, &r->after);
        r->after = chosen;
        if (proven || t->w->prove == 0)
            break;
        if (round > 0 && !tune_time_left(t, (double)t->w->prove * tune_time_of(t, &chosen))) {
            r->in_time = false;
            break;
        }
        const int proofs = r->proofs;
        if (!prove_setting(t, &chosen, &found))
            return false;
        if (r->proofs == proofs)
            break;
        const tune_proof *p = &r->proof[r->proofs - 1];
        t->model.times = tune_times_of(t);
        if (p->agrees && (!reaches || (tune_is_reached(p, t->w->target)
                                       && tune_predict(&t->model, &r->after).acceptance >= t->w->target)))
            break;
    }
    r->times = t->model.times = tune_times_of(t);
    conclude_choice(t);
    return true;
}
