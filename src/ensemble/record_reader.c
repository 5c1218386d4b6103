/* record_reader.c - read lines of a record ahead, a few at a time, and check their digests together. */
#include "src/ensemble/record_reader.h"

#include <stdlib.h>
#include <string.h>

static void read_ahead(record_reader *r)
{
    r->read = r->next = 0;
    while (r->read < CHECKSUMMED_LINES && !r->torn) {
        const int i = r->read;
        const ssize_t length = getline(&r->text[i], &r->capacity[i], r->stream);
        if (length <= 0)
            break;
        r->torn = r->text[i][length - 1] != '\n';
        r->lengths[i] = (size_t)length;
        r->read += !r->torn;
    }
    checksummed_lines_check(r->seals, (const char *const *)r->text, r->read);
}

bool record_reader_next(record_reader *r)
{
    if (r->next == r->read && !r->torn)
        read_ahead(r);
    if (r->next == r->read)
        return false;
    const int i = r->next++;
    r->line = r->text[i];
    r->length = r->lengths[i];
    r->seal = r->seals[i];
    return true;
}

yyjson_val *record_reader_object(record_reader *r, failure *f)
{
    if (strlen(r->line) != r->length) {
        fail(f, "it holds zero bytes");
        return NULL;
    }
    if (!r->memory)
        r->memory = yyjson_alc_dyn_new();
    yyjson_doc_free(r->doc);
    r->doc = json_read(r->line, r->length, "line", r->memory, f);
    return yyjson_doc_get_root(r->doc);
}

void record_reader_free(record_reader *r)
{
    for (int i = 0; i < CHECKSUMMED_LINES; i++)
        free(r->text[i]);
    yyjson_doc_free(r->doc);
    yyjson_alc_dyn_free(r->memory);
}
