/* run_checks.h - checks of an input that read several of its groups: the methods that update links. */
#ifndef KILN_HMC_RUN_CHECKS_H
#define KILN_HMC_RUN_CHECKS_H

#include "src/hmc/run_params.h"

/* A check: holds returns false with the reason.  The fault is then reported at `key` (NULL: the whole group) of
 * `group`, in a sentence that begins with `path`. */
typedef struct {
    bool (*holds)(const run_params *p, failure *f);
    const char *group, *key, *path;
} run_check;
extern const run_check run_checks[];             /* holds: NULL at the end */

#endif
