/* doublet_quarks.h - the quarks of a non-degenerate doublet and light quarks from the columns of a source, and their
 * mesons at local and at smeared sinks.
 *
 * A column eta of the source has one chirality: that of its spin, or one of the two parts of a random source.  For each
 *     quarks of the doublet: S'_ij eta for both slices j of the source
 *     light quarks: q = M^-1 eta for each mass
 * and all products are added (doublet_mesons.h) before the next columns.  Smearing (quark_smearing.h) acts on color
 * and space only: on eta before the projection on chirality and slice, and on each slice of a quark at the sink. */
#ifndef KILN_MEASURE_DOUBLET_QUARKS_H
#define KILN_MEASURE_DOUBLET_QUARKS_H

#include "actions/doublet_params.h"
#include "src/base/clock.h"
#include "src/measure/doublet_mesons.h"
#include "src/measure/meson_sources.h"
#include "src/measure/quark_smearing.h"
#include "src/measure/quark_sources.h"
#include "src/measure/wilson_masses.h"

/* What is solved for; all is borrowed. */
typedef struct {
    const char *name;                        /* of the measurement */
    const wilson_quarks *light;              /* masses: of wilson_mass; the operator is that of the doublet, too */
    doublet_input doublet;
    bool heavy;                              /* mesons of two quarks of the doublet */
    const meson_source_params *sources;
    const quark_smearing_params *smearing;
    const param_list *momenta;               /* of spatial_momentum */
} doublet_quarks_task;

/* Whether masses, source, smearing and momenta are possible.  False with the reason, which names the measurement. */
bool doublet_quarks_check(const doublet_quarks_task *task, const lattice_shape *shape, failure *f);

typedef struct doublet_quarks doublet_quarks;

/* For links like u, in their memory. */
doublet_quarks *doublet_quarks_create(const doublet_quarks_task *task, const gauge *u);
void doublet_quarks_free(doublet_quarks *q);
memory_need doublet_quarks_bytes(const doublet_quarks_task *task, const lattice_shape *shape);

/* Adds the mesons of all columns on the links u, and writes what was found about the gauge of the source
 * (meson_gauge_find) as members of the open object; random sources come from `key`.  False with the reason if it
 * fails. */
bool doublet_quarks_measure(json *j, doublet_quarks *q, const gauge *u, rng_key key, clock_tree *clock, failure *f);

/* Borrowed, after a measurement: the mesons at local sinks, and at smeared ones (NULL: not requested). */
const doublet_mesons *doublet_quarks_mesons(const doublet_quarks *q);
const doublet_mesons *doublet_quarks_smeared(const doublet_quarks *q);

/* The solves of the last measurement: with the doublet, and with light quark number `mass`. */
solve_totals doublet_quarks_solves(const doublet_quarks *q);
solve_totals doublet_quarks_solves_of(const doublet_quarks *q, int mass);
int64_t doublet_quarks_iterations(const doublet_quarks *q);             /* of all */

#endif
