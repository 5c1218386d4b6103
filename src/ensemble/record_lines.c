/* record_lines.c - collect the lines of a record for its checks. */
#include "src/ensemble/record_lines.h"

#include "src/base/open_file.h"
#include "src/io/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const record_item *record_lines_add(record_lines *all, checksum_state checksum, yyjson_val *object,
                                    const failure *why)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 256;
        all->item = realloc(all->item, (size_t)all->capacity * sizeof *all->item);
        require(all->item != NULL, "out of host memory: the record of a run");
    }
    record_item *item = &all->item[all->count++];
    failure missing;
    *item = (record_item){ .checksum = checksum };
    if (!object)
        item->unreadable = strdup(why->why);
    else if (!record_line_read(&item->l, object, &missing))
        item->unreadable = strdup(missing.why);
    return item;
}

bool record_lines_read(record_lines *all, const char *path, failure *f)
{
    failure why;
    FILE *file = disk_open(path);
    if (!file && errno == ENOENT)
        return true;
    if (!file)
        return fail_system(f, errno, "%s", open_file_reason(errno));
    record_reader r = { .stream = file };
    while (record_reader_next(&r)) {
        yyjson_val *object = record_reader_object(&r, &why);
        record_lines_add(all, r.checksum, object, &why);
    }
    all->torn = r.torn;
    const bool ok = !ferror(file) || fail_system(f, errno, "%s", strerror(errno));
    record_reader_free(&r);
    fclose(file);
    return ok;
}

void record_lines_free(record_lines *all)
{
    for (int64_t i = 0; i < all->count; i++)
        free(all->item[i].unreadable);
    free(all->item);
    *all = (record_lines){ 0 };
}
