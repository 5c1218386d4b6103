/* schemes.c - the table of integration schemes: a new one is a row here and a name below.
 *
 * V is the kick, T the drift (Omelyan, Mryglod and Folk write B and A).  "Velocity" schemes begin with a
 * kick, "position" schemes with a drift; a row ends at the middle of the cycle.
 *
 * The two-level schemes nG1F come from MILC: n gauge kicks of weight 1/n for each fermion kick of weight 1.  A cycle is
 * a pair of steps of length 1.  Gauge kick k = 1 ... 2n of the pair is at the time (k - 1/2)/n, shifted alternately by
 * -alpha/n and +alpha/n; the two fermion kicks are at 1/2 - beta and 3/2 + beta; alpha = beta = 1/10.  So each kind of
 * kick is in an Omelyan position scheme. */
#include "integrators/integrator.h"

#include <assert.h>
#include <stddef.h>

#define V(t)           { MD_KICK, 0, t, 0, 0 }
#define T(t)           { MD_DRIFT, 0, t, 0, 0 }
#define V_LAMBDA(t, l) { MD_KICK, 0, t, l, 0 }
#define T_LAMBDA(t, l) { MD_DRIFT, 0, t, l, 0 }
#define V_GRADIENT(t, d) { MD_FORCE_GRADIENT, 0, t, 0, d }
#define F              { MD_KICK, 0, 1, 0, 0 }
#define G(t)           { MD_KICK, 1, t, 0, 0 }

#define OMELYAN_2003  "Omelyan, Mryglod, Folk, Comput. Phys. Commun. 151 (2003) 272; " \
                      "Takaishi, de Forcrand, Phys. Rev. E 73 (2006) 036706, hep-lat/0505020"
#define MILC_RHMC     "MILC collaboration code, version 7, ks_imp_rhmc/update_rhmc.c"

/* 4MN5FV, eqs. 63 and 71 of Omelyan et al.; the parameters are named as by Takaishi and de Forcrand. */
#define FV_THETA    0.08398315262876693
#define FV_RHO      0.2539785108410595
#define FV_LAMBDA   0.6822365335719091
#define FV_MU     (-0.03230286765269967)

/* 4MN4FP, eqs. 58 and 62 of Omelyan et al. */
#define FP_RHO      0.1786178958448091
#define FP_THETA  (-0.06626458266981843)
#define FP_LAMBDA   0.7123418310626056

/* Scheme B of Chin: kicks at the two nodes of Gauss, 1/2 (1 -+ 1/sqrt(3)). */
#define FGP_BETWEEN 0.57735026918962576      /* 1/sqrt(3) */
#define FGP_SHIFT   0.022329099369260225     /* (2 - sqrt(3)) / 12 */

#define A 0.1   /* alpha */
#define B 0.1   /* beta */

static const scheme schemes[] = {
    { "leapfrog", 2, 1, 0, "Duane, Kennedy, Pendleton, Roweth, Phys. Lett. B 195 (1987) 216",
      { V(1. / 2), T(1) } },
    { "leapfrog_position", 2, 1, 0, "Duane, Kennedy, Pendleton, Roweth, Phys. Lett. B 195 (1987) 216",
      { T(1. / 2), V(1) } },
    { "omelyan", 2, 1, 0, OMELYAN_2003,
      { V_LAMBDA(0, 1), T(1. / 2), V_LAMBDA(1, -2) } },
    { "omelyan_position", 2, 1, 0, OMELYAN_2003,
      { T_LAMBDA(0, 1), V(1. / 2), T_LAMBDA(1, -2) } },
    { "4mn4fp", 4, 1, 0, OMELYAN_2003,
      { T(FP_RHO), V(FP_LAMBDA), T(FP_THETA), V(1. / 2 - FP_LAMBDA), T(1 - 2 * (FP_THETA + FP_RHO)) } },
    { "4mn5fv", 4, 1, 0, OMELYAN_2003,
      { V(FV_THETA), T(FV_RHO), V(FV_LAMBDA), T(FV_MU), V(1. / 2 - FV_LAMBDA - FV_THETA),
        T(1 - 2 * (FV_MU + FV_RHO)) } },
    { "force_gradient", 4, 1, 0,
      "Chin, Phys. Lett. A 226 (1997) 344; Kennedy, Clark, Silva, PoS(LAT2009)021, arXiv:0910.2950; "
      "Yin, Mawhinney, PoS(LATTICE2011)051, arXiv:1111.5059",
      { V(1. / 6), T(1. / 2), V_GRADIENT(2. / 3, 1. / 24) } },
    { "force_gradient_position", 4, 1, 0,
      "Chin, Phys. Lett. A 226 (1997) 344; " OMELYAN_2003 "; Yin, Mawhinney, PoS(LATTICE2011)051, arXiv:1111.5059",
      { T((1 - FGP_BETWEEN) / 2), V_GRADIENT(1. / 2, FGP_SHIFT), T(FGP_BETWEEN) } },
    { "2g1f", 2, 2, 2, MILC_RHMC,
      { T(1. / 4 - A / 2), G(1. / 2), T(1. / 4 + A / 2 - B), F, T(1. / 4 + A / 2 + B), G(1. / 2),
        T(1. / 2 - A) } },
    { "3g1f", 2, 2, 3, MILC_RHMC,
      { T(1. / 6 - A / 3), G(1. / 3), T(1. / 3 + A / 3 - B), F, T(B + A / 3), G(1. / 3), T(1. / 3 - 2 * A / 3),
        G(1. / 3), T(1. / 3 + 2 * A / 3) } },
    { "5g1f", 2, 2, 5, MILC_RHMC,
      { T(1. / 10 - A / 5), G(1. / 5), T(1. / 5 + 2 * A / 5), G(1. / 5), T(1. / 5 - A / 5 - B), F, T(B - A / 5),
        G(1. / 5), T(1. / 5 + 2 * A / 5), G(1. / 5), T(1. / 5 - 2 * A / 5), G(1. / 5), T(1. / 5 + 2 * A / 5) } },
    { "6g1f", 2, 2, 6, MILC_RHMC,
      { T(1. / 12 - A / 6), G(1. / 6), T(1. / 6 + A / 3), G(1. / 6), T(1. / 6 - A / 3), G(1. / 6),
        T(1. / 12 + A / 6 - B), F, T(1. / 12 + A / 6 + B), G(1. / 6), T(1. / 6 - A / 3), G(1. / 6),
        T(1. / 6 + A / 3), G(1. / 6), T(1. / 6 - A / 3) } },
};

enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

const char *const scheme_names[] = {
    "leapfrog", "leapfrog_position", "omelyan", "omelyan_position", "4mn4fp", "4mn5fv", "force_gradient",
    "force_gradient_position", "2g1f", "3g1f", "5g1f", "6g1f", NULL
};
_Static_assert(sizeof scheme_names / sizeof scheme_names[0] == SCHEMES + 1, "a name for every scheme");

const scheme *scheme_get(int index)
{
    assert(index >= 0 && index < SCHEMES);
    return &schemes[index];
}

bool scheme_has_lambda(const scheme *s)
{
    for (int i = 0; i < SCHEME_HALF; i++)
        if (s->half[i].per_lambda != 0)
            return true;
    return false;
}

static int half_length(const scheme *s)
{
    int n = 0;
    while (n < SCHEME_HALF && s->half[n].what)
        n++;
    return n;
}

int scheme_cycle(md_step out[SCHEME_FACTORS], const scheme *s, double lambda)
{
    int half = half_length(s), whole = 2 * half - 1;
    for (int i = 0; i < half; i++) {
        const scheme_factor *f = &s->half[i];
        md_step step = { f->what, f->level, f->constant + f->per_lambda * lambda, f->displacement };
        out[i] = out[whole - 1 - i] = step;
    }
    return whole;
}
