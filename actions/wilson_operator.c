/* wilson_operator.c - the operator of Wilson quarks and their masses in the input. */
#include "actions/wilson_operator.h"

const char *const clover_links_names[] = { "smeared", "thin", NULL };

bool wilson_has_clover(const wilson_operator_input *in)
{
    return in->c_sw != 0 || (in->given.c_s && in->c_s != 0) || (in->given.c_t && in->c_t != 0);
}

/* Whether the links of the clover term differ from those of the hops. */
static bool has_thin_term(const wilson_operator_input *in)
{
    return in->clover_links == CLOVER_THIN_LINKS && wilson_has_clover(in) && in->stout.levels > 0;
}

double wilson_operator_xi(const wilson_operator_input *in)
{
    return in->given.xi_0 ? in->xi_0 : 1;
}

double wilson_operator_nu(const wilson_operator_input *in)
{
    return in->given.nu ? in->nu : 1;
}

static double weight_in_space(const wilson_operator_input *in)
{
    return wilson_operator_nu(in) / wilson_operator_xi(in);
}

bool wilson_diagonal_check(const wilson_operator_input *in, double mass, failure *f)
{
    const double diagonal = mass + 1 + 3 * weight_in_space(in);
    return diagonal > 0 || fail(f, "the diagonal of M, m + 1 + 3 nu/xi_0, is %g for the mass %g, but it must be above "
                                   "0", diagonal, mass);
}

/* Whether exactly one set of coefficients is given: c_sw, or c_s and c_t. */
static bool clover_check(const wilson_operator_input *in, failure *f)
{
    const bool any = in->given.c_s || in->given.c_t;
    if (in->given.xi_0 && in->c_sw != 0)
        return fail(f, any ? "c_sw: c_s and c_t are the coefficients of the clover term; remove c_sw"
                           : "c_sw: on anisotropic lattices the clover term has the coefficients c_s and c_t; give "
                             "both in place of c_sw, or remove xi_0");
    if (any && !in->given.xi_0)
        return fail(f, "c_s, c_t: coefficients of anisotropic lattices are given, but xi_0 is not; give c_sw in place "
                       "of them, or xi_0 too");
    if (in->given.c_s != in->given.c_t)
        return fail(f, "%s is given, but %s is not; give both coefficients of the clover term (0: none)",
                    in->given.c_s ? "c_s" : "c_t", in->given.c_s ? "c_t" : "c_s");
    return !any || in->xi_0 != 1 || in->c_s == in->c_t
           || fail(f, "c_s, c_t: with xi_0: 1 the lattice is isotropic, and both are c_sw; give the same value");
}

bool wilson_operator_check(const wilson_operator_input *in, failure *f)
{
    if (in->given.nu && !in->given.xi_0)
        return fail(f, "nu: the coefficient of anisotropic lattices is given, but xi_0 is not");
    if (in->given.nu && in->xi_0 == 1 && in->nu != 1)
        return fail(f, "nu: with xi_0: 1 the lattice is isotropic, and nu is 1; remove nu");
    if (!clover_check(in, f))
        return false;
    if (in->clover_links != CLOVER_THIN_LINKS || has_thin_term(in))
        return true;
    return fail(f, "clover_links: thin needs %s", !wilson_has_clover(in) ? "a clover term: give c_sw"
                                                                         : "stout links in the hops: give stout");
}

/* c_s/xi_0 A_s + c_t A_t.  Equal coefficients are stored as c_sw, so that they give the same bits as c_sw. */
static void set_coefficients(clover_operator_params *op, const wilson_operator_input *in)
{
    const clover_planes planes = { in->c_s / wilson_operator_xi(in), in->c_t };
    if (!in->given.c_s || !in->given.c_t)
        return;
    op->uneven = planes.space != planes.time;
    op->c_sw = op->uneven ? 1 : planes.time;
    op->planes = planes;
}

clover_operator_params wilson_operator_of(const wilson_operator_input *in)
{
    quark_boundary boundary = quark_boundary_of(in->boundary, in->theta);
    boundary.anisotropic = in->given.xi_0;
    boundary.space = weight_in_space(in);
    clover_operator_params op = { .boundary = boundary, .c_sw = in->c_sw,
                                  .beside_ends = in->given.c_F ? in->c_F - 1 : 0,
                                  .kind = (clover_kind)in->clover, .form = (clover_form)in->even_odd };
    set_coefficients(&op, in);
    return op;
}

dirac_plan wilson_operator_plan(const clover_operator_params *op, const wilson_operator_input *in)
{
    dirac_plan plan = clover_operator_plan(op);
    plan.stout = in->stout;
    plan.thin_blocks = has_thin_term(in);
    return plan;
}

bool wilson_boundary_check(const wilson_operator_input *in, const lattice_shape *shape, failure *f)
{
    if (!shape->open_in_time)
        return !in->given.c_F || fail(f, "c_F: the boundary coefficient is given, but the lattice is periodic in t "
                                         "(boundary.time); remove c_F, or set boundary.time to open");
    if (shape->global[3] < 4)
        return fail(f, "quarks need 4 time slices or more with open boundaries, because they are 0 in the first and "
                       "the last one");
    return !in->given.c_F || in->c_F == 1 || in->clover == CLOVER_LINEAR
           || fail(f, "c_F: clover: exponential allows only c_F = 1; remove c_F, or use clover: linear");
}

static bool same_clover(const wilson_operator_input *a, const wilson_operator_input *b)
{
    const clover_operator_params p = wilson_operator_of(a), q = wilson_operator_of(b);
    const clover_planes one = { 1, 1 }, x = p.uneven ? p.planes : one, y = q.uneven ? q.planes : one;
    return p.c_sw == q.c_sw && x.space == y.space && x.time == y.time && (p.c_sw == 0 || p.kind == q.kind);
}

bool wilson_operator_same(const wilson_operator_input *a, const wilson_operator_input *b)
{
    bool same = a->boundary == b->boundary && same_clover(a, b)
                && (a->given.c_F ? a->c_F : 1) == (b->given.c_F ? b->c_F : 1)
                && weight_in_space(a) == weight_in_space(b)
                && stout_params_same(&a->stout, &b->stout) && has_thin_term(a) == has_thin_term(b);
    for (int k = 0; k < 3; k++)
        same = same && a->theta[k] == b->theta[k];
    return same;
}

double wilson_kappa(double mass)
{
    return 1 / (2 * (4 + mass));
}

double wilson_mass_of_kappa(double kappa)
{
    return 1 / (2 * kappa) - 4;
}

double wilson_bare_mass(const wilson_mass_input *m)
{
    return m->given.kappa ? wilson_mass_of_kappa(m->kappa) : m->mass;
}

bool wilson_mass_is_given_once(const wilson_mass_input *m)
{
    return m->given.mass != m->given.kappa;
}

/* The critical kappa is 1/4 at infinitely strong coupling and 1/8 for free quarks; at other couplings it lies between
 * (K. G. Wilson, Phys. Rev. D 10 (1974) 2445). */
#define KAPPA_MAX 0.25

void wilson_advise_mass(text *lines, const char *monomial, const char *key, double mass)
{
    if (wilson_kappa(mass) > KAPPA_MAX)
        text_add(lines, "%s: %s: kappa = %.4g, which is mass = 1 / (2 kappa) - 4 = %.4g, is above %g, the critical "
                 "kappa at strong coupling; check it\n", monomial, key, wilson_kappa(mass), mass, KAPPA_MAX);
}
