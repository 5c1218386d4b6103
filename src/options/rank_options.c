/* rank_options.c - read --ranks, --grid and --transport, and start the ranks. */
#include "src/options/rank_options.h"

#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/lattice/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool rank_options_read_grid(const char *given, void *value, failure *f)
{
    int *grid = value, end = 0;
    bool ok = (sscanf(given, "%4d,%4d,%4d,%4d%n", &grid[0], &grid[1], &grid[2], &grid[3], &end) == 4
               || sscanf(given, "%4dx%4dx%4dx%4d%n", &grid[0], &grid[1], &grid[2], &grid[3], &end) == 4)
              && !given[end];
    for (int mu = 0; ok && mu < 4; mu++)
        ok = grid[mu] >= 1;
    return ok || fail(f, "\"%s\" is not a grid; an example: 1,1,2,4 (ranks in the directions x, y, z, t)", given);
}

static int64_t grid_ranks(const int grid[4])
{
    return (int64_t)grid[0] * grid[1] * grid[2] * grid[3];
}

/* Set the number of ranks where it is not given. */
static int count_ranks(const usage *u, rank_options *r, int otherwise)
{
    const int64_t groups = r->groups > 0 ? r->groups : 1;
    if (r->count == 0)
        r->count = r->grid[0] > 0 ? groups * grid_ranks(r->grid) : otherwise;
    if (groups > 1 && r->grid[0] > 0 && groups * grid_ranks(r->grid) != r->count)
        return usage_error(u, "--grid %s has %" PRId64 " blocks, but --ranks %" PRId64 " in --replica-groups %" PRId64
                           " is another number", extents_to_text(r->grid).s, grid_ranks(r->grid), r->count, groups);
    if (r->count % groups != 0)
        return usage_error(u, "--replica-groups %" PRId64 " does not divide the number of ranks, %" PRId64, groups,
                           r->count);
    if (groups == 1 && r->grid[0] > 0 && grid_ranks(r->grid) != r->count)
        return usage_error(u, "--grid %s has %" PRId64 " blocks, but --ranks is %" PRId64, extents_to_text(r->grid).s,
                           grid_ranks(r->grid), r->count);
    if (r->count > RANKS_MAX)
        return usage_error(u, "--grid %s: more than %d ranks", extents_to_text(r->grid).s, RANKS_MAX);
    return GO_ON;
}

static int check_ranks(const usage *u, rank_options *r)
{
    const int started = comm_size(comm_world()), status = count_ranks(u, r, started);
    if (status != GO_ON)
        return status;
    if (started > 1 && r->count != started)
        return usage_error(u, "%" PRId64 " ranks are wanted, but %d were started", r->count, started);
    return GO_ON;
}

int rank_options_read(const usage *u, int argc, char **argv, void *values, rank_options *ranks, operands *found)
{
    const int status = options_read(u, argc, argv, values, found);
    const transport *unused;
    failure why;
    if (status == GO_ON && !comm_agree(comm_world(), transport_from_environment(&unused, &why), &why))
        return usage_error(u, "%s", why.why);
    return status == GO_ON ? check_ranks(u, ranks) : status;
}

typedef struct { const rank_options *ranks; int (*body)(void *context); void *context; } rank_task;

static int run_rank(void *of)
{
    const rank_task *t = of;
    if (t->ranks->grid[0] > 0)
        grid_want(t->ranks->grid);
    transport_want(t->ranks->transport);
    comm_split(t->ranks->groups > 0 ? (int)t->ranks->groups : 1);
    const int status = t->body(t->context);
    comm_join();
    return status;
}

int rank_options_run(const rank_options *ranks, int (*body)(void *context), void *context)
{
    rank_task task = { ranks, body, context };
    const bool start = ranks->count > 1 && comm_size(comm_world()) == 1;
    return start ? comm_run_threads((int)ranks->count, run_rank, &task) : run_rank(&task);
}

int rank_options_count(const usage *u, rank_options *ranks)
{
    return count_ranks(u, ranks, 1);
}

void rank_options_pretend(const rank_options *ranks)
{
    const int groups = ranks->groups > 0 ? (int)ranks->groups : 1;
    grid_request as_if = { .ranks = (int)ranks->count / groups, .groups = groups };
    memcpy(as_if.grid, ranks->grid, sizeof as_if.grid);
    grid_pretend(as_if);
}
