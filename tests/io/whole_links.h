/* whole_links.h - the links of small files as arrays of the whole lattice, [t][z][y][x][mu][row][col][re,im]. */
#ifndef KILN_TESTS_IO_WHOLE_LINKS_H
#define KILN_TESTS_IO_WHOLE_LINKS_H

#include "src/io/links_file.h"

/* All slices of a file, its checksum verified (memory_free); NULL with the reason. */
double *links_read(const char *path, links_info *info, failure *f);

/* links_write of an array; and as ILDG with three rows, whatever `info` says. */
bool links_write_array(const char *path, const double *links, links_info *info, bool replace, double *largest_change,
                       failure *f);
bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f);

/* The largest link_distance_from_su3; links_check and links_digest of all slices. */
double links_unitarity(const double *links, const int extents[4]);
bool links_check_all(const double *links, const int extents[4], double tolerance, const char *path, failure *f);
uint64_t links_digest_all(const double *links, const int extents[4]);

#endif
