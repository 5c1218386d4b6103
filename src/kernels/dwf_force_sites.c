/* dwf_force_sites.c - the force of domain-wall quarks, all links of a site one after the other. */
#include "src/kernels/dwf_link_force.h"

SITE_FN void add_to_links(const dwf_force_args *a, site x, int plus)
{
    add_to_direction(a, x, 0, plus);
    add_to_direction(a, x, 1, plus);
    add_to_direction(a, x, 2, plus);
    add_to_direction(a, x, 3, plus);
}

SITE_MAP(dwf_force_sites, dwf_force_args, a, x)
{
    if (a->left_is_here)
        add_to_links(a, x, 0);
    else
        add_to_links(a, x, 1);
}
