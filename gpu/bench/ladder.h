/* ladder.h - the steps from a portable kernel to its tuned twin, for gpu/bench/ladder_main.c to check and time. */
#ifndef KILN_GPU_BENCH_LADDER_H
#define KILN_GPU_BENCH_LADDER_H

#include "src/kernels/args.h"
#include "src/kernels/dwf_args.h"
#include "src/kernels/persistent_args.h"
#include "src/kernels/wilson_args.h"
#include "src/site/formats.h"

/* The gauge force: all steps of one `kernel` leave the same bits as its first. */
typedef struct { const char *kernel, *step; site_sum_fn *run; } ladder_step;

/* The staggered hop of a number of systems: all steps of one format and number leave the same bits as their first. */
typedef struct { const char *step; vector_format format; int systems; site_map_fn *run; } hop_step;

/* The domain-wall hop: all steps of one format leave the same bits as its first, which is the portable kernel. */
typedef struct {
    const char *step;
    vector_format format;
    site_map_fn *run;
    bool (*fits)(const dwf_hop_args *a);                  /* NULL: any lattice and number of slices do */
} dwf_step;

/* The hop of Wilson quarks, from even to odd sites, of a number of systems: all steps of one format of vectors and
 * links and of one number of systems leave the same bits as its first, but for those of another basis.  In `temporal`
 * links, those in t are 1 below the last slice.  With one scale for each spinor (wilson_one_scale.h), the hop is from y
 * to z, of which lattice_volume sites have room for 52 bytes.  With textures (wilson_textures.h), z[0].data is what
 * wilson_textures_create returned.  Twins (wilson_twins.h) compute something else. */
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

/* The persistent kernel of conjugate gradients: all steps of one format leave the bits of a graph of launches. */
typedef struct { const char *step; vector_format format; persistent_fn *run; } persistent_ladder_step;

#ifdef __cplusplus
extern "C" {
#endif
extern const ladder_step gauge_force_ladder_gpu_f[], gauge_force_ladder_gpu_d[];      /* end with { 0 } */
extern const hop_step hop_ladder_gpu_f[], hop_ladder_gpu_d[];
extern const dwf_step dwf_ladder_gpu_f[], dwf_ladder_gpu_d[];
extern const wilson_step wilson_ladder_gpu_f[], wilson_ladder_gpu_d[];
extern const wilson_step wilson_trials_gpu_f[], wilson_trials_gpu_d[];
void *wilson_textures_create(const wilson_hop_args *a);                               /* NULL if the device refuses */
void wilson_textures_free(void *textures);
void wilson_one_scale_copy(const wilson_hop_args *a, bool back, site_range range, void *stream);
extern const persistent_ladder_step persistent_ladder_gpu_f[], persistent_ladder_gpu_d[];
#ifdef __cplusplus
}
#endif

/* Hops by steps whose name has one of `parts` in it, a list that ends with NULL; by all, where it is empty. */
struct lattice;
void climb_hops(struct lattice *l, int repeats, char **parts);

/* The domain-wall operator by such steps; a part may also be the name of a format. */
void climb_dwf(struct lattice *l, int Ls, int repeats, char **parts);

/* The hop of Wilson quarks by such steps. */
void climb_wilson(struct lattice *l, int repeats, char **parts);

/* Iterations of conjugate gradients by all steps. */
void climb_persistent(struct lattice *l, int repeats);

#endif
