/* condensate_params.h - the input of the measurement "condensate". */
#ifndef KILN_MEASURE_CONDENSATE_PARAMS_H
#define KILN_MEASURE_CONDENSATE_PARAMS_H

#include "src/measure/low_modes.h"
#include "src/measure/measurement.h"
#include "src/measure/staggered_masses.h"

typedef struct {
    measurement_params common;
    staggered_quarks quarks;
    double strange;
    bool strange_given;                     /* else there is no subtracted condensate */
    int64_t sources;
    bool number_density;
    double residual;
    int64_t max_iterations;
    low_modes_params modes;
} condensate_params;

extern const param_spec condensate_specs[];

/* Sites and slabs of the modes. */
extern const low_modes_sites condensate_modes_on;

bool condensate_params_check(const void *params, const lattice_shape *shape, failure *f);

/* The index of the strange mass in `masses`; -1 if there is none. */
int condensate_strange(const condensate_params *p);

#endif
