/* doublet_results.c - the results of measurements of a non-degenerate doublet of twisted-mass quarks. */
#include "src/measure/doublet_measurement.h"
#include "src/measure/quark_members.h"

static const result_member masses[] = {
    MEMBER("mass", "1/a", NULL, "the bare mass of the light quark"),
    MEMBER("kappa", NULL, NULL, "1/(8 + 2 mass)"),
    MEMBER("mu", "1/a", NULL, "its twisted mass; the antiquark of the mesons has -mu"),
    PION_MASS_MEMBER(true),
    MEMBER("residual", NULL, NULL, "the largest residual of the solves of this light quark"),
    { 0 }
};
/* Labels with mu: points of twisted masses are separate. */
static const result_member mesons[] = {
    MEMBER("pion", NULL, "[t]", "C_PP(t) = " SPIN_PION_DOC, .table = &effective_mass_of_pion),
    MEMBER("heavy_light", NULL, "[operator][operator][t]", "C_jk(t) of the operators chibar_l gamma5 chi_s, "
           "chibar_l gamma5 chi_c, i chibar_l chi_s, i chibar_l chi_c"),
    MEMBER("kaon", NULL, "[t]", "mu not 0: correlator of psibar_l gamma5 psi_s at maximal twist and Z_P = Z_S, a sum "
           "over `heavy_light`", .table = &effective_mass_of_kaon),
    MEMBER("d_meson", NULL, "[t]", "the same of psibar_l gamma5 psi_c", .table = &effective_mass_of_d_meson),
    MORE_PION_MEMBERS,
    MEMBER("heavy_light_momenta", NULL, "[momentum][operator][operator][t]", "as `heavy_light`, for each of the "
           "`momenta`"),
    MEMBER("kaon_momenta", NULL, "[momentum][t]", "as `kaon`, for each of them"),
    MEMBER("d_meson_momenta", NULL, "[momentum][t]", "as `d_meson`, for each of them"),
    MEMBER("smeared.heavy_light", NULL, "[operator][operator][t]", "as `heavy_light`, with smeared sinks"),
    MEMBER("smeared.kaon", NULL, "[t]", "as `kaon`, with smeared sinks"),
    MEMBER("smeared.d_meson", NULL, "[t]", "as `d_meson`, with smeared sinks"),
    MEMBER("smeared.heavy_light_momenta", NULL, "[momentum][operator][operator][t]", "as `heavy_light_momenta`, with "
           "smeared sinks"),
    MEMBER("smeared.kaon_momenta", NULL, "[momentum][t]", "as `kaon_momenta`, with smeared sinks"),
    MEMBER("smeared.d_meson_momenta", NULL, "[momentum][t]", "as `d_meson_momenta`, with smeared sinks"),
    { 0 }
};
static const result_member doublet[] = {
    MEMBER("doublet.mass", "1/a", NULL, "the bare mass of the doublet"),
    MEMBER("doublet.kappa", NULL, NULL, "1/(8 + 2 mass)"),
    MEMBER("doublet.mu_sigma", "1/a", NULL, "twisted mass: the mean of both quark masses"),
    MEMBER("doublet.mu_delta", "1/a", NULL, "half the difference of both quark masses"),
    MEMBER("doublet.heavy_heavy", NULL, "[operator][operator][t]", "`heavy: true`: C_jk(t) of chibar_s gamma5 chi_s, "
           "chibar_s gamma5 chi_c, chibar_c gamma5 chi_s, chibar_c gamma5 chi_c, and the same four with i in place of "
           "gamma5, without disconnected diagrams"),
    MEMBER("doublet.d_s_meson", NULL, "[t]", "`heavy: true`: correlator of psibar_c gamma5 psi_s at maximal twist and "
           "Z_P = Z_S, a sum over `doublet.heavy_heavy`", .table = &effective_mass_of_d_s_meson),
    MEMBER("doublet.heavy_heavy_momenta", NULL, "[momentum][operator][operator][t]", "as `doublet.heavy_heavy`, for "
           "each of the `momenta`"),
    MEMBER("doublet.d_s_meson_momenta", NULL, "[momentum][t]", "as `doublet.d_s_meson`, for each of them"),
    MEMBER("doublet.smeared.heavy_heavy", NULL, "[operator][operator][t]", "as `doublet.heavy_heavy`, with smeared "
           "sinks"),
    MEMBER("doublet.smeared.d_s_meson", NULL, "[t]", "as `doublet.d_s_meson`, with smeared sinks"),
    MEMBER("doublet.smeared.heavy_heavy_momenta", NULL, "[momentum][operator][operator][t]", "as "
           "`doublet.heavy_heavy_momenta`, with smeared sinks"),
    MEMBER("doublet.smeared.d_s_meson_momenta", NULL, "[momentum][t]", "as `doublet.d_s_meson_momenta`, with smeared "
           "sinks"),
    MEMBER("doublet.residual", NULL, NULL, "the largest residual of the solves of the doublet"),
    ITERATIONS_MEMBER,
    { 0 }
};
/* Open boundaries in t: lists begin with time slice 0. */
#define SLICE_MEMBER(name, shape) \
    MEMBER("slices." name, NULL, shape "[slice]", "as `" name "`, for time slices")
#define DOUBLET_SLICE_MEMBER(name, shape) \
    MEMBER("doublet.slices." name, NULL, shape "[slice]", "as `doublet." name "`, for time slices")
#define MATRIX "[operator][operator]"
static const result_member slices[] = {
    MEMBER("slices.pion", NULL, "[slice]", "open boundaries in time: as `pion`, for time slices 0 to T - 1, whose "
           "first and last are 0"),
    SLICE_MEMBER("heavy_light", MATRIX), SLICE_MEMBER("kaon", ""), SLICE_MEMBER("d_meson", ""),
    SLICE_MEMBER("pion_momenta", "[momentum]"), SLICE_MEMBER("heavy_light_momenta", "[momentum]" MATRIX),
    SLICE_MEMBER("kaon_momenta", "[momentum]"), SLICE_MEMBER("d_meson_momenta", "[momentum]"),
    SLICE_MEMBER("smeared.pion", ""), SLICE_MEMBER("smeared.heavy_light", MATRIX),
    SLICE_MEMBER("smeared.kaon", ""), SLICE_MEMBER("smeared.d_meson", ""),
    SLICE_MEMBER("smeared.pion_momenta", "[momentum]"),
    SLICE_MEMBER("smeared.heavy_light_momenta", "[momentum]" MATRIX),
    SLICE_MEMBER("smeared.kaon_momenta", "[momentum]"), SLICE_MEMBER("smeared.d_meson_momenta", "[momentum]"),
    { 0 }
};
static const result_member doublet_slices[] = {
    DOUBLET_SLICE_MEMBER("heavy_heavy", MATRIX), DOUBLET_SLICE_MEMBER("d_s_meson", ""),
    DOUBLET_SLICE_MEMBER("heavy_heavy_momenta", "[momentum]" MATRIX),
    DOUBLET_SLICE_MEMBER("d_s_meson_momenta", "[momentum]"),
    DOUBLET_SLICE_MEMBER("smeared.heavy_heavy", MATRIX), DOUBLET_SLICE_MEMBER("smeared.d_s_meson", ""),
    DOUBLET_SLICE_MEMBER("smeared.heavy_heavy_momenta", "[momentum]" MATRIX),
    DOUBLET_SLICE_MEMBER("smeared.d_s_meson_momenta", "[momentum]"),
    { 0 }
};
static const result_member all[] = { SOURCE_GAUGE_MEMBERS, { 0 } };

const result_group doublet_results[] = {
    { "Mesons of a non-degenerate doublet", "masses", "kappa [mu]", masses },
    { NULL, "masses", "kappa mu", mesons },
    { NULL, NULL, NULL, doublet },
    { "Doublets with open boundaries", "masses", "kappa mu", slices },
    { NULL, NULL, NULL, doublet_slices },
    { "", NULL, NULL, all },
    { 0 }
};
