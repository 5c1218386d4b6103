/* segment_parameters.h - what the statistics of a stream need of the parameters of its segments.
 *
 * Segments of one distribution have the same monomials, except keys that choose an algorithm (PARAM_NUMERICAL), such as
 * Hasenbusch masses and residuals.  A segment whose parameters cannot be read has `known` false. */
#ifndef KILN_ENSEMBLE_SEGMENT_PARAMETERS_H
#define KILN_ENSEMBLE_SEGMENT_PARAMETERS_H

#include "src/ensemble/segments.h"

typedef struct {
    bool known;
    double length;                 /* molecular-dynamics time of a trajectory; NaN if not known */
    bool new_action;               /* another action than that of the segment before; where one of both is not known,
                                    * any other monomials (segments_change_monomials) */
    bool new_tempering;            /* other replicas than those of the segment before */
} segment_parameters;

/* An item for each segment of the ensemble in `directory`, to be freed with memory_free; NULL if there is none. */
segment_parameters *segment_parameters_read(const segments *s, const char *directory);

#endif
