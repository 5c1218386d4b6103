/* lime_bytes.h - LIME files written byte by byte, so that tests can write files that violate the format. */
#ifndef KILN_TESTS_IO_LIME_BYTES_H
#define KILN_TESTS_IO_LIME_BYTES_H

#include "tests/io/scratch.h"

#include <zlib.h>

static const int lattice[4] = { 2, 2, 3, 2 };      /* x, y, z, t; one extent differs, to find wrong orders */
enum { SITES = 24 };

/* A record: its data are `data` if data.bytes is not NULL, else `text`.  begins, ends: flags of the message. */
typedef struct { const char *type; char text[600]; blob data; int begins, ends; } record;
enum { MOST_RECORDS = 12 };

static inline blob lime_file(const record *r, int n)
{
    blob b = { malloc(1 << 20), 0 };
    for (int i = 0; i < n; i++) {
        const void *data = r[i].data.bytes ? (const void *)r[i].data.bytes : r[i].text;
        size_t length = r[i].data.bytes ? r[i].data.n : strlen(r[i].text);
        unsigned char *head = b.bytes + b.n;
        memset(head, 0, 144 + length + 8);
        put_word(head, 0x456789ab, true);
        put_word(head + 4, 0x10000u | (r[i].begins ? 0x8000 : 0) | (r[i].ends ? 0x4000 : 0), true);
        put_word(head + 12, (uint32_t)length, true);
        strcpy((char *)head + 16, r[i].type);
        memcpy(head + 144, data, length);
        b.n += 144 + (length + 7) / 8 * 8;
    }
    return b;
}

static inline void put_checksum(char *xml, size_t size, const blob *data)
{
    uint32_t sum[2] = { 0, 0 };
    size_t n = data->n / SITES;
    for (size_t site = 0; site < SITES; site++) {
        uint32_t crc = (uint32_t)crc32(0, data->bytes + site * n, (uInt)n);
        for (int i = 0; i < 2; i++) {
            unsigned by = (unsigned)(site % (i ? 31 : 29));
            sum[i] ^= by ? crc << by | crc >> (32 - by) : crc;
        }
    }
    snprintf(xml, size, "<scidacChecksum><suma>%" PRIx32 "</suma><sumb>%" PRIx32 "</sumb></scidacChecksum>", sum[0],
             sum[1]);
}

enum { FILE_XML, RECORD_XML, USER_XML, FORMAT, BINARY, CHECKSUM, RECORDS };

/* The records of an ILDG file of these links in double precision, all in one message. */
static inline void ildg_records(record r[RECORDS], const double *links)
{
    static const record form[RECORDS] = {
        { .type = "scidac-private-file-xml", .begins = 1,
          .text = "<scidacFile><spacetime>4</spacetime><dims>2 2 3 2 </dims><volfmt>0</volfmt></scidacFile>" },
        { .type = "scidac-private-record-xml",
          .text = "<scidacRecord><recordtype>0</recordtype><datatype>QDP_D3_ColorMatrix</datatype>"
                  "<precision>D</precision><colors>3</colors><typesize>144</typesize><datacount>4</datacount>"
                  "</scidacRecord>" },
        { .type = "scidac-record-xml", .text = "<usqcdInfo><plaq>0.25</plaq><linktr>0.125</linktr></usqcdInfo>" },
        { .type = "ildg-format",
          .text = "<ildgFormat><version>1.0</version><field>su3gauge</field><precision>64</precision>"
                  "<lx>2</lx><ly>2</ly><lz>3</lz><lt>2</lt></ildgFormat>" },
        { .type = "ildg-binary-data" },
        { .type = "scidac-checksum", .ends = 1 },
    };
    memcpy(r, form, sizeof form);
    r[BINARY].data = put_links(links, lattice, 3, 64, true, 0);
    put_checksum(r[CHECKSUM].text, sizeof r->text, &r[BINARY].data);
}

#endif
