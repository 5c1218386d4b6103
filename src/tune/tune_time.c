/* tune_time.c - seconds of trajectories, and what the time limit allows. */
#include "src/tune/tune_time.h"

#include "src/base/log.h"
#include "src/base/text.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_report.h"

#include <inttypes.h>
#include <math.h>

#define END_PART 0.98                      /* fraction of the limit: seconds of trajectories scatter */
#define PROOF_SHARE 0.3                    /* of the limit, that learning leaves for the proof */

void tune_time_note(tuning *t, const tune_setting *s, double seconds)
{
    t->one = seconds;
    t->one_setting = *s;
}

double tune_time_of(const tuning *t, const tune_setting *s)
{
    const double then = t->model.samples > 0 ? tune_predict(&t->model, &t->one_setting).seconds : 0;
    return t->one > 0 && then > 0 ? t->one * tune_predict(&t->model, s).seconds / then : t->one;
}

bool tune_time_left(const tuning *t, double seconds)
{
    return t->w->seconds == 0 || shared_clock_now() - t->began + seconds <= END_PART * t->w->seconds;
}

bool tune_time_to_learn(const tuning *t, const tune_setting *s)
{
    const double one = tune_time_of(t, s), proof = (double)t->w->prove * one;
    return tune_time_left(t, one + fmin(proof, PROOF_SHARE * t->w->seconds));
}

bool tune_time_to_try(const tuning *t, double part, double seconds)
{
    tune_prediction found;
    if (t->w->seconds == 0)
        return true;
    const tune_setting chosen = tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, &found);
    return tune_has_time(t, part) && tune_time_left(t, seconds + (double)t->w->prove * tune_time_of(t, &chosen));
}

void tune_time_leave_out(tuning *t, const char *stage, int64_t missing, int64_t planned, const tune_setting *s)
{
    text setting = { 0 };
    setting_to_text(&setting, s);
    left_out_add(&t->r->left_out, stage, "", "%" PRId64 " of %" PRId64 " trajectories with %s", missing, planned,
                 text_string(&setting));
    text_free(&setting);
}

/* Trajectories that find the number of steps and the order of dH. */
enum { FURTHER = 2 };

/* "; without trials of integrators (12 trajectories each), masses, solvers, longer steps" */
static void add_trials(text *words, const tune_request *w)
{
    const char *between = "; without trials of ";
    const struct { bool wanted; const char *what; } trials[] = {
        { w->masses, "masses" }, { w->solvers, "solvers" }, { w->residuals, "residuals" },
        { true, "longer steps" },
    };
    if (w->schemes) {
        text_add(words, "%sintegrators (%" PRId64 " trajectories each)", between, w->learn);
        between = ", ";
    }
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (trials[i].wanted) {
            text_add(words, "%s%s", between, trials[i].what);
            between = ", ";
        }
}

void tune_log_estimate(tuning *t)
{
    const tune_request *w = t->w;
    const double opened = t->opened, one = shared_clock_now() - opened;
    const int64_t thermalization = t->thermalization > t->r->thermalized ? t->thermalization - t->r->thermalized : 0;
    const int64_t learn = w->learn > t->r->learned ? w->learn - t->r->learned + (t->r->learned > 0 ? 0 : FURTHER) : 0;
    const int64_t all = thermalization + learn + w->prove;
    text words = { 0 };
    if (thermalization > 0)
        text_add(&words, "%s of thermalization, ", nouns_to_text(thermalization, "trajectory", "trajectories").s);
    if (learn > 0)
        text_add(&words, "%" PRId64 " to learn from and ", learn);
    text_add(&words, "%" PRId64 " to verify", w->prove);
    add_trials(&words, w);
    if (w->seconds > 0)
        text_add(&words, "; %s are left of --minutes", duration_to_text(w->seconds - (opened - t->began)).s);
    log_line(LOG_INFO, "estimate from the first trajectory, %.3g s: about %s for %s", one,
             duration_to_text(one * (double)all).s, text_string(&words));
    text_free(&words);
    t->opened = 0;
}
