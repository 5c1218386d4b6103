/* record_line.h - read a line of run.jsonl: what the chain and the checks need. */
#ifndef KILN_ENSEMBLE_RECORD_LINE_H
#define KILN_ENSEMBLE_RECORD_LINE_H

#include "src/base/error.h"
#include "src/base/json_read.h"
#include "src/ensemble/chain.h"

typedef struct {
    chain_link link;          /* seed and stream are not set: a line has none; input_digest only with a chain */
    chain_value chain;        /* not begun: a program without chains wrote the line */
    bool configuration;       /* a configuration is due after this trajectory; false without a chain */
} record_line;

/* False with the reason if the object is not a line of a record; `l` then has at most its trajectory, else 0, and no
 * chain. */
bool record_line_read(record_line *l, yyjson_val *object, failure *f);

#endif
