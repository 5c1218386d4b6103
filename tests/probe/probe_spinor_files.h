/* probe_spinor_files.h - what the tests of kiln probe with Wilson quarks, without and with a clover term, share: files
 * on the lattice of the golden numbers, golden parts, solutions. */
#ifndef KILN_TESTS_PROBE_PROBE_SPINOR_FILES_H
#define KILN_TESTS_PROBE_PROBE_SPINOR_FILES_H

#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/operators/golden_spinors.h"
#include "tests/probe/probe_arrays.h"

/* The lattice of the golden numbers, 4x4x6x8. */
extern const int spinor_extents[4];
enum { SPINOR_SITES = 4 * 4 * 6 * 8, SPINOR = 24, SPINOR_COUNT = SPINOR_SITES * SPINOR };

/* Paths, a device, --operator and its parameters. */
typedef struct { char config[600], source[600], out[600]; const char *device, *op, *parameters; } spinor_files;
spinor_files spinor_files_in(scratch *s, const char *op, const char *parameters);

void spinor_config(const spinor_files *f, double width);                   /* writes the analytic field */

/* What kiln probe apply makes of the source with the operator, its parameters and these options; memory_free. */
double *spinor_result(const spinor_files *f, const char *options);
double *spinor_result_of(const spinor_files *f, const char *op, const char *options);  /* with no other parameters */

bool spinor_is_odd(size_t at);                                             /* the site of a number */
double spinor_product(const double *a, const double *b);                   /* NaN if one is missing */

/* Whether parts have golden numbers on a field of this width; the source is the golden vector then. */
typedef struct { const char *part; const golden_numbers *want; } spinor_part_numbers;
void spinor_golden_parts(const spinor_files *f, double width, const char *name, const spinor_part_numbers *all,
                         int count);

/* <v, normal v> = |Mhat v|^2, and zero on even sites; M is the default. */
void spinor_relations(const spinor_files *f, const double *v, const double *m);

/* In the non-relativistic basis S M psi comes from S psi; m = M v. */
void spinor_bases(const spinor_files *f, const double *v, const double *m);

/* The solution of M x = v, or of the normal equations, and what the operator makes of it. */
void spinor_solution(const spinor_files *f, const char *part, const char *more, double residual);

#endif
