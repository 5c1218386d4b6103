/* fifth_dimension.h - matrices in the fifth dimension of domain-wall quarks, in closed form and O(Ls).
 *
 *     D5(m) = Dw (b + c L) + 1 - L,   Dw = hop + T,  T = 4 - M5,   b = diag(b_s), c = diag(c_s)
 *     L = P+ L+ + P- L-;  (L+ v)_s = v_{s-1}, (L+ v)_0 = -m v_{Ls-1};  (L- v)_s = v_{s+1}, (L- v)_{Ls-1} = -m v_0
 *     Y = b + c L,   X = T Y + 1 - L:   D5 = hop Y + X, hop connecting the parities, X and Y within a site
 *
 * T.-W. Chiu et al., arXiv:1101.0423; R. C. Brower, H. Neff, K. Orginos, arXiv:1206.5214.  m is the mass of RBC and
 * Grid; Chiu's m_q = 2 M5 m. */
#ifndef KILN_OPERATORS_FIFTH_DIMENSION_H
#define KILN_OPERATORS_FIFTH_DIMENSION_H

#include "src/kernels/dwf_args.h"

#include <stdbool.h>

/* The weights of an action, and one of its masses. */
typedef struct {
    int Ls;
    double M5;
    double b[SLICES_MAX], c[SLICES_MAX];
} dwf_weights;

/* The corner in X + corner is 0, or for the exact one-flavor action f w e^T in one chirality: for chirality 0,
 * f (-ratio)^s in the last column; for chirality 1, f (-ratio)^(Ls-1-s) in the first column. */
typedef struct { int chirality; double strength, ratio; } fifth_corner;      /* strength 0: none */

/* v -> factor Y v;  factor X v;  factor (X + corner)^-1 v;  factor Y (X + corner)^-1 v;
 * the last one, scaled: factor b^-1/2 Y (X + corner)^-1 b^1/2 v (all b_s > 0)
 *
 * For any b_s, c_s and m for which the inverse exists.  Rounding errors grow by the factor
 * prod |1 - T c_s| / (1 + T b_s), if it exceeds 1.  Of the actions in dwf_weights.h only mobius with c > b has such a
 * factor. */
fifth_table fifth_y(const dwf_weights *w, double mass, double factor);
fifth_table fifth_x(const dwf_weights *w, double mass, double factor);
fifth_table fifth_x_inverse(const dwf_weights *w, double mass, fifth_corner corner, double factor);
fifth_table fifth_k(const dwf_weights *w, double mass, fifth_corner corner, double factor);
fifth_table fifth_k_scaled(const dwf_weights *w, double mass, fifth_corner corner, double factor);

fifth_table fifth_one(int Ls, double factor);             /* factor times 1 */
fifth_table fifth_transposed(const fifth_table *k, int Ls);
/* diag(left) K diag(right), each of Ls numbers */
fifth_table fifth_scaled(const fifth_table *k, const double *left, const double *right, int Ls);

#endif
