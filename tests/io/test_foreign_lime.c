/* test_foreign_lime.c - LIME files as other codes write them: flags that are not set, messages cut in other ways,
 * another field in the same file, XML that only a full parser expects, bytes behind the last record. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/io/lime_bytes.h"
#include "tests/io/whole_links.h"

/* The links and the checksum that the file states. */
static void is_read(const char *path, const record *r, int n, const char *behind, size_t extra, const double *links,
                    const char *what)
{
    blob b = lime_file(r, n);
    failure f = { .why = "the links differ" };
    links_info info;
    memcpy(b.bytes + b.n, behind, extra);
    blob_write(path, b.bytes, b.n + extra);
    double *read = links_read(path, &info, &f);
    const bool ok = read && memcmp(read, links, links_count(lattice) * sizeof *links) == 0 && info.has_plaquette
                    && info.plaquette == 0.25;
    fact(ok, "%s: the links and the plaquette of the file", what);
    if (!ok)
        note("%s", f.why);
    memory_free(read);
    free(b.bytes);
}

static void is_refused(const char *path, const record *r, int n, const char *behind, size_t extra, const char *message,
                       const char *what)
{
    blob b = lime_file(r, n);
    failure f = { .why = "it is read" };
    links_info info;
    memcpy(b.bytes + b.n, behind, extra);
    blob_write(path, b.bytes, b.n + extra);
    double *read = links_read(path, &info, &f);
    fact(!read && strstr(f.why, message), "%s: %s", what, f.why);
    memory_free(read);
    free(b.bytes);
}

static void flags(const char *path, const double *links)
{
    record r[MOST_RECORDS];
    ildg_records(r, links);
    r[0].begins = 0;
    is_read(path, r, RECORDS, "", 0, links, "no flag begins the message");
    r[RECORDS - 1].ends = 0;
    is_read(path, r, RECORDS, "", 0, links, "no flags at all");
    for (int i = 0; i < RECORDS; i++)
        r[i].begins = r[i].ends = 1;
    is_read(path, r, RECORDS, "", 0, links, "each record is a message");
    for (int i = 0; i < RECORDS; i++)
        r[i].ends = 0;
    is_read(path, r, RECORDS, "", 0, links, "each record begins a message, none ends one");
    free(r[BINARY].data.bytes);
}

/* A message about another field, before or behind that of the links. */
static void other_fields(const char *path, const double *links)
{
    static const record other[] = {
        { .type = "scidac-private-record-xml", .begins = 1,
          .text = "<scidacRecord><precision>F</precision><colors>3</colors><typesize>8</typesize>"
                  "<datacount>1</datacount></scidacRecord>" },
        { .type = "scidac-record-xml", .text = "<usqcdInfo><plaq>0.75</plaq><linktr>0.5</linktr></usqcdInfo>" },
        { .type = "other-binary-data", .text = "0123456789" },
        { .type = "scidac-checksum", .ends = 1,
          .text = "<scidacChecksum><suma>1</suma><sumb>2</sumb></scidacChecksum>" },
    };
    enum { OTHERS = sizeof other / sizeof *other };
    record r[MOST_RECORDS], all[MOST_RECORDS];
    ildg_records(r, links);
    memcpy(all, r, RECORDS * sizeof *r);
    memcpy(all + RECORDS, other, sizeof other);
    is_read(path, all, RECORDS + OTHERS, "", 0, links, "another field behind the links");
    memcpy(all, other, sizeof other);
    memcpy(all + OTHERS, r, RECORDS * sizeof *r);
    is_read(path, all, RECORDS + OTHERS, "", 0, links, "another field before the links");
    r[RECORD_XML].type = "x";
    r[BINARY].type = "scidac-binary-data";
    memcpy(all, r, RECORDS * sizeof *r);
    memcpy(all + RECORDS, other, sizeof other);
    is_refused(path, all, RECORDS + OTHERS, "", 0, "record scidac-private-record-xml is missing",
               "what describes another field does not describe the links");
    free(r[BINARY].data.bytes);
}

static void bytes_behind(const char *path, const double *links)
{
    static const char zeros[300] = { 0 };
    record r[MOST_RECORDS];
    ildg_records(r, links);
    is_read(path, r, RECORDS, "\n", 1, links, "a new line behind the last record");
    is_read(path, r, RECORDS, " \t\r\n\0", 5, links, "white space and a zero byte behind it");
    is_read(path, r, RECORDS, zeros, sizeof zeros, links, "more zero bytes behind it than a header has");
    is_refused(path, r, RECORDS, "\n\nx", 3, "are not a record", "other bytes behind it");
    free(r[BINARY].data.bytes);
}

static void xml(const char *path, const double *links)
{
    static const struct { const char *format, *what; } formats[] = {
        { "<ildgFormat><field>su3gauge</field><precision>64</precision><!-- <lx>8</lx> --><lx>2</lx><ly>2</ly>"
          "<lz>3</lz><lt>2</lt></ildgFormat>", "a comment with an element" },
        { "<ildgFormat><field>su3gauge</field><precision>64</precision><lx unit=\"a > b\">2</lx><ly>2</ly>"
          "<lz>3</lz><lt note='</lt>'>2</lt></ildgFormat>", "attributes with brackets" },
        { "<ildgFormat><field><![CDATA[su3gauge]]></field><precision>64</precision><lx><![CDATA[ 2 ]]></lx><ly>2</ly>"
          "<lz>3</lz><lt>2</lt></ildgFormat>", "sections CDATA" },
        { "<?xml version=\"1.0\"?><!DOCTYPE x><ildgFormat>\r\n<field>su3gauge</field>\r\n<precision>64</precision>"
          "<![CDATA[<lx>8</lx>]]><lx>2</lx><ly>2<!-- 8 --></ly><lz>3</lz><lt>2</lt></ildgFormat>",
          "a section with an element in it, and a comment inside a text" },
    };
    record r[MOST_RECORDS];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        ildg_records(r, links);
        snprintf(r[FORMAT].text, sizeof r->text, "%s", formats[i].format);
        is_read(path, r, RECORDS, "", 0, links, formats[i].what);
        free(r[BINARY].data.bytes);
    }
    ildg_records(r, links);
    snprintf(r[USER_XML].text, sizeof r->text, "<usqcdInfo><plaq>nan</plaq><linktr>0.125</linktr></usqcdInfo>");
    is_refused(path, r, RECORDS, "", 0, "plaq is \"nan\", not a number", "a plaquette that is no number");
    free(r[BINARY].data.bytes);
}

int main(void)
{
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "foreign.lime");
    double *links = analytic_links(lattice, 0.4);
    flags(path, links);
    other_fields(path, links);
    bytes_behind(path, links);
    xml(path, links);
    memory_free(links);
    scratch_remove(&s);
    return facts_end();
}
