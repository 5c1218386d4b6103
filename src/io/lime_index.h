/* lime_index.h - the records of a LIME file: what, where, how long. */
#ifndef KILN_IO_LIME_INDEX_H
#define KILN_IO_LIME_INDEX_H

#include "src/io/links_source.h"

typedef struct {
    char type[128];
    uint64_t offset, length;       /* of the data; inside the file */
} lime_record;

typedef struct { int count; lime_record *record; } lime_index;

/* Read all headers.  False with the reason if the file is not a sequence of complete records that ends with the end of
 * a message.  Release with lime_index_free. */
bool lime_index_read(lime_index *index, const links_source *s, failure *f);
void lime_index_free(lime_index *index);

/* The record of this type nearest to record number `around`; -1 if there is none.  Ignores case: some files have
 * ildg-data-LFN, others ildg-data-lfn. */
int lime_index_find(const lime_index *index, const char *type, int around);

/* The record as a text (memory_free), NULL with the reason if it cannot be one. */
char *lime_record_text(const links_source *s, const lime_record *record, failure *f);

#endif
