/* xml.c - find <tag>text</tag>.
 *
 * Comments, processing instructions and declarations are skipped, attributes may contain '>', and the text may be a
 * CDATA section. */
#include "src/io/xml.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
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

/* The '>' that ends the tag at `at`, outside of quoted attributes; NULL if there is none. */
static const char *end_of_tag(const char *at)
{
    char quote = '\0';
    for (; *at && (quote || *at != '>'); at++)
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
    return *at ? at : NULL;
}

static bool begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

/* The end of the comment, CDATA section, processing instruction or declaration at `at`; `at` itself if a tag begins
 * there; NULL if the markup has no end. */
static const char *skip_markup(const char *at)
{
    static const struct { const char *begin, *end; } kinds[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" },
                                                                 { "<?", "?>" }, { "<!", ">" } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(at, kinds[i].begin)) {
            const char *end = strstr(at + strlen(kinds[i].begin), kinds[i].end);
            return end ? end + strlen(kinds[i].end) : NULL;
        }
    return at;
}

/* The text so far, without blanks before and after it.  `blanks`: number of blanks after it, which become part of it if
 * another character follows. */
typedef struct { char *out; size_t size, used, blanks; bool fits; } text_copy;

static void copy_byte(text_copy *c, char byte)
{
    const size_t at = c->used + c->blanks;
    if (isspace((unsigned char)byte)) {
        if (c->used > 0 && at + 1 < c->size)
            c->out[at] = byte;
        c->blanks += c->used > 0;
        return;
    }
    c->fits = c->fits && at + 1 < c->size;
    if (!c->fits)
        return;
    c->out[at] = byte;
    c->used = at + 1;
    c->blanks = 0;
}

static void copy_bytes(text_copy *c, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        copy_byte(c, from[i]);
}

/* The text at `at` up to the end of `tag`, without comments.  False if another element begins. */
static bool copy_text(text_copy *c, const char *at, const char *tag)
{
    for (;;) {
        const size_t n = strcspn(at, "<");
        copy_bytes(c, at, n);
        at += n;
        if (begins(at, "</"))
            return names(at + 2, tag);
        const char *next = *at ? skip_markup(at) : NULL;
        if (!next || next == at)
            return false;
        if (begins(at, "<![CDATA["))
            copy_bytes(c, at + 9, (size_t)(next - at) - 12);
        at = next;
    }
}

bool xml_text(const char *xml, const char *tag, char *out, size_t size)
{
    for (const char *at = strchr(xml, '<'); at; at = strchr(at, '<')) {
        const char *next = skip_markup(at);
        if (!next)
            return false;
        if (next != at) {
            at = next;
            continue;
        }
        at++;
        const char *end = end_of_tag(at);
        text_copy copy = { out, size, 0, 0, size > 0 };
        if (!end)
            return false;
        if (names(at, tag) && end[-1] != '/' && copy_text(&copy, end + 1, tag)) {
            if (!copy.fits)
                return false;
            out[copy.used] = '\0';
            return true;
        }
        at = end;
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
