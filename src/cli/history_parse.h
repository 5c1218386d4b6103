/* history_parse.h - a line of run.jsonl as numbers under titles. */
#ifndef KILN_CLI_HISTORY_PARSE_H
#define KILN_CLI_HISTORY_PARSE_H

#include "src/cli/run_history.h"

typedef void history_taker(void *out, column_kind kind, const char *title, double value);

/* False where `text` is no line of a record; then nothing is told.  Else `line` is set, and `take` hears the rest. */
bool history_parse(history_line *line, const char *text, history_taker *take, void *out);

#endif
