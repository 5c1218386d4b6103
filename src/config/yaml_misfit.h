/* yaml_misfit.h - explains why a line of YAML has a wrong indentation, from the state of the scan (yaml_indent.c). */
#ifndef KILN_CONFIG_YAML_MISFIT_H
#define KILN_CONFIG_YAML_MISFIT_H

#include "src/base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { OPEN_MAX = 64 };

typedef enum { PIECE_KEY, PIECE_ITEM, PIECE_TEXT } piece_type;
typedef struct { const char *s; size_t length; } span;
typedef struct { piece_type type; int line, column; span name; } piece;      /* a line or the rest of it */
typedef struct { bool is_list; int line, column; } block;                    /* a list or mapping: its first piece */
typedef struct { int count; block at[OPEN_MAX]; } blocks;

/* The state of the scan through the text, and the fault that was found.  Columns count from 0. */
typedef struct {
    blocks open;                  /* outermost first */
    blocks ended;                 /* by the piece `last`, if it has a value on its own line */
    piece last, before;           /* the newest piece and the one before it */
    bool any, waits, plain;       /* a piece was seen; the newest has no value yet; its plain text may go on */
    bool before_waited;
    int brackets;                 /* open [ and { */
    char quote;                   /* the open one, or 0 */
    int literal, literal_text;    /* columns of the block with an open block text (| or >), and of that text; or -1 */
    text *sentence;
    int fault_line, fault_column;
} scan;

/* Write sentence and place of the fault for a piece that fits no open block; false if it cannot be explained. */
bool misfit_explain(scan *s, const piece *p);
bool misfit_explain_tab(scan *s, const piece *p);
bool misfit_explain_block_text(scan *s, const piece *p);

#endif
