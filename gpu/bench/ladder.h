/* ladder.h - the steps from a portable kernel to its tuned twin, for gpu/bench/ladder_main.c to check and time. */
#ifndef KILN_GPU_BENCH_LADDER_H
#define KILN_GPU_BENCH_LADDER_H

#include "src/kernels/args.h"
#include "src/kernels/dwf_args.h"
#include "src/kernels/persistent_args.h"
#include "src/kernels/wilson_args.h"
#include "src/site/formats.h"

/* The gauge force: all steps of one `kernel` give the same bits as its first step. */
typedef struct { const char *kernel, *step; site_sum_fn *run; } ladder_step;

/* The staggered hop of a number of systems: all steps of one format and number give the same bits. */
typedef struct { const char *step; vector_format format; int systems; site_map_fn *run; } hop_step;

/* The domain-wall hop: all steps of one format give the same bits as its first step, the portable kernel. */
typedef struct {
    const char *step;
    vector_format format;
    site_map_fn *run;
    bool (*fits)(const dwf_hop_args *a);                  /* NULL: it fits any lattice and number of slices */
} dwf_step;

/* The hop of Wilson quarks, from even to odd sites, of a number of systems: all steps of one format of vectors and
 * links and of one number of systems give the same bits as the first step, except in another basis.  LADDER_TEMPORAL:
 * links in t are 1 below the last slice.  LADDER_ONE_SCALE (wilson_one_scale.h): the hop is from y to z, which have 52
 * bytes for each of lattice_volume sites.  LADDER_TEXTURED (wilson_textures.h): z[0].data is the result of
 * wilson_textures_create.  LADDER_TWIN (wilson_twins.h): the result is another one. */
typedef enum {
    LADDER_PLAIN, LADDER_TEMPORAL, LADDER_NON_RELATIVISTIC, LADDER_ONE_SCALE, LADDER_TEXTURED, LADDER_TWIN
} wilson_kind;
typedef struct {
    const char *step;
    vector_format format;
    link_format links;
    int systems;
    wilson_kind kind;
    site_map_fn *run;
} wilson_step;

/* Both hops of the operator with a clover term of a number of systems in double: all steps of one number give the same
 * bits as its first step, the portable kernels clover_inner and clover_outer. */
typedef struct {
    const char *step;
    int systems;
    site_map_fn *inner, *outer;
} clover_step;

/* The persistent kernel of conjugate gradients: all steps of one format give the same bits as a graph of launches. */
typedef struct { const char *step; vector_format format; persistent_fn *run; } persistent_ladder_step;

#ifdef __cplusplus
extern "C" {
#endif
extern const ladder_step gauge_force_ladder_gpu_f[], gauge_force_ladder_gpu_d[];      /* end with { 0 } */
extern const hop_step hop_ladder_gpu_f[], hop_ladder_gpu_d[];
extern const dwf_step dwf_ladder_gpu_f[], dwf_ladder_gpu_d[];
extern const wilson_step wilson_ladder_gpu_f[], wilson_ladder_gpu_d[];
extern const wilson_step wilson_trials_gpu_f[], wilson_trials_gpu_d[];
extern const clover_step clover_ladder_gpu_d[];
void *wilson_textures_create(const wilson_hop_args *a);                               /* NULL if the device refuses */
void wilson_textures_free(void *textures);
void wilson_one_scale_copy(const wilson_hop_args *a, bool back, site_range range, void *stream);
extern const persistent_ladder_step persistent_ladder_gpu_f[], persistent_ladder_gpu_d[];
#ifdef __cplusplus
}
#endif

/* Run the steps whose name contains one of `parts`, a list that ends with NULL; all steps, if it is empty. */
struct lattice;
void climb_hops(struct lattice *l, int repeats, char **parts);

/* The same for the domain-wall operator; a part may also be the name of a format. */
void climb_dwf(struct lattice *l, int Ls, int repeats, char **parts);

/* The same for the hop of Wilson quarks. */
void climb_wilson(struct lattice *l, int repeats, char **parts);

/* The same for both hops with a clover term, for several systems. */
void climb_clover(struct lattice *l, int repeats, char **parts);

/* Runs iterations of conjugate gradients with all steps. */
void climb_persistent(struct lattice *l, int repeats);

#endif
