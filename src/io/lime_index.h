/* lime_index.h - the records of a LIME file: what, where, how long. */
#ifndef KILN_IO_LIME_INDEX_H
#define KILN_IO_LIME_INDEX_H

#include "src/io/links_source.h"

typedef struct {
    char type[128];
    uint64_t offset, length;       /* of the data; inside the file */
    int message;                   /* the number of its message, from 0 on */
} lime_record;

/* is_open: the last record does not have the flag "message ends".  Some codes never set it. */
typedef struct { int count; lime_record *record; bool is_open; } lime_index;

/* Read all headers.  White space and zero bytes behind the last record are ignored.  False with the reason if the file
 * is not a sequence of complete records.  Release with lime_index_free. */
bool lime_index_read(lime_index *index, const links_source *s, failure *f);
void lime_index_free(lime_index *index);

/* The first and the last record of this type; -1 if there is none.  Ignores case: some files have ildg-data-LFN, others
 * ildg-data-lfn. */
int lime_index_first(const lime_index *index, const char *type);
int lime_index_last(const lime_index *index, const char *type);

/* The record of this type that describes the data of record number `binary`; -1 if there is none.  Records of the same
 * message come first.  Codes group records into messages differently, so the nearest record of another message is
 * taken next, but never one of a message with its own binary data: it describes those. */
int lime_index_find(const lime_index *index, const char *type, int binary);

/* The record as a text (memory_free), NULL with the reason if it cannot be one. */
char *lime_record_text(const links_source *s, const lime_record *record, failure *f);

#endif
