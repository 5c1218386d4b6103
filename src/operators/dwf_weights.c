/* dwf_weights.c - weights of domain-wall actions; Zolotarev's by elliptic functions.
 *
 * With k = lambda_min / lambda_max, complementary modulus k', K' = K(k') and d the deviation (T.-W. Chiu,
 * hep-lat/0209153, simplified by the transformation of order Ls, after which the nome of k' is its power Ls):
 *     omega_s = dn(v_s; k') / lambda_min,   v_s = K'/Ls (2 floor(s/2) - (-1)^s F(phi; l') / K(l')),   s = 1 .. Ls
 *     l = (1 - d) / (1 + d),   sin^2 phi = (1 + 3 l) / (1 + l)^3 = (2 - d) (1 + d)^2 / 4
 * Elliptic integrals are taken in Carlson's form, as functions of the complementary modulus: k' and l' lie so near to
 * 1 and 0 that 1 - k'^2 would have lost the digits that matter. */
#include "src/operators/dwf_weights.h"

#include "src/comm/comm.h"

#include <gsl/gsl_sf_ellint.h>
#include <math.h>
#include <stddef.h>

const char *const dwf_kind_names[] = { "shamir", "borici", "mobius", "scaled_shamir", "optimal", "optimal_symmetric",
                                        NULL };

/* No gamma5 Dw has a spectrum this wide, and elliptic functions stay far from the ends of double precision. */
#define NARROWEST 1e-12                                  /* lambda_min / lambda_max */

#define NEGLIGIBLE 1e-18                                 /* beside 1, of a term of a series */

/* The complete elliptic integral of the first kind, K, of the modulus whose complement is given. */
static double complete(double complement)
{
    return gsl_sf_ellint_RF(0, complement * complement, 1, GSL_PREC_DOUBLE);
}

static double complement_of(double modulus)
{
    return sqrt((1 - modulus) * (1 + modulus));
}

/* dn(u; k') as a sum over its poles, all terms positive: pi/(2K) sum_i 1 / cosh(pi (u - 2 i K') / (2K)). */
static double dn_of_complement(double u, double k)
{
    double half_period = complete(complement_of(k)), rate = M_PI_2 / half_period, step = 2 * complete(k);
    double sum = 1 / cosh(rate * u), term = 1;
    for (int i = 1; term > NEGLIGIBLE * sum; i++) {
        term = 1 / cosh(rate * (u - i * step)) + 1 / cosh(rate * (u + i * step));
        sum += term;
    }
    return rate * sum;
}

/* (theta_2 / theta_3)^2 of the nome q^(2 Ls), q that of k': exact to the last digits however small it is. */
double dwf_zolotarev_deviation(int Ls, double lambda_min, double lambda_max)
{
    double k = lambda_min / lambda_max;
    double log_root = -M_PI * Ls * complete(complement_of(k)) / complete(k), nome = exp(2 * log_root);
    double second = 1, third = 1, term = 1;
    for (int n = 1; term > NEGLIGIBLE; n++) {
        term = pow(nome, (double)n * n);
        third += 2 * term;
        second += term * pow(nome, n);
    }
    return 4 * exp(log_root) * second * second / (third * third);
}

/* F(phi; l') / K(l') with cos^2 phi = (1 - d)^2 (2 + d) / 4 and 1 - l'^2 sin^2 phi = (1 - d)^2. */
static double fraction_of_period(double d)
{
    double sine = (1 + d) / 2 * sqrt(2 - d), delta = (1 - d) * (1 - d);
    return sine * gsl_sf_ellint_RF(delta * (2 + d) / 4, delta, 1, GSL_PREC_DOUBLE) / complete((1 - d) / (1 + d));
}

static void set_optimal(dwf_weights *w, double lambda_min, double lambda_max)
{
    double k = lambda_min / lambda_max, unit = complete(k) / w->Ls;
    double fraction = fraction_of_period(dwf_zolotarev_deviation(w->Ls, lambda_min, lambda_max));
    for (int s = 0; s < w->Ls; s++) {
        double v = unit * (s % 2 == 0 ? s + fraction : s + 1 - fraction);
        w->b[s] = w->c[s] = dn_of_complement(v, k) / lambda_min;
    }
}

static void set_optimal_symmetric(dwf_weights *w, double lambda_min, double lambda_max)
{
    double k = lambda_min / lambda_max, unit = complete(k) / w->Ls;
    for (int s = 0; s < w->Ls / 2; s++) {
        int mirrored = w->Ls - 1 - s;
        w->b[s] = w->c[s] = dn_of_complement(unit * (2 * s + 1), k) / lambda_min;
        w->b[mirrored] = w->c[mirrored] = w->b[s];
    }
}

static void set_constant(dwf_weights *w, double b, double c)
{
    for (int s = 0; s < w->Ls; s++) {
        w->b[s] = b;
        w->c[s] = c;
    }
}

static bool check_interval(const dwf_weights_params *p, failure *why)
{
    const char *name = dwf_kind_names[p->kind];
    if (!(p->lambda_min > 0 && isfinite(p->lambda_max)))
        return fail(why, "the weights of kind %s need 0 < lambda_min and a finite lambda_max, not [%g, %g]", name,
                    p->lambda_min, p->lambda_max);
    if (!(p->lambda_min < p->lambda_max))
        return fail(why, "the weights of kind %s need lambda_min < lambda_max, not [%g, %g]", name, p->lambda_min,
                    p->lambda_max);
    if (p->lambda_min < NARROWEST * p->lambda_max)
        return fail(why, "the weights of kind %s need lambda_min >= %g lambda_max, not [%g, %g]", name, NARROWEST,
                    p->lambda_min, p->lambda_max);
    if (p->kind == DWF_OPTIMAL_SYMMETRIC && p->Ls % 2 != 0)
        return fail(why, "the weights of kind %s need an even number of slices, not %d", name, p->Ls);
    return true;
}

/* X must not be singular, nor H vanish or change its sign. */
static bool check_constant(const dwf_weights_params *p, double b, double c, failure *why)
{
    double diagonal = 1 + (4 - p->M5) * b;
    if (!isfinite(b) || !isfinite(c) || !(b + c > 0))
        return fail(why, "the weights of kind %s need b + c > 0, not b = %g, c = %g", dwf_kind_names[p->kind], b, c);
    if (!(diagonal > 0))
        return fail(why, "the weights of kind %s need 1 + (4 - M5) b > 0, not %g: b = %g, M5 = %g",
                    dwf_kind_names[p->kind], diagonal, b, p->M5);
    return true;
}

bool dwf_weights_make(dwf_weights *w, const dwf_weights_params *p, failure *why)
{
    if (p->Ls < 2 || p->Ls > SLICES_MAX)
        return fail(why, "Ls must be between 2 and %d, not %d", SLICES_MAX, p->Ls);
    if (!(p->M5 > 0 && p->M5 < 2))
        return fail(why, "the domain-wall height M5 must lie between 0 and 2 for one flavor, not %g", p->M5);
    double b = 1, c = 0;
    *w = (dwf_weights){ .Ls = p->Ls, .M5 = p->M5 };
    switch (p->kind) {
    case DWF_SHAMIR:
        break;
    case DWF_BORICI:
        c = 1;
        break;
    case DWF_MOBIUS:
        b = p->b;
        c = p->c;
        break;
    case DWF_SCALED_SHAMIR:
        b = (p->scale + 1) / 2;
        c = (p->scale - 1) / 2;
        break;
    case DWF_OPTIMAL:
    case DWF_OPTIMAL_SYMMETRIC:
        if (!check_interval(p, why))
            return false;
        (p->kind == DWF_OPTIMAL ? set_optimal : set_optimal_symmetric)(w, p->lambda_min, p->lambda_max);
        comm_broadcast(comm_world(), w, sizeof *w);      /* other processors may round elliptic functions otherwise */
        return true;
    default:
        return fail(why, "there are no weights of kind %d", p->kind);
    }
    if (!check_constant(p, b, c, why))
        return false;
    set_constant(w, b, c);
    return true;
}

double dwf_mass_of_chiu(double chiu_mass, double M5)
{
    return chiu_mass / (2 * M5);
}

double dwf_chiu_mass_of(double mass, double M5)
{
    return mass * (2 * M5);
}
