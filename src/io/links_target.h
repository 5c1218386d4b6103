/* links_target.h - what the writers of all formats share: links on their way into the bytes of a file. */
#ifndef KILN_IO_LINKS_TARGET_H
#define KILN_IO_LINKS_TARGET_H

#include "src/io/links_source.h"

/* The file while it is written. */
typedef struct {
    const char *path;                   /* its name to be, for messages; borrowed */
    FILE *stream;                       /* of the temporary, at its start */
    const double *links;                /* finite in the precision of the file */
    links_info *info;                   /* extents, bits, rows and metadata; the writer fills in `checksum` */
} links_target;

/* Write a whole file of the format; what the format has no place for is left out. */
typedef bool links_writer(const links_target *t, failure *f);
links_writer lime_links_write, nersc_write, milc_write;

/* Write `n` bytes to wherever `to` is; false on errors. */
typedef bool links_put(void *to, const void *bytes, size_t n);
links_put links_put_stream;             /* to: the FILE */

/* The bytes of all links in order: `add` and `sum` see every site, then `put` (NULL: sums only) has them. */
bool links_encode(const links_target *t, const links_layout *layout, site_sum *add, void *sum, links_put *put,
                  void *to);

/* The four links of a site as a reader of a file of this layout gets them: rounded, the third row completed. */
void links_as_stored(double stored[72], const double site[72], const links_layout *layout);

#endif
