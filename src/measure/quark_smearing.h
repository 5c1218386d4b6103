/* quark_smearing.h - Gaussian smearing of quarks in space, for sources and sinks that couple less to excited states.
 *
 *     psi <- (1 + (w^2 / 4n) Laplace)^n psi,   Laplace psi(x) = sum over i = x, y, z of
 *                                              U_i(x) psi(x+i) + U_i(x-i)^+ psi(x-i) - 2 psi(x)
 * with n steps and the width w: about exp(-|x|^2 / w^2) for unit links.  It is gauge covariant, hermitian, and acts on
 * each time slice and spin separately.  A step is psi <- (psi + kappa H psi) / (1 + 6 kappa) with H the sum over the
 * six neighbors and kappa / (1 + 6 kappa) = w^2 / 4n (S. Guesken, Nucl. Phys. B Proc. Suppl. 17 (1990) 361).  Width and
 * steps are those of Chroma's gauge-invariant Gaussian smearing.
 *
 * The links U can be smeared, too: by APE or stout smearing in space.  Quarks with several slices, one for each
 * flavor, are smeared slice by slice: the smearing is the same for all flavors, and commutes with rotations between
 * them. */
#ifndef KILN_MEASURE_QUARK_SMEARING_H
#define KILN_MEASURE_QUARK_SMEARING_H

#include "src/measure/meson_sources.h"
#include "src/operators/spinor_field.h"

typedef enum { SMEARING_THIN, SMEARING_APE, SMEARING_STOUT } smearing_links;

/* Parameters of a measurement; steps 0: no smearing. */
typedef struct {
    int64_t steps;
    double width;
    bool source, sink;
    int links;                              /* smearing_links */
    int64_t levels;
    double alpha, rho;
} quark_smearing_params;

extern const param_spec quark_smearing_specs[];

/* A row of a table; at(smearing): the offset of a quark_smearing_params. */
#define QUARK_SMEARING_SPEC(at)                                                                                        \
    { .key = "smearing", .type = PARAM_GROUP, .offset = at(smearing), .fallback = "{}", .group = quark_smearing_specs, \
      .doc = "Gaussian smearing of the quarks in space, at source and sink of the correlators",                       \
      .example = "{ steps: 40, width: 4, links: ape, levels: 20 }", .see = "observables.md#smeared-sources-and-sinks" }

/* Whether the smearing is possible, and at a source of this kind.  False with the reason, which begins with `name`. */
bool quark_smearing_check(const quark_smearing_params *p, const meson_source_params *sources, const char *name,
                          failure *f);

bool quark_smearing_at_source(const quark_smearing_params *p);
bool quark_smearing_at_sink(const quark_smearing_params *p);

/* For links like u; NULL without smearing.  The parameters are borrowed.  All functions accept NULL. */
typedef struct quark_smearing quark_smearing;
quark_smearing *quark_smearing_create(const quark_smearing_params *p, const gauge *u);
void quark_smearing_free(quark_smearing *s);
memory_need quark_smearing_bytes(const quark_smearing_params *p, const lattice_shape *shape);

/* Takes the links u, borrowed until the next call. */
void quark_smearing_update(quark_smearing *s, const gauge *u);

/* Smears all slices in place; collective. */
void quark_smearing_apply(quark_smearing *s, spinor_field psi);

#endif
