/* on_every_backend.h - run a test on the CPU and, where there is one, on the GPU.
 *
 *     FOR_EVERY_PLACE(where) { ... facts about `where` ... }
 *
 * Without a GPU the CUDA part is reported as skipped, with the reason. */
#ifndef KILN_TESTS_ON_EVERY_BACKEND_H
#define KILN_TESTS_ON_EVERY_BACKEND_H

#include "src/lattice/lattice.h"

/* Whether tests can run at `where`; opens the GPU.  A place that does not exist is reported once as skipped. */
bool place_is_there(place where);

#define FOR_EVERY_PLACE(where)                                                    \
    for (place where = PLACE_CPU; where <= PLACE_GPU; where = (place)(where + 1)) \
        if (!place_is_there(where))                                               \
            continue;                                                             \
        else

#endif
