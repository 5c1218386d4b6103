/* probe_theta.h - the phases of quarks at the boundaries in space, on the command lines of kiln probe. */
#ifndef KILN_PROBE_PROBE_THETA_H
#define KILN_PROBE_PROBE_THETA_H

#include "src/base/error.h"

#include <stdbool.h>

/* value: double[3] <- "X,Y,Z", in units of pi, each from -WILSON_THETA_MAX to WILSON_THETA_MAX.  False with the
 * reason. */
bool probe_theta_read(const char *given, void *value, failure *f);

/* `member`, an array of three, of probe_options */
#define THETA_OPTION(member)                                                                                           \
    { .name = "theta", .value = "X,Y,Z", .doc = "phases of the boundary in space, in units of pi: U_k has the\n"       \
      "factor exp(i pi theta_k / L_k) in the hop (default 0,0,0)", .type = OPTION_READ,                                \
      .offset = offsetof(probe_options, member), .read = probe_theta_read }

#endif
