/* schedule.h - nested levels of molecular dynamics, flattened into one list of steps.
 *
 * Sexton and Weingarten, Nucl. Phys. B 380 (1992) 665: large, cheap forces are applied often, small, expensive
 * ones rarely.  The scheme of the outermost level splits the trajectory into steps.  Each of its drifts is an
 * integration by the next level, which has its own scheme and number of steps, and so on; only the innermost
 * level updates the links.
 *
 *     levels:
 *       - { integrator: omelyan, steps: 8, monomials: [light, strange] }
 *       - { integrator: 4mn5fv,  steps: 2, monomials: [gauge] }
 *
 * A two-level scheme nG1F has the two innermost levels in one entry, the last one:
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
    int64_t steps;                 /* per drift of the next outer level; outermost level: per trajectory */
    double lambda;                 /* of the schemes that have one */
    text_list monomials;           /* names */
    text_list gauge_monomials;     /* nG1F only */
} level_params;

extern const param_spec level_specs[];

/* Whether the levels are a valid integrator.  If not, *f lists all faults, each with the key path of its entry.  The
 * caller checks that the monomials exist. */
bool schedule_check(const level_params *levels, int count, failure *f);

/* A level of a schedule. */
typedef struct {
    const char *integrator;
    text_list monomials;           /* the names are borrowed from the level_params */
    int64_t force_evaluations;     /* per trajectory, of each of its monomials; a force-gradient kick counts two */
} schedule_level;

typedef struct {
    int count;                     /* steps */
    md_step *step;
    int levels;                    /* entries, and one more where the last is nG1F: the gauge level */
    schedule_level *level;         /* md_step.level is an index into these */
    int64_t drifts;                /* updates of the links */
} schedule;

/* The steps of a trajectory of the given length (> 0, molecular-dynamics time), from levels that have passed
 * schedule_check; their lists of names must outlive the schedule.  Adjacent kicks of one level are merged, so n steps
 * of leapfrog have n + 1 kicks; kicks between the same two drifts are in the order of their levels, the outermost
 * first.  The list has no drifts or kicks of zero length, and no kicks of a level without monomials.  The links are not
 * reunitarized inside a trajectory, because this would be irreversible. */
schedule *schedule_create(const level_params *levels, int count, double trajectory_length);
void schedule_free(schedule *s);

/* An upper bound on the number of steps that schedule_create makes. */
double schedule_steps_bound(const level_params *levels, int count);

#endif
