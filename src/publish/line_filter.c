/* line_filter.c - the lines of a record by the rules of its means, those of other files by their checksums. */
#include "src/publish/line_filter.h"

/* Kiln writes no record in which only some lines have checksums. */
static bool is_changed(line_filter *filter, checksum_state checksum)
{
    const bool lost = filter->rules && filter->checksummed && checksum == CHECKSUM_MISSING;
    filter->checksummed = filter->checksummed || checksum != CHECKSUM_MISSING;
    return checksum == CHECKSUM_DIFFERS || lost;
}

/* False for what is no line of a record. */
static bool strays(line_filter *filter, yyjson_val *object, checksum_state checksum)
{
    record_line l = { .chain.begun = false };
    failure none;
    if (filter->rules && object)
        record_line_read(&l, object, &none);
    return l.link.trajectory > 0
           && record_continuity_judge(&filter->continuity, filter->rules, &l, checksum) != LINE_CONTINUES;
}

bool line_filter_takes(line_filter *filter, yyjson_val *object, checksum_state checksum, int64_t number)
{
    const bool changed = is_changed(filter, checksum), stray = strays(filter, object, checksum);
    if (stray && filter->strays++ == 0)
        filter->first_stray = number;
    filter->changed += changed && !stray;
    return !changed && !stray;
}
