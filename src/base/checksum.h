/* checksum.h - the checksums of SciDAC and ILDG files, and a digest that identifies texts and configurations.
 *
 * SciDAC (QIO): the crc32 (zlib's) of every site's bytes as stored (big endian), rotated left by the
 * site's lexicographic rank mod 29 and mod 31, combined by exclusive or: the order of sites does not
 * matter. */
#ifndef KILN_BASE_CHECKSUM_H
#define KILN_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct { uint32_t a, b; } scidac_checksum;       /* start from { 0, 0 } */
void scidac_checksum_add(scidac_checksum *sum, uint64_t site_rank, const void *site_bytes, size_t n);

/* The checksum of the POSIX command cksum, which ILDG uses for the binary data of a configuration: the CRC with
 * polynomial 0x04c11db7, highest bit first, of the bytes and then of their number, lowest byte first; complemented. */
typedef struct { uint32_t table[256], crc; uint64_t bytes; } posix_cksum;
void posix_cksum_begin(posix_cksum *c);
void posix_cksum_add(posix_cksum *c, const void *bytes, size_t n);
uint32_t posix_cksum_end(posix_cksum *c);

/* The 64-bit FNV-1a digest, not cryptographic: identifies an input or a configuration.  For several pieces, pass the
 * digest so far as `start`. */
#define DIGEST64_START 0xcbf29ce484222325u
uint64_t digest64(uint64_t start, const void *bytes, size_t n);

/* digest[i] <- digest64(DIGEST64_START, text[i]) for `count` texts; faster than one after the other. */
typedef struct { const void *bytes; size_t n; } digest64_text;
void digest64_many(uint64_t *digest, const digest64_text *text, int count);

/* `word` rotated left by `by` bits (0 to 31). */
uint32_t rotate_left32(uint32_t word, unsigned by);

#endif
