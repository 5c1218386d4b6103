/* fuzz_xml.c - arbitrary bytes as XML in which tags are looked for. */
#include "tests/fuzz/targets.h"

#include "src/io/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fuzz_xml(const uint8_t *bytes, size_t n)
{
    static const char *const tags[] = { "field", "precision", "lx", "lt", "dims", "volfmt", "suma", "plaq", "a" };
    char *xml = fuzz_text(bytes, n);
    const bool has_sections = strstr(xml, "<![CDATA["), has_parts = has_sections || strstr(xml, "<!--");
    bool any = false;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char large[256], small[8];
        long long whole;
        double real;
        bool found = xml_text(xml, tags[i], large, sizeof large);
        any |= found;
        expect(!found || (strlen(large) < sizeof large && (has_sections || !strchr(large, '<'))),
               "a text without tags that fits");
        expect(!found || has_parts || strstr(xml, large), "a text that is in the input");
        bool fits = xml_text(xml, tags[i], small, sizeof small);
        expect(fits == (found && strlen(large) < sizeof small), "what is too long is not found");
        expect(!fits || strcmp(small, large) == 0, "and what fits is the same");
        bool number = xml_integer(xml, tags[i], &whole);
        expect(!number || found, "a number only where there is a text");
        expect(!xml_real(xml, tags[i], &real) || (found && isfinite(real)), "a real only where there is a finite one");
    }
    free(xml);
    return any;
}
