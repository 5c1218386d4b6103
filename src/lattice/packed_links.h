/* packed_links.h - links in a format: what operators read in the place of a gauge field.
 *
 * Numbers of 16 or 32 bits in units of the largest of the field; or fewer numbers than 18 for links that are U(3) or
 * SU(3) matrices, as site/link_storage.h has them. */
#ifndef KILN_LATTICE_PACKED_LINKS_H
#define KILN_LATTICE_PACKED_LINKS_H

#include "src/base/error.h"
#include "src/lattice/gauge.h"
#include "src/site/formats.h"

/* "native", "fixed16", "fixed32", "fixed16_13", "fixed32_13", "12", "8", "13", "9", NULL */
extern const char *const link_format_names[];

typedef struct {
    field f;
    link_format format;
    double unit;             /* what the number 1 is worth; NaN where a link is no number */
    uint64_t version;        /* of the links that these are; 0: of none */
} packed_links;

/* The links that go with vectors of a format other than native. */
link_format link_format_with(vector_format f);

/* Fixed point has arithmetic of its own: single precision for fixed16 and fixed16_13, double for the others. */
bool link_format_is_fixed(link_format f);
packed_links *packed_links_create(lattice *l, place where, link_format f);                  /* fixed point */
packed_links *packed_links_create_precision(lattice *l, place where, link_format f, precision p);
void packed_links_free(packed_links *p);
size_t packed_links_bytes(const lattice_shape *shape, link_format f);                             /* fixed point */
size_t packed_links_bytes_precision(const lattice_shape *shape, link_format f, precision p);
gauge_view packed_links_view(const packed_links *p);

/* The links of u, which are at the same place; nothing where they are those already (gauge.version).  False, with the
 * reason, where the format cannot keep them; packed links are then of no meaning. */
bool packed_links_set(packed_links *p, const gauge *u, failure *why);
void packed_links_update(packed_links *p, const gauge *u);           /* for formats that keep any matrix */

/* Links as they are kept. */
void packed_links_unpack(gauge *u, const packed_links *p);

/* Whether a format keeps the links of u: all of them SU(3) matrices for 12 and 8, U(3) matrices for 13, 9 and
 * fixed point with 13; any where all numbers are kept.  As well as u and the format's own precision can tell, up to
 * link_format_tolerance; if not, `why` names the worst link. */
bool link_format_holds(link_format f, const gauge *u, failure *why);
double link_format_tolerance(precision p);

#endif
