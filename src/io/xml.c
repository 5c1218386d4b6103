/* xml.c - find <tag>text</tag>. */
#include "src/io/xml.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ends_name(char c)
{
    return c == '>' || c == '/' || isspace((unsigned char)c);
}

/* Whether the name at `at`, after '<' or '</', is `tag`, without its prefix. */
static bool names(const char *at, const char *tag)
{
    size_t n = 0;
    while (at[n] && at[n] != '<' && !ends_name(at[n]))
        n++;
    const char *colon = memchr(at, ':', n);
    const char *name = colon ? colon + 1 : at;
    size_t length = (size_t)(at + n - name);
    return length == strlen(tag) && memcmp(name, tag, length) == 0;
}

bool xml_text(const char *xml, const char *tag, char *out, size_t size)
{
    for (const char *at = strchr(xml, '<'); at; at = strchr(at, '<')) {
        if (strncmp(at, "<!--", 4) == 0) {
            if (!(at = strstr(at, "-->")))
                return false;
            continue;
        }
        at++;
        if (!names(at, tag))
            continue;
        const char *start = strchr(at, '>');
        if (!start || start[-1] == '/')
            continue;
        start++;
        const char *end = strchr(start, '<');
        if (!end || end[1] != '/' || !names(end + 2, tag))
            continue;
        while (start < end && isspace((unsigned char)*start))
            start++;
        while (end > start && isspace((unsigned char)end[-1]))
            end--;
        if ((size_t)(end - start) >= size)
            return false;
        memcpy(out, start, (size_t)(end - start));
        out[end - start] = '\0';
        return true;
    }
    return false;
}

bool xml_integer(const char *xml, const char *tag, long long *value)
{
    char digits[32], *end;
    if (!xml_text(xml, tag, digits, sizeof digits) || !digits[0])
        return false;
    errno = 0;
    *value = strtoll(digits, &end, 10);
    return *end == '\0' && errno == 0;
}

bool xml_real(const char *xml, const char *tag, double *value)
{
    char digits[64], *end;
    if (!xml_text(xml, tag, digits, sizeof digits) || !digits[0])
        return false;
    *value = strtod(digits, &end);
    return *end == '\0' && isfinite(*value);
}
