/* clover_params.c - the list of matrices of Wilson quarks, their terms, and the range of their eigenvalues. */
#include "src/operators/clover_params.h"

#include <math.h>

/* ---- the lists */

static void require_below_limit(int at)
{
    require(at < DIRAC_MATRICES_MAX, "clover_params.c: more than %d masses: raise DIRAC_MATRICES_MAX",
            DIRAC_MATRICES_MAX);
}

/* The index of a term, which is added if it is not there yet. */
static int add_term(double *masses, double *mus, int *count, double mass, double mu)
{
    int at = 0;
    while (at < *count && (masses[at] != mass || mus[at] != mu))
        at++;
    require_below_limit(at);
    masses[at] = mass;
    mus[at] = mu;
    *count += at == *count;
    return at;
}

static bool same_mass(const quark_mass *a, const quark_mass *b)
{
    return a->mass == b->mass && a->twist.mu == b->twist.mu && a->twist.rho == b->twist.rho;
}

int clover_operator_add_matrix(clover_operator_params *p, quark_mass of)
{
    int at = 0;
    of.mass += hop_mass_shift(&p->boundary);
    while (at < p->matrices && !same_mass(&p->matrix[at].of, &of))
        at++;
    require_below_limit(at);
    if (at < p->matrices)
        return at;
    p->matrix[at].of = of;
    p->matrix[at].even = add_term(p->mass, p->mu, &p->masses, of.mass, of.twist.mu);
    p->matrix[at].odd = add_term(p->odd_mass, p->odd_mu, &p->odd_masses, of.mass, of.twist.mu + of.twist.rho);
    return p->matrices++;
}

bool clover_params_have_blocks(const clover_operator_params *p)
{
    return p->c_sw != 0 || p->beside_ends != 0;
}

int clover_operator_add_mass(clover_operator_params *p, double mass)
{
    return clover_operator_add_twisted(p, mass, 0);
}

int clover_operator_add_twisted(clover_operator_params *p, double mass, double mu)
{
    return clover_operator_add_matrix(p, (quark_mass){ mass, { mu, 0 } });
}

/* ---- one matrix of a plan */

static const clover_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

static const quark_mass *mass_of(const dirac_plan *plan, int index)
{
    return &params_of(plan)->matrix[index].of;
}

/* m of the input, without the part of the diagonal that an anisotropic lattice adds. */
static double mass_of_input(const dirac_plan *plan, int index)
{
    return mass_of(plan, index)->mass - hop_mass_shift(&params_of(plan)->boundary);
}

static bool is_symmetric(const dirac_plan *plan)
{
    return params_of(plan)->form == CLOVER_SYMMETRIC;
}

static void describe_twist(text *out, dirac_twist twist)
{
    if (twist.mu != 0)
        text_add(out, ", mu %g", twist.mu);
    if (twist.rho != 0)
        text_add(out, ", rho %g", twist.rho);
}

void clover_params_describe(text *out, const dirac_plan *plan, int index)
{
    text_add(out, "%g", mass_of_input(plan, index));
    describe_twist(out, mass_of(plan, index)->twist);
}

int clover_params_blocks(const dirac_plan *plan, int index)
{
    const clover_matrix_params *m = params_of(plan)->matrix;
    int first = 0;
    while (m[first].even != m[index].even || (is_symmetric(plan) && m[first].odd != m[index].odd))
        first++;
    return first;
}

void clover_params_describe_blocks(text *out, const dirac_plan *plan, int index)
{
    const bool all_sites = is_symmetric(plan);
    dirac_twist twist = mass_of(plan, index)->twist;
    twist.rho = all_sites ? twist.rho : 0;
    text_add(out, "log |det ");
    if (twist.mu == 0 && twist.rho == 0)
        text_add(out, all_sites ? "T_e T_o" : "T_e");
    else
        text_add(out, "(T_e + i mu gamma5)%s", !all_sites ? "" : twist.rho == 0 ? " (T_o + i mu gamma5)"
                                                                 : " (T_o + i (mu + rho) gamma5)");
    text_add(out, "|, mass %g", mass_of_input(plan, index));
    if (twist.mu != 0 || twist.rho != 0)
        text_add(out, ", mu %g", twist.mu);
    if (twist.rho != 0)
        text_add(out, ", rho %g", twist.rho);
}

/* ---- eigenvalues of C^+C
 *
 * |hop| <= h with h = 4, or 1 + 3 nu/xi_0 on anisotropic lattices; hence |Mhat| <= D + h^2/D without a clover term, D
 * the diagonal.  On unit links the smallest eigenvalue of Mhat is D - h^2/D, which is no guide where the mass is near
 * zero or below. */
#define NORMAL_LEAST 1e-4

static spectral_range range_of_mass(double mass, double hop)
{
    const double diagonal = 4 + mass, inverse = hop * hop / diagonal, least = fmax(diagonal - inverse, 0);
    return (spectral_range){ fmax(least * least, NORMAL_LEAST), (diagonal + inverse) * (diagonal + inverse) };
}

/* C^-1 is the block on odd sites of (Q + i B)^-1 gamma5, where Q is hermitian and B is mu on even sites and mu + rho on
 * odd ones; and Im x^+ (Q + i B) x = x^+ B x: C^+C >= (mu + rho)^2, if both have the same sign. */
spectral_range clover_params_range(const dirac_plan *plan, int index)
{
    const dirac_twist twist = mass_of(plan, index)->twist;
    const clover_operator_params *p = plan->params;
    spectral_range r = range_of_mass(mass_of(plan, index)->mass, 4 + hop_mass_shift(&p->boundary));
    const double twists = fabs(twist.mu) + fabs(twist.rho), largest = sqrt(r.largest) + twists;
    if (twist.mu * twist.rho >= 0)
        r.smallest = fmax(r.smallest, twists * twists);
    r.largest = largest * largest;
    return r;
}

/* Divided by the norm^2 of T_o + i (mu + rho) gamma5 without a clover term. */
spectral_range clover_params_range_of_symmetric(const dirac_plan *plan, int index)
{
    const quark_mass *m = mass_of(plan, index);
    const double nu = m->twist.mu + m->twist.rho, unit = (4 + m->mass) * (4 + m->mass) + nu * nu;
    const spectral_range r = clover_params_range(plan, index);
    return (spectral_range){ r.smallest / unit, r.largest / unit };
}
