/* multigrid_params.h - the input of multigrid (solvers/multigrid/multigrid_settings.h). */
#ifndef KILN_ACTIONS_MULTIGRID_PARAMS_H
#define KILN_ACTIONS_MULTIGRID_PARAMS_H

#include "src/config/schema.h"
#include "src/solvers/multigrid/multigrid_settings.h"

/* Members of multigrid_settings. */
typedef struct {
    int block[4];
    int64_t vectors, setup_iterations, setup_passes, pre_smooth, post_smooth, coarse_iterations;
    double coarse_residual;
    int smoothed;
} multigrid_params;

extern const param_spec multigrid_specs[];                  /* of a multigrid_params */
extern const char *const smoothed_names[];                  /* "single", "half", NULL */

/* A row of a table; at(multigrid): the offset of a multigrid_params. */
#define MULTIGRID_SPEC(at)                                                                                             \
    { .key = "multigrid", .type = PARAM_GROUP, .offset = at(multigrid), .fallback = "{}", .group = multigrid_specs,    \
      .flags = PARAM_FREE_TO_CHANGE, .doc = "settings of the method multigrid",                                        \
      .example = "{ vectors: 12, coarse_residual: 0.2 }", .see = "solvers.md#multigrid" }

/* Largest values, here and in options of commands: extents of blocks; numbers of iterations and passes. */
enum { MULTIGRID_BLOCK_MAX = 16, MULTIGRID_STEPS_MAX = 1000 };

multigrid_params multigrid_params_defaults(void);
multigrid_settings multigrid_params_settings(const multigrid_params *p);

#endif
