/* spin_mesons.h - mesons of domain-wall and Wilson quarks, column by column of a source, of one mass or of two.
 *
 *     pion(t) = sum Re q'^+ q,   axial(t) = -sum Re q'^+ gamma_t q
 * over the columns and the sites of a time slice, t counted from the source, with q = M^-1 eta and q' that of the
 * antiquark, by gamma5 M(mu) gamma5 = M(-mu)^+: the antiquark has the mass of q', and its twisted mass is minus that of
 * q'.  They are normalised as those of a point source (meson_source_norm). */
#ifndef KILN_MEASURE_SPIN_MESONS_H
#define KILN_MEASURE_SPIN_MESONS_H

#include "src/measure/meson_pairs.h"
#include "src/measure/meson_sources.h"
#include "src/operators/dwf.h"

typedef struct spin_mesons spin_mesons;

/* What is measured; borrowed.  The quarks of the masses of pairs are kept: one field for each of their columns. */
enum { SPIN_MASSES_MAX = 16 };
typedef struct {
    const meson_source_params *sources;
    const param_list *pairs;
    int masses;                             /* at most SPIN_MASSES_MAX; 0: no correlators */
    bool axial;
} spin_mesons_task;

/* False with the reason, which names the measurement, unless the source is on the lattice and the pairs are those of
 * masses with correlators. */
bool spin_mesons_check(spin_mesons_task task, const lattice_shape *shape, const char *name, failure *f);

spin_mesons *spin_mesons_create(spin_mesons_task task, const gauge *u);
void spin_mesons_free(spin_mesons *m);
memory_need spin_mesons_bytes(spin_mesons_task task, const lattice_shape *shape);

/* Find the gauge of the source (meson_gauge_find); set a column of it. */
bool spin_mesons_find_gauge(json *j, spin_mesons *m, const gauge *u, failure *f);
void spin_mesons_set_source(spinor_field source, const spin_mesons *m, int column, rng_key key);

/* Begin a mass; add the quark of a column of mass number `mass`. */
void spin_mesons_begin(spin_mesons *m);
void spin_mesons_add_column(spin_mesons *m, int mass, int column, spinor_field quark);

/* The correlators of what was added; axial is not written without task.axial. */
void spin_mesons_in_time(double *pion, double *axial, const spin_mesons *m);

/* After all masses: the member "pairs" of the open object, if there are pairs.  `write` writes members of one of them;
 * the correlators are then its own. */
typedef void spin_mesons_writer(json *j, void *of);
void spin_mesons_pairs_to_json(json *j, spin_mesons *m, spin_mesons_writer *write, void *of);

#endif
