/* spin_mesons.h - mesons of domain-wall and Wilson quarks, column by column of a source, of one mass or of two.
 *
 *     pion(t) = sum Re q'^+ q,   axial(t) = -sum Re q'^+ gamma_t q
 * over the columns and the sites of a time slice, t counted from the source, with q = M^-1 eta of the quark and q' of
 * the antiquark.  By gamma5 M(mu) gamma5 = M(-mu)^+, the antiquark has the mass of q' and the opposite twisted mass.
 * With open boundaries in t, t is the time slice.
 * Correlators have the normalization of a point source (meson_source_norm).  A smeared source has smeared columns; the
 * pion of a smeared sink has smeared q and q' (quark_smearing.h).  The same columns give baryons (baryons.h) and mesons
 * with other products of gamma matrices (bilinears.h). */
#ifndef KILN_MEASURE_SPIN_MESONS_H
#define KILN_MEASURE_SPIN_MESONS_H

#include "src/measure/bilinears.h"
#include "src/measure/hyperons.h"
#include "src/measure/meson_pairs.h"
#include "src/measure/meson_sources.h"
#include "src/measure/momentum_sums.h"
#include "src/measure/quark_smearing.h"
#include "src/operators/dwf.h"

typedef struct spin_mesons spin_mesons;

/* Parameters of a measurement. */
typedef struct {
    quark_smearing_params smearing;
    param_list momenta;                     /* of spatial_momentum */
    bool baryons, hyperons;
    int bilinears;                          /* bilinears_choice */
} hadron_params;

/* Rows of a table; at(member): the offset of a member of a hadron_params. */
#define HADRON_SPECS(at)                                                                                               \
    QUARK_SMEARING_SPEC(at), MOMENTA_SPEC(at),                                                                         \
    { .key = "baryons", .type = PARAM_BOOL, .offset = at(baryons), .fallback = "false",                                \
      .doc = "measure nucleon and Delta (Omega) of each mass, of both parities" },                                     \
    { .key = "hyperons", .type = PARAM_BOOL, .offset = at(hyperons), .fallback = "false",                              \
      .see = "observables.md#baryons-of-two-masses",                                                                   \
      .doc = "measure Sigma, Xi and Lambda of each pair: `quark` is the light mass, `antiquark` the strange one" },    \
    { .key = "bilinears", .type = PARAM_CHOICE, .offset = at(bilinears), .fallback = "none",                           \
      .choices = bilinears_choices, .see = "observables.md#vector-mesons-and-other-bilinears",                         \
      .doc = "mesons besides the pion: the vector meson, or all 16 products of gamma matrices" }

/* The request; borrowed.  The quarks of masses in pairs are kept: a field for each of their columns. */
enum { SPIN_MASSES_MAX = 16 };
typedef struct {
    const meson_source_params *sources;
    const param_list *pairs;
    const hadron_params *hadrons;
    int masses;                             /* at most SPIN_MASSES_MAX; 0: no correlators */
    bool axial;
    double boundary;                        /* of the quarks in t: 1 or -1 */
} spin_mesons_task;

/* Whether the source is on the lattice, can be smeared and has the momenta, and all masses of pairs have correlators.
 * False with the reason, which names the measurement. */
bool spin_mesons_check(spin_mesons_task task, const lattice_shape *shape, const char *name, failure *f);

spin_mesons *spin_mesons_create(spin_mesons_task task, const gauge *u);
void spin_mesons_free(spin_mesons *m);
memory_need spin_mesons_bytes(spin_mesons_task task, const lattice_shape *shape);

/* Take the links u, borrowed until the next call, and find the gauge of the source (meson_gauge_find); set a column of
 * the source. */
bool spin_mesons_update(json *j, spin_mesons *m, const gauge *u, failure *f);
void spin_mesons_set_source(spinor_field source, const spin_mesons *m, int column, rng_key key);

/* Begin a mass; add the quark of a column of mass number `mass`. */
void spin_mesons_begin(spin_mesons *m);
void spin_mesons_add_column(spin_mesons *m, int mass, int column, spinor_field quark);

/* The correlators of all added columns; axial is not written without task.axial. */
void spin_mesons_in_time(double *pion, double *axial, const spin_mesons *m);

/* Writes the other correlators of the added columns as members of the open object: pions with momenta and with smeared
 * sinks, other products of gamma matrices, and baryons, of one mass or of the two of a pair.  Call it last
 * for a mass or a pair: it smears the columns in place. */
void spin_mesons_more_to_json(json *j, spin_mesons *m);

/* After all masses: writes the member "pairs" of the open object, if there are pairs.  `write` writes members of a
 * pair; spin_mesons_in_time then gives the correlators of this pair. */
typedef void spin_mesons_writer(json *j, void *of);
void spin_mesons_pairs_to_json(json *j, spin_mesons *m, spin_mesons_writer *write, void *of);

#endif
