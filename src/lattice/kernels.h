/* kernels.h - selects the compiled variant of a kernel for a field, and launches it.
 *
 *     MAP_KERNEL(link_drift);                     declares the variants and the constant `link_drift`
 *     run_map(&link_drift, where, p, &args, range);
 *
 * A tuned variant (gpu/<name>.cu, exported as <name>_tuned_gpu_f/d) is registered over the portable one by
 * MAP_KERNEL_TUNED / SUM_KERNEL_TUNED; the portable one stays reachable for tests and benchmarks. */
#ifndef KILN_LATTICE_KERNELS_H
#define KILN_LATTICE_KERNELS_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "src/kernels/args.h"
#include "src/kernels/peer_args.h"
#include "src/lattice/sums.h"

typedef struct {
    const char *name;
    site_map_fn *portable[PLACES][PRECISIONS];      /* NULL where not built */
    site_map_fn *tuned[PRECISIONS];                 /* on the GPU; NULL if there is none */
    hop_beside_fn *beside[PRECISIONS];              /* with the exchange of its ghosts in the same launch; or NULL */
} map_kernel;

typedef struct {
    const char *name;
    int sums, maxima;
    site_sum_fn *portable[PLACES][PRECISIONS];
    site_sum_fn *tuned[PRECISIONS];
} sum_kernel;

#ifdef HAVE_CUDA
#define GPU_VARIANT(function) function
#else
#define GPU_VARIANT(function) 0
#endif

#define PORTABLE(name) { { name##_cpu_f, name##_cpu_d }, { GPU_VARIANT(name##_gpu_f), GPU_VARIANT(name##_gpu_d) } }
/* In one precision. */
#define IN_SINGLE(name) { { name##_cpu_f, 0 }, { GPU_VARIANT(name##_gpu_f), 0 } }
#define IN_DOUBLE(name) { { 0, name##_cpu_d }, { 0, GPU_VARIANT(name##_gpu_d) } }

#define TUNED(name) { GPU_VARIANT(name##_tuned_gpu_f), GPU_VARIANT(name##_tuned_gpu_d) }

#define MAP_KERNEL(name)                                                                                               \
    site_map_fn name##_cpu_f, name##_cpu_d, name##_gpu_f, name##_gpu_d;                                                \
    static const map_kernel name = { #name, PORTABLE(name), { 0, 0 }, { 0, 0 } }

/* A kernel that exists in single precision only. */
#define MAP_KERNEL_SINGLE(name)                                                                                        \
    site_map_fn name##_cpu_f, name##_gpu_f;                                                                            \
    static const map_kernel name = { #name, IN_SINGLE(name), { 0, 0 }, { 0, 0 } }

#define MAP_KERNEL_TUNED(name)                                                                                         \
    site_map_fn name##_cpu_f, name##_cpu_d, name##_gpu_f, name##_gpu_d, name##_tuned_gpu_f, name##_tuned_gpu_d;        \
    static const map_kernel name = { #name, PORTABLE(name), TUNED(name), { 0, 0 } }

#define SUM_KERNEL(name, sums, maxima)                                                                                 \
    site_sum_fn name##_cpu_f, name##_cpu_d, name##_gpu_f, name##_gpu_d;                                                \
    static const sum_kernel name = { #name, sums, maxima, PORTABLE(name), { 0, 0 } }

#define SUM_KERNEL_TUNED(name, sums, maxima)                                                                           \
    site_sum_fn name##_cpu_f, name##_cpu_d, name##_gpu_f, name##_gpu_d, name##_tuned_gpu_f, name##_tuned_gpu_d;        \
    static const sum_kernel name = { #name, sums, maxima, PORTABLE(name), TUNED(name) }

/* A table of kernels by vector_format (site/formats.h): `name` in both precisions, name_half and name_int20 in single,
 * name_int30 in double. */
#define FORMATS_DECLARED(type, name)                                                                                   \
    type name##_cpu_f, name##_cpu_d, name##_gpu_f, name##_gpu_d, name##_half_cpu_f, name##_half_gpu_f,                 \
        name##_int20_cpu_f, name##_int20_gpu_f, name##_int30_cpu_d, name##_int30_gpu_d

#define MAP_KERNEL_FORMATS(name)                                                                                       \
    FORMATS_DECLARED(site_map_fn, name);                                                                               \
    static const map_kernel name[VECTOR_FORMATS] = {                                                                   \
        { #name, PORTABLE(name), { 0, 0 }, { 0, 0 } },                                                                 \
        { #name "_half", IN_SINGLE(name##_half), { 0, 0 }, { 0, 0 } },                                                 \
        { #name "_int20", IN_SINGLE(name##_int20), { 0, 0 }, { 0, 0 } },                                               \
        { #name "_int30", IN_DOUBLE(name##_int30), { 0, 0 }, { 0, 0 } },                                               \
    }

/* The same with a tuned variant of each. */
#define VARIANTS(name, which) { GPU_VARIANT(name##_##which##_gpu_f), GPU_VARIANT(name##_##which##_gpu_d) }
#define VARIANT_SINGLE(name, which) { GPU_VARIANT(name##_##which##_gpu_f), 0 }
#define VARIANT_DOUBLE(name, which) { 0, GPU_VARIANT(name##_##which##_gpu_d) }
#define VARIANTS_DECLARED(type, name, which)                                                                           \
    type name##_##which##_gpu_f, name##_##which##_gpu_d, name##_half_##which##_gpu_f, name##_int20_##which##_gpu_f,    \
        name##_int30_##which##_gpu_d
#define MAP_KERNEL_FORMATS_TUNED(name)                                                                                 \
    FORMATS_DECLARED(site_map_fn, name);                                                                               \
    VARIANTS_DECLARED(site_map_fn, name, tuned);                                                                       \
    static const map_kernel name[VECTOR_FORMATS] = {                                                                   \
        { #name, PORTABLE(name), VARIANTS(name, tuned), { 0, 0 } },                                                    \
        { #name "_half", IN_SINGLE(name##_half), VARIANT_SINGLE(name##_half, tuned), { 0, 0 } },                       \
        { #name "_int20", IN_SINGLE(name##_int20), VARIANT_SINGLE(name##_int20, tuned), { 0, 0 } },                    \
        { #name "_int30", IN_DOUBLE(name##_int30), VARIANT_DOUBLE(name##_int30, tuned), { 0, 0 } },                    \
    }

/* The same, and a variant of each that does the exchange of its ghosts in the same launch (gpu/hop_beside.h). */
#define MAP_KERNEL_FORMATS_BESIDE(name)                                                                                \
    FORMATS_DECLARED(site_map_fn, name);                                                                               \
    VARIANTS_DECLARED(site_map_fn, name, tuned);                                                                       \
    VARIANTS_DECLARED(hop_beside_fn, name, beside);                                                                    \
    static const map_kernel name[VECTOR_FORMATS] = {                                                                   \
        { #name, PORTABLE(name), VARIANTS(name, tuned), VARIANTS(name, beside) },                                      \
        { #name "_half", IN_SINGLE(name##_half), VARIANT_SINGLE(name##_half, tuned),                                   \
          VARIANT_SINGLE(name##_half, beside) },                                                                       \
        { #name "_int20", IN_SINGLE(name##_int20), VARIANT_SINGLE(name##_int20, tuned),                                \
          VARIANT_SINGLE(name##_int20, beside) },                                                                      \
        { #name "_int30", IN_DOUBLE(name##_int30), VARIANT_DOUBLE(name##_int30, tuned),                                \
          VARIANT_DOUBLE(name##_int30, beside) },                                                                      \
    }

#define SUM_KERNEL_FORMATS(name, sums, maxima)                                                                         \
    FORMATS_DECLARED(site_sum_fn, name);                                                                               \
    static const sum_kernel name[VECTOR_FORMATS] = {                                                                   \
        { #name, sums, maxima, PORTABLE(name), { 0, 0 } },                                                             \
        { #name "_half", sums, maxima, IN_SINGLE(name##_half), { 0, 0 } },                                             \
        { #name "_int20", sums, maxima, IN_SINGLE(name##_int20), { 0, 0 } },                                           \
        { #name "_int30", sums, maxima, IN_DOUBLE(name##_int30), { 0, 0 } },                                           \
    }

typedef enum { VARIANT_BEST, VARIANT_PORTABLE } kernel_variant;

/* Run a kernel over a range, with the kernel's own struct `args` (kernels/args.h), borrowed during the call.  They
 * return at once on the GPU.  Fatal if the program does not contain the kernel for this place and precision. */
void run_map(const map_kernel *k, place where, precision p, const void *args, site_range range);
void run_map_variant(const map_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                     site_range range);

/* A launch of a kernel that sums. */
typedef struct {
    kernel_variant variant;             /* default: VARIANT_BEST */
    place where;
    precision precision;
    const void *args;                   /* the kernel's own struct (kernels/args.h); borrowed */
    site_range range;                   /* the sites whose terms are summed */
} sum_launch;

/* Every term of a sum must be below SUM_BOUND in size; if one is larger, run_sum sums again under SUM_BOUND_LARGE. */
#define SUM_BOUND_LARGE 1.9342813113834067e25 /* 2^84 */

/* Adds the terms of a kernel to `cells` at `where`, which the caller has zeroed, for this rank only.  Returns at
 * once on the GPU. */
void run_sum_into(const sum_kernel *k, const sum_launch *a, sum_cells cells);

/* The same under a bound that the caller gives, a power of two. */
void run_sum_under(const sum_kernel *k, const sum_launch *a, double bound, sum_cells cells);

/* result[k->sums + k->maxima] <- the sums, then the maxima, over all ranks; NaN where a term was not finite or
 * beyond SUM_BOUND_LARGE.  The kernel is run a second time if a sum refuses a term (beyond SUM_BOUND or not finite),
 * so it must not change what it reads.  Waits for the GPU.  Collective. */
void run_sum(const sum_kernel *k, lattice *l, const sum_launch *a, double *result);

/* The same under a bound that the caller gives, a power of two, and only once, so the kernel may change what it reads.
 * False if a sum refused terms: this sum is NaN, the other sums and the maxima are valid. */
bool run_sum_once(const sum_kernel *k, lattice *l, const sum_launch *a, double bound, double *result);

/* Whether a sum under a bound (site/exact_sum.h) is exact up to 2^-57 of `size`, the absolute value of the sum or of
 * its largest term: whether `size` is not too far below the bound.  False for NaN. */
bool sum_is_fine(double size, double bound);

#endif
