/* rational_file.h - the rational functions of all pseudofermions in a file in the format of MILC.
 *
 *     n_pseudo 5                    then, for each pseudofermion,
 *     naik_term_epsilon 0           and three functions, MD (force), GR (refresh), FA (action), each as
 *     y_MD -2 -1 3 0                powers y/z and masses m: prod_j (x + 4 m_j^2)^(y_j/z_j)
 *     z_MD 4 4 4 4
 *     m_MD 0.01 0.05 0.2 99.9       (a mass with power 0 is unused)
 *     order_MD 9
 *     res_MD 1.0                    the constant, then one residue a line
 *     pole_MD 99.9                  unused, then one pole a line
 *
 * in this order.  Blanks or line ends separate words and numbers; comments begin with `#`.  MILC's program for such
 * files writes range and error of each function into comments before it; Kiln reads them. */
#ifndef KILN_RATIONAL_RATIONAL_FILE_H
#define KILN_RATIONAL_RATIONAL_FILE_H

#include "src/rational/rational.h"

enum { MILC_FACTORS = 4 };           /* masses of a function; MILC reads exactly this number */

typedef struct { int count; rational_set *set; } rational_sets;

/* Reads a file; the caller frees *sets.  False with file:line and the reason.  If the file has no range, lower = upper
 * = 0; if it has no error, error = 0.  rational_set_check checks that poles and residues belong to the masses. */
bool rational_file_read(rational_sets *sets, const char *path, failure *why);
void rational_sets_free(rational_sets *sets);

/* Writes a file, completely or not at all, for MILC and rational_file_read.  False with the reason, for example if a
 * function has more than MILC_FACTORS masses, or if the file exists and `replace` is false. */
bool rational_file_write(const char *path, const rational_set *set, int count, bool replace, failure *why);

#endif
