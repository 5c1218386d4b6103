/* args.h - arguments of the kernels: views by value, coefficients in double (a kernel casts them to its precision).
 * Host and kernel share these structs. */
#ifndef KILN_KERNELS_ARGS_H
#define KILN_KERNELS_ARGS_H

#include "src/site/exact_sum.h"
#include "src/site/view.h"

typedef void site_map_fn(const void *args, site_range range, void *stream);
typedef void site_sum_fn(const void *args, site_range range, void *stream, double per_bound, sum_cells cells);

/* plaquette, rectangle, parallelogram, field_strength, link_quality, reunitarize */
typedef struct { lattice_view l; gauge_view u; } gauge_args;

/* line: only for polyakov_part and polyakov_trace */
typedef struct { lattice_view l; gauge_view u; int direction; matrix_view line; } polyakov_args;

/* U <- exp(dt P) U */
typedef struct { lattice_view l; gauge_view u; momentum_view p; double dt; } link_drift_args;

/* P <- P + weight F with F = -[U A]_TA, A = sum over loops (beta/3) c_loop staple */
typedef struct {
    lattice_view l;
    gauge_view u;
    momentum_view p;
    double weight;
    double plaquette, rectangle, parallelogram;      /* (beta/3) c_loop */
} gauge_force_args;

/* momentum_axpy_sites: Y <- Y + a X;  momentum_scale_links_in_t: Y_t <- a Y_t;  momentum_norms: the sum of Tr Y^+Y,
 * which is twice the kinetic energy, and the largest Tr Y^+Y of a link.  The last two do not read x. */
typedef struct { lattice_view l; momentum_view y, x; double a; } momentum_args;

/* Y <- a X + b Y */
typedef struct { lattice_view l; momentum_view y, x; double a, b; } momentum_mix_args;

typedef struct { lattice_view l; momentum_view p; rng_key key; } gaussian_momentum_args;
typedef struct { lattice_view l; gauge_view u; rng_key key; } random_links_args;
typedef struct { lattice_view l; matrix_view g; rng_key key; } random_matrix_args;

/* U_mu(x) <- g(x) U_mu(x) g(x+mu)^+;  P_mu(x) <- g(x) P_mu(x) g(x)^+ */
typedef struct { lattice_view l; gauge_view u; matrix_view g; } gauge_transform_args;
typedef struct { lattice_view l; momentum_view p; matrix_view g; } momentum_transform_args;

/* FMA_CHAINS * FMA_LINKS * rounds fused multiply-adds a site, and one stored number: kernels/fma_rate.c */
enum { FMA_CHAINS = 8, FMA_LINKS = 8 };
typedef struct { void *out; int rounds; double factor; } fma_rate_args;

/* Converts `reals` numbers per site and slab from the other precision to this one, on the sites of `to` */
typedef struct { field_view from, to; int reals; } convert_args;

#endif
