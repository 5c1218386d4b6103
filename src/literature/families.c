/* families.c - the families of `kiln new`. */
#include "src/literature/literature.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const family literature_families[] = {
    { .name = "quenched", .summary = "pure gauge with Wilson's plaquette action, by heat bath and overrelaxation",
      .quarks = QUARKS_NONE, .fit = &quenched_fit },
    { .name = "hisq-2+1", .summary = "2+1 flavors of HISQ quarks (HotQCD)", .quarks = QUARKS_STAGGERED, .flavors = 3,
      .fit = &hotqcd_fit },
    { .name = "hisq-2+1+1", .summary = "2+1+1 flavors of HISQ quarks (MILC)", .quarks = QUARKS_STAGGERED,
      .flavors = 4, .table = milc_couplings, .count = MILC_COUPLINGS, .fit = &milc_fit },
    { .name = "dwf-2", .summary = "2 flavors of domain-wall quarks (RBC)", .quarks = QUARKS_DOMAIN_WALL,
      .flavors = 2, .table = dwf_2_couplings, .count = DWF_2_COUPLINGS },
    { .name = "dwf-2+1", .summary = "2+1 flavors of domain-wall quarks (RBC and UKQCD)", .quarks = QUARKS_DOMAIN_WALL,
      .flavors = 3, .table = dwf_3_couplings, .count = DWF_3_COUPLINGS },
    { .name = "wilson-2", .summary = "2 flavors of Wilson quarks (SESAM and TchiL)", .quarks = QUARKS_WILSON,
      .flavors = 2, .table = wilson_2_couplings, .count = WILSON_2_COUPLINGS },
    { .name = "clover-2", .summary = "2 flavors of Wilson quarks with a clover term (CLS)", .quarks = QUARKS_WILSON,
      .flavors = 2, .clover = true, .table = clover_2_couplings, .count = CLOVER_2_COUPLINGS,
      .c_sw = c_sw_two_flavors, .c_sw_least = 5.2, .c_sw_most = 12, .c_sw_gauge = "wilson",
      .c_sw_source = "ALPHA, hep-lat/9803017" },
    { .name = "clover-2+1", .summary = "2+1 flavors of Wilson quarks with a clover term (PACS-CS, CLS)",
      .quarks = QUARKS_WILSON, .flavors = 3, .clover = true, .table = clover_3_couplings, .count = CLOVER_3_COUPLINGS,
      .c_sw = c_sw_three_flavors, .c_sw_least = 3.34, .c_sw_most = 3.85, .c_sw_gauge = "symanzik_tree",
      .c_sw_source = "Bulava and Schaefer, arXiv:1304.7093" },
    { .name = "aniclover-2+1", .summary = "2+1 flavors of clover quarks on anisotropic lattices (HadSpec, FASTSUM)",
      .quarks = QUARKS_WILSON, .flavors = 3, .clover = true, .anisotropic = true, .table = aniclover_couplings,
      .count = ANICLOVER_COUPLINGS },
    { .name = "slinc-2+1", .summary = "2+1 flavors of quarks on stout links, clover term on thin ones (QCDSF, UKQCD)",
      .quarks = QUARKS_WILSON, .flavors = 3, .clover = true, .thin = true, .table = slinc_couplings,
      .count = SLINC_COUPLINGS },
    { .name = "expclover-2+1", .summary = "2+1 flavors of Wilson quarks, exponential clover term, by SMD (OpenLat)",
      .quarks = QUARKS_WILSON, .flavors = 3, .clover = true, .exponential = true, .table = expclover_couplings,
      .count = EXPCLOVER_COUPLINGS },
    { .name = "tmclover-2", .summary = "a doublet of twisted-mass quarks with a clover term (ETM)",
      .quarks = QUARKS_WILSON, .flavors = 2, .clover = true, .twisted = true, .table = tmclover_couplings,
      .count = TMCLOVER_COUPLINGS },
    { .name = "tm-2+1+1", .summary = "2+1+1 flavors of twisted-mass quarks, as two doublets (ETM)",
      .quarks = QUARKS_WILSON, .flavors = 4, .twisted = true, .doublet = true, .table = tm_4_couplings,
      .count = TM_4_COUPLINGS },
    { .name = "tmclover-2+1+1", .summary = "2+1+1 flavors of twisted-mass quarks with a clover term (ETM)",
      .quarks = QUARKS_WILSON, .flavors = 4, .clover = true, .twisted = true, .doublet = true,
      .table = tmclover_4_couplings, .count = TMCLOVER_4_COUPLINGS },
    { .name = NULL },
};

static const char of_one_loop[] = "10/g^2, c_plaq = 1";

const char *coupling_convention_of_input(const coupling *c)
{
    return strcmp(c->gauge, "symanzik_1loop") == 0 ? of_one_loop
           : strcmp(c->gauge, "wilson") == 0       ? "6/g^2, c_plaq = 1"
           : c->aniso.xi_0 > 0                     ? "6/g^2, c_plaq + 8 c_rect = 1 before tadpole factors"
                                                   : "6/g^2, c_plaq + 8 c_rect = 1";
}

const char *coupling_convention(const coupling *c)
{
    return c->input_factor > 0 ? of_one_loop : coupling_convention_of_input(c);
}

double coupling_beta_of_input(const coupling *c)
{
    return c->input_factor > 0 ? c->input_factor * c->beta : c->beta;
}

int coupling_points(const coupling *c)
{
    int n = 0;
    while (n < MASS_POINTS && c->points[n].pion > 0)
        n++;
    return n;
}

double coupling_spacing(const coupling *c, int i)
{
    return c->spacings[i] > 0 ? c->spacings[i] : c->spacing;
}

double coupling_kappa(const coupling *c, int i)
{
    return c->kappas[i] > 0 ? c->kappas[i] : c->kappa;
}

void coupling_spacings(const coupling *c, double *least, double *most)
{
    *least = *most = c->spacing;
    for (int i = 0; i < coupling_points(c); i++) {
        *least = fmin(*least, coupling_spacing(c, i));
        *most = fmax(*most, coupling_spacing(c, i));
    }
}
