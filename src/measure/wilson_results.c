/* wilson_results.c - the results of measurements of Wilson quarks. */
#include "src/measure/quark_members.h"
#include "src/measure/wilson_masses.h"
#include "src/measure/wilson_measurement.h"

static const result_member masses[] = {
    MEMBER("mass", "1/a_t", NULL, "the bare mass"),
    MEMBER("kappa", NULL, NULL, "1/(8 + 2 mass)"),
    MEMBER("mu", "1/a_t", NULL, "the twisted mass"),
    MEMBER("pcac_mass", "1/a_t", NULL, "mean of `pcac_mass_in_time` over the time slices whose distance from the "
           "source is at least `plateau` x (extent in t)", .headline = true),
    MEMBER("c_A", NULL, NULL, "the key of the input: coefficient of the improved axial current in `pcac_mass`"),
    PION_MASS_MEMBER(true),
    MEMBER("axial", NULL, "[t]", "C_AP(t) = - sum of q^+ gamma_t q, over the same: the correlator of the axial "
           "current A_0 with the pion source, in the sign in which it is negative after the source"),
    MEMBER("pcac_mass_in_time", "1/a_t", "[t]", "m(t) = [ (C_AP(t+1) - C_AP(t-1))/2 + c_A (C_PP(t+1) - 2 C_PP(t) + "
           "C_PP(t-1)) ] / (2 C_PP(t)) at each time"),
    { 0 }
};
/* Open boundaries in t: lists begin with time slice 0. */
#define SLICE_MEMBER(name, shape) \
    MEMBER("slices." name, NULL, shape "[slice]", "as `" name "`, for time slices")
static const result_member slices[] = {
    MEMBER("slices.pion", NULL, "[slice]", "open boundaries in time: as `pion`, for time slices 0 to T - 1, whose "
           "first and last are 0"),
    MEMBER("slices.axial", NULL, "[slice]", "as `axial`, for time slices"),
    MEMBER("slices.pcac_mass", "1/a_t", "[slice]", "as `pcac_mass_in_time`, for time slices; `pcac_mass` is its mean "
           "over the slices `plateau_first` to `plateau_last`"),
    SLICE_MEMBER("pion_momenta", "[momentum]"),
    SLICE_MEMBER("vector", ""), SLICE_MEMBER("vector_momenta", "[momentum]"), SLICE_MEMBER("bilinears", ""),
    SLICE_MEMBER("smeared.pion", ""), SLICE_MEMBER("smeared.pion_momenta", "[momentum]"),
    SLICE_MEMBER("smeared.vector", ""), SLICE_MEMBER("smeared.vector_momenta", "[momentum]"),
    SLICE_MEMBER("smeared.bilinears", ""),
    { 0 }
};
/* Labels with mu: points of twisted masses are separate. */
static const result_member pions[] = {
    MEMBER("pion", NULL, "[t]", "C_PP(t) = " SPIN_PION_DOC, .table = &effective_mass_of_pion),
    MORE_PION_MEMBERS,
    BILINEAR_MEMBERS(true, effective_mass_of_vector),
    { 0 }
};
static const result_member baryons[] = { BARYON_MEMBERS, SMEARED_BARYON_MEMBERS, { 0 } };
static const result_member hyperons[] = { HYPERON_MEMBERS, { 0 } };
static const result_member condensates[] = {
    NOISE_MEMBERS("condensate", "1/a_s\u00b3", "(1/V) Tr M^-1, trace over spin, color and sites, one flavor, from "
                  "`random_sources` Gaussian sources", .headline = true),
    NOISE_MEMBERS("twisted_condensate", "1/a_s\u00b3", "mu not 0: (1/V) Tr i gamma5 M^-1, the order parameter at "
                  "maximal twist; positive for mu > 0", .headline = false),
    RESIDUAL_MEMBER,
    { 0 }
};
static const result_member spectrum[] = {
    MEMBER("spectrum.smallest", "1/a_t", NULL, "lower end of the spectrum of (Mhat^+ Mhat)^(1/2): for mu = 0 the "
           "smallest absolute eigenvalue of the hermitian even-odd operator gamma5 Mhat. By Lanczos, with a relative "
           "accuracy of about 1e-3: never below the true value", .headline = true),
    MEMBER("spectrum.largest", "1/a_t", NULL, "upper end, never above the true value"),
    { 0 }
};
static const result_member modes[] = { MODES_MEMBERS, { 0 } };
static const result_member pairs[] = {
    PAIR_NUMBERS,
    PION_MASS_MEMBER(false),
    MEMBER("pion", NULL, "[t]", "Re q'^+ q in place of \\|q\\|^2", .table = &effective_mass_of_pair),
    MORE_PION_MEMBERS,
    BILINEAR_MEMBERS(false, effective_mass_of_vector),
    MEMBER("axial", NULL, "[t]", "the same"),
    MEMBER("pcac_mass_in_time", "1/a_t", "[t]", "mean of the masses of both quarks, at each time"),
    MEMBER("pcac_mass", "1/a_t", NULL, "the same, over the plateau"),
    MEMBER("c_A", NULL, NULL, "the key of the input"),
    { 0 }
};
static const result_member all[] = { SOURCE_GAUGE_MEMBERS, WILSON_XI_MEMBER, ITERATIONS_MEMBER, { 0 } };

const result_group wilson_results[] = {
    { "Pion and PCAC mass", "masses", "kappa [mu]", masses },
    { NULL, "masses", "kappa mu", pions },
    { "Wilson quarks with open boundaries", "masses", "kappa mu", slices },
    { "Baryons", "masses", "kappa [mu]", baryons },
    { "Baryons of two masses", "pairs", "quark antiquark", hyperons },
    { "Condensate of Wilson quarks", "masses", "kappa [mu]", condensates },
    { "Spectrum of Wilson quarks", "masses", "kappa [mu]", spectrum },
    { "Low modes", "masses", "kappa [mu]", modes },
    { "", "pairs", "quark antiquark", pairs },
    { "", NULL, NULL, all },
    { 0 }
};
