/* whole_links.c - the links of small files as arrays. */
#include "tests/io/whole_links.h"

#include "src/base/memory.h"
#include "tests/facts.h"

#include <math.h>

double *links_read(const char *path, links_info *info, failure *f)
{
    links_file *file = links_file_open(path, info, f);
    if (!file)
        return NULL;
    double *links = memory_alloc(links_count(info->extents) * sizeof *links, path);
    bool ok = true;
    for (int t = 0; ok && t < info->extents[3]; t++)
        ok = links_file_next_slice(file, links + (size_t)t * links_slice_reals(info->extents), f);
    links_file_close(file);
    if (ok)
        return links;
    memory_free(links);
    return NULL;
}

bool links_write_array(const char *path, const double *links, links_info *info, bool replace, double *largest_change,
                       failure *f)
{
    const slice_array a = { (double *)links, links_slice_reals(info->extents) };
    const slice_source source = slice_array_source(&a, info->extents[3]);
    return links_write(path, &source, info, replace, largest_change, f);
}

bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f)
{
    info->format = FORMAT_ILDG;
    info->rows = 3;
    return links_write_array(path, links, info, replace, NULL, f);
}

double links_unitarity(const double *links, const int extents[4])
{
    double largest = 0;
    for (size_t i = 0; i < links_count(extents); i += LINKS_MATRIX_REALS)
        largest = worse(largest, link_distance_from_su3(links + i));
    return largest;
}

bool links_check_all(const double *links, const int extents[4], double tolerance, const char *path, failure *f)
{
    for (int t = 0; t < extents[3]; t++)
        if (!links_check(links + (size_t)t * links_slice_reals(extents), extents, t, tolerance, path, f))
            return false;
    return true;
}

uint64_t links_digest_all(const double *links, const int extents[4])
{
    uint64_t digest = DIGEST64_START;
    for (int t = 0; t < extents[3]; t++)
        digest = links_digest(digest, links + (size_t)t * links_slice_reals(extents), extents);
    return digest;
}
