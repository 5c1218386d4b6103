/* quark_sources.h - random sources of the propagators of quarks with spin, and means over sources. */
#ifndef KILN_MEASURE_QUARK_SOURCES_H
#define KILN_MEASURE_QUARK_SOURCES_H

#include "src/base/json.h"
#include "src/lattice/rng.h"
#include "src/operators/dwf.h"
#include "src/solvers/dirac_solver.h"

/* SOURCES_MAX: largest number of Gaussian sources.  SOURCE_DRAWS: draws of a source, whose spins are slabs; other uses
 * of the key begin after all sources. */
enum { SOURCES_MAX = 1024, SOURCE_DRAWS = SLAB_GROUP * VECTOR_DRAWS };

/* source <- Gaussian source number `number` of weight exp(-|eta|^2) on all sites. */
void quark_noise_set(spinor_field source, int number, rng_key key);

/* The sum of the iterations of all solves so far, and their largest residual. */
typedef struct { int64_t iterations; double residual; } solve_totals;

/* False with the reason if a solve did not converge. */
bool solve_totals_add(solve_totals *t, const dirac_solved *s, double mass, const dirac_goal *goal, failure *f);

/* The mean of the values of sources, and its error (NaN for a single value). */
typedef struct { double value, error; } source_mean;
source_mean source_mean_of(const double *values, int count);
/* The members `name` and `name`_error, with_values: `name`_sources, too, as NOISE_MEMBERS declares them. */
void source_mean_to_json(json *j, const char *name, const double *values, int count, bool with_values);

/* The mean of `values`, one for each time, over times at a distance of at least plateau * times from time 0. */
double plateau_mean(const double *values, int times, double plateau);

#endif
