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
 * in this order, words and numbers separated by blanks or line ends, remarks after `#`.  Range and error are in remarks
 * that the program of MILC for such files writes; Kiln reads them for the functions that follow. */
#ifndef KILN_RATIONAL_RATIONAL_FILE_H
#define KILN_RATIONAL_RATIONAL_FILE_H

#include "src/rational/rational.h"

enum { MILC_FACTORS = 4 };           /* MILC reads exactly so many masses a function */

typedef struct { int count; rational_set *set; } rational_sets;

/* False with file:line and the reason.  lower = upper = 0 if the file has no range, and error 0.  Does not check that
 * poles belong to masses: see rational_set_check. */
bool rational_file_read(rational_sets *sets, const char *path, failure *why);
void rational_sets_free(rational_sets *sets);

/* Write a file, completely or not at all, for MILC and rational_file_read: false with the reason if a function has more
 * than MILC_FACTORS masses, or if the file exists and `replace` is false. */
bool rational_file_write(const char *path, const rational_set *set, int count, bool replace, failure *why);

#endif
