/* multigrid_options.h - the options of subcommands for the settings of multigrid, as an input has them. */
#ifndef KILN_OPTIONS_MULTIGRID_OPTIONS_H
#define KILN_OPTIONS_MULTIGRID_OPTIONS_H

#include "actions/multigrid_params.h"
#include "src/options/options.h"

/* "4,4,4,4" into the extents of a block: an option's `read`. */
bool multigrid_read_block(const char *given, void *block, failure *f);

/* Which of them were given. */
typedef struct {
    bool block, vectors, setup_iterations, setup_passes, pre_smooth, post_smooth, smoothed, coarse_residual,
         coarse_iterations;
} multigrid_given;

#define MULTIGRID_OPTION(owner, member, words, placeholder, kind, part, ...)                                           \
    { .name = words, .value = placeholder, .type = kind, .offset = offsetof(owner, member.part), .optional = true,     \
      .given = offsetof(owner, member##_given.part), __VA_ARGS__ }
#define MULTIGRID_STEPS(owner, member, words, least, most, part, about)                                                \
    MULTIGRID_OPTION(owner, member, words, "N", OPTION_INT, part, .min = least, .max = most, .doc = about)

/* For `member` of `owner`, a multigrid_params that begins as multigrid_params_defaults(), and a multigrid_given whose
 * name is that of the member with _given. */
#define MULTIGRID_OPTIONS(owner, member)                                                                               \
    MULTIGRID_OPTION(owner, member, "block", "X,Y,Z,T", OPTION_READ, block, .read = multigrid_read_block,              \
                     .doc = "of multigrid, as in an input: extents of blocks of sites\n(default: chosen)"),            \
    MULTIGRID_OPTION(owner, member, "vectors", "N", OPTION_INT, vectors, .min = MG_VECTORS_STEP,                       \
                     .max = MG_VECTORS_LARGEST, .doc = "near-null vectors, a multiple of 6 (default 24)"),             \
    MULTIGRID_STEPS(owner, member, "setup-iterations", 1, MULTIGRID_STEPS_MAX, setup_iterations,                       \
                    "iterations for each of them (default 40)"),                                                       \
    MULTIGRID_STEPS(owner, member, "setup-passes", 0, MULTIGRID_STEPS_MAX, setup_passes,                               \
                    "then passes of the cycle (default 1)"),                                                           \
    MULTIGRID_STEPS(owner, member, "pre-smooth", 0, MG_SMOOTH_LARGEST, pre_smooth,                                     \
                    "steps of smoothing before the coarse correction (default 0)"),                                    \
    MULTIGRID_STEPS(owner, member, "post-smooth", 0, MG_SMOOTH_LARGEST, post_smooth, "and after it (default 16)"),     \
    MULTIGRID_OPTION(owner, member, "smoother-precision", "P", OPTION_CHOICE, smoothed, .choices = smoothed_names,     \
                     .doc = "of smoothing: single (default) or half"),                                                 \
    MULTIGRID_OPTION(owner, member, "coarse-residual", "R", OPTION_REAL, coarse_residual, .min = 1e-6, .max = 1,       \
                     .doc = "of solves with the coarse operator (default 0.1)"),                                       \
    MULTIGRID_OPTION(owner, member, "coarse-iterations", "N", OPTION_INT, coarse_iterations, .min = 1,                 \
                     .max = 100 * MULTIGRID_STEPS_MAX, .doc = "their iterations at most (default 50)")

#endif
