/* lime_reader.c - going through a LIME file record by record. */
#include "lime/lime_binary.h"

#include <stdlib.h>

LimeReader *limeCreateReader(FILE *fp)
{
    LimeReader *r = fp ? calloc(1, sizeof *r) : NULL;
    if (r) {
        r->fp = fp;
        r->header_nextP = 1;
    }
    return r;
}

void limeDestroyReader(LimeReader *r)
{
    if (r)
        limeDestroyHeader(r->curr_header);
    free(r);
}

/* The size of the file, -1 if it is not known; changes the position. */
static off_t file_size(FILE *fp)
{
    return fseeko(fp, 0, SEEK_END) == 0 ? ftello(fp) : -1;
}

int limeReaderCloseRecord(LimeReader *r)
{
    if (!r)
        return LIME_ERR_PARAM;
    if (r->header_nextP)
        return LIME_SUCCESS;
    if (fseeko(r->fp, limeGetReaderPointer(r), SEEK_SET) != 0)
        return LIME_ERR_SEEK;
    r->rec_ptr = r->bytes_total;
    r->bytes_left = 0;
    r->header_nextP = 1;
    return LIME_SUCCESS;
}

int limeReaderNextRecord(LimeReader *r)
{
    if (!r)
        return LIME_ERR_PARAM;
    int status = limeReaderCloseRecord(r);
    if (status != LIME_SUCCESS)
        return status;

    unsigned char bytes[LIME_HEADER_BYTES];
    size_t n = fread(bytes, 1, sizeof bytes, r->fp);
    if (n == 0 && feof(r->fp))
        return LIME_EOF;
    LimeRecordHeader *h = n == sizeof bytes ? lime_decode_header(bytes) : NULL;
    if (!h)
        return LIME_ERR_READ;

    /* Refuse a record that extends beyond the file, so that callers can trust its length. */
    off_t start = ftello(r->fp), size = file_size(r->fp);
    n_uint64_t available = size >= start && start >= 0 ? (n_uint64_t)(size - start) : 0;
    if (h->data_length > available || lime_padding(h->data_length) > available - h->data_length
        || fseeko(r->fp, start, SEEK_SET) != 0) {
        limeDestroyHeader(h);
        return LIME_ERR_READ;
    }

    limeDestroyHeader(r->curr_header);
    r->curr_header = h;
    r->first_read = 1;
    r->is_last = h->ME_flag;
    r->header_nextP = 0;
    r->bytes_total = r->bytes_left = h->data_length;
    r->rec_ptr = 0;
    r->rec_start = (n_uint64_t)start;
    r->bytes_pad = lime_padding(h->data_length);
    return LIME_SUCCESS;
}

int limeReaderMBFlag(LimeReader *r)
{
    return r && r->curr_header ? r->curr_header->MB_flag : -1;
}

int limeReaderMEFlag(LimeReader *r)
{
    return r && r->curr_header ? r->curr_header->ME_flag : -1;
}

char *limeReaderType(LimeReader *r)
{
    return r && r->curr_header ? r->curr_header->type : NULL;
}

n_uint64_t limeReaderBytes(LimeReader *r)
{
    return r ? r->bytes_total : 0;
}

size_t limeReaderPadBytes(LimeReader *r)
{
    return r ? r->bytes_pad : 0;
}

int limeReaderReadData(void *dest, n_uint64_t *nbytes, LimeReader *r)
{
    if (!r || !nbytes || (!dest && *nbytes > 0))
        return LIME_ERR_PARAM;
    n_uint64_t wanted = *nbytes < r->bytes_left ? *nbytes : r->bytes_left;
    *nbytes = 0;
    if (r->bytes_left == 0)
        return LIME_EOR;
    if (wanted > SIZE_MAX)
        return LIME_ERR_READ;
    size_t n = fread(dest, 1, (size_t)wanted, r->fp);
    *nbytes = n;
    r->rec_ptr += n;
    r->bytes_left -= n;
    return n == wanted ? LIME_SUCCESS : LIME_ERR_READ;
}

/* c-lime: past an end of the data it goes to that end, and says that it is an error. */
int limeReaderSeek(LimeReader *r, off_t offset, int whence)
{
    n_uint64_t to;
    if (!r || !r->first_read)
        return LIME_ERR_PARAM;
    if (whence != SEEK_SET && whence != SEEK_CUR)
        return LIME_ERR_SEEK;
    const bool inside = lime_seek_target(&to, r->bytes_total, whence == SEEK_CUR ? r->rec_ptr : 0, offset);
    if (fseeko(r->fp, (off_t)(r->rec_start + to), SEEK_SET) != 0)
        return LIME_ERR_SEEK;
    r->header_nextP = 0;
    r->rec_ptr = to;
    r->bytes_left = r->bytes_total - to;
    return inside ? LIME_SUCCESS : LIME_ERR_SEEK;
}

off_t limeGetReaderPointer(LimeReader *r)
{
    if (!r)
        return -1;
    return r->first_read ? (off_t)(r->rec_start + r->bytes_total + r->bytes_pad) : ftello(r->fp);
}

int limeSetReaderPointer(LimeReader *r, off_t offset)
{
    if (!r)
        return LIME_ERR_PARAM;
    if (fseeko(r->fp, offset, SEEK_SET) != 0)
        return LIME_ERR_SEEK;
    limeDestroyHeader(r->curr_header);
    *r = (LimeReader){ .fp = r->fp, .header_nextP = 1 };
    return LIME_SUCCESS;
}

int limeReaderSetState(LimeReader *rdest, LimeReader *rsrc)
{
    if (!rdest || !rsrc || rdest == rsrc)
        return LIME_ERR_PARAM;
    const LimeRecordHeader *h = rsrc->curr_header;
    LimeRecordHeader *copy = h ? limeCreateHeader(h->MB_flag, h->ME_flag, h->type, h->data_length) : NULL;
    if (h && !copy)
        return LIME_ERR_PARAM;

    FILE *fp = rdest->fp;
    limeDestroyHeader(rdest->curr_header);
    *rdest = *rsrc;
    rdest->fp = fp;
    rdest->curr_header = copy;
    off_t position = rsrc->header_nextP ? limeGetReaderPointer(rsrc) : (off_t)(rsrc->rec_start + rsrc->rec_ptr);
    return position >= 0 && fseeko(fp, position, SEEK_SET) == 0 ? LIME_SUCCESS : LIME_ERR_SEEK;
}
