/* utf8.c - characters of UTF-8: no longer sequence than needed, no surrogates, nothing above U+10FFFF. */
#include "src/base/utf8.h"

#include <string.h>

int utf8_character(uint32_t *character, const char *s)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)s[0];
    const int length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (length <= 1) {
        *character = first;
        return length;
    }
    *character = first & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) {
        const unsigned char next = (unsigned char)s[i];          /* a zero at the end of the text ends the loop */
        if ((next & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (next & 0x3fu);
    }
    const bool surrogate = *character >= 0xd800 && *character < 0xe000;
    return *character >= least[length] && *character <= 0x10ffff && !surrogate ? length : 0;
}

bool utf8_is_valid(const char *s)
{
    uint32_t character;
    for (int n; *s; s += n)
        if ((n = utf8_character(&character, s)) == 0)
            return false;
    return true;
}

void utf8_add_bytes(text *bytes, const char *read)
{
    uint32_t character;
    while (*read) {
        const int n = utf8_character(&character, read);
        const bool is_byte = n == 3 && character >= UTF8_BYTE + 0x80 && character <= UTF8_BYTE + 0xff;
        const char byte = (char)(character & 0xff);
        text_add_bytes(bytes, is_byte ? &byte : read, is_byte ? 1 : (size_t)(n > 0 ? n : 1));
        read += n > 0 ? n : 1;
    }
}
