/* whole_links.h - the links of small files as arrays of the whole lattice, [t][z][y][x][mu][row][col][re,im]. */
#ifndef KILN_TESTS_IO_WHOLE_LINKS_H
#define KILN_TESTS_IO_WHOLE_LINKS_H

#include "src/io/links_file.h"

/* All slices of a file, after its checksum is verified (release with memory_free); NULL with the reason. */
double *links_read(const char *path, links_info *info, failure *f);

/* links_write of an array.  links_write_ildg first sets info->format to ILDG and info->rows to 3. */
bool links_write_array(const char *path, const double *links, links_info *info, bool replace, double *largest_change,
                       failure *f);
bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f);

/* Over all slices: the largest link_distance_from_su3, links_check, and links_digest. */
double links_unitarity(const double *links, const int extents[4]);
bool links_check_all(const double *links, const int extents[4], double tolerance, const char *path, failure *f);
uint64_t links_digest_all(const double *links, const int extents[4]);

#endif
