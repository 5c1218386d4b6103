/* doublet_mesons.h - two-point functions of mesons with quarks of a non-degenerate doublet (operators/doublet.h) and of
 * pions of light quarks, from the quarks of a source (R. Baron et al. (ETM), arXiv:1005.2042, arXiv:1009.2074).
 *
 * The doublet chi = (chi_c, chi_s) is that of this reference, where the mass splitting is diagonal:
 *     D = M + i mu_sigma gamma5 tau1 + mu_delta tau3
 * It follows from the one with tau3 and tau1 by (tau1 + tau3)/sqrt 2, and from the one of vectors, S' with
 * i mu_sigma gamma5 tau2 + mu_delta tau1, by
 *     S_fg = phase_fg sum over i, j of R_fi S'_ij R_gj,   R_c = (1, 1)/sqrt 2,  R_s = (1, -1)/sqrt 2
 *     phase_cc = phase_ss = 1,  phase_sc = i,  phase_cs = -i
 * With the operators O_j = qbar Gamma_j chi_(f_j), Gamma = gamma5 or i, and Gammabar = gamma_t Gamma^+ gamma_t
 *     C_jk(t) = sum over x of <O_j(x, t) O_k(0)^+> = - Re sum of Tr Gamma_j S_(f_j f_k)(x, 0) Gammabar_k S_q(0, x)
 * q is a light quark, whose S_q(0, x) = gamma5 S'(x, 0)^+ gamma5 with the opposite twisted mass in S'; or a quark g of
 * the doublet, S_(g g')(0, x) = s_g s_g' gamma5 S_(g' g)(x, 0)^+ gamma5 with s_c = 1, s_s = -1 (connected diagrams).
 * With the factor i of the scalars, the imaginary parts have the mean 0 by parity times charge conjugation.
 *
 * Columns of a source have one chirality b, so that with the chirality a of the sink, gamma5 = sigma_a and sigma_b,
 *     C_jk(t) = - Re sum over a, b of g_j(a) h_k(b) N_ab(t),   N_ab = sum over x and columns of b of q'^+ P_a q
 *     gamma5: g = 1, h = -1;   i: g = i sigma_a, h = -i sigma_b
 * Smearing at the sink (quark_smearing.h) is the same for all flavors and chiralities, so that smeared quarks in place
 * of q and q' give the correlators of smeared sinks. */
#ifndef KILN_MEASURE_DOUBLET_MESONS_H
#define KILN_MEASURE_DOUBLET_MESONS_H

#include "src/base/json.h"
#include "src/gauge/gauge.h"
#include "src/measure/momentum_sums.h"
#include "src/operators/spinor_field.h"

enum { STRANGE, CHARM, HEAVY_FLAVORS };
/* Operators with a light antiquark: gamma5 s, gamma5 c, i s, i c.  With one of the doublet: sbar gamma5 s,
 * sbar gamma5 c, cbar gamma5 s, cbar gamma5 c, and the same with i. */
enum { HEAVY_LIGHT = 2 * HEAVY_FLAVORS, HEAVY_HEAVY = 2 * HEAVY_FLAVORS * HEAVY_FLAVORS };

typedef struct doublet_mesons doublet_mesons;

/* For `masses` light quarks; heavy: mesons of the doublet, too. */
doublet_mesons *doublet_mesons_create(const gauge *u, int masses, bool heavy);
void doublet_mesons_free(doublet_mesons *m);
size_t doublet_mesons_bytes(const lattice_shape *shape, int masses, bool heavy);

/* Forget all columns; add a column of a chirality, at local or smeared sinks: quarks[j] is the solution, of two slices,
 * with the source in slice j, and `light` that of mass number `mass` with the same source.  add_light adds the pion,
 * too. */
void doublet_mesons_begin(doublet_mesons *m);
void doublet_mesons_add_light(doublet_mesons *m, int mass, int chirality, const spinor_field quarks[HEAVY_FLAVORS],
                              spinor_field light);
void doublet_mesons_add_heavy(doublet_mesons *m, int chirality, const spinor_field quarks[HEAVY_FLAVORS]);

/* A meson with its key: its operator is sum over j of v_j O_j. */
typedef struct { const char *key; double v[HEAVY_HEAVY]; } doublet_meson;

/* Of all added columns, t counted from the origin. */
typedef struct {
    const int *origin;
    double norm;
    const param_list *momenta;              /* of spatial_momentum, besides 0 */
    const doublet_meson *meson;
    int count;
} doublet_mesons_request;

/* With a light quark, or (mass < 0) of the doublet: C_jk(t) / norm as member `key` [j][k][t] of the open object, and
 * sum over j, k of v_j v_k C_jk(t) for `count` mesons; the same with each momentum (momentum_sums.h) as `key`_momenta
 * [momentum][j][k][t] and [momentum][t] of mesons, if there are momenta. */
void doublet_mesons_to_json(json *j, const char *key, const doublet_mesons *m, int mass,
                            const doublet_mesons_request *of);

/* pion[t] <- sum |q|^2 / norm of the light quarks of a mass; `pion_momenta` as a member of the open object. */
void doublet_mesons_pion(double *pion, const doublet_mesons *m, int mass, const doublet_mesons_request *of);
void doublet_mesons_pion_momenta(json *j, const doublet_mesons *m, int mass, const doublet_mesons_request *of);

/* The physical mesons at maximal twist and Z_P = Z_S: with psi_s = (chi_s + i gamma5 chi_c)/sqrt 2, and s and c
 * exchanged, and for a light antiquark of twisted mass -mu psi = (1 -+ i gamma5) chi / sqrt 2 for mu >< 0.  K, D:
 * v of psibar gamma5 psi_s and psibar gamma5 psi_c; D_s: of psibar_c gamma5 psi_s. */
doublet_meson doublet_kaon(double mu);
doublet_meson doublet_d_meson(double mu);
doublet_meson doublet_d_s_meson(void);

#endif
