/* action_advice.c - compares the gauge action with the quarks, and smeared links with bounds and with the lattice. */
#include "src/hmc/action_advice.h"

#include "actions/gauge_action.h"
#include "actions/stout_params.h"
#include "src/operators/staggered.h"

#include <inttypes.h>
#include <string.h>

/* ---- flavors */

/* Flavors of the whole action: numerators minus denominators. */
static int64_t dynamical_flavors(const run_params *p)
{
    quark_list all = { 0 };
    int64_t flavors = 0;
    failure f;
    for (int m = 0; m < run_monomial_count(p); m++) {
        const qcdml_term *term = run_monomial_kind(p, m)->qcdml;
        if (term && term->add_quarks)
            term->add_quarks(&all, run_monomial_params(p, m), &f);
    }
    for (int i = 0; i < all.count; i++)
        flavors += all.quark[i].flavors;
    return flavors;
}

static void advise_flavors(text *lines, const run_params *p)
{
    const int64_t dynamical = dynamical_flavors(p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        const gauge_params *g = run_monomial_params(p, m);
        if (run_monomial_kind(p, m) != &gauge_monomial || g->flavors == dynamical
            || strcmp(gauge_action_names[g->action], "symanzik_1loop") != 0)
            continue;
        text_add(lines, "monomials.%d.flavors: %s has the one-loop coefficients of %" PRId64 " flavors, but the "
                        "action "
                        "has %" PRId64 " dynamical flavors; give their number\n", m, g->name, g->flavors, dynamical);
    }
}

/* ---- links: of monomials and of measurements */

/* To first order, a level multiplies a plane wave by 1 - rho p^2, with p^2 <= 4 for each smeared direction. */
static void advise_stout(text *lines, const char *list, int number, const param_spec *specs, const void *params)
{
    const stout_params *s = stout_params_in(specs, params);
    const int bound = s && s->spatial_only ? 6 : 8;
    if (s && s->levels > 0 && s->rho * bound > 1)
        text_add(lines, "%s.%d.stout.rho: %g is above 1/%d, where a level of smearing amplifies the highest "
                        "frequencies "
                        "in place of damping them; use a smaller rho and more levels\n", list, number, s->rho, bound);
}

enum { LONG_LINK_EXTENT = 4 };          /* a long link has three steps */

/* The key `action` in the tables of staggered quarks has these values. */
static void advise_extents(text *lines, const run_params *p, const char *list, int number, const param_spec *specs,
                           const void *params)
{
    static const char directions[] = "xyzt";
    while (specs->key && specs->choices != staggered_kind_names)
        specs++;
    if (!specs->key)
        return;
    const int action = *(const int *)((const char *)params + specs->offset);
    if (action != STAGGERED_HISQ && action != STAGGERED_ASQTAD)
        return;
    for (int mu = 0; mu < 4; mu++)
        if (p->extents[mu] < LONG_LINK_EXTENT)
            text_add(lines, "%s.%d.%s: the long links of %s have three steps, but the lattice has extent %d in %c, "
                            "so that "
                            "they wrap around it; use %d or more\n", list, number, specs->key,
                     staggered_kind_names[action], p->extents[mu], directions[mu], LONG_LINK_EXTENT);
}

void action_advice_add(text *lines, const run_params *p)
{
    advise_flavors(lines, p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        const param_spec *specs = run_monomial_kind(p, m)->input.params;
        advise_stout(lines, "monomials", m, specs, run_monomial_params(p, m));
        advise_extents(lines, p, "monomials", m, specs, run_monomial_params(p, m));
    }
    for (int n = 0; n < p->measurements.count; n++) {
        const kind_item *item = (const kind_item *)p->measurements.item + n;
        const param_spec *specs = measurement_kinds[item->kind]->params;
        advise_stout(lines, "measurements", n, specs, item->params);
        advise_extents(lines, p, "measurements", n, specs, item->params);
    }
}
