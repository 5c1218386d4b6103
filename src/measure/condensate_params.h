/* condensate_params.h - the input of the measurement "condensate". */
#ifndef KILN_MEASURE_CONDENSATE_PARAMS_H
#define KILN_MEASURE_CONDENSATE_PARAMS_H

#include "actions/staggered_params.h"
#include "src/measure/low_modes.h"
#include "src/measure/measurement.h"
#include "src/measure/quark_trace.h"

typedef struct { double mass; char *naik_epsilon; } condensate_mass;

typedef struct {
    measurement_params common;
    int action, projection;
    double u0, boundary, imaginary_mu;
    param_list masses;                      /* of condensate_mass */
    double strange;                         /* 0: no subtracted condensate */
    int64_t sources;
    bool number_density;
    double residual;
    int64_t max_iterations;
    stout_params stout;
    low_modes_params modes;
} condensate_params;

extern const param_spec condensate_specs[];

/* Where the modes are. */
extern const low_modes_sites condensate_modes_on;

bool condensate_params_check(const void *params, const lattice_shape *shape, failure *f);

const condensate_mass *condensate_mass_at(const condensate_params *p, int index);

/* The index of the strange mass in `masses`; -1 if there is none. */
int condensate_strange(const condensate_params *p);

/* The parameters of the links, and in `set` the set of links of each mass; false if there are too many sets. */
bool condensate_plan_links(staggered_links_params *links, int set[TRACE_MASSES], const condensate_params *p);

#endif
