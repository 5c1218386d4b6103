/* rank_options.h - the ranks of a subcommand: those of mpirun, or with --ranks or --grid threads of one process; and
 * how data travels between their GPUs.
 *
 *     int status = rank_options_read(&usage, argc, argv, &o, &o.ranks, &files);
 *     return status == GO_ON ? rank_options_run(&o.ranks, measure_of_rank, &request) : status;
 */
#ifndef KILN_OPTIONS_RANK_OPTIONS_H
#define KILN_OPTIONS_RANK_OPTIONS_H

#include "src/halo/transport.h"
#include "src/options/options.h"

typedef struct {
    int64_t count;                       /* 0: not given */
    int grid[4];                         /* of the ranks; 0: not given */
    int64_t groups;                      /* of ranks, each with a grid; 0: not given */
    const transport *transport;          /* NULL: not given */
} rank_options;

enum { RANKS_MAX = 4096 };

/* "1,1,2,4" or "1x1x2x4" into four ints: an option's `read`. */
bool rank_options_read_grid(const char *given, void *grid, failure *f);

/* Read the options of a subcommand that runs on all ranks, as options_read does: `ranks` is the member of `values` that
 * RANK_OPTIONS names.  Collective: all ranks have the same command (cli.c).  Refuses numbers that contradict each
 * other. */
int rank_options_read(const usage *u, int argc, char **argv, void *values, rank_options *ranks, operands *found);

/* body(context) on every rank, with the wanted grid and transport, in its group if groups are wanted (comm_split);
 * returns its exit status, the largest of those of threads. */
int rank_options_run(const rank_options *ranks, int (*body)(void *context), void *context);

/* For subcommands that start no ranks: complete the number (neither --ranks nor --grid: 1), GO_ON or EXIT_USAGE after a
 * message; then read inputs and compute shapes as one of these ranks (lattice/grid.h). */
int rank_options_count(const usage *u, rank_options *ranks);
void rank_options_pretend(const rank_options *ranks);

#define GRID_OPTION(owner, member)                                                                                     \
    { .name = "grid", .value = "X,Y,Z,T", .doc = "ranks in each direction (default: the grid with the least\n"         \
      "communication; results do not depend on it)", .type = OPTION_READ, .offset = offsetof(owner, member.grid),      \
      .read = rank_options_read_grid }

#define TRANSPORT_OPTION(owner, member)                                                                                \
    { .name = "transport", .value = "WAY",                                                                             \
      .doc = "how data travels between the GPUs of ranks: peer (stores into\n"                                         \
      "each other's memory), nccl (NVIDIA's library, also between\n"                                                   \
      "machines) or host (default: $KILN_TRANSPORT; else the first of\n"                                               \
      "these that works; results do not depend on it)", .type = OPTION_READ,                                           \
      .offset = offsetof(owner, member.transport), .choices = transport_names, .read = transport_read }

#define REPLICA_GROUPS_OPTION(owner, member)                                                                           \
    { .name = "replica-groups", .value = "N",                                                                          \
      .doc = "with tempering: divide the ranks into N groups, each with\n"                                             \
      "some of the replicas and with a grid of its own (default: 1;\n"                                                 \
      "results do not depend on it)", .type = OPTION_INT, .offset = offsetof(owner, member.groups), .min = 1,          \
      .max = RANKS_MAX }

#define RANK_OPTIONS(owner, member, device)                                                                            \
    { .name = "ranks", .value = "N", .doc = "divide the lattice among N threads of this process, which\n"              \
      "share the CPU threads (default: 1; results do not depend on it)", .type = OPTION_INT,                           \
      .offset = offsetof(owner, member.count), .min = 1, .max = RANKS_MAX },                                           \
    GRID_OPTION(owner, member),                                                                                        \
    TRANSPORT_OPTION(owner, member),                                                                                   \
    { .name = "share-gpu", .doc = "let ranks of one node share a GPU: slow, for tests", .type = OPTION_FLAG,           \
      .offset = offsetof(owner, device.share_gpu) }

#endif
