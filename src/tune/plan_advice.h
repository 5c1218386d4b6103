/* plan_advice.h - which keys of an input would make a run take less memory, and how much less each. */
#ifndef KILN_TUNE_PLAN_ADVICE_H
#define KILN_TUNE_PLAN_ADVICE_H

#include "src/config/text_refs.h"
#include "src/hmc/run_params.h"

/* A value for --set, and the bytes at the place of the trajectories that it saves by itself. */
typedef struct { char set[96]; size_t saves; } advice;

enum { ADVICE_MAX = 24 };
typedef struct {
    int count;
    advice item[ADVICE_MAX];       /* the largest first */
    size_t all;                    /* that all of them save together */
} advice_list;

/* Try what is known to help on the input at `path` as it stands with `sets`. */
void advice_find(advice_list *list, const char *path, const text_refs *sets, const run_params *p);

#endif
