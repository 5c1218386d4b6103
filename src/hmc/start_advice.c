/* start_advice.c - random numbers depend on seed, stream and trajectory alone: a start must not repeat its past. */
#include "src/hmc/start_advice.h"

#include "src/base/log.h"
#include "src/base/text.h"
#include "src/io/links_file.h"

#include <inttypes.h>
#include <string.h>

void start_advice_add(const run_params *p, advice_listener *emit, void *out)
{
    links_info info;
    if (p->start.from != START_FILE || !links_read_info(p->start.file, &info, NULL) || !info.has_state)
        return;
    const run_state *state = &info.state;
    if (state->seed != (uint64_t)p->random.seed || state->stream != (uint32_t)p->random.stream
        || state->trajectory <= p->start.trajectory || memcmp(info.extents, p->extents, sizeof info.extents) != 0)
        return;
    text line = { 0 };
    text_add(&line, "start.file: %s is configuration %" PRId64 " of seed %" PRIu64 ", stream %" PRIu32 ", which this "
             "input has as well: trajectories from %" PRId64 " to %" PRId64 " repeat the random numbers that made "
             "these links; choose another random.stream, or go on with start.trajectory: %" PRId64, p->start.file,
             state->trajectory, state->seed, state->stream, p->start.trajectory + 1, state->trajectory,
             state->trajectory);
    emit(out, text_string(&line));
    text_free(&line);
}

void start_advice_warn(const run_params *p)
{
    start_advice_add(p, run_advice_log, NULL);
}
