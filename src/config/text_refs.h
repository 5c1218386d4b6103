/* text_refs.h - a short list of texts that somebody else owns, such as the values that --set puts over an input. */
#ifndef KILN_CONFIG_TEXT_REFS_H
#define KILN_CONFIG_TEXT_REFS_H

enum { TEXT_REFS_MAX = 256 };
typedef struct { int count; const char *item[TEXT_REFS_MAX]; } text_refs;    /* the first `count` items, borrowed */

#endif
