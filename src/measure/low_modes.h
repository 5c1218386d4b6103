/* low_modes.h - the lowest eigenpairs of C^+C of any Dirac operator, as part of a measurement of quarks: the group
 * "modes" of its input, the object "modes" of its results, files of eigenvectors, and the choice to start solves from
 * them (solvers/deflation.h). */
#ifndef KILN_MEASURE_LOW_MODES_H
#define KILN_MEASURE_LOW_MODES_H

#include "src/base/clock.h"
#include "src/base/json.h"
#include "src/config/schema.h"
#include "src/gauge/gauge.h"
#include "src/solvers/deflation.h"

enum { LOW_MODES_MAX = DEFLATION_PAIRS_MAX };

typedef struct {
    int64_t count, basis, degree, max_restarts;
    double residual, cut;
    struct { bool basis, cut, degree; } given;          /* in the input; Kiln chooses the others */
    bool deflate;
    char *directory;                        /* of files; empty: none */
} low_modes_params;

extern const param_spec low_modes_specs[];

/* A row of a table; at(modes): the offset of a low_modes_params. */
#define LOW_MODES_SPEC(at)                                                                                             \
    { .key = "modes", .type = PARAM_GROUP, .offset = at(modes), .fallback = "{}", .group = low_modes_specs,            \
      .doc = "lowest eigenvalues of the even-odd preconditioned C^+C, and start vectors for the solves; without it, "  \
             "none", .example = "{ count: 20 }", .see = "observables.md#low-modes" }

/* The sites and slabs of the eigenvectors. */
typedef struct { parity_set on; int slabs; } low_modes_sites;

/* False with the reason, which names the measurement. */
bool low_modes_check(const low_modes_params *p, const lattice_shape *shape, low_modes_sites of, const char *name,
                     failure *f);

/* NULL if no modes are requested; all functions below accept NULL.  params are borrowed. */
typedef struct low_modes low_modes;
low_modes *low_modes_create(const low_modes_params *p, lattice *l, place where, low_modes_sites of);
void low_modes_free(low_modes *m);
memory_need low_modes_bytes(const low_modes_params *p, const lattice_shape *shape, low_modes_sites of);

/* The operator, its links, and the key of the start vectors, with draws from first_draw on.  name, number: the
 * measurement and the number of its operator, for the name of the file. */
typedef struct {
    const linop *a;
    const gauge *u;                 /* the links, whose digest a file has */
    rng_key key;
    uint32_t first_draw;
    const char *name;
    int number;
} low_modes_task;

/* Reads the pairs from their file, if its vectors have the requested residuals with this operator; otherwise computes
 * and writes them.  False with the reason if they do not converge, or if the file cannot be read or written. */
bool low_modes_compute(low_modes *m, const low_modes_task *task, clock_tree *clock, failure *f);

/* Appends the member "modes" to the open object; after a computation. */
void low_modes_to_json(json *j, const low_modes *m);

/* The pairs, if solves shall start from them; else NULL. */
const deflation *low_modes_deflation(const low_modes *m);

#endif
