/* run_state.h - the record "kiln-run-state": the state of a stream after a trajectory, as JSON.
 *
 *     {"trajectory": 120, "seed": "7", "stream": 0, "input_digest": "0x...", "parent_digest": "0x...",
 *      "chain": "0x...", "plaquette": 0.59, "version": "kiln 0.1", "memory": {"light": [0.00012, 25.9]},
 *      "digest": "0x..."}
 *
 * Numbers of 64 bits are texts, because most readers of JSON convert numbers to doubles.  "memory" (state_memory.h) is
 * missing if it is empty, "chain" in states of a program without chains.  Only lattices with open boundaries in t
 * have "boundary_time": "open", and only anisotropic actions "xi_0": 2.5.  With stochastic molecular dynamics or
 * tempering, a checkpoint has "fields": "0x...", the digest of its momenta and pseudofermions or of the links of its
 * other replicas, and a configuration "lacks_fields": true. */
#ifndef KILN_IO_RUN_STATE_H
#define KILN_IO_RUN_STATE_H

#include "src/base/text.h"
#include "src/io/links_info.h"

void run_state_to_text(const run_state *state, text *t);

/* False with the reason if a required key is missing, a value is invalid or the digest does not agree.  `name` is the
 * file in the message. */
bool run_state_from_text(run_state *state, const char *content, const char *name, failure *f);

#endif
