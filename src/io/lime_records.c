/* lime_records.c - write the records of a LIME file. */
#include "src/io/lime_records.h"

#include <errno.h>
#include <string.h>

static const char *reason(void)
{
    return errno ? strerror(errno) : "LIME";
}

bool lime_record_begin(const lime_records *file, const char *type, uint64_t bytes, int flags)
{
    LimeRecordHeader *header = limeCreateHeader((flags & MESSAGE_BEGINS) != 0, (flags & MESSAGE_ENDS) != 0,
                                                (char *)type, bytes);
    const int status = header ? limeWriteRecordHeader(header, file->writer) : LIME_ERR_PARAM;
    limeDestroyHeader(header);
    return status == LIME_SUCCESS
           || fail_system(file->f, errno, "%s: record %s: cannot be written: %s", file->path, type, reason());
}

bool lime_record_put(const lime_records *file, const char *type, const void *bytes, size_t n)
{
    n_uint64_t written = n;
    errno = 0;
    return (limeWriteRecordData((void *)bytes, &written, file->writer) == LIME_SUCCESS && written == n)
           || fail_system(file->f, errno, "%s: record %s: cannot be written: %s", file->path, type, reason());
}

bool lime_record_end(const lime_records *file, const char *type)
{
    return limeWriterCloseRecord(file->writer) == LIME_SUCCESS
           || fail(file->f, "%s: record %s: cannot be ended", file->path, type);
}

bool lime_record_write(const lime_records *file, const char *type, const void *bytes, size_t n, int flags)
{
    return lime_record_begin(file, type, n, flags) && lime_record_put(file, type, bytes, n)
           && lime_record_end(file, type);
}
