/* target_report.c - whether a tuning reached its target; and if not, by how much it is missed, why, and what to do. */
#include "src/tune/tune_report.h"

#include <math.h>

typedef enum { MISSED_NOT, MISSED_FLOOR, MISSED_TIME, MISSED_PREDICTION } missed_kind;

/* Whether the floor of <dH^2> excludes the target, within its error. */
static bool is_floor_too_high(const tune_result *r, double target)
{
    return r->floor > 0 && tune_acceptance(r->floor + r->floor_error) < target;
}

static missed_kind missed_of(const tune_result *r, double target)
{
    return r->reached ? MISSED_NOT : is_floor_too_high(r, target) ? MISSED_FLOOR : !tune_in_time(r) ? MISSED_TIME
                                                                                               : MISSED_PREDICTION;
}

/* The acceptance of the chosen setting: that of the measured <dH^2> where it was verified, else as predicted. */
typedef struct { double value, error; } acceptance;

static acceptance acceptance_of(const tune_result *r)
{
    const tune_proof *p = tune_proof_of_choice(r);
    if (!p)
        return (acceptance){ r->then.acceptance, r->then.acceptance_error };
    const double high = tune_acceptance(fmax(p->variance - p->variance_error, 0));
    return (acceptance){ tune_acceptance(p->variance), (high - tune_acceptance(p->variance + p->variance_error)) / 2 };
}

static void add_reason(text *out, const tune_result *r, double target, const char *before)
{
    switch (missed_of(r, target)) {
    case MISSED_FLOOR:
        text_add(out, "%s  shorter steps do not help: %.2g +- %.1g of <dH^2> does not depend on the steps, and limits "
                      "the acceptance to\n%s  about %.2f.  The residuals of solves are too large: decrease "
                      "residuals.force and residuals.action in the input\n%s  (--residuals chooses residuals.force), "
                      "and tune again\n",
                 before, r->floor, r->floor_error, before, tune_acceptance(r->floor), before);
        return;
    case MISSED_TIME:
        text_add(out, "%s  no time was left (--minutes) to try other steps: tune the new input again, or give more "
                      "minutes\n", before);
        return;
    case MISSED_PREDICTION:
        text_add(out, "%s  dH is larger than predicted from the measurement: tune the new input again, with more "
                      "trajectories\n%s  (--learn, --prove) on thermalized links\n", before, before);
        return;
    case MISSED_NOT:
        return;
    }
}

const char *cost_reason(const tune_result *r, double target)
{
    if (!tune_reaches(&r->now, target))
        return "the steps before cost less, but their acceptance is not above the target beyond errors";
    for (int i = 0; i < r->proofs; i++)
        if (tune_same_setting(&r->proof[i].setting, &r->before) && !tune_is_reached(&r->proof[i], target))
            return "the steps before cost less, but were verified, and missed the target";
    return "the verification shows that the steps before cost less: keep them";
}

void target_to_text(text *out, const tune_result *r, double target, const char *before)
{
    const tune_proof *p = tune_proof_of_choice(r);
    const char *predicted = r->then.acceptance >= target ? "the prediction reaches it"
                                                         : "the prediction does not reach it";
    text_add(out, "%starget acceptance %.2f: ", before, target);
    if (!p)
        text_add(out, "not verified: %s\n", predicted);
    else if (!p->enough)
        text_add(out, "not decided: %s (%s)\n",
                 nouns_to_text(p->trajectories, "trajectory", "trajectories").s, predicted);
    else if (r->reached) {
        text_add(out, "reached, within errors\n");
        return;
    } else {
        const acceptance a = acceptance_of(r);
        text_add(out, "NOT REACHED: %.3f +- %.2g from the <dH^2> of %d trajectories, %.2g below the target;\n%s  of "
                      "the settings that were verified, this one comes nearest%s\n", a.value, a.error, p->trajectories,
                 target - a.value, before, r->proofs > 1 ? ", or as near as others at a lower cost" : "");
    }
    if (!p && !tune_in_time(r))
        text_add(out, "%s  --minutes ended before all planned trajectories were run\n", before);
    else if (p && !r->reached)
        add_reason(out, r, target, before);
}

void time_limit_to_text(text *out, const tune_result *r, const tune_request *w, const char *before)
{
    if (tune_in_time(r))
        return;
    text_add(out, "%sthe time limit (--minutes) was too short for all trajectories and trials%s\n%s  left out:\n",
             before, w->checkpoint ? "; the same command continues (--checkpoint)" : "", before);
    left_out_to_text(out, &r->left_out, before);
}

void target_to_json(json *j, const tune_result *r, double target)
{
    static const char *const kinds[] = { NULL, "floor", "time", "prediction" };
    const acceptance a = acceptance_of(r);
    json_real(j, "target", target);
    json_bool(j, "reached", r->reached);
    json_bool(j, "verified", tune_proof_of_choice(r) != NULL);
    json_text(j, "not_reached_because", kinds[missed_of(r, target)]);
    json_real(j, "acceptance", a.value);
    json_real(j, "acceptance_error", a.error);
    json_real(j, "dH_squared_floor", r->floor);
    json_real(j, "dH_squared_floor_error", r->floor_error);
}
