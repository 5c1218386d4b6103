/* condensate_params.c - the input of the measurement "condensate". */
#include "src/measure/condensate_params.h"

#include "src/measure/quark_sources.h"

#include <math.h>

const low_modes_sites condensate_modes_on = { ON_EVEN, 1 };

const condensate_mass *condensate_mass_at(const condensate_params *p, int index)
{
    return (const condensate_mass *)p->masses.item + index;
}

/* NaN if it is neither a number nor auto. */
static double epsilon_of(const condensate_mass *p)
{
    double epsilon;
    return naik_epsilon_read(&epsilon, p->naik_epsilon, p->mass) ? epsilon : NAN;
}

int condensate_strange(const condensate_params *p)
{
    for (int m = 0; p->strange > 0 && m < p->masses.count; m++)
        if (condensate_mass_at(p, m)->mass == p->strange)
            return m;
    return -1;
}

bool condensate_plan_links(staggered_links_params *links, int set[TRACE_MASSES], const condensate_params *p)
{
    *links = (staggered_links_params){ .kind = (staggered_kind)p->action,
                                       .u0 = p->u0,
                                       .projection = (projection_group)p->projection,
                                       .boundary = p->boundary + p->imaginary_mu };
    for (int m = 0; m < p->masses.count; m++) {
        double epsilon = epsilon_of(condensate_mass_at(p, m));
        int s = 0;
        while (s < links->epsilons && links->epsilon[s] != epsilon)
            s++;
        if (s == EPSILONS_MAX)
            return false;
        if (s == links->epsilons)
            links->epsilon[links->epsilons++] = epsilon;
        set[m] = s;
    }
    return true;
}

static bool check_strange(const condensate_params *p, failure *f)
{
    if (p->strange == 0)
        return true;
    bool lighter = false;
    for (int m = 0; m < p->masses.count; m++)
        lighter |= condensate_mass_at(p, m)->mass < p->strange;
    if (condensate_strange(p) < 0)
        return fail(f, "%s: strange: %g is not one of the masses: add { mass: %g } to masses", p->common.name,
                    p->strange, p->strange);
    return lighter || fail(f, "%s: strange: no mass is below %g: the subtracted condensate needs a lighter one",
                           p->common.name, p->strange);
}

bool condensate_params_check(const void *params, const lattice_shape *shape, failure *f)
{
    const condensate_params *p = params;
    const char *name = p->common.name;
    staggered_links_params links;
    int set[TRACE_MASSES];
    failure why;
    if (!stout_params_check(&p->stout, &why))
        return fail(f, "%s: %s", name, why.why);
    if (p->masses.count > TRACE_MASSES)
        return fail(f, "%s: %d masses, but at most %d are allowed", name, p->masses.count, TRACE_MASSES);
    for (int m = 0; m < p->masses.count; m++) {
        double epsilon = epsilon_of(condensate_mass_at(p, m));
        if (isnan(epsilon))
            return fail(f, "%s: naik_epsilon: \"%s\" is neither auto nor a number between -10 and 10", name,
                        condensate_mass_at(p, m)->naik_epsilon);
        if (p->action != STAGGERED_HISQ && epsilon != 0)
            return fail(f, "%s: naik_epsilon is allowed only with action hisq", name);
    }
    if (!condensate_plan_links(&links, set, p))
        return fail(f, "%s: more than %d different values of naik_epsilon", name, EPSILONS_MAX);
    return check_strange(p, f) && low_modes_check(&p->modes, shape, condensate_modes_on, name, f);
}

static const param_spec mass_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(condensate_mass, mass), .min = 0, .max = 100,
      .flags = PARAM_ABOVE_MIN, .doc = "a m, in the usual normalisation (M = m + D/2)" },
    { .key = "naik_epsilon", .type = PARAM_TEXT, .offset = offsetof(condensate_mass, naik_epsilon), .fallback = "0",
      .flags = PARAM_NOT_EMPTY, .doc = "action hisq: a number, or auto: the published series in the bare mass" },
    { 0 }
};

#define AT(member) offsetof(condensate_params, member)

const param_spec condensate_specs[] = {
    MEASUREMENT_SPECS("condensate"),
    { .key = "masses", .type = PARAM_LIST, .offset = AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(condensate_mass), .doc = "masses of the quarks",
      .example = "[ { mass: 0.013 }, { mass: 0.838, naik_epsilon: auto } ]",
      .see = "observables.md#condensate-of-staggered-quarks" },
    { .key = "strange", .type = PARAM_REAL, .offset = AT(strange), .fallback = "0", .min = 0, .max = 100,
      .doc = "the one of `masses` that is the strange quark: lighter quarks then have the subtracted condensate, "
             "condensate - (m/strange) (condensate of the strange quark); 0: none" },
    { .key = "sources", .type = PARAM_INT, .offset = AT(sources), .fallback = "4", .min = 0, .max = SOURCES_MAX,
      .doc = "number of Gaussian sources, each on all sites; 0: no condensate, only modes" },
    { .key = "number_density", .type = PARAM_BOOL, .offset = AT(number_density), .fallback = "false",
      .doc = "measure the quark number density too, which is imaginary" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-8", .min = 1e-14, .max = 0.1,
      .doc = "largest relative residual |r|/|b| of a solve" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000,
      .doc = "largest number of iterations of a solve; if a solve does not converge within it, the record reports this "
             "and the run continues" },
    { .key = "action", .type = PARAM_CHOICE, .offset = AT(action), .fallback = "hisq", .choices = staggered_kind_names,
      .doc = "links of the Dirac operator" },
    { .key = "projection", .type = PARAM_CHOICE, .offset = AT(projection), .fallback = "u3",
      .choices = projection_names, .choice = "action", .chosen = "hisq",
      .doc = "action hisq: group to which the links of the first smearing are projected" },
    { .key = "u0", .type = PARAM_REAL, .offset = AT(u0), .fallback = "1", .min = 0, .max = 2, .flags = PARAM_ABOVE_MIN,
      .choice = "action", .chosen = "asqtad",
      .doc = "action asqtad: tadpole factor" },
    { .key = "boundary", .type = PARAM_REAL, .offset = AT(boundary), .fallback = "1", .min = -1, .max = 1,
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },
    IMAGINARY_MU_SPEC(AT),
    STOUT_SPEC(AT),
    LOW_MODES_SPEC(AT),
    { 0 }
};
