/* lime_binary.h - the 144 bytes in front of every record. */
#ifndef KILN_LIME_LIME_BINARY_H
#define KILN_LIME_LIME_BINARY_H

#include "lime/lime.h"

#include <stdbool.h>

enum {
    LIME_HEADER_BYTES = 144,
    LIME_TYPE_AT = 16, LIME_TYPE_BYTES = 128,     /* with the zero that ends it */
    LIME_FLAG_BEGINS = 0x8000, LIME_FLAG_ENDS = 0x4000
};

void lime_encode_header(unsigned char bytes[LIME_HEADER_BYTES], const LimeRecordHeader *h);

/* NULL if these bytes are not a header (magic, version, a type without zero at its end), or without memory.  The caller
 * owns it: limeDestroyHeader. */
LimeRecordHeader *lime_decode_header(const unsigned char bytes[LIME_HEADER_BYTES]);

/* *to <- from + offset.  If that is outside of 0 ... total: *to <- the nearer end, and false. */
bool lime_seek_target(n_uint64_t *to, n_uint64_t total, n_uint64_t from, off_t offset);

/* Zeros needed behind `length` bytes of data. */
size_t lime_padding(n_uint64_t length);

#endif
