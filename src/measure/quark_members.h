/* quark_members.h - common members of the results of measurements of quarks (result_member.h). */
#ifndef KILN_MEASURE_QUARK_MEMBERS_H
#define KILN_MEASURE_QUARK_MEMBERS_H

#include "src/measure/effective_mass.h"

#define ITERATIONS_MEMBER MEMBER("iterations", NULL, NULL, "iterations of all solves")
#define RESIDUAL_MEMBER   MEMBER("residual", NULL, NULL, "the largest residual of the solves for this mass")

/* Rows of Gaussian sources: `name`, `name`_error and `name`_sources; __VA_ARGS__: further members of the first. */
#define NOISE_MEMBERS(name, unit, doc, ...)                                                                            \
    MEMBER(name, unit, NULL, doc, __VA_ARGS__), MEMBER(name "_error", unit, NULL, "its error over the sources"),       \
    MEMBER(name "_sources", unit, "[source]", "its values for the single sources")

#define MODES_MEMBERS                                                                                                  \
    MEMBER("modes.smallest", NULL, NULL, "the smallest of `modes.eigenvalues`", .headline = true),                     \
    MEMBER("modes.eigenvalues", NULL, "[mode]", "lambda_i of A, ascending"),                                           \
    MEMBER("modes.residuals", NULL, "[mode]", "\\|A x_i - lambda_i x_i\\| of \\|x_i\\| = 1, in units of "              \
           "`modes.upper`, computed from x_i. An eigenvalue of A is at most this far from lambda_i"),                  \
    MEMBER("modes.upper", NULL, NULL, "upper bound of all eigenvalues of A"),                                          \
    MEMBER("modes.cut", NULL, NULL, "lower end of the filter's interval, at the end"),                                 \
    MEMBER("modes.degree", NULL, NULL, "degree of the filter, at the end"),                                            \
    MEMBER("modes.restarts", NULL, NULL, "restarts of Lanczos"),                                                       \
    MEMBER("modes.applications", NULL, NULL, "applications of A")

/* For sources in Coulomb gauge. */
#define SOURCE_GAUGE_MEMBERS                                                                                           \
    MEMBER("gauge_fixing.functional", NULL, NULL, "as in [gauge fixing](#gauge-fixing), for a source that needs it"),  \
    MEMBER("gauge_fixing.theta", NULL, NULL, "the same"),                                                              \
    MEMBER("gauge_fixing.theta_slice", NULL, NULL, "the same"),                                                        \
    MEMBER("gauge_fixing.theta_largest", NULL, NULL, "the same"),                                                      \
    MEMBER("gauge_fixing.sweeps", NULL, NULL, "the same")

#define PION_MASS_MEMBER(is_headline)                                                                                  \
    MEMBER("pion_mass", "1/a_t", NULL, "a mass to monitor a run, from `pion` at three times, as for [staggered "       \
           "quarks](#mesons-of-staggered-quarks)", .headline = is_headline)

#define PAIR_NUMBERS                                                                                                   \
    MEMBER("quark", NULL, NULL, "number of a mass in the list of masses"),                                             \
    MEMBER("antiquark", NULL, NULL, "number of the other one")

#define SPIN_PION_DOC "sum of \\|q\\|^2 over spin and color of source and sink, and over the sites of a time slice; " \
                      "the first number is at the time of the source. Point source at `source`, or [another source]"   \
                      "(#sources-of-mesons)"

/* With momenta (momentum_sums.h), and of sinks with Gaussian smearing (quark_smearing.h). */
#define MORE_PION_MEMBERS                                                                                              \
    MEMBER("pion_momenta", NULL, "[momentum][t]", "as `pion`, for each of the [`momenta`](#momenta)"),                 \
    MEMBER("smeared.pion", NULL, "[t]", "as `pion`, with [smeared sinks](#smeared-sources-and-sinks) of both quarks"), \
    MEMBER("smeared.pion_momenta", NULL, "[momentum][t]", "as `pion_momenta`, with smeared sinks")

/* Other products of gamma matrices (bilinears.h); is_headline, of: of the vector meson. */
#define BILINEAR_MEMBERS(is_headline, of)                                                                              \
    MEMBER("vector_mass", "1/a_t", NULL, "as `pion_mass`, from `vector`", .headline = is_headline),                    \
    MEMBER("vector", NULL, "[t]", "[vector meson](#vector-mesons-and-other-bilinears): the mean of gamma_x, gamma_y "  \
           "and gamma_z", .table = &of),                                                                               \
    MEMBER("vector_momenta", NULL, "[momentum][t]", "as `vector`, for each of the `momenta`"),                         \
    MEMBER("bilinears", NULL, "[t]", "`bilinears.NAME`, the correlators of all 16 Gamma, and for each of the "         \
           "`momenta` `bilinears.NAME_momenta` [momentum]"),                                                           \
    MEMBER("smeared.vector_mass", "1/a_t", NULL, "as `vector_mass`, with smeared sinks"),                              \
    MEMBER("smeared.vector", NULL, "[t]", "as `vector`, with smeared sinks"),                                          \
    MEMBER("smeared.vector_momenta", NULL, "[momentum][t]", "as `vector_momenta`, with smeared sinks"),                \
    MEMBER("smeared.bilinears", NULL, "[t]", "as `bilinears`, with smeared sinks")

/* Baryons (baryons.h); `prefix`: "smeared." or nothing, `of`: a text about the sinks, __VA_ARGS__: further members of
 * nucleon_mass. */
#define PARITY_MEMBERS(prefix, name, of, ...)                                                                          \
    MEMBER(prefix name, NULL, "[t]", "correlator of the " name " with the projection (1 + gamma_t)/2" of,              \
           __VA_ARGS__),                                                                                               \
    MEMBER(prefix name "_negative", NULL, "[t]", "minus the same with (1 - gamma_t)/2" of),                            \
    MEMBER(prefix name "_momenta", NULL, "[momentum][t]", "as `" name "`, for each of the `momenta`" of),              \
    MEMBER(prefix name "_negative_momenta", NULL, "[momentum][t]", "as `" name "_negative`, for each of them" of)
#define BARYON_MEMBERS                                                                                                 \
    MEMBER("nucleon_mass", "1/a_t", NULL, "a mass to monitor a run: log (C(t1)/C(t2)) / (t2 - t1) of `nucleon` at "    \
           "T/8 and T/4, rounded down, or the first times", .headline = true),                                         \
    PARITY_MEMBERS("", "nucleon", "", .table = &effective_mass_of_nucleon),                                            \
    PARITY_MEMBERS("", "delta", "", .table = &effective_mass_of_delta)
#define SMEARED_BARYON_MEMBERS                                                                                         \
    MEMBER("smeared.nucleon_mass", "1/a_t", NULL, "as `nucleon_mass`, with smeared sinks"),                            \
    PARITY_MEMBERS("smeared.", "nucleon", ", with smeared sinks", .headline = false),                                  \
    PARITY_MEMBERS("smeared.", "delta", ", with smeared sinks", .headline = false)

/* Baryons of two masses (hyperons.h). */
#define HYPERON_MASS(prefix, name, of, is_headline)                                                                    \
    MEMBER(prefix name "_mass", "1/a_t", NULL, "as `nucleon_mass`, from `" name "`" of, .headline = is_headline)
#define HYPERON_MEMBERS                                                                                                \
    HYPERON_MASS("", "sigma", "", true), PARITY_MEMBERS("", "sigma", "", .table = &effective_mass_of_sigma),           \
    HYPERON_MASS("", "xi", "", true), PARITY_MEMBERS("", "xi", "", .table = &effective_mass_of_xi),                    \
    HYPERON_MASS("", "lambda", "", true), PARITY_MEMBERS("", "lambda", "", .table = &effective_mass_of_lambda),        \
    HYPERON_MASS("smeared.", "sigma", ", with smeared sinks", false),                                                  \
    PARITY_MEMBERS("smeared.", "sigma", ", with smeared sinks", .headline = false),                                    \
    HYPERON_MASS("smeared.", "xi", ", with smeared sinks", false),                                                     \
    PARITY_MEMBERS("smeared.", "xi", ", with smeared sinks", .headline = false),                                       \
    HYPERON_MASS("smeared.", "lambda", ", with smeared sinks", false),                                                 \
    PARITY_MEMBERS("smeared.", "lambda", ", with smeared sinks", .headline = false)

#endif
