/* gauge.h - the gauge field: type and operations.  U_mu(x) goes from x to x+mu. */
#ifndef KILN_GAUGE_GAUGE_H
#define KILN_GAUGE_GAUGE_H

#include "src/gauge/momentum.h"

enum { GAUGE_REALS = 4 * 18 };         /* per site: [mu][row][col][re,im] */

/* With open boundaries in t, the inactive links (kernels/open_args.h) of a field are unit matrices, and the momenta of
 * these links are 0.  The functions below that write links or momenta preserve this.
 *
 * Every function below that writes links gives them a new version; only gauge_copy copies the version with the links.
 * Equal versions mean equal links, so results that were computed from links stay valid while the version is the same.
 * 0 is never the version of links. */
typedef struct { uint64_t version; ghost_level level; } gauge_ghosts;   /* of the links in the ghost sites */
typedef struct { field links; uint64_t version; gauge_ghosts *ghosts; } gauge;
typedef struct { field f; } gauge_rotation;           /* a matrix g(x) at each site */

gauge *gauge_create(lattice *l, place where, precision p);
gauge *gauge_create_straight(lattice *l, place where, precision p);  /* GHOSTS_STRAIGHT, for three links in a row */
size_t gauge_straight_bytes(const lattice_shape *shape, precision p);   /* for memory estimates */
void   gauge_free(gauge *u);
gauge_view gauge_view_of(const gauge *u);
/* Fills the ghost sites up to a level (exchange.h), unless they already hold these links.  Collective. */
void   gauge_exchange(const gauge *u, ghost_level level);
void gauge_copy(gauge *to, const gauge *from);       /* same lattice, precision and ghosts; also between places */
void gauge_set_unit(gauge *u);                                     /* cold start */
void gauge_set_random(gauge *u, rng_key key);                      /* hot start: each link from the Haar measure */
void gauge_import(gauge *u, const double *lexicographic);          /* [t][z][y][x][mu][row][col][re,im], global */
void gauge_export(double *lexicographic, const gauge *u);
slice_sink gauge_slice_sink(gauge *u);                             /* writes what field_slices(&u->links) reads */
void gauge_drift(gauge *u, double dt, const momentum *p);          /* U <- exp(dt P) U */
void gauge_reunitarize(gauge *u);                                  /* kernels/reunitarize.c */
double gauge_reunitarize_change(gauge *u);       /* also returns the largest |change| of a real or imaginary part */
void gauge_forget_derived(gauge *u);             /* a new version for the same links: derived results become invalid */

gauge_rotation *gauge_rotation_create(lattice *l, place where, precision p, rng_key key);   /* random, Haar */
gauge_rotation *gauge_rotation_create_unit(lattice *l, place where, precision p);               /* g(x) = 1 */
void gauge_rotation_free(gauge_rotation *g);
void gauge_rotate(gauge *u, const gauge_rotation *g);              /* U_mu(x) <- g(x) U_mu(x) g(x+mu)^+ */
void momentum_rotate(momentum *p, const gauge_rotation *g);        /* P_mu(x) <- g(x) P_mu(x) g(x)^+ */

#endif
