/* fits.c - published functions of beta: lattice spacing, masses, clover coefficient. */
#include "src/literature/literature.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979323846

static void make_quenched(coupling *c, double beta)
{
    const double r0 = 0.5, x = beta - 6;
    *c = (coupling){ .beta = beta, .gauge = "wilson", .source = "Necco and Sommer (hep-lat/0108008), r0 = 0.5 fm",
                     .spacing = r0 * exp(-1.6804 - 1.7331 * x + 0.7849 * x * x - 0.4428 * x * x * x) };
}

const coupling_fit quenched_fit = { 5.7, 6.92, make_quenched };

/* Their beta is 10/g^2, that of symanzik_tree in the input 6/g^2.
 * The line of constant physics has light quarks of a twentieth of the strange mass and pions of 160 MeV.  Simulations
 * there also had a 27th (physical pions, m_pi^2 in proportion to the mass) and a fifth (320 MeV; A. Bazavov,
 * P. Petreczky, J. H. Weber, arXiv:1710.05024). */
static void make_hotqcd(coupling *c, double beta)
{
    const double b0 = 9 / (16 * PI * PI), b1 = 1 / (4 * PI * PI * PI * PI), r1 = 0.3106, g = 10 / beta;
    const double f = pow(b0 * g, -b1 / (2 * b0 * b0)) * exp(-beta / (20 * b0)), f2 = f * f;
    const double a_over_r1 = f * (43.1 + 343236 * g * f2) / (1 + 5514 * g * f2);
    const double r1_strange = 0.2609 * pow(20 * b0 / beta, 4.0 / 9)
                              * (1 + 35600 * g * f2 - 21760 * g * g * f2 + 2.67e7 * g * f2 * f2) / (1 + 2420 * g * f2);
    const double strange = r1_strange * a_over_r1;
    *c = (coupling){ .beta = beta, .spacing = r1 * a_over_r1, .gauge = "symanzik_tree", .input_factor = 0.6,
                     .source = "HotQCD (arXiv:1407.6387, r1 = 0.3106 fm; strange mass on the line of constant physics; "
                               "pions of 160 MeV at m_l = m_s/20, 320 MeV at m_s/5: arXiv:1710.05024)",
                     .points = { { 160 * sqrt(20.0 / 27), strange / 27, strange, 0 },
                                 { 160, strange / 20, strange, 0 },
                                 { 320, strange / 5, strange, 0 } } };
}

const coupling_fit hotqcd_fit = { 6.0, 7.825, make_hotqcd };

static double between(double x, double y, double w)
{
    return (1 - w) * x + w * y;
}

/* x^(1 - w) y^w */
static double between_logarithms(double x, double y, double w)
{
    return exp(between(log(x), log(y), w));
}

/* The point whose light mass is about the same fraction of the strange one; NULL: none. */
static const mass_point *same_fraction(const coupling *c, const mass_point *p)
{
    for (int k = 0; k < coupling_points(c); k++)
        if (fabs(log(c->points[k].light / c->points[k].strange * p->strange / p->light)) < 0.2)
            return &c->points[k];
    return NULL;
}

static void make_milc(coupling *c, double beta)
{
    int i = 0, n = 0;
    while (i < MILC_COUPLINGS - 2 && milc_couplings[i + 1].beta < beta)
        i++;
    const coupling *x = &milc_couplings[i], *y = x + 1;
    const double w = (beta - x->beta) / (y->beta - x->beta);
    *c = *x;
    c->beta = beta;
    c->spacing = between_logarithms(x->spacing, y->spacing, w);
    c->u0 = between(x->u0, y->u0, w);
    if (!c->unconfirmed)
        c->unconfirmed = y->unconfirmed;
    memset(c->points, 0, sizeof c->points);
    for (int k = 0; k < coupling_points(x); k++) {
        const mass_point *p = &x->points[k], *q = same_fraction(y, p);
        if (q)
            c->points[n++] = (mass_point){ between(p->pion, q->pion, w), between_logarithms(p->light, q->light, w),
                                           between_logarithms(p->strange, q->strange, w),
                                           between_logarithms(p->charm, q->charm, w) };
    }
}

const coupling_fit milc_fit = { 5.8, 7.0, make_milc };

void fit_spacing(const coupling_fit *fit, double *least, double *most)
{
    coupling coarse, fine;
    fit->make(&coarse, fit->least);
    fit->make(&fine, fit->most);
    *least = fine.spacing;
    *most = coarse.spacing;
}

/* Bisection: the spacing falls with beta. */
void fit_at_spacing(coupling *c, const coupling_fit *fit, double a)
{
    double low = fit->least, high = fit->most;
    while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high);
        fit->make(c, middle);
        *(c->spacing > a ? &low : &high) = middle;
    }
    /* Four digits after the point suffice for a spacing to 2e-4, and can be quoted. */
    const double beta = round(1e4 * 0.5 * (low + high)) / 1e4;
    fit->make(c, fmin(fmax(beta, fit->least), fit->most));
}

double c_sw_two_flavors(double beta)
{
    const double g2 = 6 / beta;
    return (1 - 0.454 * g2 - 0.175 * g2 * g2 + 0.012 * pow(g2, 3) + 0.045 * pow(g2, 4)) / (1 - 0.720 * g2);
}

double c_sw_three_flavors(double beta)
{
    const double g2 = 6 / beta;
    return (1 - 0.1921 * g2 - 0.1378 * g2 * g2 + 0.0717 * pow(g2, 3)) / (1 - 0.3881 * g2);
}
