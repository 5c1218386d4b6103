/* excerpt.c - the first 40 bytes of a text, cut between two characters. */
#include "src/config/excerpt.h"

#include <string.h>

excerpt_text excerpt(const char *s)
{
    enum { SHOWN = 40 };
    excerpt_text e = { "" };
    size_t n = strlen(s), shown = n <= SHOWN ? n : SHOWN;
    while (shown < n && shown > SHOWN - 4 && ((unsigned char)s[shown] & 0xc0) == 0x80)
        shown--;                                    /* do not cut a UTF-8 character in two */
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)s[i];
        e.s[i] = c < 0x20 || c == 0x7f ? '?' : s[i];
    }
    strcpy(e.s + shown, shown < n ? "..." : "");
    return e;
}
