/* bare_masses.c - bare masses from a pion mass, with m_pi^2 linear in the bare mass between ensembles.
 *
 *     m_pi^2 = B (m + m_res)      staggered, domain wall, twisted mass (m is mu, m_res = 0): also beyond the ensembles
 *     m_pi^2 = B (m - m_c)        Wilson, m = 1/(2 kappa) - 4 (or, on anisotropic lattices, the mass itself): beyond
 *                                 them, the line through the nearest two
 *
 * If each ensemble has its own spacing, the spacing of interpolated masses is linear in the bare mass, too. */
#include "src/literature/bare_masses.h"

#include <math.h>
#include <stddef.h>

#define SAME_MASS 1e-6             /* relative difference of a requested mass from an ensemble's */

/* Whether masses are relative to a critical one. */
static bool has_critical_mass(const family *of)
{
    return of->quarks == QUARKS_WILSON && !of->twisted;
}

/* The bare mass for a parameter of the input, and back. */
static double to_mass(const family *of, double parameter)
{
    return bare_parameters_are_kappas(of) ? 1 / (2 * parameter) - 4 : parameter;
}

static double from_mass(const family *of, double mass)
{
    return bare_parameters_are_kappas(of) ? 1 / (2 * (mass + 4)) : mass;
}

/* Six digits after the point for kappa and masses that may be negative, four significant ones for other masses. */
static double rounded(const family *of, double parameter)
{
    if (!has_critical_mass(of) && !(parameter > 0))
        return parameter;
    const double unit = has_critical_mass(of) ? 1e-6 : pow(10, floor(log10(parameter)) - 3);
    return round(parameter / unit) * unit;
}

/* The parameter between x and y where the bare mass is (1 - w) m(x) + w m(y). */
static double on_segment(const family *of, double x, double y, double w)
{
    return rounded(of, from_mass(of, (1 - w) * to_mass(of, x) + w * to_mass(of, y)));
}

static void set_between(bare_parameters *b, int i, double w)
{
    const mass_point *p = &b->at.points[i], *q = p + 1;
    b->light = on_segment(b->family, p->light, q->light, w);
    b->strange = p->strange != 0 ? on_segment(b->family, p->strange, q->strange, w) : NAN;
    b->charm = p->charm != 0 ? on_segment(b->family, p->charm, q->charm, w) : NAN;
    b->at.spacing = (1 - w) * coupling_spacing(&b->at, i) + w * coupling_spacing(&b->at, i + 1);
}

/* The masses of point i: kappa as published, others rounded to four digits, because fits give more. */
static void set_at(bare_parameters *b, int i)
{
    const mass_point *p = &b->at.points[i];
    const bool exact = has_critical_mass(b->family);
    b->light = exact ? p->light : rounded(b->family, p->light);
    b->strange = p->strange == 0 ? NAN : exact ? p->strange : rounded(b->family, p->strange);
    b->charm = p->charm == 0 ? NAN : exact ? p->charm : rounded(b->family, p->charm);
    b->at.spacing = coupling_spacing(&b->at, i);
    b->at.kappa = coupling_kappa(&b->at, i);
}

/* Range of useful parameters: masses below 1, which are kappas above 0.1. */
static double least_of(const family *of)
{
    return of->anisotropic ? -1 : bare_parameters_are_kappas(of) ? 0.1 : 0;
}

static double most_of(const family *of)
{
    return bare_parameters_are_kappas(of) ? 0.25 : 1;
}

static bool is_possible(const family *of, double parameter)
{
    return parameter > least_of(of) && parameter < most_of(of);
}

/* Extrapolate beyond the lightest or the heaviest of n points; false if no possible mass results. */
static bool set_beyond(bare_parameters *b, double pion, int n)
{
    const int near = pion < b->at.points[0].pion ? 0 : n - 1;
    const mass_point *p = &b->at.points[near];
    set_at(b, near);
    if (!has_critical_mass(b->family)) {
        const double res = b->at.residual_mass;
        b->light = rounded(b->family, (p->light + res) * pow(pion / p->pion, 2) - res);
        return b->light > 0;
    }
    if (n < 2)
        return false;
    const int i = near == 0 ? 0 : n - 2;
    const mass_point *q = &b->at.points[i], *r = q + 1;
    const double w = (pion * pion - q->pion * q->pion) / (r->pion * r->pion - q->pion * q->pion);
    set_between(b, i, w);
    b->at.spacing = coupling_spacing(&b->at, near);
    return is_possible(b->family, b->light);
}

/* A warning for masses beyond the ensembles, if each ensemble has its own spacing. */
static void warn_of_spacing(bare_parameters *b, int near)
{
    if (b->at.spacings[near] > 0)
        text_add(&b->warnings, "the lattice spacing is that of the nearest pion, %g MeV, but it depends on the pion: "
                               "measure it\n", b->at.points[near].pion);
}

static bool extrapolate(bare_parameters *b, const literature_target *t, int n, failure *f)
{
    const double least = b->at.points[0].pion, most = b->at.points[n - 1].pion;
    const bool possible = set_beyond(b, t->pion, n);
    const char *way = possible ? "start kiln new with --extrapolate" : "give --light";
    if (n == 1 && !(possible && t->extrapolate))
        return fail(f, "pion mass %g MeV: the only ensemble of %s at beta %g has %g MeV; choose this mass, or %s",
                    t->pion, b->family->name, b->at.beta, least, way);
    if (!t->extrapolate)
        return fail(f, "pion mass %g MeV: the ensembles of %s at beta %g have %g to %g MeV; choose a mass in "
                       "this range, or %s", t->pion, b->family->name, b->at.beta, least, most, way);
    if (!possible)
        return fail(f, "pion mass %g MeV: cannot be extrapolated from %g to %g MeV at beta %g of %s; give --light",
                    t->pion, least, most, b->at.beta, b->family->name);
    text_add(&b->origin, "  The light %s is EXTRAPOLATED from pions of %g to %g MeV of %s.",
             bare_parameters_name(b->family), least, most, b->at.source);
    text_add(&b->warnings, "the light %s is extrapolated from pions of %g to %g MeV: measure the pion mass\n",
             bare_parameters_name(b->family), least, most);
    warn_of_spacing(b, t->pion < least ? 0 : n - 1);
    return true;
}

/* Refuse a pion or mass between those of the ensembles: kappa at maximal twist is known only at these. */
static bool refuse_between(const bare_parameters *b, const literature_target *t, failure *f)
{
    text known = { 0 };
    for (int i = 0; i < coupling_points(&b->at); i++)
        text_add(&known, "%s%g MeV (mu %g)", i ? ", " : "", b->at.points[i].pion, b->at.points[i].light);
    fail(f, "%s %g%s: kappa at maximal twist of %s is known at the masses of the ensembles only; at beta %g choose a "
            "pion of %s", isnan(t->pion) ? "mu" : "pion mass", isnan(t->pion) ? t->light : t->pion,
         isnan(t->pion) ? "" : " MeV", b->family->name, b->at.beta, text_string(&known));
    text_free(&known);
    return false;
}

static bool choose_by_pion(bare_parameters *b, const literature_target *t, failure *f)
{
    const int n = coupling_points(&b->at);
    if (n == 0)
        return fail(f, "beta %g: no masses of %s are known there; give --light%s", b->at.beta, b->family->name,
                    b->family->flavors > 2 ? " and --strange" : "");
    b->pion = t->pion;
    for (int i = 0; i < n; i++) {
        const mass_point *p = &b->at.points[i];
        if (fabs(p->pion / t->pion - 1) <= SAME_PION) {
            set_at(b, i);
            b->pion = p->pion;
            text_add(&b->origin, "  The masses are those of the same source with a pion of %.0f MeV.", p->pion);
            return true;
        }
    }
    if (b->family->doublet)
        return refuse_between(b, t, f);
    for (int i = 0; i < n - 1; i++) {
        const mass_point *p = &b->at.points[i], *q = p + 1;
        if (t->pion > p->pion && t->pion < q->pion) {
            const double below = p->pion * p->pion, above = q->pion * q->pion;
            set_between(b, i, (t->pion * t->pion - below) / (above - below));
            text_add(&b->origin, "  The masses%s are interpolated (m_pi^2 linear in the bare mass) between pions of "
                                 "%.0f and %.0f MeV.", b->at.spacings[i] > 0 ? " and a" : "", p->pion, q->pion);
            return true;
        }
    }
    return extrapolate(b, t, n, f);
}

/* The pion for the light mass that was given, and strange and charm masses for it, where the literature has them. */
static void interpolate_masses(bare_parameters *b, double light)
{
    const int n = coupling_points(&b->at);
    const double m = to_mass(b->family, light);
    for (int i = 0; i < n - 1; i++) {
        const mass_point *p = &b->at.points[i], *q = p + 1;
        const double w = (m - to_mass(b->family, p->light))
                         / (to_mass(b->family, q->light) - to_mass(b->family, p->light));
        if (w >= 0 && w <= 1) {
            set_between(b, i, w);
            b->pion = sqrt((1 - w) * p->pion * p->pion + w * q->pion * q->pion);
            return;
        }
    }
    const double first = n > 0 ? to_mass(b->family, b->at.points[0].light) : NAN;
    const double last = n > 0 ? to_mass(b->family, b->at.points[n - 1].light) : NAN;
    const int near = fabs(m - first) <= fabs(m - last) ? 0 : n - 1;
    if (n > 0)
        set_at(b, near);
    if (n > 1)
        warn_of_spacing(b, near);
    if (n == 1 && fabs(light / b->at.points[0].light - 1) < SAME_MASS)
        b->pion = b->at.points[0].pion;
}

static bool choose_by_mass(bare_parameters *b, const literature_target *t, failure *f)
{
    int known = coupling_points(&b->at) - 1;
    while (b->family->doublet && known >= 0 && fabs(t->light / b->at.points[known].light - 1) > SAME_MASS)
        known--;
    if (b->family->doublet && known < 0)
        return refuse_between(b, t, f);
    interpolate_masses(b, t->light);
    if (b->family->doublet)
        set_at(b, known);
    b->light = t->light;
    text_add(&b->origin, "  The light %s is as requested.", bare_parameters_name(b->family));
    if (isnan(b->pion))
        text_add(&b->warnings, "the pion mass for this %s is not known: it is outside the ensembles at beta %g\n",
                 bare_parameters_name(b->family), b->at.beta);
    if (b->family->flavors > 2 && !b->family->doublet && isnan(b->strange) && isnan(t->strange))
        return fail(f, "beta %g: no strange quark of %s is known there; give --strange", b->at.beta, b->family->name);
    return true;
}

/* Whether a mass of an option is in the possible range; false with the reason. */
static bool is_allowed(const family *of, const char *which, double parameter, failure *f)
{
    if (isnan(parameter) || is_possible(of, parameter))
        return true;
    return fail(f, "--%s %g: %s of %s is above %g and below %g%s", which, parameter, bare_parameters_name(of), of->name,
                least_of(of), most_of(of), bare_parameters_are_kappas(of)
                ? "; this option is not a mass for this family, but kappa, usually from 0.12 to 0.14" : "");
}

/* Whether light quarks are not heavier than the strange one, where an option gave one of them. */
static bool ascends(const bare_parameters *b, const literature_target *t, failure *f)
{
    const family *of = b->family;
    if ((isnan(t->light) && isnan(t->strange)) || !(to_mass(of, b->light) > to_mass(of, b->strange)))
        return true;
    return fail(f, "light quarks of %s %g are heavier than the strange quark of %s %g%s at beta %g: give another "
                   "--light%s", bare_parameters_name(of), b->light, bare_parameters_name(of), b->strange,
                isnan(t->strange) ? ", which is that of the literature" : "", b->at.beta,
                isnan(t->strange) ? ", or --strange" : " or --strange");
}

bool masses_choose(bare_parameters *b, const literature_target *t, failure *f)
{
    if (!is_allowed(t->family, "light", t->light, f) || !is_allowed(t->family, "strange", t->strange, f)
        || !is_allowed(t->family, "charm", t->charm, f))
        return false;
    if (!(isnan(t->light) ? choose_by_pion(b, t, f) : choose_by_mass(b, t, f)))
        return false;
    if (!isnan(t->strange)) {
        b->strange = t->strange;
        text_add(&b->origin, "  The strange quark is as requested.");
    }
    if (!isnan(t->charm)) {
        b->charm = t->charm;
        text_add(&b->origin, "  The charm quark is as requested.");
    }
    return ascends(b, t, f);
}
