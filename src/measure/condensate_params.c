/* condensate_params.c - the input of the measurement "condensate". */
#include "src/measure/condensate_params.h"

#include "src/measure/quark_sources.h"

const low_modes_sites condensate_modes_on = { ON_EVEN, 1 };

int condensate_strange(const condensate_params *p)
{
    for (int m = 0; p->strange_given && m < p->quarks.masses.count; m++)
        if (staggered_mass_at(&p->quarks, m) == p->strange)
            return m;
    return -1;
}

static bool check_strange(const condensate_params *p, failure *f)
{
    if (!p->strange_given)
        return true;
    bool lighter = false;
    for (int m = 0; m < p->quarks.masses.count; m++)
        lighter |= staggered_mass_at(&p->quarks, m) < p->strange;
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
    return staggered_quarks_check(&p->quarks, name, f) && check_strange(p, f)
           && low_modes_check(&p->modes, shape, condensate_modes_on, name, f);
}

#define AT(member) offsetof(condensate_params, member)
#define AT_QUARKS(member) offsetof(condensate_params, quarks.member)
#define OPERATOR_AT(member) AT_QUARKS(of.member)

const param_spec condensate_specs[] = {
    MEASUREMENT_SPECS("condensate"),
    STAGGERED_MASSES_SPEC(AT_QUARKS, "observables.md#condensate-of-staggered-quarks"),
    { .key = "strange", .type = PARAM_REAL, .offset = AT(strange), .given = AT(strange_given), .formerly = "0",
      .min = 0, .max = STAGGERED_MASS_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "the one of `masses` that is the strange quark: lighter quarks then have the subtracted condensate, "
             "condensate - (m/strange) (condensate of the strange quark)" },
    { .key = "sources", .type = PARAM_INT, .offset = AT(sources), .fallback = "4", .min = 0, .max = SOURCES_MAX,
      .doc = "number of Gaussian sources, each on all sites; 0: no condensate, only modes" },
    { .key = "number_density", .type = PARAM_BOOL, .offset = AT(number_density), .fallback = "false",
      .doc = "measure the quark number density too, which is imaginary" },
    STAGGERED_SOLVE_SPECS(AT, "1e-8"),
    STAGGERED_KIND_SPEC(OPERATOR_AT),
    STAGGERED_LINKS_SPECS(OPERATOR_AT),
    LOW_MODES_SPEC(AT),
    { 0 }
};
