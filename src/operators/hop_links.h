/* hop_links.h - the links of the Wilson hop, packed for its kernels: for Wilson, clover, twisted-mass and domain-wall
 * quarks of all masses. */
#ifndef KILN_OPERATORS_HOP_LINKS_H
#define KILN_OPERATORS_HOP_LINKS_H

#include "src/gauge/packed_links.h"
#include "src/kernels/hop_phases.h"
#include "src/lattice/vec.h"

typedef struct {
    packed_links *links;
    double boundary;                       /* in t: 1 or -1 */
    hop_phases phases;                     /* of Wilson quarks; domain-wall quarks have none */
} hop_links;

/* create: for domain-wall quarks, two rows of each link (12 numbers) in precision p, that of the arithmetic for vectors
 * of any format.  create_format: in a given format.  Both without phases in space. */
hop_links *hop_links_create(lattice *l, place where, precision p, double boundary);
hop_links *hop_links_create_format(lattice *l, place where, link_format f, precision p, double boundary);
void hop_links_free(hop_links *w);
size_t hop_links_bytes(const lattice_shape *shape, precision p);
/* Copies u if it has changed.  False if a matrix of u is not in SU(3). */
bool hop_links_update(hop_links *w, const gauge *u, failure *why);

/* The format of links for vectors of Wilson quarks in the format f: 12 numbers, in the precision of the arithmetic for
 * native vectors, and in fixed point of 16 bits for half and int20, of 32 bits for int30.  Hops of native vectors
 * without a clover term also read LINK_8 and LINK_NATIVE, by portable kernels. */
link_format hop_links_format(vector_format f);

/* The boundary conditions of a quark field, and the anisotropy of its hops:
 *     psi(x + L_t e_t) = t psi(x), t = 1 or -1,   psi(x + L_k e_k) = exp(i pi theta_k) psi(x) in x, y, z.
 * The operator multiplies links in t across the boundary by t, and all links in direction k by exp(i pi theta_k / L_k)
 * (kernels/hop_phases.h), L_k the extent of the whole lattice.
 *
 * On anisotropic lattices (`anisotropic`), hops in space also have the factor `space`, nu/xi_0, and the diagonal of M
 * is m + 1 + 3 space: that of an isotropic operator of mass m + hop_mass_shift. */
typedef struct { double t, theta[3]; bool anisotropic; double space; } quark_boundary;
double hop_mass_shift(const quark_boundary *b);
/* From the numbers of an input, phases in units of pi: in_t, 1 (antiperiodic) or 0; theta of x, y, z. */
quark_boundary quark_boundary_of(int64_t in_t, const double theta[3]);

/* Links for vectors of a storage; and their bytes. */
hop_links *hop_links_create_for(lattice *l, place where, vec_storage in, quark_boundary boundary);
size_t hop_links_bytes_for(const lattice_shape *shape, vec_storage in);

#endif
