/* staggered_tables.c - the numbers of staggered actions: coefficients of paths, series of the Naik epsilon.
 *
 * Paths without phases, in the order of path_table; u0 enters as 1/u0 for each link of a path but one (and MILC's
 * tables, with the phases in the links, have the other sign for each plaquette that a path encloses). */
#include "src/operators/staggered_links.h"

#include "src/config/number.h"

#include <math.h>
#include <string.h>

const char *const staggered_kind_names[] = { "naive", "asqtad", "hisq", NULL };
const char *const projection_names[] = { "u3", "su3", NULL };

static const path_table nothing = { .one = 1 };

/* hep-lat/9903032: Fat7, Lepage's term, the Naik term. */
static const path_table asqtad = { 5.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 16, -1.0 / 24 };

/* hep-lat/0610092: Fat7; then Asqtad without tadpoles and with twice Lepage's term. */
static const path_table hisq_first = { 1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0, 0 };
static const path_table hisq_second = { 1, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8, -1.0 / 24 };

path_table staggered_first_table(const staggered_links_params *p)
{
    return p->kind == STAGGERED_HISQ ? hisq_first : nothing;
}

path_table staggered_second_table(const staggered_links_params *p)
{
    if (p->kind == STAGGERED_HISQ)
        return hisq_second;
    if (p->kind == STAGGERED_NAIVE)
        return nothing;
    path_table c = asqtad;
    double per_two_links = 1 / (p->u0 * p->u0);
    c.three *= per_two_links;
    c.naik *= per_two_links;
    c.five *= per_two_links * per_two_links;
    c.lepage *= per_two_links * per_two_links;
    c.seven *= per_two_links * per_two_links * per_two_links;
    return c;
}

bool staggered_has_projection(const staggered_links_params *p)
{
    return p->kind == STAGGERED_HISQ;
}

bool staggered_level_does_nothing(const path_table *level)
{
    return level->one == 1 && level->three == 0 && level->five == 0 && level->seven == 0 && level->lepage == 0;
}

double naik_epsilon_of_mass(double mass)
{
    double m2 = mass * mass;
    return m2 * (-27.0 / 40 + m2 * (327.0 / 1120 + m2 * (-15607.0 / 268800 - m2 * 73697.0 / 3942400)));
}

int staggered_links_add_epsilon(staggered_links_params *p, double epsilon)
{
    int at = 0;
    while (at < p->epsilons && p->epsilon[at] != epsilon)
        at++;
    if (at == EPSILONS_MAX)
        return -1;
    p->epsilon[at] = epsilon;
    p->epsilons += at == p->epsilons;
    return at;
}

bool naik_epsilon_read(double *epsilon, const char *given, double mass)
{
    const double largest = 10;              /* a larger one is a typing error */
    text hint = { 0 };
    if (strcmp(given, "auto") == 0) {
        *epsilon = naik_epsilon_of_mass(mass);
        return true;
    }
    bool ok = number_read_real(given, epsilon, &hint) && fabs(*epsilon) < largest;
    text_free(&hint);
    return ok;
}
