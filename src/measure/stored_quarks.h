/* stored_quarks.h - propagators of a measurement of quarks with spin in files (io/propagator_file.h): the group
 * "propagators" of its input.
 *
 *     save     writes the propagator of each mass, which the measurement has computed
 *     load     reads it in place of the solves for the columns of the source
 *
 * A file (numbered_file.h) has a description: the quark, the digest of the links, the operator, the source.  A
 * measurement reads a file only if all of it is the same as its own, and replaces only such a file. */
#ifndef KILN_MEASURE_STORED_QUARKS_H
#define KILN_MEASURE_STORED_QUARKS_H

#include "src/config/schema.h"
#include "src/io/propagator_file.h"
#include "src/measure/quark_propagator.h"
#include "src/measure/spin_mesons.h"

/* Parameters of a measurement; empty paths: none. */
typedef struct { char *save, *load; int precision; } stored_quarks_params;
extern const param_spec stored_quarks_specs[];

/* A row of a table; at(stored): the offset of a stored_quarks_params. */
#define STORED_QUARKS_SPEC(at)                                                                                         \
    { .key = "propagators", .type = PARAM_GROUP, .offset = at(stored), .fallback = "{}", .group = stored_quarks_specs, \
      .doc = "files of the propagators: written, or read in place of solves", .example = "{ save: propagators/light }",\
      .see = "observables.md#propagators-in-files" }

bool stored_quarks_are_loaded(const stored_quarks_params *p);
bool stored_quarks_have_files(const stored_quarks_params *p);        /* written or loaded */

/* False with the reason, which names the measurement. */
bool stored_quarks_check(const stored_quarks_params *p, const spin_mesons_task *mesons, const char *name, failure *f);

/* What a measurement has in common with its files: the name of its quarks, and lines about the mass and the operator
 * ("key: value"); borrowed.  `solved`: the largest residual that is allowed. */
typedef struct {
    const stored_quarks_params *params;
    const spin_mesons_task *mesons;
    const char *quark;
    const gauge *u;
    uint64_t links;                          /* their digest (configuration_digest) */
    const char *lines;
    const char *name;                        /* of the measurement, for warnings */
    rng_key key;                             /* stream and trajectory, for the name of the file */
    int number;                              /* of the mass */
    double solved;
} stored_quarks_task;

/* Opens the file of a mass; NULL with the reason.  If a propagator on other links has its name, the file gets another
 * name (numbered_file_add_of_links).  If a file of something else has the name to be written, nothing is written and a
 * warning is logged, so that the measurement goes on.  Call put or get for each column, then end or abandon; all are
 * collective.  Columns 3 spin + color: put in order; get in any order, into `quark`, which is valid only after true. */
typedef struct stored_quarks stored_quarks;
stored_quarks *stored_quarks_begin(const stored_quarks_task *task, failure *f);
bool stored_quarks_put(stored_quarks *s, int column, const quark_line *line, failure *f);
bool stored_quarks_get(stored_quarks *s, int column, spinor_field quark, failure *f);

/* Frees s.  residual: written to a new file; overwritten with that of a file that was read. */
bool stored_quarks_end(stored_quarks *s, double *residual, failure *f);
void stored_quarks_abandon(stored_quarks *s);                               /* NULL is allowed */

#endif
