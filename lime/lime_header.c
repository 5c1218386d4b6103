/* lime_header.c - a record's header, in memory and as bytes. */
#include "lime/lime_binary.h"

#include <stdlib.h>
#include <string.h>

size_t lime_padding(n_uint64_t length)
{
    return (size_t)(-length % 8);
}

bool lime_seek_target(n_uint64_t *to, n_uint64_t total, n_uint64_t from, off_t offset)
{
    const n_uint64_t distance = offset < 0 ? -(n_uint64_t)offset : (n_uint64_t)offset;
    const bool inside = distance <= (offset < 0 ? from : total - from);
    *to = offset < 0 ? (inside ? from - distance : 0) : inside ? from + distance : total;
    return inside;
}

LimeRecordHeader *limeCreateHeader(int MB_flag, int ME_flag, char *type, n_uint64_t reclen)
{
    if (!type || strlen(type) >= LIME_TYPE_BYTES)
        return NULL;
    LimeRecordHeader *h = malloc(sizeof *h);
    char *own = strdup(type);
    if (!h || !own) {
        free(h);
        free(own);
        return NULL;
    }
    *h = (LimeRecordHeader){ LIME_VERSION, MB_flag != 0, ME_flag != 0, own, reclen };
    return h;
}

void limeDestroyHeader(LimeRecordHeader *h)
{
    if (h)
        free(h->type);
    free(h);
}

static void put_big(unsigned char *to, n_uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--, value >>= 8)
        to[i] = (unsigned char)(value & 0xff);
}

static n_uint64_t get_big(const unsigned char *from, int bytes)
{
    n_uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | from[i];
    return value;
}

void lime_encode_header(unsigned char bytes[LIME_HEADER_BYTES], const LimeRecordHeader *h)
{
    memset(bytes, 0, LIME_HEADER_BYTES);
    put_big(bytes, LIME_MAGIC_NO, 4);
    put_big(bytes + 4, LIME_VERSION, 2);
    put_big(bytes + 6, (h->MB_flag ? LIME_FLAG_BEGINS : 0) | (h->ME_flag ? LIME_FLAG_ENDS : 0), 2);
    put_big(bytes + 8, h->data_length, 8);
    memcpy(bytes + LIME_TYPE_AT, h->type, strlen(h->type));
}

LimeRecordHeader *lime_decode_header(const unsigned char bytes[LIME_HEADER_BYTES])
{
    char *type = (char *)bytes + LIME_TYPE_AT;
    if (get_big(bytes, 4) != LIME_MAGIC_NO || get_big(bytes + 4, 2) != LIME_VERSION
        || !memchr(type, '\0', LIME_TYPE_BYTES))
        return NULL;
    int flags = (int)get_big(bytes + 6, 2);
    return limeCreateHeader(flags & LIME_FLAG_BEGINS, flags & LIME_FLAG_ENDS, type, get_big(bytes + 8, 8));
}
