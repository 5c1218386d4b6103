/* text_refs.h - a short list of borrowed texts, such as the values of --set. */
#ifndef KILN_CONFIG_TEXT_REFS_H
#define KILN_CONFIG_TEXT_REFS_H

enum { TEXT_REFS_MAX = 256 };
typedef struct { int count; const char *item[TEXT_REFS_MAX]; } text_refs;    /* the first `count` items, borrowed */

#endif
