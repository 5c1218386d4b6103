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

/* Output of kiln probe apply for the source, with the operator, its parameters and `options`; freed by memory_free. */
double *spinor_result(const spinor_files *f, const char *options);
double *spinor_result_of(const spinor_files *f, const char *op, const char *options);  /* without f->parameters */

bool spinor_is_odd(size_t at);                                             /* the site of real number `at` */
double spinor_product(const double *a, const double *b);                   /* sum a_i b_i; NaN if an array is NULL */

/* Facts: parts of the operator agree with golden numbers on a field of this width.  The source becomes the golden
 * vector. */
typedef struct { const char *part; const golden_numbers *want; } spinor_part_numbers;
void spinor_golden_parts(const spinor_files *f, double width, const char *name, const spinor_part_numbers *all,
                         int count);

/* Facts: <v, normal v> = |Mhat v|^2; both vectors are 0 on even sites; without --part, M is applied. */
void spinor_relations(const spinor_files *f, const double *v, const double *m);

/* A fact: in the non-relativistic basis S v becomes S m, with m = M v. */
void spinor_bases(const spinor_files *f, const double *v, const double *m);

/* Facts: kiln probe solve reaches the residual for `part` x = v, and `part` x is v within 1.02 of the residual (on odd
 * sites only, unless the part is M). */
void spinor_solution(const spinor_files *f, const char *part, const char *more, double residual);

#endif
