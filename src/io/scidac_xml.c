/* scidac_xml.c - numbers in the XML records of SciDAC files. */
#include "src/io/scidac_xml.h"

#include "src/io/xml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "4 4 4 8 ": exactly four numbers. */
static bool parse_dimensions(const char *s, long long found[4])
{
    for (int mu = 0; mu < 4; mu++) {
        char *end;
        found[mu] = strtoll(s, &end, 10);
        if (end == s)
            return false;
        s = end;
    }
    return s[strspn(s, " \t\r\n")] == '\0';
}

bool scidac_extents_read(long long extents[4], const links_source *s, const char *xml, failure *f)
{
    char dimensions[128];
    long long volume_format;
    if (xml_integer(xml, "volfmt", &volume_format) && volume_format != 0)
        return fail(f, "%s: record " SCIDAC_PRIVATE_FILE ": the field is spread over several files (volfmt %lld)",
                    s->path, volume_format);
    return (xml_text(xml, "dims", dimensions, sizeof dimensions) && parse_dimensions(dimensions, extents))
           || fail(f, "%s: record " SCIDAC_PRIVATE_FILE ": dims are not four numbers", s->path);
}

static bool parse_sum(const char *xml, const char *tag, uint32_t *sum)
{
    char digits[16], *end;
    if (!xml_text(xml, tag, digits, sizeof digits) || !isxdigit((unsigned char)digits[0]))
        return false;
    unsigned long long value = strtoull(digits, &end, 16);
    *sum = (uint32_t)value;
    return *end == '\0' && value <= UINT32_MAX;
}

bool scidac_checksum_read(scidac_checksum *sum, const links_source *s, const char *xml, failure *f)
{
    return (parse_sum(xml, "suma", &sum->a) && parse_sum(xml, "sumb", &sum->b))
           || fail(f, "%s: record " SCIDAC_CHECKSUM ": suma and sumb are not two hexadecimal numbers", s->path);
}
