/* left_out.h - the trajectories and trials that a tuning left out because --minutes ended, by name. */
#ifndef KILN_TUNE_LEFT_OUT_H
#define KILN_TUNE_LEFT_OUT_H

#include "src/base/json.h"
#include "src/base/text.h"

/* A trial: its stage, the key of the input whose values are tried ("": none), and the value, or the trajectories. */
typedef struct { const char *stage; char key[96], trial[128]; } left_out_trial;

enum { LEFT_OUT_MOST = 192 };
typedef struct {
    int count;                             /* of all; the first LEFT_OUT_MOST of them have a name */
    left_out_trial item[LEFT_OUT_MOST];
} left_out_list;

PRINTF_LIKE(4, 5) void left_out_add(left_out_list *l, const char *stage, const char *key, const char *format, ...);

/* One line for each stage and key; every line begins with `before`. */
void left_out_to_text(text *out, const left_out_list *l, const char *before);

/* Append the list `left_out` to the open object. */
void left_out_to_json(json *j, const left_out_list *l);

#endif
