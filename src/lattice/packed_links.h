/* packed_links.h - links in fixed point: what operators on vectors in a format read.
 *
 * Numbers of 16 or 32 bits in units of the largest of the field, as site/storage.h has them. */
#ifndef KILN_LATTICE_PACKED_LINKS_H
#define KILN_LATTICE_PACKED_LINKS_H

#include "src/lattice/gauge.h"
#include "src/site/formats.h"

typedef struct {
    field f;
    link_format format;
    double unit;             /* what the whole number 1 is worth; NaN where a link is no number */
    uint64_t version;        /* of the links that these are; 0: of none */
} packed_links;

/* The links that go with vectors of a format other than native. */
link_format link_format_with(vector_format f);

packed_links *packed_links_create(lattice *l, place where, link_format f);
void packed_links_free(packed_links *p);
size_t packed_links_bytes(const int extents[4], link_format f);
gauge_view packed_links_view(const packed_links *p);

/* The links of u, which are at the same place; nothing where they are those already (gauge.version). */
void packed_links_update(packed_links *p, const gauge *u);

#endif
