/* formats.h - storage formats of color vectors and links.
 *
 *     native  six numbers of the arithmetic's precision
 *     half    six integers of 16 bits in units of the largest number / 32767, and that number as a float: 16 bytes
 *     int20   six integers of 20 bits with a common exponent of 8 bits: 16 bytes, eight times as accurate as half
 *     int30   six integers of 30 bits with a common exponent: 24 bytes
 *
 * Spinors are four color vectors, each with a separate scale.
 * M. A. Clark et al.: half arXiv:0911.3191, int20 and int30 arXiv:2302.09224.  Arithmetic is in single precision for
 * half and int20, in double for int30.  The links that go with them are 18 integers of 16 or 32 bits, in units of the
 * largest number of the whole field (fixed16, fixed32).  Links that are SU(3) matrices (12, 8) or U(3) matrices (13, 9)
 * can be stored as fewer numbers than 18:
 *
 *     12, 13        two rows, and for U(3) the phase of the determinant, in the arithmetic's precision
 *     8, 9          eight numbers, the least possible, and for U(3) the same phase
 *     fixed16_12    two rows in fixed point of 16 bits: 24 bytes
 *     fixed32_12    two rows in fixed point of 32 bits: 48 bytes
 *     fixed16_13    as fixed16_12, then the phase, a float: 28 bytes
 *     fixed32_13    as fixed32_12, then the phase, a double: 56 bytes
 *     fixed16_8     eight numbers in fixed point of 16 bits: 16 bytes
 *     fixed16_9     as fixed16_8, then the phase, a float: 20 bytes
 *     fixed32_9     eight numbers in fixed point of 32 bits, then the phase, a double: 40 bytes
 *
 * Load and store functions get the format as a compile-time constant (site/storage.h, site/link_storage.h). */
#ifndef KILN_SITE_FORMATS_H
#define KILN_SITE_FORMATS_H

typedef enum { VECTOR_NATIVE, VECTOR_HALF, VECTOR_INT20, VECTOR_INT30, VECTOR_FORMATS } vector_format;
typedef enum {
    LINK_NATIVE, LINK_FIXED16, LINK_FIXED32, LINK_FIXED16_13, LINK_FIXED32_13, LINK_FIXED16_12, LINK_FIXED32_12,
    LINK_FIXED16_8, LINK_FIXED16_9, LINK_FIXED32_9, LINK_12, LINK_8, LINK_13, LINK_9,
    LINK_FORMATS
} link_format;

/* Words of 32 bits in a color vector, and in a link, of each format that has words. */
enum { HALF_WORDS = 4, INT20_WORDS = 4, INT30_WORDS = 6 };
enum { FIXED16_WORDS = 9, FIXED32_WORDS = 18, FIXED16_13_WORDS = 7, FIXED32_13_WORDS = 14, FIXED16_12_WORDS = 6,
       FIXED32_12_WORDS = 12, FIXED16_8_WORDS = 4, FIXED16_9_WORDS = 5, FIXED32_9_WORDS = 10 };

/* Words of 32 bits in a link of format f; 0 if the format is not fixed-point. */
#define LINK_WORDS(f) \
    ((f) == LINK_FIXED16 ? FIXED16_WORDS : (f) == LINK_FIXED32 ? FIXED32_WORDS \
     : (f) == LINK_FIXED16_13 ? FIXED16_13_WORDS : (f) == LINK_FIXED32_13 ? FIXED32_13_WORDS \
     : (f) == LINK_FIXED16_12 ? FIXED16_12_WORDS : (f) == LINK_FIXED32_12 ? FIXED32_12_WORDS \
     : (f) == LINK_FIXED16_8 ? FIXED16_8_WORDS : (f) == LINK_FIXED16_9 ? FIXED16_9_WORDS \
     : (f) == LINK_FIXED32_9 ? FIXED32_9_WORDS : 0)

/* Numbers of the arithmetic's precision in a link of the other formats. */
#define LINK_NUMBERS(f) ((f) == LINK_12 ? 12 : (f) == LINK_8 ? 8 : (f) == LINK_13 ? 13 : (f) == LINK_9 ? 9 : 18)

/* The integer that stands for the largest number of the field (fixed16, fixed32), or for 1 (the other formats). */
#define FIXED16_ONE 32767.0
#define FIXED32_ONE 2147483647.0

#endif
