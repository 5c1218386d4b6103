/* slice_plateau.h - the time slices far from open boundaries, over which a measurement takes means. */
#ifndef KILN_MEASURE_SLICE_PLATEAU_H
#define KILN_MEASURE_SLICE_PLATEAU_H

#include "src/config/schema.h"
#include "src/lattice/shape.h"

/* Slices first to last, both included. */
typedef struct { int64_t first, last; struct { bool first, last; } given; } slice_plateau;

/* Rows of a table; at(member): the offset of a member of a slice_plateau; `what`: what is taken over the plateau. */
#define SLICE_PLATEAU_SPECS(at, what)                                                                                  \
    { .key = "plateau_first", .type = PARAM_INT, .offset = at(first), .given = at(given.first), .min = 1, .max = 1022, \
      .flags = PARAM_OPTIONAL,                                                                                         \
      .doc = "open boundaries in time only, required there: first time slice of the plateau, far from the boundary, "  \
             "over which " what },                                                                                     \
    { .key = "plateau_last", .type = PARAM_INT, .offset = at(last), .given = at(given.last), .min = 1, .max = 1022,    \
      .flags = PARAM_OPTIONAL,                                                                                         \
      .doc = "open boundaries in time only, required there: last time slice of the plateau" }

/* Open boundaries in t need a plateau between the first and the last slice; periodic ones have none.  False with the
 * reason, which names the measurement and says what the plateau gives. */
bool slice_plateau_check(const slice_plateau *p, const lattice_shape *shape, const char *name, const char *gives,
                         failure *f);

#endif
