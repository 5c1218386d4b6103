/* dwf_results.c - the results of measurements of domain-wall quarks. */
#include "src/measure/dwf_measurement.h"
#include "src/measure/quark_members.h"

static const result_member masses[] = {
    MEMBER("mass", "1/a", NULL, "m, in the convention of the input"),
    MEMBER("residual_mass", "1/a", NULL, "(Re sum eta^+ q) / (sum \\|q\\|^2) - m, where eta are the columns of the "
           "source (axial Ward identity); works for any weights", .headline = true),
    MEMBER("residual_mass_midpoint", "1/a", NULL, "mean of `midpoint`/`pion` over the time slices whose distance from "
           "the source is at least `plateau` x (extent in t): the number that is usually quoted"),
    MEMBER("residual_mass_in_time", "1/a", "[t]", "`midpoint`/`pion` at each time"),
    MEMBER("residual_mass_noise", "1/a", NULL, "as `residual_mass`, from Gaussian sources"),
    MEMBER("residual_mass_noise_error", "1/a", NULL, "its error over the sources"),
    { 0 }
};
#define CORRELATORS(is_headline, of)                                                                                   \
    PION_MASS_MEMBER(is_headline), MEMBER("pion", NULL, "[t]", SPIN_PION_DOC, .table = &of), MORE_PION_MEMBERS, \
    BILINEAR_MEMBERS(is_headline, effective_mass_of_vector)
static const result_member pions[] = {
    CORRELATORS(true, effective_mass_of_pion),
    MEMBER("midpoint", NULL, "[t]", "as `pion`, for the quark in the middle of the fifth dimension (called J5q in "
           "other codes)"),
    { 0 }
};
static const result_member baryons[] = { BARYON_MEMBERS, SMEARED_BARYON_MEMBERS, { 0 } };
static const result_member hyperons[] = { HYPERON_MEMBERS, { 0 } };
static const result_member condensates[] = {
    NOISE_MEMBERS("condensate", "1/a\u00b3", "(1/V) Tr q, trace over spin, color and sites, one flavor, from "
                  "`random_sources` Gaussian sources", .headline = true),
    RESIDUAL_MEMBER,
    { 0 }
};
static const result_member modes[] = { MODES_MEMBERS, { 0 } };
static const result_member pairs[] = { PAIR_NUMBERS, CORRELATORS(false, effective_mass_of_pair), { 0 } };
static const result_member kernel[] = {
    MEMBER("kernel.smallest", "1/a", NULL, "lower end of the spectrum of \\|gamma5 Dw(-M5)\\|, by Lanczos, with a "
           "relative accuracy of about 1e-3"),
    MEMBER("kernel.largest", "1/a", NULL, "upper end, the same"),
    { 0 }
};
static const result_member all[] = { SOURCE_GAUGE_MEMBERS, ITERATIONS_MEMBER, { 0 } };

const result_group dwf_results[] = {
    { "Residual mass", "masses", "mass", masses },
    { "Pion", "masses", "mass", pions },
    { "Baryons", "masses", "mass", baryons },
    { "Baryons of two masses", "pairs", "quark antiquark", hyperons },
    { "Condensate of domain-wall quarks", "masses", "mass", condensates },
    { "Low modes", "masses", "mass", modes },
    { "", "pairs", "quark antiquark", pairs },
    { "Kernel spectrum", NULL, NULL, kernel },
    { "", NULL, NULL, all },
    { 0 }
};
