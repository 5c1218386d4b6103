/* line_filter.c - the lines of a record by the rules of its means, those of other files by their checksums. */
#include "src/publish/line_filter.h"

/* False for what is no line of a record. */
static bool is_stray(line_filter *filter, yyjson_val *object, checksum_state checksum)
{
    record_line l = { 0 };
    failure unread;                    /* the line then is judged by what could be read */
    if (filter->rules && object)
        record_line_read(&l, object, &unread);
    return l.link.trajectory > 0
           && record_continuity_judge(&filter->continuity, filter->rules, &l, checksum) != LINE_CONTINUES;
}

bool line_filter_takes(line_filter *filter, yyjson_val *object, checksum_state checksum, int64_t number)
{
    const bool changed = filter->rules ? checksum_is_changed(&filter->checksummed, checksum)
                                       : checksum == CHECKSUM_DIFFERS;
    const bool stray = is_stray(filter, object, checksum);
    if (stray && filter->strays++ == 0)
        filter->first_stray = number;
    filter->changed += changed && !stray;
    return !changed && !stray;
}
