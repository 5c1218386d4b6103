/* overlap.h - the overlap operator of a configuration (H. Neuberger, hep-lat/9707022, hep-lat/9801031):
 *
 *     D(m) = (1 - m / (2 M0)) D(0) + m,   D(0) = M0 (1 + gamma5 sign(H)),   H = gamma5 D_w(-M0)   (wilson_kernel.h)
 *
 * in units of 1/a, with 0 < M0 < 2 for one flavor and 0 <= m < 2 M0.  D(0) obeys the relation of Ginsparg and Wilson,
 *     gamma5 D(0) + D(0) gamma5 = D(0) gamma5 D(0) / M0,   and   gamma5 D(m) gamma5 = D(m)^+.
 * The eigenvalues of D(0) lie on the circle of radius M0 around M0.  D(m)^+ D(m) commutes with gamma5:
 *     D(m)^+ D(m) = a + b (gamma5 sign(H) + sign(H) gamma5),   a = 2 M0^2 + m^2/2,   b = M0^2 - m^2/4,
 * so that on vectors of one chirality s = +-1 one sign suffices: D(m)^+ D(m) = a + 2 b s P sign(H) P.
 *
 * sign(H) is exact on the lowest modes of H (kernel_modes.h), and an approximation on the others (sign_function.h):
 * partial fractions by conjugate gradients for all poles at once, or polynomials by Clenshaw's recursion.
 *
 * Vectors are pairs and halves (operators/spinor_pair.h) in double precision, where the links are; a sign of low
 * accuracy may be computed in single precision, apart from the modes.  All functions are collective; results do not
 * depend on the process grid. */
#ifndef KILN_OVERLAP_OVERLAP_H
#define KILN_OVERLAP_OVERLAP_H

#include "src/base/json.h"
#include "src/overlap/kernel_modes.h"
#include "src/overlap/sign_function.h"

typedef struct {
    double M0;
    quark_boundary boundary;
    sign_method sign;
    int modes;                             /* of the kernel, 1 to KERNEL_MODES_MAX */
    int poles;                             /* zolotarev: largest number, 1 to RATIONAL_POLES */
    double accuracy;                       /* of the sign: |error| / |v| of sign(H) v */
    bool mixed;                            /* signs of low accuracy in single precision */
    int max_iterations;                    /* of a solve with H^2 */
} overlap_params;

/* For links like u, in double precision; allocates all vectors.  overlap_bytes: their memory, where the links are. */
typedef struct overlap overlap;
overlap *overlap_create(const overlap_params *p, const gauge *u);
void overlap_free(overlap *o);
memory_need overlap_bytes(const overlap_params *p, const lattice_shape *shape);

/* Copies the links, computes the modes of the kernel (key, first_draw: as in kernel_modes.h), and makes the
 * approximation for the rest of the spectrum.  False with the reason: a link is not in SU(3), the modes do not
 * converge, or the sign function needs more poles or a higher degree than allowed.  Call it before the functions
 * below. */
bool overlap_update(overlap *o, const gauge *u, rng_key key, uint32_t first_draw, failure *f);

/* From now on the approximation is a polynomial, with the links and the modes of overlap_update.  False with the reason
 * if it needs too high a degree. */
bool overlap_use_polynomial(overlap *o, failure *f);

/* out <- sign(H) in, with an error of at most max(accuracy, params.accuracy) |in|; single precision adds rounding
 * errors of at most overlap_single_least |in|.  out and in must differ. */
void overlap_sign(vec *out, overlap *o, double accuracy, const vec *in);

/* Signs with at least this accuracy are computed in single precision: FLT_EPSILON upper / lower of the approximation, a
 * bound of the rounding errors (measured errors: 0.1 to 0.6 of it); infinite if not `mixed`. */
double overlap_single_least(const overlap *o);

/* out <- D(m) in, or D(m)^+ in, with the accuracy of the parameters; out and in must differ. */
void overlap_apply(vec *out, overlap *o, double mass, bool dagger, const vec *in);

/* out <- D(m)^+ D(m) in, for halves of one chirality (0: +, 1: -); accuracy: of the sign, as above. */
void overlap_normal(vec *out, overlap *o, double mass, int chirality, double accuracy, const vec *in);

/* Counts since overlap_update.  applications: of the sign, `single` of them in single precision; iterations: of solves
 * with H^2, or the sum of the degrees of polynomials in H^2; failed: solves that did not converge within
 * max_iterations, so that results are wrong. */
typedef struct { int64_t applications, single, iterations, failed; } overlap_work;
overlap_work overlap_work_done(const overlap *o);
bool overlap_check_work(const overlap *o, failure *f);           /* false with the reason if solves failed */

const overlap_params *overlap_params_of(const overlap *o);       /* borrowed; also the next two */
const kernel_modes *overlap_kernel_modes(const overlap *o);
const sign_function *overlap_sign_function(const overlap *o);

/* Appends the object "kernel": modes, interval, poles or degree, error bound. */
void overlap_kernel_to_json(json *j, const overlap *o);

#endif
