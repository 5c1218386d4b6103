/* run_state.h - the record "kiln-run-state": where a stream of trajectories stands, as JSON.
 *
 *     {"trajectory": 120, "seed": "7", "stream": 0, "input_digest": "0x...", "parent_digest": "0x...",
 *      "chain": "0x...", "plaquette": 0.59, "version": "kiln 0.1", "memory": {"light": [0.00012, 25.9]},
 *      "digest": "0x..."}
 *
 * Numbers of 64 bits are texts, for most readers of JSON hold numbers as doubles.  "memory" is there only where
 * there is any (state_memory.h), "chain" only in states of a program that knew it. */
#ifndef KILN_IO_RUN_STATE_H
#define KILN_IO_RUN_STATE_H

#include "src/base/text.h"
#include "src/io/links_info.h"

void run_state_to_text(const run_state *state, text *t);

/* False, with what is wrong, unless every key but "memory" and "chain" is there, and each holds what it should.
 * `name` stands for the file in the message. */
bool run_state_from_text(run_state *state, const char *content, const char *name, failure *f);

#endif
