/* rational_file.h - the rational functions of all pseudofermions in a file of MILC's format.
 *
 *     n_pseudo 5                    then, for each pseudofermion,
 *     naik_term_epsilon 0           and three functions, MD (force), GR (refresh), FA (action), each as
 *     y_MD -2 -1 3 0                powers y/z and masses m: prod_j (x + 4 m_j^2)^(y_j/z_j)
 *     z_MD 4 4 4 4
 *     m_MD 0.01 0.05 0.2 99.9       (a mass with power 0 fills a place)
 *     order_MD 9
 *     res_MD 1.0                    the constant, then a line a residue
 *     pole_MD 99.9                  a place filled, then a line a pole
 *
 * in this order, words and numbers parted by blanks or line ends, `#` before remarks.  Range and error stand in remarks
 * of the program that makes such files for MILC; they are read where they are, for the functions after them. */
#ifndef KILN_RATIONAL_RATIONAL_FILE_H
#define KILN_RATIONAL_RATIONAL_FILE_H

#include "src/rational/rational.h"

enum { MILC_FACTORS = 4 };           /* MILC reads exactly so many masses a function */

typedef struct { int count; rational_set *set; } rational_sets;

/* False with file:line and what is wrong there.  lower = upper = 0 where the file does not say the range, and error 0.
 * Whether poles belong to masses is the question of rational_set_check. */
bool rational_file_read(rational_sets *sets, const char *path, failure *why);
void rational_sets_free(rational_sets *sets);

/* Written whole or not at all, as MILC and rational_file_read take it: false with the reason where a function has more
 * than MILC_FACTORS masses, or the file is there already and not to be replaced. */
bool rational_file_write(const char *path, const rational_set *set, int count, bool replace, failure *why);

#endif
