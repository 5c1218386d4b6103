/* spin_quarks.h - the common part of measurements of quarks with spin, for any Dirac operator.  For each mass: low
 * modes, solves for the columns of a source and for Gaussian sources on all sites, and the lists of the results.
 *
 * A spin_family has the functions that are specific to the quarks. */
#ifndef KILN_MEASURE_SPIN_QUARKS_H
#define KILN_MEASURE_SPIN_QUARKS_H

#include "src/measure/low_modes.h"
#include "src/measure/quark_propagator.h"
#include "src/measure/spin_mesons.h"
#include "src/measure/stored_quarks.h"

/* What is measured; all pointers are borrowed. */
typedef struct {
    const char *name;                       /* of the measurement */
    const dirac_plan *plan;                 /* read by the call that gets the task, and not kept */
    const quark_walls *walls;               /* NULL: vectors of the operator are quarks */
    spin_mesons_task mesons;
    const stored_quarks_params *stored;     /* files of the propagators */
    const low_modes_params *modes;
    solver_precision solver;                /* a fixed kind */
    dirac_goal goal;                        /* residual, max_iterations */
    int random_sources, max_rhs;
} spin_quarks_task;

typedef struct {
    const char *quark;                      /* the name of the quarks in files of propagators */
    /* A matrix of the operator, for mass number `mass` of the input; memory_free frees it. */
    quark_matrix (*matrix)(const void *of, int mass);
    /* Before the solves of a mass; or NULL. */
    void (*begin)(void *of);
    /* Of a line after its solve (or from a file, then without midpoint): column number `number` of the source (or
     * NULL), or Gaussian source number `number`. */
    void (*add_column)(void *of, const quark_line *line, int number);
    void (*add_noise_source)(void *of, const quark_line *line, int number);
    /* Write the members of a mass: first its parameters, which identify the mass even if the measurement fails; then
     * what was computed from sources; at the end, after the low modes, what needs the matrix (or NULL). */
    void (*write_parameters)(json *j, const void *of, int mass);
    void (*write)(json *j, void *of, int mass, double bare);
    bool (*write_more)(json *j, void *of, const dirac_matrix *m, rng_key key, clock_tree *clock, failure *f);
    /* Lines "key: value" about a mass and the operator, for files of propagators (stored_quarks.h). */
    void (*describe)(text *out, const void *of, int mass);
    /* Members of a pair of masses (spin_mesons.h). */
    spin_mesons_writer *write_pair;
} spin_family;

typedef struct {
    spin_quarks_task task;
    const spin_family *family;
    void *of;                               /* the first argument of its functions */
    const lattice *lattice;
    quark_propagator *propagator;
    low_modes *modes;                       /* of the current mass; NULL if not requested */
    spin_mesons *mesons;
    solve_totals solves;
    const gauge *u;                         /* of the current measurement, with the digest for files of propagators */
    uint64_t links_digest;
} spin_quarks;

/* False with the reason, which names the measurement. */
bool spin_quarks_check(const spin_quarks_task *task, const lattice_shape *shape, failure *f);

spin_quarks spin_quarks_create(const spin_quarks_task *task, const spin_family *family, void *of, const gauge *u);
void spin_quarks_free(spin_quarks *q);
memory_need spin_quarks_bytes(const spin_quarks_task *task, const lattice_shape *shape);

/* The members "masses" and "pairs" for the links u, of `masses` masses; false with the reason if it fails. */
bool spin_quarks_measure(json *j, spin_quarks *q, const gauge *u, int masses, rng_key key, clock_tree *clock,
                         failure *f);

/* The first draw of the start vectors of spectra, after the draws of the sources. */
uint32_t spin_quarks_free_draw(const spin_quarks *q);

dirac_operator *spin_quarks_operator(const spin_quarks *q);                      /* borrowed */

#endif
