/* ensembles_wilson.c - ensembles of the literature with Wilson quarks: kappa of light and strange quarks. */
#include "src/literature/literature.h"

/* SESAM and TchiL: pion masses in lattice units of B. Orth, T. Lippert, K. Schilling, Phys. Rev. D 72 (2005) 014503
 * (hep-lat/0503016); the spacing, from the kaon, of L. Del Debbio et al., JHEP 02 (2007) 056 (hep-lat/0610059). */
const coupling wilson_2_couplings[WILSON_2_COUPLINGS] = {
    { .beta = 5.6, .spacing = 0.0717, .gauge = "wilson",
      .source = "SESAM and TchiL (hep-lat/0503016; spacing from the kaon mass, hep-lat/0610059)",
      .unconfirmed = "kappa, the spacing and the pion masses",
      .points = { { 546, 0.1580, 0, 0 }, { 760, 0.1575, 0, 0 }, { 942, 0.1570, 0, 0 }, { 1084, 0.1565, 0, 0 },
                  { 1225, 0.1560, 0, 0 } } },
};

/* CLS: P. Fritzsch et al., Nucl. Phys. B 865 (2012) 397 (arXiv:1205.5380).  c_sw is the function of beta. */
#define CLS_2 "CLS (arXiv:1205.5380)"
#define NOT_CLS_2 "kappa, the spacing and the pion masses"
const coupling clover_2_couplings[CLOVER_2_COUPLINGS] = {
    { .beta = 5.2, .spacing = 0.0755, .gauge = "wilson", .source = CLS_2, .unconfirmed = NOT_CLS_2,
      .points = { { 281, 0.13597, 0, 0 }, { 331, 0.13594, 0, 0 }, { 492, 0.13580, 0, 0 } } },
    { .beta = 5.3, .spacing = 0.0658, .gauge = "wilson", .source = CLS_2, .unconfirmed = NOT_CLS_2,
      .points = { { 185, 0.136417, 0, 0 }, { 266, 0.13638, 0, 0 }, { 311, 0.13635, 0, 0 }, { 437, 0.13625, 0, 0 } } },
    { .beta = 5.5, .spacing = 0.0486, .gauge = "wilson", .source = CLS_2, .unconfirmed = NOT_CLS_2,
      .points = { { 268, 0.13671, 0, 0 }, { 340, 0.13667, 0, 0 }, { 441, 0.13660, 0, 0 }, { 551, 0.13650, 0, 0 } } },
};

/* PACS-CS: S. Aoki et al., Phys. Rev. D 79 (2009) 034503 (arXiv:0807.1661), those with kappa_s = 0.13640.
 * CLS: M. Bruno et al., JHEP 02 (2015) 043 (arXiv:1411.3982), and later ensembles, with the sum of the bare masses
 * constant; spacings: M. Bruno, T. Korzec, S. Schaefer, Phys. Rev. D 95 (2017) 074504 (arXiv:1608.08900); pions: the
 * masses in lattice units of M. Ce et al., Phys. Rev. D 106 (2022) 114502 (arXiv:2206.06582), with these spacings.
 * c_sw is the function of beta. */
#define CLS_3 "CLS (arXiv:1411.3982, most with open boundaries in t; spacing arXiv:1608.08900, pions arXiv:2206.06582)"
const coupling clover_3_couplings[CLOVER_3_COUPLINGS] = {
    { .beta = 1.90, .spacing = 0.0907, .gauge = "iwasaki", .c_sw = 1.715, .start_beta = 2.5,
      .source = "PACS-CS (arXiv:0807.1661)", .unconfirmed = "pion masses between 156 and 702 MeV",
      .points = { { 156, 0.13781, 0.13640, 0 }, { 296, 0.13770, 0.13640, 0 }, { 411, 0.13754, 0.13640, 0 },
                  { 570, 0.13727, 0.13640, 0 }, { 702, 0.13700, 0.13640, 0 } } },
    { .beta = 3.40, .spacing = 0.0864, .gauge = "symanzik_tree", .source = CLS_3, .mostly_open = true,
      .points = { { 219, 0.137030, 0.136222041, 0 }, { 278, 0.136970, 0.13634079, 0 },
                  { 352, 0.136865, 0.136549339, 0 }, { 416, 0.13675962, 0.13675962, 0 } } },
    { .beta = 3.46, .spacing = 0.0763, .gauge = "symanzik_tree", .source = CLS_3, .mostly_open = true,
      .points = { { 215, 0.137126, 0.136420429, 0 }, { 286, 0.1370616, 0.136548077, 0 },
                  { 349, 0.136984, 0.136702387, 0 }, { 415, 0.136890, 0.136890, 0 } } },
    { .beta = 3.55, .spacing = 0.0643, .gauge = "symanzik_tree", .source = CLS_3, .mostly_open = true,
      .points = { { 128, 0.137232867, 0.136536633, 0 }, { 200, 0.137200, 0.136601748, 0 },
                  { 284, 0.137140, 0.13672086, 0 }, { 346, 0.137080, 0.136840284, 0 },
                  { 412, 0.137000, 0.137000, 0 } } },
    { .beta = 3.70, .spacing = 0.0498, .gauge = "symanzik_tree", .source = CLS_3, .mostly_open = true,
      .points = { { 174, 0.137163, 0.136675164, 0 }, { 256, 0.137123, 0.136754661, 0 },
                  { 344, 0.137064, 0.136872179, 0 }, { 419, 0.137000, 0.137000, 0 } } },
};

/* HadSpec, and FASTSUM at high temperature: R. G. Edwards, B. Joo, H.-W. Lin, Phys. Rev. D 78 (2008) 054501
 * (arXiv:0803.3960): the action; H.-W. Lin et al., Phys. Rev. D 79 (2009) 034502 (arXiv:0810.3588): masses.  nu is that
 * of the names of the configurations (gamma_f = xi_0/nu of the papers is 3.4); c_s and c_t follow from it with the
 * mean stout link 0.926742 and xi = 3.5.  Pions: G. K. C. Cheung et al., JHEP 02 (2021) 100 (arXiv:2008.06432), 239
 * and 391 MeV; A. Rodas, J. J. Dudek, R. G. Edwards, Phys. Rev. D 108 (2023) 034513 (arXiv:2303.10701), 283 and
 * 330 MeV.  Spacings: from these pions, a_s = xi (a_t m_pi) / m_pi, with a_t m_pi and xi of D. J. Wilson et al., Phys.
 * Rev. Lett. 123 (2019) 042002 (arXiv:1904.03188): 0.03928, 0.04735, 0.05593, 0.06906 and 3.453, 3.455, 3.456, 3.444.
 * Published 1/a_t, which are independent of the pions, confirm those at 283 and 391 MeV. */
#define HADSPEC "HadSpec (arXiv:0810.3588, arXiv:0803.3960; pions arXiv:2008.06432, arXiv:2303.10701; spacings from " \
                "these pions and a_t m_pi of arXiv:1904.03188)"
const coupling aniclover_couplings[ANICLOVER_COUPLINGS] = {
    { .beta = 1.5, .spacing = 0.1200, .gauge = "symanzik_anisotropic", .source = HADSPEC,
      .unconfirmed = "the spacings with pions of 239 and 330 MeV",
      .aniso = { .xi_0 = 4.3, .xi = 3.45, .u_s = 0.733566, .u_t = 1, .nu = 1.265, .c_s = 1.589327, .c_t = 0.902784 },
      .stout_levels = 2, .stout_rho = 0.14,
      .points = { { 239, -0.0860, -0.0743, 0 }, { 283, -0.0856, -0.0743, 0 }, { 330, -0.0850, -0.0743, 0 },
                  { 391, -0.0840, -0.0743, 0 } },
      .spacings = { 0.1120, 0.1141, 0.1156, 0.1200 } },
};

/* QCDSF and UKQCD: N. Cundy et al., Phys. Rev. D 79 (2009) 094507 (arXiv:0901.3302): the action; c_sw and kappa are
 * those in the names of the configurations, b5p50kp120900kp120900c2p6500.  beta is 10/g^2.  Spacing: S. Hollitt et al.,
 * PoS(INPC2016)272.  Pion: A. J. Chambers et al., Phys. Rev. D 96 (2017) 114509 (arXiv:1702.01513), 470 MeV on one
 * ensemble of three degenerate flavors; that it is this one follows from the programs for it. */
const coupling slinc_couplings[SLINC_COUPLINGS] = {
    { .beta = 5.50, .spacing = 0.074, .gauge = "symanzik_tree", .input_factor = 0.6, .c_sw = 2.65, .stout_levels = 1,
      .stout_rho = 0.1, .source = "QCDSF and UKQCD (action arXiv:0901.3302; c_sw and kappa: names of their "
                                  "configurations; spacing PoS(INPC2016)272, pion arXiv:1702.01513)",
      .unconfirmed = "c_sw, kappa and the pion mass", .points = { { 470, 0.120900, 0.120900, 0 } } },
};

/* OpenLat: A. Francis et al., Comput. Phys. Commun. 255 (2020) 107355 (arXiv:1911.04533): the action; F. Cuteri et al.,
 * arXiv:2201.03874: the pion of the symmetric points, and their spacings; that 0.094 fm is at this beta is not
 * confirmed.  beta, c_sw, kappa, gamma and the step of SMD are those of 96x32v1 in main/examples/qcd2 of openQCD 2.4,
 * where gamma is 0.3 and the step 0.31: Kiln's unit of time is longer by sqrt(2) (docs/codes.md). */
#define SQRT_2 1.4142135623730951
const coupling expclover_couplings[EXPCLOVER_COUPLINGS] = {
    { .beta = 3.80, .spacing = 0.094, .gauge = "symanzik_tree", .c_sw = 1.955242, .smd_gamma = 0.3 * SQRT_2,
      .smd_length = 0.31 / SQRT_2,
      .source = "openQCD 2.4, example 96x32v1 (spacing and pion of this symmetric point: OpenLat, arXiv:2201.03874)",
      .unconfirmed = "c_sw, kappa, the spacing and the pion mass", .points = { { 412, 0.138963, 0.138963, 0 } } },
};

/* ETM: A. Abdel-Rehim et al., Phys. Rev. D 95 (2017) 094515 (arXiv:1507.05068), at maximal twist on their lattices:
 * kappa of the ensemble with physical pions, and of those with heavier ones.  Pions: masses in lattice units of
 * M. Fischer et al., arXiv:2006.13805, with this spacing. */
#define ETM "ETM (arXiv:1507.05068)"
#define NOT_ETM "the spacing: a second source has 0.0938(3) fm"
const coupling tmclover_couplings[TMCLOVER_COUPLINGS] = {
    { .beta = 2.10, .spacing = 0.0914, .gauge = "iwasaki", .c_sw = 1.57551, .kappa = 0.1373, .start_beta = 2.5,
      .source = ETM, .unconfirmed = NOT_ETM, .points = { { 242, 0.003, 0, 0 }, { 341, 0.006, 0, 0 } } },
    { .beta = 2.10, .spacing = 0.0914, .gauge = "iwasaki", .c_sw = 1.57551, .kappa = 0.13729, .start_beta = 2.5,
      .source = ETM, .unconfirmed = NOT_ETM, .points = { { 134, 0.0009, 0, 0 } } },
};

/* ETM, 2+1+1 flavors without a clover term: R. Baron et al., JHEP 06 (2010) 111 (arXiv:1004.5284), N. Carrasco et al.,
 * Nucl. Phys. B 887 (2014) 19 (arXiv:1403.4504): spacings and pions.  kappa is that of maximal twist at each mu. */
#define ETM_4 "ETM (arXiv:1403.4504)"
const coupling tm_4_couplings[TM_4_COUPLINGS] = {
    { .beta = 1.90, .spacing = 0.0885, .gauge = "iwasaki", .mu_sigma = 0.15, .mu_delta = 0.19, .start_beta = 2.5,
      .source = ETM_4,
      .unconfirmed = "kappa at mu of 0.003, 0.004, 0.005 and 0.008, the spacing and the pion masses",
      .points = { { 275, 0.003, 0, 0 }, { 316, 0.004, 0, 0 }, { 350, 0.005, 0, 0 }, { 386, 0.006, 0, 0 },
                  { 442, 0.008, 0, 0 }, { 495, 0.010, 0, 0 } },
      .kappas = { 0.163272, 0.163270, 0.163267, 0.163265, 0.163260, 0.163255 } },
    { .beta = 1.95, .spacing = 0.0815, .gauge = "iwasaki", .mu_sigma = 0.135, .mu_delta = 0.17, .source = ETM_4,
      .unconfirmed = "kappa at mu of 0.0025, 0.0075 and 0.0085, mu_sigma, mu_delta, the spacing and the pion masses",
      .points = { { 259, 0.0025, 0, 0 }, { 302, 0.0035, 0, 0 }, { 375, 0.0055, 0, 0 }, { 436, 0.0075, 0, 0 },
                  { 468, 0.0085, 0, 0 } },
      .kappas = { 0.161242, 0.161240, 0.161236, 0.161232, 0.1612312 } },
    { .beta = 2.10, .spacing = 0.0619, .gauge = "iwasaki", .mu_sigma = 0.12, .mu_delta = 0.1385, .source = ETM_4,
      .unconfirmed = "kappa at mu of 0.002 and 0.003, mu_sigma, mu_delta, the spacing and the pion masses",
      .points = { { 223, 0.0015, 0, 0 }, { 256, 0.002, 0, 0 }, { 312, 0.003, 0, 0 } },
      .kappas = { 0.156361, 0.156357, 0.156355 } },
};

/* ETM, 2+1+1 flavors with a clover term: C. Alexandrou et al., Phys. Rev. D 98 (2018) 054518 (arXiv:1807.00495), and
 * C. Alexandrou et al., Phys. Rev. D 104 (2021) 074520 (arXiv:2104.06747): parameters.  Pions: a m_pi of the latter,
 * for beta 1.726 0.12530(16), 0.14477(70) and 0.16626(51), as also in arXiv:2110.04588, table 1; with the spacings of
 * C. Alexandrou et al., Phys. Rev. D 107 (2023) 074506 (arXiv:2206.15084).  Other analyses of the same configurations
 * have a m_pi that differ by up to 0.7 %. */
#define ETM_CLOVER_4 "ETM (arXiv:1807.00495, arXiv:2104.06747: also the pions; spacings arXiv:2206.15084)"
const coupling tmclover_4_couplings[TMCLOVER_4_COUPLINGS] = {
    { .beta = 1.726, .spacing = 0.0908, .gauge = "iwasaki", .c_sw = 1.74, .kappa = 0.1400645, .mu_sigma = 0.1408,
      .mu_delta = 0.1521, .start_beta = 2.5, .source = ETM_CLOVER_4,
      .points = { { 272, 0.003, 0, 0 }, { 315, 0.004, 0, 0 }, { 361, 0.0053, 0, 0 } } },
    { .beta = 1.778, .spacing = 0.0796, .gauge = "iwasaki", .c_sw = 1.69, .mu_sigma = 0.1246864,
      .mu_delta = 0.1315052, .source = ETM_CLOVER_4,
      .points = { { 140, 0.00072, 0, 0 }, { 260, 0.0025, 0, 0 } }, .kappas = { 0.1394265, 0.1394267 } },
    { .beta = 1.836, .spacing = 0.0682, .gauge = "iwasaki", .c_sw = 1.6452, .kappa = 0.13875285,
      .mu_sigma = 0.106586, .mu_delta = 0.107146, .source = ETM_CLOVER_4,
      .unconfirmed = "c_sw, mu_sigma and mu_delta", .points = { { 137, 0.0006, 0, 0 } } },
};
