/* multigrid_params.c - the input of multigrid. */
#include "actions/multigrid_params.h"

#define AT(member) offsetof(multigrid_params, member)
#define WORD(number) #number
#define DEFAULT(number) WORD(number)

const char *const smoothed_names[] = { [SMOOTHED_SINGLE] = "single", [SMOOTHED_HALF] = "half", NULL };

const param_spec multigrid_specs[] = {
    { .key = "block", .type = PARAM_INT4, .offset = AT(block), .fallback = "[0, 0, 0, 0]", .min = 0,
      .max = MULTIGRID_BLOCK_MAX, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "extents of blocks of sites, x y z t, which must cut the lattice, and the part of each process, into an "
             "even number of blocks; 0: the largest of 4, 3, 2 and 1 that does" },
    { .key = "vectors", .type = PARAM_INT, .offset = AT(vectors), .fallback = DEFAULT(MULTIGRID_VECTORS),
      .min = MG_VECTORS_STEP, .max = MG_VECTORS_LARGEST, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "number of near-null vectors, a multiple of 6" },
    { .key = "setup_iterations", .type = PARAM_INT, .offset = AT(setup_iterations),
      .fallback = DEFAULT(MULTIGRID_SETUP_ITERATIONS), .min = 1, .max = MULTIGRID_STEPS_MAX,
      .flags = PARAM_FREE_TO_CHANGE, .doc = "iterations that remove large eigenvalues from each near-null vector" },
    { .key = "setup_passes", .type = PARAM_INT, .offset = AT(setup_passes),
      .fallback = DEFAULT(MULTIGRID_SETUP_PASSES), .min = 0, .max = MULTIGRID_STEPS_MAX,
      .flags = PARAM_FREE_TO_CHANGE, .doc = "number of times that the cycle then acts on each of them" },
    { .key = "pre_smooth", .type = PARAM_INT, .offset = AT(pre_smooth), .fallback = DEFAULT(MULTIGRID_PRE_SMOOTH),
      .min = 0, .max = MG_SMOOTH_LARGEST, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "steps of smoothing before the coarse correction: the degree of a polynomial in Mhat" },
    { .key = "post_smooth", .type = PARAM_INT, .offset = AT(post_smooth), .fallback = DEFAULT(MULTIGRID_POST_SMOOTH),
      .min = 0, .max = MG_SMOOTH_LARGEST, .flags = PARAM_FREE_TO_CHANGE, .doc = "and after it" },
    { .key = "smoother_precision", .type = PARAM_CHOICE, .offset = AT(smoothed), .fallback = "single",
      .choices = smoothed_names, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "of the vectors and links of smoothing; half: 16 bits, less memory to read, and about one digit less of "
             "reversibility at the same residuals" },
    { .key = "coarse_residual", .type = PARAM_REAL, .offset = AT(coarse_residual),
      .fallback = DEFAULT(MULTIGRID_COARSE_RESIDUAL), .min = 1e-6, .max = 1, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "relative residual of the solves with the coarse operator" },
    { .key = "coarse_iterations", .type = PARAM_INT, .offset = AT(coarse_iterations),
      .fallback = DEFAULT(MULTIGRID_COARSE_ITERATIONS), .min = 1, .max = 100 * MULTIGRID_STEPS_MAX,
      .flags = PARAM_FREE_TO_CHANGE, .doc = "their largest number of iterations" },
    { 0 }
};

multigrid_params multigrid_params_defaults(void)
{
    const multigrid_settings s = multigrid_defaults();
    return (multigrid_params){ .vectors = s.vectors, .setup_iterations = s.setup_iterations,
                               .setup_passes = s.setup_passes, .pre_smooth = s.pre_smooth,
                               .post_smooth = s.post_smooth, .smoothed = s.smoothed,
                               .coarse_residual = s.coarse_residual, .coarse_iterations = s.coarse_iterations };
}

multigrid_settings multigrid_params_settings(const multigrid_params *p)
{
    multigrid_settings s = { .vectors = (int)p->vectors, .setup_iterations = (int)p->setup_iterations,
                             .setup_passes = (int)p->setup_passes, .pre_smooth = (int)p->pre_smooth,
                             .post_smooth = (int)p->post_smooth, .smoothed = (smoothed_in)p->smoothed,
                             .coarse_residual = p->coarse_residual, .coarse_iterations = (int)p->coarse_iterations };
    for (int mu = 0; mu < 4; mu++)
        s.block[mu] = p->block[mu];
    return s;
}
