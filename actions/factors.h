/* factors.h - the kinds of factors (quark_factor.h). */
#ifndef KILN_ACTIONS_FACTORS_H
#define KILN_ACTIONS_FACTORS_H

#include "actions/quark_factor.h"

extern const quark_factor_kind two_flavors_factor, rational_ratio_factor, rational_fields_factor,
                               exact_one_flavor_factor;

#endif
