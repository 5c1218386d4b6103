/* yaml_quoted.c - a text in double quotes, which YAML reads back with every byte. */
#include "src/config/yaml_quoted.h"

#include <string.h>

void yaml_quoted_add(text *out, const char *s)
{
    static const struct { const char *bytes, *escape; } special[] = {
        { "\"", "\\\"" },      { "\\", "\\\\" },          { "\n", "\\n" },           { "\t", "\\t" },
        { "\x7f", "\\x7F" },   { "\xe2\x80\xa8", "\\L" }, { "\xe2\x80\xa9", "\\P" }, { "\xef\xbb\xbf", "\\uFEFF" },
        { "\xef\xbf\xbe", "\\uFFFE" }, { "\xef\xbf\xbf", "\\uFFFF" },
    };
    text_add(out, "\"");
    while (*s) {
        const unsigned char c = (unsigned char)s[0], next = (unsigned char)s[1];
        size_t i = 0, kinds = sizeof special / sizeof *special;
        while (i < kinds && strncmp(s, special[i].bytes, strlen(special[i].bytes)) != 0)
            i++;
        if (i < kinds) {
            text_add(out, "%s", special[i].escape);
            s += strlen(special[i].bytes);
        } else if (c < 0x20) {
            text_add(out, "\\x%02X", c);
            s++;
        } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {       /* U+0080 to U+009F */
            text_add(out, "\\x%02X", next);
            s += 2;
        } else {
            text_add_bytes(out, s++, 1);
        }
    }
    text_add(out, "\"");
}
