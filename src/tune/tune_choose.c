/* tune_choose.c - choose a setting from the model and verify it with trajectories; or keep the nearest verified one.
 *
 * A target that no setting reaches by prediction, because of the floor of <dH^2> (tune_floor.h), is replaced by steps
 * that hardly add to the floor.  If all proofs are below the target, the cheapest of those settings is kept whose
 * measured <dH^2> is the least within errors. */
#include "src/tune/tune_stages.h"

#include "src/base/log.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_time.h"

#include <inttypes.h>
#include <math.h>

/* The largest number of choices, each with its proof, in one call of kiln tune. */
enum { TUNE_ROUNDS = 3 };

/* The proof of a setting, which may have trajectories from before a checkpoint. */
static tune_proof *find_proof(tune_result *r, const tune_setting *s, const tune_prediction *predicted)
{
    for (int i = 0; i < r->proofs; i++)
        if (tune_same_setting(&r->proof[i].setting, s))
            return &r->proof[i];
    r->proof[r->proofs] = (tune_proof){ .setting = *s, .predicted = *predicted };
    return &r->proof[r->proofs++];
}

static void add_to_proof(tune_proof *p, double dh, bool accepted, double seconds)
{
    const double weight = isfinite(dh) ? exp(-dh) : 0, d = isfinite(dh) ? dh : TUNE_DH_LOST;
    p->sums.accepted += accepted;
    p->sums.two += d * d;
    p->sums.four += d * d * d * d;
    p->sums.e += weight;
    p->sums.ee += weight * weight;
    p->sums.seconds += seconds;
    p->trajectories++;
    tune_conclude_proof(p);
}

/* Note what the checkpoint keeps. */
static void note_choice(tuning *t, const tune_setting *s, bool ended)
{
    t->target_before = t->w->target;
    t->lambdas_kept = !t->w->lambdas;
    t->choice = *s;
    t->ended = ended;
}

/* Run trajectories with the setting, as many as there is time for.  *of: their proof; NULL: there was no time. */
static bool prove_setting(tuning *t, const tune_proof **of, const tune_setting *s, const tune_prediction *predicted)
{
    tune_proof *p = find_proof(t->r, s, predicted);
    while (p->trajectories < t->w->prove) {
        double dh;
        if (!tune_time_left(t, tune_time_of(t, s))) {
            tune_time_leave_out(t, "verification", t->w->prove - p->trajectories, t->w->prove, s);
            break;
        }
        if (!tune_learn_one(t, s, &dh))
            return false;
        if (!isfinite(dh))
            tune_add_lost(&t->model, s);
        const bool accepted = lab_accept(t->l, dh);
        add_to_proof(p, dh, accepted, t->plain);
        note_choice(t, s, false);
        log_progress("verification %d/%" PRId64 "  dH %+.4g  %s", p->trajectories, t->w->prove, dh,
                     accepted ? "accepted" : "rejected");
        if (!tune_checkpoint_save(t))
            return false;
    }
    *of = p->trajectories > 0 ? p : NULL;
    if (p->trajectories == 0)
        t->r->proofs--;
    return true;
}

/* Whether the request allows the values of lambda of a setting, which an earlier call may have verified. */
static bool has_allowed_lambdas(const tuning *t, const tune_setting *s)
{
    bool same = true;
    for (int e = 0; e < s->count; e++)
        same = same && s->level[e].lambda == t->from.level[e].lambda;
    return same || t->w->lambdas;
}

/* Whether the chosen setting reaches the target by prediction. */
static bool choose_setting(tuning *t, tune_setting *chosen, tune_prediction *found)
{
    *chosen = tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, found);
    if (tune_reaches(found, t->w->target)) {
        tune_setting proven = *chosen;
        tune_prediction predicted = *found;
        tune_prefer_proven(&proven, &predicted, t->r, &t->model, t->w->target);
        if (has_allowed_lambdas(t, &proven)) {
            *chosen = proven;
            *found = predicted;
        }
        return true;
    }
    if (t->model.floor > 0)
        *chosen = tune_find_on_floor(&t->model, &t->from, t->w->lambdas, found);
    return false;
}

static bool was_requested(const tuning *t)
{
    return t->target_before == t->w->target && t->lambdas_kept == !t->w->lambdas;
}

bool tune_has_ended(const tuning *t)
{
    const tune_result *r = t->r;
    bool verified = t->w->prove == 0;
    for (int i = 0; i < r->proofs; i++)
        verified = verified || (tune_same_setting(&r->proof[i].setting, &t->choice)
                                && r->proof[i].trajectories >= t->w->prove);
    return t->ended && was_requested(t) && verified;
}

/* The first choice of a tuning that continues with the same target and the same values of lambda to choose from: the
 * choice of the last call, or the setting that it was verifying.  The trajectories of the verification do not change
 * it. */
static bool keep_choice(const tuning *t, tune_setting *chosen, tune_prediction *found)
{
    const tune_result *r = t->r;
    if (!was_requested(t))
        return false;
    for (int i = r->proofs - 1; i >= 0; i--)
        if (tune_same_setting(&r->proof[i].setting, &t->choice)) {
            *chosen = r->proof[i].setting;
            *found = r->proof[i].predicted;
            return true;
        }
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
    if (!r->reached && p && p->enough && nearest && has_allowed_lambdas(t, &nearest->setting)) {
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
    for (int round = 0; round < TUNE_ROUNDS; round++) {
        tune_prediction found;
        tune_setting chosen;
        r->times = t->model.times = tune_times_of(t);
        const bool kept = round == 0 && keep_choice(t, &chosen, &found);
        const bool reaches = kept ? tune_reaches(&found, t->w->target) : choose_setting(t, &chosen, &found);
        const bool proven = round > 0 && tune_same_setting(&chosen, &r->after);
        r->after = chosen;
        if (proven || t->w->prove == 0 || r->proofs == TUNE_PROOFS)
            break;
        if (round > 0 && !tune_time_left(t, (double)t->w->prove * tune_time_of(t, &chosen))) {
            tune_time_leave_out(t, "verification", t->w->prove, t->w->prove, &chosen);
            break;
        }
        const tune_proof *p;
        const int64_t before = t->number;
        if (!prove_setting(t, &p, &chosen, &found))
            return false;
        if (!p || (kept && t->ended && t->number == before))
            break;
        t->model.times = tune_times_of(t);
        if (p->agrees && (!reaches || (tune_is_reached(p, t->w->target)
                                       && tune_predict(&t->model, &r->after).acceptance >= t->w->target)))
            break;
    }
    r->times = t->model.times = tune_times_of(t);
    conclude_choice(t);
    if (tune_in_time(r))
        note_choice(t, &r->after, true);
    return tune_checkpoint_save(t);
}
