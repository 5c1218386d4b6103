/* dwf_weights.h - the weights b_s, c_s of domain-wall actions by name.
 *
 * All actions approach the overlap operator with the sign function of H = gamma5 (b + c) Dw / (2 + (b - c) Dw), as
 *     S = (1 - prod T_s) / (1 + prod T_s),   T_s = (1 - H_s) / (1 + H_s).
 *
 *     shamir             b = 1, c = 0                                         hep-lat/9303005
 *     borici             b = c = 1: H = gamma5 Dw                             hep-lat/9909057
 *     mobius             b, c as given                                        arXiv:1206.5214
 *     scaled_shamir      b + c = scale, b - c = 1: Shamir's H, scaled         arXiv:1206.5214
 *     optimal            b_s = c_s = omega_s of E. I. Zolotarev: for Ls slices the smallest possible max |1 - S| for
 *                        lambda_min <= |gamma5 Dw| <= lambda_max              T.-W. Chiu, hep-lat/0209153
 *     optimal_symmetric  the same with omega_s = omega_{Ls-1-s} (even Ls): twice the deviation, with one sign,
 *                        and gamma5-hermitian, which the exact one-flavor action needs
 *                                                                             T.-W. Chiu, arXiv:1503.01750 */
#ifndef KILN_OPERATORS_DWF_WEIGHTS_H
#define KILN_OPERATORS_DWF_WEIGHTS_H

#include "src/base/error.h"
#include "src/operators/fifth_dimension.h"

enum { DWF_SHAMIR, DWF_BORICI, DWF_MOBIUS, DWF_SCALED_SHAMIR, DWF_OPTIMAL, DWF_OPTIMAL_SYMMETRIC, DWF_KINDS };
extern const char *const dwf_kind_names[];      /* "shamir", ..., NULL at the end */

typedef struct {
    int kind, Ls;                            /* Ls: 2 to SLICES_MAX */
    double M5;                               /* M5, between 0 and 2: one flavor */
    double b, c;                                 /* mobius */
    double scale;                                /* scaled_shamir */
    double lambda_min, lambda_max;               /* optimal, optimal_symmetric */
} dwf_weights_params;

/* False, with the reason, if the parameters are not valid. */
bool dwf_weights_make(dwf_weights *w, const dwf_weights_params *p, failure *why);

/* max |1 - S| of `optimal` on its interval, 0 < lambda_min < lambda_max: near 4 exp(-pi^2 Ls / (2 ln(4 lambda_max /
 * lambda_min))). */
double dwf_zolotarev_deviation(int Ls, double lambda_min, double lambda_max);

/* The mass in D5 for Chiu's m_q = 2 M5 m, and back. */
double dwf_mass_of_chiu(double chiu_mass, double M5);
double dwf_chiu_mass_of(double mass, double M5);

#endif
