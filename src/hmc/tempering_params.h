/* tempering_params.h - the parameters of parallel tempering in the boundary condition (tempering.h). */
#ifndef KILN_HMC_TEMPERING_PARAMS_H
#define KILN_HMC_TEMPERING_PARAMS_H

#include "src/config/schema.h"
#include "src/gauge/defect.h"

enum { REPLICAS_MAX = 32 };

typedef struct {
    int64_t replicas;
    bool replicas_given;               /* the run is tempered */
    param_list factors;                /* of tempering_factor_params; none: equal steps from 1 to 0 */
    struct { int direction; int64_t size; } defect;
    int64_t swap_every;
    bool translate;
} tempering_params;

typedef struct { double c; } tempering_factor_params;

extern const param_spec tempering_specs[];

/* False with the reason if the values of a tempered run do not fit together or to the lattice. */
bool tempering_params_check(const tempering_params *p, const int extents[4], failure *f);

/* c_r of a replica; c_0 = 1.  tempering_first_box: the defect at the start of a run, on the last slice in its
 * direction; its corner has the coordinate 0 in the other directions. */
double tempering_factor(const tempering_params *p, int replica);
defect_box tempering_first_box(const tempering_params *p, const int extents[4]);

#endif
