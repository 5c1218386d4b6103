/* fuzz_state.c - arbitrary bytes as the record kiln-run-state; what is read is written and read the same again. */
#include "tests/fuzz/targets.h"

#include "src/io/run_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fuzz_state(const uint8_t *bytes, size_t n)
{
    failure f = { .why = "" };
    run_state *state = calloc(2, sizeof *state);
    char *content = fuzz_text(bytes, n);
    const bool taken = run_state_from_text(&state[0], content, FUZZ_NAME, &f);
    if (taken) {
        text again = { 0 };
        run_state_to_text(&state[0], &again);
        expect(run_state_from_text(&state[1], text_string(&again), FUZZ_NAME, &f), "a state that can be read again");
        expect(state[0].trajectory == state[1].trajectory && state[0].seed == state[1].seed
               && state[0].stream == state[1].stream && state[0].input_digest == state[1].input_digest
               && state[0].parent_digest == state[1].parent_digest
               && state[0].chained == state[1].chained && state[0].chain == state[1].chain
               && (state[0].plaquette == state[1].plaquette || (isnan(state[0].plaquette) && isnan(state[1].plaquette)))
               && strcmp(state[0].version, state[1].version) == 0
               && state_memory_same(&state[0].memory, &state[1].memory), "the same state");
        text_free(&again);
    } else {
        expect_reason(f.why, FUZZ_NAME);
    }
    free(content);
    free(state);
    return taken;
}
