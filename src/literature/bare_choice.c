/* bare_choice.c - which coupling of the literature a target has, and the masses there. */
#include "src/literature/bare_choice.h"

#include "src/literature/bare_masses.h"

#include <math.h>
#include <stddef.h>

/* Relative difference up to which a target's spacing gets a coupling of the table unchanged: for families with a fit,
 * and without. */
#define SAME_SPACING 0.03
#define NEAR_SPACING 0.05

/* A pion within this fraction beyond the range of a coupling counts as inside: it gets the masses of that ensemble
 * (bare_masses.h). */
#define RANGE_MARGIN SAME_PION

static bool has_pion(const coupling *c, double pion)
{
    const int n = coupling_points(c);
    return n > 0 && pion >= c->points[0].pion * (1 - RANGE_MARGIN)
           && pion <= c->points[n - 1].pion * (1 + RANGE_MARGIN);
}

static bool has_light(const coupling *c, double light)
{
    const int n = coupling_points(c);
    const double x = n > 0 ? c->points[0].light : NAN, y = n > 0 ? c->points[n - 1].light : NAN;
    return light >= fmin(x, y) && light <= fmax(x, y);
}

/* Whether the target's pion or mass is within the ensembles of this coupling. */
static bool suits(const coupling *c, const literature_target *t)
{
    return isnan(t->pion) ? has_light(c, t->light) : has_pion(c, t->pion);
}

static double distance(const coupling *c, const literature_target *t)
{
    double least, most;
    if (!isnan(t->beta))
        return fabs(c->beta - t->beta) < 1e-9 ? 0 : INFINITY;
    coupling_spacings(c, &least, &most);
    return fmax(0, fmax(log(least / t->spacing), log(t->spacing / most)));
}

/* Whether a spacing is the target's, within NEAR_SPACING. */
static bool is_near(double spacing, const literature_target *t)
{
    return !isnan(t->beta) || fabs(log(spacing / t->spacing)) <= NEAR_SPACING;
}

/* The coupling of the table that is at most `allowed` away: one that suits, if there is one; otherwise the nearest. */
static const coupling *find_in_table(const literature_target *t, double allowed)
{
    const coupling *best = NULL;
    for (int i = 0; i < t->family->count; i++) {
        const coupling *c = &t->family->table[i];
        const bool better = !best || (suits(c, t) && !suits(best, t))
                            || (suits(c, t) == suits(best, t) && distance(c, t) < distance(best, t));
        if (distance(c, t) <= allowed && better)
            best = c;
    }
    return best;
}

void bare_parameters_add_spacings(text *t, const family *of)
{
    double least, most;
    if (of->fit) {
        fit_spacing(of->fit, &least, &most);
        text_add(t, "%.3f to %.3f fm", ceil(1e3 * least) / 1e3, most);      /* both are allowed */
        return;
    }
    for (int i = 0; i < of->count; i++) {
        coupling_spacings(&of->table[i], &least, &most);
        if (i == 0 || of->table[i].spacing != of->table[i - 1].spacing)
            text_add(t, "%s%.4f", i ? ", " : "", least);
        if (most > least)
            text_add(t, " to %.4f", most);
    }
    text_add(t, " fm, each within %.0f %%", 100 * NEAR_SPACING);
}

static bool refuse_spacing(const literature_target *t, failure *f)
{
    text known = { 0 };
    bare_parameters_add_spacings(&known, t->family);
    fail(f, "spacing %g fm: no parameters of %s are known there, and Kiln does not extrapolate in the spacing; "
            "allowed: %s; or give --beta and the bare masses", t->spacing, t->family->name, text_string(&known));
    text_free(&known);
    return false;
}

/* If each ensemble of a coupling has its own spacing, that at the target's pion can differ from the requested one. */
static bool check_spacing(const bare_parameters *b, const literature_target *t, failure *f)
{
    if (is_near(b->at.spacing, t))
        return true;
    return fail(f, "spacing %g fm: %s at beta %g has %.4f fm with this %s, which is more than %.0f %% away; give "
                   "--spacing %.4f, or --beta %g in its place", t->spacing, b->family->name, b->at.beta, b->at.spacing,
                isnan(t->pion) ? bare_parameters_name(b->family) : "pion", 100 * NEAR_SPACING, b->at.spacing,
                b->at.beta);
}

static bool refuse_beta(const literature_target *t, failure *f)
{
    text known = { 0 };
    const family *of = t->family;
    const char *missing = of->anisotropic ? "xi_0, u_s, nu, c_s, c_t" : of->doublet ? "kappa, mu_sigma, mu_delta"
                          : of->clover ? "c_sw" : of->quarks == QUARKS_STAGGERED ? "u0" : "Ls, M5";
    for (int i = 0; i < of->count; i++)
        if (i == 0 || of->table[i].beta != of->table[i - 1].beta)
            text_add(&known, "%s%g", i ? ", " : "", of->table[i].beta);
    if (of->fit)
        text_add(&known, "%s%g to %g", known.length ? ", " : "", of->fit->least, of->fit->most);
    if (of->c_sw)
        text_add(&known, ", and %g to %g with --light", of->c_sw_least, of->c_sw_most);
    fail(f, "beta %g: no other parameters of the action of %s (%s) are known there; allowed: %s; for another beta "
            "write an input for an allowed one and change beta and %s in the file", t->beta, of->name, missing,
         text_string(&known), missing);
    text_free(&known);
    return false;
}

static bool is_between(double x, double least, double most)
{
    return x >= least && x <= most;
}

static bool choose_spacing(bare_parameters *b, const literature_target *t, failure *f)
{
    const coupling_fit *fit = t->family->fit;
    double least, most;
    const coupling *c = find_in_table(t, fit ? SAME_SPACING : NEAR_SPACING);
    if (c) {
        b->at = *c;
        text_add(&b->origin, "beta and a are those of %s.", c->source);
        return true;
    }
    if (!fit)
        return refuse_spacing(t, f);
    fit_spacing(fit, &least, &most);
    if (!is_between(t->spacing, least * (1 - 1e-3), most * (1 + 1e-3)))
        return refuse_spacing(t, f);
    fit_at_spacing(&b->at, fit, t->spacing);
    return true;
}

/* A beta at which only the action is known, not the spacing. */
static bool choose_bare_beta(bare_parameters *b, const literature_target *t, failure *f)
{
    const family *of = t->family;
    const bool plain = of->quarks == QUARKS_NONE || (of->quarks == QUARKS_WILSON && !of->clover && !of->twisted);
    if (!plain && !(of->c_sw && is_between(t->beta, of->c_sw_least, of->c_sw_most)))
        return refuse_beta(t, f);
    b->at = (coupling){ .beta = t->beta, .spacing = NAN, .gauge = plain ? "wilson" : of->c_sw_gauge,
                        .source = "no ensemble of the literature" };
    text_add(&b->origin, "beta is as requested; the lattice spacing there is not known.");
    text_add(&b->warnings, "the lattice spacing at beta %g is not known: measure it (t0, w0 of the measurement flow)\n",
             t->beta);
    return true;
}

static bool choose_beta(bare_parameters *b, const literature_target *t, failure *f)
{
    const coupling *c = find_in_table(t, 0);
    if (c) {
        b->at = *c;
        text_add(&b->origin, "beta and a are those of %s.", c->source);
        return true;
    }
    if (!t->family->fit || !is_between(t->beta, t->family->fit->least, t->family->fit->most))
        return choose_bare_beta(b, t, f);
    t->family->fit->make(&b->at, t->beta);
    return true;
}

/* Add the sources of a coupling on a fit and of a clover coefficient. */
static void add_origins(bare_parameters *b)
{
    const family *of = b->family;
    if (!b->origin.length && of->table) {
        text_add(&b->origin, "beta, a, u0 and masses are interpolated in beta between ensembles of %s.", b->at.source);
        text_add(&b->warnings, "beta %g is between the ensembles of the literature: measure the lattice spacing\n",
                 b->at.beta);
    } else if (!b->origin.length) {
        text_add(&b->origin, "beta and a are those of %s.", b->at.source);
    }
    if (of->c_sw && b->at.c_sw == 0) {
        b->at.c_sw = round(1e6 * of->c_sw(b->at.beta)) / 1e6;
        text_add(&b->origin, "  c_sw is the function of beta of %s.", of->c_sw_source);
    }
    if (b->at.unconfirmed)
        text_add(&b->warnings, "not confirmed by a second source: %s (" UNCONFIRMED_ADVICE ")\n", b->at.unconfirmed);
}

/* Whether the target has what it needs, without contradictions; false with the reason. */
static bool is_complete(const literature_target *t, failure *f)
{
    const family *of = t->family;
    if (isnan(t->spacing) == isnan(t->beta))
        return fail(f, "%s: give either a lattice spacing (--spacing) or a coupling (--beta)%s", of->name,
                    isnan(t->beta) ? "" : ", not both");
    const bool any = !isnan(t->pion) || !isnan(t->light) || !isnan(t->strange) || !isnan(t->charm);
    if (of->quarks == QUARKS_NONE)
        return !any || fail(f, "%s has no quarks: leave out --pion, --light, --strange and --charm", of->name);
    if (isnan(t->pion) == isnan(t->light))
        return fail(f, "%s: give either a pion mass (--pion) or the light quarks' %s (--light)%s", of->name,
                    bare_parameters_name(of), isnan(t->pion) ? "" : ", not both");
    if (of->doublet && (!isnan(t->strange) || !isnan(t->charm)))
        return fail(f, "%s: strange and charm quarks are the doublet of the ensembles, with mu_sigma and mu_delta: "
                    "leave out --strange and --charm, and change the input", of->name);
    if (!isnan(t->strange) && of->flavors < 3)
        return fail(f, "%s has no strange quark: leave out --strange", of->name);
    if (!isnan(t->charm) && of->flavors < 4)
        return fail(f, "%s has no charm quark: leave out --charm", of->name);
    return true;
}

/* Whether Kiln supports the family with the target's boundaries in time; false with the reason. */
static bool has_boundary(const literature_target *t, failure *f)
{
    const char *name = t->family->name;
    if (!t->open_in_time)
        return true;
    if (t->family->quarks == QUARKS_STAGGERED || t->family->quarks == QUARKS_DOMAIN_WALL)
        return fail(f, "%s: %s quarks need periodic boundaries in time: leave out --boundary open, or choose a family "
                       "of Wilson quarks or quenched", name,
                    t->family->quarks == QUARKS_STAGGERED ? "staggered" : "domain-wall");
    return !t->family->anisotropic
           || fail(f, "%s: the gradient flow of anisotropic lattices needs periodic boundaries in time: leave out "
                      "--boundary open", name);
}

/* A warning if most published ensembles have other boundaries than the target. */
static void add_boundary_note(bare_parameters *b)
{
    if (b->at.mostly_open && !b->open_in_time)
        text_add(&b->warnings, "boundaries in time are periodic, but those of most ensembles of this source are open: "
                               "kiln new --boundary open writes these\n");
}

bool bare_parameters_choose(bare_parameters *b, const literature_target *t, failure *f)
{
    *b = (bare_parameters){ .family = t->family, .pion = NAN, .light = NAN, .strange = NAN, .charm = NAN,
                            .open_in_time = t->open_in_time };
    if (is_complete(t, f) && has_boundary(t, f) && (isnan(t->beta) ? choose_spacing(b, t, f) : choose_beta(b, t, f))) {
        add_origins(b);
        add_boundary_note(b);
        if (t->family->quarks == QUARKS_NONE || (masses_choose(b, t, f) && check_spacing(b, t, f)))
            return true;
    }
    bare_parameters_free(b);
    return false;
}

/* Extend the range by the pions whose spacing is the target's; `most` is 0 before the first one. */
static void add_pions(const coupling *c, const literature_target *t, double *least, double *most)
{
    for (int i = 0; i < coupling_points(c); i++) {
        const double pion = c->points[i].pion;
        if (!is_near(coupling_spacing(c, i), t))
            continue;
        *least = *most > 0 ? fmin(*least, pion) : pion;
        *most = fmax(*most, pion);
    }
}

bool bare_parameters_pions(const literature_target *t, double *least, double *most, failure *f)
{
    bare_parameters b = { .family = t->family, .pion = NAN };
    const bool known = isnan(t->beta) ? choose_spacing(&b, t, f) : choose_beta(&b, t, f);
    *least = *most = 0;
    bare_parameters_free(&b);
    if (!known || coupling_points(&b.at) == 0)
        return known;
    add_pions(&b.at, t, least, most);
    for (int i = 0; i < t->family->count; i++)
        if (distance(&t->family->table[i], t) <= (t->family->fit ? SAME_SPACING : NEAR_SPACING))
            add_pions(&t->family->table[i], t, least, most);
    return true;
}
