/* ensembles.c - ensembles of the literature with staggered and domain-wall quarks. */
#include "src/literature/literature.h"

/* MILC, A. Bazavov et al., Phys. Rev. D 87 (2013) 054505 (arXiv:1212.4768): masses and u0.  A. Bazavov et al., Phys.
 * Rev. D 98 (2018) 074512 (arXiv:1712.09262): masses at 0.043 fm, and spacings (table IX) and pions in the scale of
 * f_p4s.  Light masses are 1/27, 1/10 and 1/5 of the strange one. */
#define MILC "MILC (arXiv:1212.4768, arXiv:1712.09262)"
const coupling milc_couplings[MILC_COUPLINGS] = {
    { .beta = 5.80, .spacing = 0.1529, .gauge = "symanzik_1loop", .u0 = 0.85535, .source = MILC,
      .points = { { 131, 0.00235, 0.0647, 0.831 }, { 214, 0.0064, 0.064, 0.828 }, { 305, 0.013, 0.065, 0.838 } } },
    { .beta = 6.00, .spacing = 0.1222, .gauge = "symanzik_1loop", .u0 = 0.86372, .source = MILC,
      .points = { { 132, 0.00184, 0.0507, 0.628 }, { 217, 0.00507, 0.0507, 0.628 }, { 305, 0.0102, 0.0509, 0.635 } } },
    { .beta = 6.30, .spacing = 0.0879, .gauge = "symanzik_1loop", .u0 = 0.874164, .source = MILC,
      .points = { { 129, 0.0012, 0.0363, 0.432 }, { 221, 0.00363, 0.0363, 0.430 }, { 316, 0.0074, 0.037, 0.440 } } },
    { .beta = 6.72, .spacing = 0.0566, .gauge = "symanzik_1loop", .u0 = 0.885773, .source = MILC,
      .points = { { 135, 0.0008, 0.022, 0.260 }, { 234, 0.0024, 0.024, 0.286 }, { 329, 0.0048, 0.024, 0.286 } } },
    { .beta = 7.00, .spacing = 0.0426, .gauge = "symanzik_1loop", .u0 = 0.892186, .unconfirmed = "u0", .source = MILC,
      .points = { { 134, 0.000569, 0.01555, 0.1827 }, { 315, 0.00316, 0.0158, 0.188 } } },
};

/* RBC, Y. Aoki et al., Phys. Rev. D 72 (2005) 114505 (hep-lat/0411006): 1/a = 1.69 GeV from the rho mass; pions from
 * m_pi^2 a^2 = 3.99 (m + m_res). */
const coupling dwf_2_couplings[DWF_2_COUPLINGS] = {
    { .beta = 0.80, .spacing = 0.117, .gauge = "dbw2", .action = "shamir", .Ls = 12, .M5 = 1.8,
      .residual_mass = 0.00137, .source = "RBC (hep-lat/0411006)",
      .unconfirmed = "beta, Ls, M5, the masses and the pion masses",
      .points = { { 490, 0.02, 0, 0 }, { 600, 0.03, 0, 0 }, { 690, 0.04, 0, 0 } } },
};

/* RBC and UKQCD, T. Blum et al., Phys. Rev. D 93 (2016) 074505 (arXiv:1411.7017): 1/a and residual masses of 24I, 48I,
 * 32I, 64I and 32I-fine.  Pions of 24I and 32I: P. A. Boyle et al., arXiv:1812.08791, table 1. */
#define RBC "RBC and UKQCD (arXiv:1411.7017)"
#define RESIDUAL "the residual mass, which extrapolated masses need"
const coupling dwf_3_couplings[DWF_3_COUPLINGS] = {
    { .beta = 2.13, .spacing = 0.1106, .gauge = "iwasaki", .action = "shamir", .Ls = 16, .M5 = 1.8,
      .residual_mass = 0.003154, .start_beta = 2.53, .source = RBC, .unconfirmed = RESIDUAL,
      .points = { { 340, 0.005, 0.04, 0 }, { 431, 0.01, 0.04, 0 } } },
    { .beta = 2.13, .spacing = 0.1141, .gauge = "iwasaki", .action = "mobius", .b = 1.5, .c = 0.5, .Ls = 24,
      .M5 = 1.8, .residual_mass = 0.0006102, .start_beta = 2.53, .source = RBC, .unconfirmed = "Ls",
      .points = { { 139, 0.00078, 0.0362, 0 } } },
    { .beta = 2.25, .spacing = 0.0828, .gauge = "iwasaki", .action = "shamir", .Ls = 16, .M5 = 1.8,
      .residual_mass = 0.000666, .source = RBC, .unconfirmed = RESIDUAL,
      .points = { { 304, 0.004, 0.03, 0 }, { 361, 0.006, 0.03, 0 }, { 411, 0.008, 0.03, 0 } } },
    { .beta = 2.25, .spacing = 0.0837, .gauge = "iwasaki", .action = "mobius", .b = 1.5, .c = 0.5, .Ls = 12,
      .M5 = 1.8, .residual_mass = 0.0003116, .source = RBC, .unconfirmed = "Ls and the pion mass",
      .points = { { 139, 0.000678, 0.02661, 0 } } },
    { .beta = 2.37, .spacing = 0.0627, .gauge = "iwasaki", .action = "shamir", .Ls = 12, .M5 = 1.8,
      .residual_mass = 0.0006296, .source = RBC, .points = { { 371, 0.0047, 0.0186, 0 } } },
};
