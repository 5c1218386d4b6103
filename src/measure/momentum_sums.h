/* momentum_sums.h - sums over time slices with momenta: the list "momenta" of a measurement of hadrons.
 *
 *     sum over the sites x of a slice of cos(p.(x - origin)) f(x),   p_i = 2 pi n_i / L_i
 * the mean of the sums with exp(-ip.x) and exp(ip.x), of which correlators of real f have the same mean. */
#ifndef KILN_MEASURE_MOMENTUM_SUMS_H
#define KILN_MEASURE_MOMENTUM_SUMS_H

#include "src/base/json.h"
#include "src/config/schema.h"
#include "src/lattice/field.h"
#include "src/measure/meson_sources.h"

enum { MOMENTA_MAX = 64 };

typedef struct { int64_t n[3]; } spatial_momentum;

extern const param_spec spatial_momentum_specs[];

/* A row of a table; at(momenta): the offset of a param_list. */
#define MOMENTA_SPEC(at)                                                                                               \
    { .key = "momenta", .type = PARAM_LIST, .offset = at(momenta), .fallback = "[]", .group = spatial_momentum_specs,  \
      .element_size = sizeof(spatial_momentum),                                                                        \
      .doc = "momenta of the hadrons at the sink, besides 0: p = 2 pi [x, y, z] / L with these integers",              \
      .example = "[ { x: 1 }, { x: 1, y: 1 } ]", .see = "observables.md#momenta" }

/* Whether the source is a point, all components are within the Brillouin zone, and no two momenta are equal or
 * opposite.  False with the reason, which names the measurement. */
bool momenta_check(const param_list *momenta, const meson_source_params *sources, const lattice_shape *shape,
                   const char *name, failure *f);

/* A line about a momentum 0; the key is that of the measurement. */
void momenta_advise(text *lines, const char *key, const param_list *momenta);

/* sums[k T + t], for momentum number k and slice (origin_3 + t) mod T, of component `component` of a field on the sites
 * of both parities.  They are exact (site/exact_sum.h): the bits do not depend on place, ranks or order. */
void momentum_sums_in_time(double *sums, const field *f, int component, const param_list *momenta, const int origin[4]);

/* The same of all components: sums[(component K + k) T + t] with K momenta. */
void momentum_sums_of_all(double *sums, const field *f, const param_list *momenta, const int origin[4]);

/* The sums of momentum 0 alone: sums[t]; or of all components: sums[component T + t]. */
void zero_momentum_in_time(double *sums, const field *f, int component, const int origin[4]);
void all_components_in_time(double *sums, const field *f, const int origin[4]);

/* The member `key` with a list of T numbers for each momentum; nothing without momenta. */
void momentum_lists_to_json(json *j, const char *key, const double *sums, const param_list *momenta, int times);

#endif
