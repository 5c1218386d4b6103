/* lime_writer.c - putting records into a file. */
#include "lime/lime_binary.h"

#include <stdlib.h>

LimeWriter *limeCreateWriter(FILE *fp)
{
    LimeWriter *w = fp ? calloc(1, sizeof *w) : NULL;
    if (w) {
        w->fp = fp;
        w->first_record = 1;
        w->header_nextP = 1;
    }
    return w;
}

int limeDestroyWriter(LimeWriter *w)
{
    if (!w)
        return LIME_ERR_PARAM;
    int status = limeWriterCloseRecord(w);
    if (status == LIME_SUCCESS && !w->first_record && !w->last_written)
        status = LIME_ERR_LAST_NOT_WRITTEN;
    free(w);
    return status;
}

int limeWriteRecordHeader(LimeRecordHeader *props, LimeWriter *w)
{
    if (!props || !props->type || !w)
        return LIME_ERR_PARAM;
    if (!w->header_nextP)
        return LIME_ERR_HEADER_NEXT;
    /* A message must begin after the end of another one only.  Not checked for the first record, which may continue a
     * file. */
    if (!w->first_record && w->isLastP != props->MB_flag)
        return LIME_ERR_MBME;
    unsigned char bytes[LIME_HEADER_BYTES];
    lime_encode_header(bytes, props);
    if (fwrite(bytes, 1, sizeof bytes, w->fp) != sizeof bytes)
        return LIME_ERR_WRITE;
    off_t start = ftello(w->fp);
    if (start < 0)
        return LIME_ERR_SEEK;

    w->first_record = 0;
    w->last_written = 0;
    w->isLastP = props->ME_flag;
    w->header_nextP = 0;
    w->bytes_total = w->bytes_left = props->data_length;
    w->rec_ptr = 0;
    w->rec_start = (n_uint64_t)start;
    w->bytes_pad = lime_padding(props->data_length);
    return LIME_SUCCESS;
}

int limeWriteRecordData(void *source, n_uint64_t *nbytes, LimeWriter *w)
{
    if (!w || !nbytes || (!source && *nbytes > 0))
        return LIME_ERR_PARAM;
    const n_uint64_t available = w->bytes_total - w->rec_ptr;
    n_uint64_t given = *nbytes < available ? *nbytes : available;
    *nbytes = 0;
    if (w->header_nextP)
        return LIME_ERR_PARAM;
    if (given > SIZE_MAX)
        return LIME_ERR_WRITE;
    size_t n = fwrite(source, 1, (size_t)given, w->fp);
    *nbytes = n;
    w->rec_ptr += n;
    w->bytes_left -= n < w->bytes_left ? n : w->bytes_left;      /* not negative if bytes are written twice */
    return n == given ? LIME_SUCCESS : LIME_ERR_WRITE;
}

/* As limeReaderSeek; bytes_left still counts what has not been written. */
int limeWriterSeek(LimeWriter *w, off_t offset, int whence)
{
    n_uint64_t to;
    if (!w || w->header_nextP)
        return LIME_ERR_PARAM;
    if (whence != SEEK_SET && whence != SEEK_CUR)
        return LIME_ERR_WRITE;
    const bool inside = lime_seek_target(&to, w->bytes_total, whence == SEEK_CUR ? w->rec_ptr : 0, offset);
    if (fseeko(w->fp, (off_t)(w->rec_start + to), SEEK_SET) != 0)
        return LIME_ERR_SEEK;
    w->rec_ptr = to;
    return inside ? LIME_SUCCESS : LIME_ERR_SEEK;
}

int limeWriterCloseRecord(LimeWriter *w)
{
    static const char zeros[8];
    if (!w)
        return LIME_ERR_PARAM;
    if (w->header_nextP)
        return LIME_SUCCESS;

    /* Data that were not written keep the bytes that the file already has there (from another process).  Beyond the
     * end of the file they are zeros: writing the last byte, or the padding, extends the file. */
    off_t end = (off_t)(w->rec_start + w->bytes_total);
    if (w->bytes_left > 0 && w->bytes_pad == 0) {
        off_t size = fseeko(w->fp, 0, SEEK_END) == 0 ? ftello(w->fp) : -1;
        if (size < 0)
            return LIME_ERR_SEEK;
        if (size < end && (fseeko(w->fp, end - 1, SEEK_SET) != 0 || fwrite(zeros, 1, 1, w->fp) != 1))
            return LIME_ERR_WRITE;
    }
    if ((w->bytes_left > 0 || w->rec_ptr < w->bytes_total) && fseeko(w->fp, end, SEEK_SET) != 0)
        return LIME_ERR_SEEK;
    if (fwrite(zeros, 1, w->bytes_pad, w->fp) != w->bytes_pad)
        return LIME_ERR_WRITE;
    w->rec_ptr = w->bytes_total;
    w->bytes_left = 0;
    w->header_nextP = 1;
    w->last_written = w->isLastP;
    return LIME_SUCCESS;
}

off_t limeGetWriterPointer(LimeWriter *w)
{
    if (!w)
        return -1;
    return w->first_record ? ftello(w->fp) : (off_t)(w->rec_start + w->bytes_total + w->bytes_pad);
}
