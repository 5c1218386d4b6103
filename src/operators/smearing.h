/* smearing.h - one level of smearing, and its chain rule in reverse.
 *
 *     out_mu = one in_mu + three sum_s S_s[in_mu] + five sum S_s S_r[in_mu] + seven sum S_s S_r S_q[in_mu]
 *              + lepage sum_s (S+_s S+_s + S-_s S-_s)[in_mu]
 *     S+_s[M](x) = U_s(x) M(x+s) U_s(x+mu)^+,   S-_s[M](x) = U_s(x-s)^+ M(x-s) U_s(x-s+mu),   S = S+ + S-,   U = in;
 * s, r, q are all different, and different from mu.
 *
 * The chain rule is written for h, defined by dS = 2 Re Tr sum_mu dL_mu h_mu^+ for links L; h transforms like its link.
 * The derivative is with respect to complex 3x3 matrices: `in` need not be unitary.  Links and h have the same lattice,
 * place and precision. */
#ifndef KILN_OPERATORS_SMEARING_H
#define KILN_OPERATORS_SMEARING_H

#include "src/gauge/gauge.h"
#include "src/kernels/staggered_args.h"

/* Working memory for a level in precision p: the fields of one direction; with_reverse: for smearing_reverse too. */
typedef struct smearing smearing;
smearing *smearing_create(const gauge *like, precision p, bool with_reverse);
smearing *smearing_create_in_workspace(const gauge *like, precision p, bool with_reverse);     /* in the workspace */
void smearing_free(smearing *w);
size_t smearing_bytes(const lattice_shape *shape, precision p, bool with_reverse);

/* The Naik coefficient in `c` is not used.  out and in must be different fields. */
void smearing_apply(smearing *w, gauge *out, const gauge *in, const path_table *c);

/* thin_h <- thin_h + h of the links `in`, from smeared_h, h of the smeared links; w must be created with_reverse. */
void smearing_reverse(smearing *w, gauge *thin_h, const gauge *smeared_h, const gauge *in, const path_table *c);

/* thin_h <- thin_h + the h of the thin links from h3, the h of N_mu(x) = in_mu(x) in_mu(x+mu) in_mu(x+2mu) without
 * coefficient and phases. */
void smearing_naik_reverse(gauge *thin_h, const gauge *h3, const gauge *in);

/* to <- from with the staggered phases eta_mu(x), and exp(i pi boundary) for each crossing of the upper end in t, for
 * links over `hop` sites: 1 for X, 3 for N.  `from` may be `to`.  smearing_remove_phases: h of X or N to h of the links
 * before their phases. */
void smearing_put_phases(gauge *to, const gauge *from, double boundary, int hop);
void smearing_remove_phases(gauge *h, double boundary, int hop);

/* n <- the products N of three links, with staggered phases and boundary, without the Naik coefficient. */
void smearing_three_hops(gauge *n, const gauge *in, double boundary);

#endif
