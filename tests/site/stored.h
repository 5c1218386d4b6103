/* stored.h - links through the formats of src/site, with no kernel around them: in single and in double precision.
 *
 * Numbers are doubles, [site][4][18].  `order` are the sites of each group of lanes in turn: those at once in memory,
 * or apart. */
#ifndef KILN_TESTS_SITE_STORED_H
#define KILN_TESTS_SITE_STORED_H

#include "src/site/formats.h"

#include <stddef.h>

enum { STORED_SITES = 256, STORED_LINK = 18 };

/* Stores all sites, in the order of memory, into `memory`; loads them in `order`, each to its place in `loaded`. */
typedef struct {
    void (*links)(link_format f, void *memory, const double *in, double *loaded, const int *order);
} stored_in;

extern const stored_in stored_in_single, stored_in_double;

#endif
