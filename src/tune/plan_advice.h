/* plan_advice.h - keys of an input that reduce the memory of a run, and how much each one saves. */
#ifndef KILN_TUNE_PLAN_ADVICE_H
#define KILN_TUNE_PLAN_ADVICE_H

#include "src/config/text_refs.h"
#include "src/hmc/run_params.h"

/* A value for --set, and the bytes that it saves alone, on the device of the run. */
typedef struct { char set[96]; size_t saves; } advice;

enum { ADVICE_MAX = 24 };
typedef struct {
    int count;
    advice item[ADVICE_MAX];       /* the largest first */
    size_t all;                    /* bytes that all of them save together */
} advice_list;

/* Try the known keys on the input at `path` with `sets`. */
void advice_find(advice_list *list, const char *path, const text_refs *sets, const run_params *p);

#endif
