/* stored.h - spinors and links through the formats of src/site, with no kernel around them: in single and in double
 * precision.
 *
 * Numbers are doubles, of spinors [slice][site][24] and of links [site][4][18].  `order` are the sites of each group of
 * lanes in turn: those at once in memory, or apart. */
#ifndef KILN_TESTS_SITE_STORED_H
#define KILN_TESTS_SITE_STORED_H

#include "src/site/formats.h"

#include <stddef.h>

enum { STORED_SITES = 256, STORED_SPINOR = 24, STORED_LINK = 18 };

typedef struct { double norm2, dot[2]; } spinor_products;

/* Stores all sites, in the order of memory, into `memory`; loads them in `order`, each to its place in `loaded`.
 * `returned`: what storing said would be loaded. */
typedef struct {
    void (*spinors)(vector_format f, int slices, void *memory, const double *in, double *returned, double *loaded,
                    const int *order);
    void (*links)(link_format f, void *memory, const double *in, double *loaded, const int *order);
    spinor_products (*products)(const double *a, const double *b);            /* of one spinor: |a|^2, a^+ b */
    void (*axpy)(double *s, double f, const double *a);                       /* s + f a + 0 */
} stored_in;

extern const stored_in stored_in_single, stored_in_double;

#endif
