/* schedule.h - nested levels of molecular dynamics, flattened into one list of steps.
 *
 * Sexton and Weingarten, Nucl. Phys. B 380 (1992) 665: forces that are large and cheap are applied often,
 * small and dear ones seldom.  The scheme of the outermost level cuts the trajectory into its steps; each
 * of its drifts is not a drift of the links but an integration by the level within, cut into that level's
 * own number of steps, and so on; only the innermost one moves the links.
 *
 *     levels:
 *       - { integrator: omelyan, steps: 8, monomials: [light, strange] }
 *       - { integrator: 4mn5fv,  steps: 2, monomials: [gauge] }
 *
 * A two-level scheme nG1F holds the two innermost levels in one entry, the last one:
 *
 *     levels:
 *       - { integrator: 3g1f, steps: 12, monomials: [light, strange, charm], gauge_monomials: [gauge] }
 */
#ifndef KILN_INTEGRATORS_SCHEDULE_H
#define KILN_INTEGRATORS_SCHEDULE_H

#include "integrators/integrator.h"
#include "src/base/error.h"
#include "src/config/schema.h"

#include <stdbool.h>
#include <stdint.h>

/* An entry of the input's list of levels, outermost first. */
typedef struct {
    int integrator;                /* index into scheme_names */
    int64_t steps;                 /* per drift of the level outside; the outermost: per trajectory */
    double lambda;                 /* of the schemes that have one */
    text_list monomials;           /* names */
    text_list gauge_monomials;     /* nG1F only */
} level_params;

extern const param_spec level_specs[];

/* Whether the levels make an integrator; if not, all that is wrong in `f`, every entry called by its number
 * (the first is 1) and integrator.  Whether the monomials exist is for those who know them to say. */
bool schedule_check(const level_params *levels, int count, failure *f);

/* What one level asks for in a trajectory. */
typedef struct {
    const char *integrator;
    text_list monomials;           /* the names are borrowed from the level_params */
    int64_t force_evaluations;     /* of each of its monomials */
} schedule_level;

typedef struct {
    int count;                     /* steps */
    md_step *step;
    int levels;                    /* entries, and one more where the last is nG1F: the gauge level */
    schedule_level *level;         /* md_step.level is an index into these */
    int64_t drifts;                /* updates of the links */
} schedule;

/* The steps of a trajectory of the given length (> 0), from levels that have passed schedule_check; their
 * lists of names must outlive the schedule.  Between two drifts every level has one kick at most, the
 * outermost first (they commute): n steps of leapfrog are n + 1 kicks.  Drifts and kicks of no length are
 * left out, so are the kicks of a level without monomials.  Nothing here reunitarises links: inside a
 * trajectory that would be irreversible. */
schedule *schedule_create(const level_params *levels, int count, double trajectory_length);
void schedule_free(schedule *s);

/* An upper bound on the number of steps that schedule_create makes. */
double schedule_steps_bound(const level_params *levels, int count);

#endif
