/* packed_links.h - links in a storage format, which operators read instead of a gauge field.
 *
 * Formats store fixed-point numbers of 16 or 32 bits, in units of the largest number of the field, or fewer than 18
 * numbers per link of a U(3) or SU(3) matrix, or both (site/link_storage.h). */
#ifndef KILN_GAUGE_PACKED_LINKS_H
#define KILN_GAUGE_PACKED_LINKS_H

#include "src/base/error.h"
#include "src/gauge/gauge.h"
#include "src/site/formats.h"

/* "native", "fixed16", "fixed32", "fixed16_13", "fixed32_13", "fixed16_12", "fixed32_12", "fixed16_8", "fixed16_9",
 * "fixed32_9", "12", "8", "13", "9", NULL */
extern const char *const link_format_names[];

typedef struct {
    field f;
    link_format format;
    double unit;             /* the value of the stored number 1; NaN if a link is not finite */
    uint64_t version;        /* gauge.version of the links that were packed; 0: none yet */
} packed_links;

/* The format of links that goes with vectors in format f, not native: fixed32 with int30, else fixed16. */
link_format link_format_with(vector_format f);

/* Arithmetic with links in fixed point is in single precision for 16 bits, in double for 32. */
bool link_format_is_fixed(link_format f);
packed_links *packed_links_create(lattice *l, place where, link_format f);                  /* fixed point */
packed_links *packed_links_create_precision(lattice *l, place where, link_format f, precision p);
void packed_links_free(packed_links *p);
size_t packed_links_bytes_precision(const lattice_shape *shape, link_format f, precision p);
gauge_view packed_links_view(const packed_links *p);

/* Packs the links of u, which must be at the same place; does nothing if p already has them (gauge.version).
 * Collective.  With open boundaries in t, quark fields are 0 in the first and the last slice (kernels/open_args.h), and
 * links that touch these slices are packed as 0.
 *
 * Formats with 12 or 8 numbers store SU(3) matrices and those with 13 or 9 numbers U(3) matrices, also in fixed point;
 * formats with all 18 numbers store any matrix.  False if a link deviates from such a matrix by more than
 * link_format_tolerance of the lower precision of u and of the format: then the content of p is undefined, and `why`
 * (may be NULL) names the worst link. */
bool packed_links_set(packed_links *p, const gauge *u, failure *why);
void packed_links_update(packed_links *p, const gauge *u);           /* for formats that store any matrix */

/* u <- the links as stored, under a new version. */
void packed_links_unpack(gauge *u, const packed_links *p);

/* The largest deviation from SU(3) or U(3) for which formats with fewer than 18 numbers are used.  Rounding errors of
 * many trajectories without reunitarization stay below it. */
double link_format_tolerance(precision p);

#endif
