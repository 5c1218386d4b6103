/* cmd_bench.c - kiln bench: the speed of kernels, trajectories and solvers on this machine. */
#include "actions/gauge_action.h"
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/bench/bench.h"
#include "src/bench/bench_trajectory.h"
#include "src/cli/bench/bench_solver.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/config/word_list.h"
#include "src/halo/peers.h"
#include "src/halo/transport.h"
#include "src/kernels/dwf_args.h"
#include "src/lattice/grid.h"
#include "src/options/device_choice.h"
#include "src/options/help.h"
#include "src/options/rank_options.h"

#include <stdio.h>
#include <string.h>

enum { NOT_GIVEN = -1, BENCH_DOUBLE, BENCH_SINGLE, BENCH_BOTH };
static const char *const precision_choices[] = { "double", "single", "both", NULL };
static const char *const precision_names[PRECISIONS] = { "single", "double" };

typedef struct {
    int extents[4];
    bool json;
    int precision, action, only, exchange;
    int64_t repeats, steps, Ls, packing_warps;
    device_choice device;
    rank_options ranks;
} bench_options;

static bool read_extents(const char *given, void *value, failure *f)
{
    int *n = value, used = 0;
    if (sscanf(given, "%d,%d,%d,%d%n", &n[0], &n[1], &n[2], &n[3], &used) != 4 || given[used])
        return fail(f, "\"%s\" is not a lattice; an example: 32,32,32,32 (x, y, z, t)", given);
    const lattice_shape shape = lattice_shape_single(n);
    return lattice_shape_is_possible(&shape, f);
}

static const usage bench_usage = {
    .name = "bench", .operands = "kernels|trajectory|solver", .least = 1, .most = 1,
    .about = "Times kernels, trajectories and solvers on this machine.\n"
             "kernels: times every kernel, portable and tuned, and compares the time with its lower bound, the floor:\n"
             "the larger of its bytes over the copy rate and its flops over the rate of fused multiply-adds, both\n"
             "rates measured in the same run.\n"
             "trajectory: times pure-gauge trajectories of length 1, in double precision, from a hot start that is\n"
             "not thermalized.\n"
             "With several ranks both show the work of one rank, and the time for which all work together.\n"
             "solver ...: compares solvers in mixed precision; see kiln bench solver --help.",
    .options = (const option[]){
        { .name = "lattice", .value = "X,Y,Z,T", .doc = "extents of the lattice", .type = OPTION_READ,
          .offset = offsetof(bench_options, extents), .required = true, .read = read_extents },
        { .name = "precision", .value = "P", .doc = "kernels: precision of the fields (default double)",
          .type = OPTION_CHOICE, .offset = offsetof(bench_options, precision), .choices = precision_choices },
        { .name = "only", .value = "GROUP",
          .doc = "kernels: those of this group alone (batches: of staggered\nsystems)",
          .type = OPTION_CHOICE, .offset = offsetof(bench_options, only), .choices = bench_group_names },
        { .name = "Ls", .value = "N",
          .doc = "kernels: extent of the fifth dimension of domain-wall\nquarks (default 12)", .type = OPTION_INT,
          .offset = offsetof(bench_options, Ls), .min = 2, .max = SLICES_MAX },
        { .name = "exchange", .value = "PART",
          .doc = "kernels, several GPUs: times with a part of each\n"
                 "exchange of ghosts: all of it (default); own (stores\n"
                 "into the GPU's own memory, as if its block were\n"
                 "periodic); signals (no stores); none (no waits either)",
          .type = OPTION_CHOICE, .offset = offsetof(bench_options, exchange), .choices = peers_part_names },
        { .name = "packing-warps", .value = "N",
          .doc = "kernels, several GPUs: most warps that store ghosts\nin the launch of a hop (default 288)",
          .type = OPTION_INT, .offset = offsetof(bench_options, packing_warps), .min = 1, .max = 100000 },
        { .name = "action", .value = "A", .doc = "trajectory: gauge action (default symanzik_tree)",
          .type = OPTION_CHOICE, .offset = offsetof(bench_options, action), .choices = gauge_action_names },
        { .name = "steps", .value = "N", .doc = "trajectory: number of Omelyan steps (default 20)", .type = OPTION_INT,
          .offset = offsetof(bench_options, steps), .min = 1, .max = 100000 },
        { .name = "repeat", .value = "N", .doc = "number of timed launches or trajectories; the median is\n"
          "shown (default 20 launches, 3 trajectories)", .type = OPTION_INT,
          .offset = offsetof(bench_options, repeats), .min = 1, .max = 100000 },
        JSON_OPTION(bench_options, json),
        DEVICE_OPTIONS(bench_options, device),
        RANK_OPTIONS(bench_options, ranks, device),
        { 0 } },
};

static bool has_trial(const bench_options *o)
{
    return o->exchange != NOT_GIVEN || o->packing_warps != 0;
}

static peers_part part_of_exchange(const bench_options *o)
{
    return o->exchange == NOT_GIVEN ? PEERS_ALL : (peers_part)o->exchange;
}

static int packing_warps_of(const bench_options *o)
{
    return o->packing_warps ? (int)o->packing_warps : PEERS_PACKING_WARPS;
}

static void print_table(const bench_options *o, const bench_request *w, const bench_table *t)
{
    FILE *out = result_stream();
    fprintf(out, "lattice %s on %s; medians of %s\n", extents_to_text(w->shape.global).s, place_name(w->where),
           nouns_to_text(w->repeats, "launch", "launches").s);
    if (shape_ranks(&w->shape) > 1)
        fprintf(out, "%d ranks, each with %s sites; bytes, flops and rates are those of one rank\n",
                shape_ranks(&w->shape), extents_to_text(w->shape.local).s);
    if (has_trial(o))
        fprintf(out, "exchanges of ghosts: %s; at most %d warps pack in a hop\n", peers_part_names[part_of_exchange(o)],
                packing_warps_of(o));
    if (w->group[BENCH_DWF])
        fprintf(out, "domain-wall quarks with Ls = %d\n", w->Ls);
    fprintf(out, "copy of %s: %.1f GB/s read and written\n", bytes_to_text((double)t->copy_bytes).s,
            t->rates.copy * 1e-9);
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
        if (w->precision[p])
            fprintf(out, "fused multiply-adds, %s: %.1f GF/s\n", precision_names[p], t->rates.fma[p] * 1e-9);
    fprintf(out, "\n%-27s %-9s %-7s %11s %9s %9s %8s %11s %7s\n", "kernel", "variant", "", "time [us]", "GB/s", "GF/s",
           "of copy", "floor [us]", "floor/t");
    for (int i = 0; i < t->count; i++) {
        const bench_row *r = &t->row[i];
        double floor = bench_floor_seconds(r, &t->rates);
        fprintf(out, "%-27s %-9s %-7s %11.2f %9.1f %9.1f %7.1f%% %9.2f %s %6.1f%%\n", r->name, r->variant,
               precision_names[r->p], r->seconds * 1e6, r->bytes / r->seconds * 1e-9, r->flops / r->seconds * 1e-9,
               100 * r->bytes / r->seconds / t->rates.copy, floor * 1e6,
               bench_is_bound_by_bytes(r, &t->rates) ? "B" : "F", 100 * floor / r->seconds);
    }
    fprintf(out, "\nfloor: the shortest possible time, bound by bytes (B) or flops (F); floor/t: floor / time\n");
}

static void print_json(const bench_options *o, const bench_request *w, const bench_table *t)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_open(&j, "lattice", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&j, NULL, w->shape.global[mu]);
    json_close(&j);
    json_open(&j, "grid", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&j, NULL, w->shape.grid[mu]);
    json_close(&j);
    json_text(&j, "device", place_name(w->where));
    if (has_trial(o)) {
        json_text(&j, "exchange", peers_part_names[part_of_exchange(o)]);
        json_int(&j, "packing_warps", packing_warps_of(o));
    }
    json_int(&j, "repeats", w->repeats);
    json_int(&j, "Ls", w->Ls);
    json_int(&j, "copy_bytes", (int64_t)t->copy_bytes);
    json_real(&j, "copy_bytes_per_second", t->rates.copy);
    json_open(&j, "fma_flops_per_second", '{');
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
        if (w->precision[p])
            json_real(&j, precision_names[p], t->rates.fma[p]);
    json_close(&j);
    json_open(&j, "kernels", '[');
    for (int i = 0; i < t->count; i++) {
        const bench_row *r = &t->row[i];
        double floor = bench_floor_seconds(r, &t->rates);
        json_open(&j, NULL, '{');
        json_text(&j, "name", r->name);
        json_text(&j, "variant", r->variant);
        json_text(&j, "precision", precision_names[r->p]);
        json_real(&j, "seconds", r->seconds);
        json_real(&j, "fastest_seconds", r->fastest);
        json_real(&j, "bytes", r->bytes);
        json_real(&j, "flops", r->flops);
        json_real(&j, "bytes_per_second", r->bytes / r->seconds);
        json_real(&j, "flops_per_second", r->flops / r->seconds);
        json_real(&j, "fraction_of_copy", r->bytes / r->seconds / t->rates.copy);
        json_real(&j, "floor_seconds", floor);
        json_text(&j, "floor_bound_by", bench_is_bound_by_bytes(r, &t->rates) ? "bytes" : "flops");
        json_real(&j, "fraction_of_floor", floor / r->seconds);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
}

static int run_kernels(const bench_options *o, place where)
{
    bench_request request = { .where = where, .shape = grid_shape_here(o->extents, GRID_HOPS_MOST),
                        .repeats = o->repeats ? (int)o->repeats : 20,
                        .precision = { [PRECISION_SINGLE] = o->precision > BENCH_DOUBLE,
                                       [PRECISION_DOUBLE] = o->precision != BENCH_SINGLE } };
    bench_table table;
    failure why;
    request.Ls = o->Ls ? (int)o->Ls : 12;
    for (bench_group g = 0; g < BENCH_GROUPS; g++)
        request.group[g] = o->only == NOT_GIVEN || o->only == (int)g;
    if (request.group[BENCH_DWF] && !lattice_slabs_are_possible(&request.shape, SLAB_GROUP * request.Ls, &why))
        return usage_error(&bench_usage, "--Ls: %s", why.why);
    bench_kernels(&request, &table);
    (o->json ? print_json : print_table)(o, &request, &table);
    return EXIT_OK;
}

static void print_trajectory_text(const trajectory_request *w, const trajectory_result *r, place where,
                                  const int extents[4])
{
    FILE *out = result_stream();
    double force = r->force_seconds / (double)r->forces;
    fprintf(out, "lattice %s on %s, %s, omelyan, %d steps, from a hot start, not thermalized\n",
           extents_to_text(extents).s, place_name(where), w->action, w->steps);
    fprintf(out, "trajectory          %.4f s (fastest %.4f s), dH %.3g\n", r->seconds, r->fastest, r->dh);
    fprintf(out, "forces              %lld, %.4f s each: %.1f GF/s, %.1f GB/s\n", (long long)r->forces, force,
           r->force_flops / force * 1e-9, r->force_bytes / force * 1e-9);
    fprintf(out, "host and device     %llu bytes to, %llu bytes from the device in a trajectory\n",
           (unsigned long long)r->bytes_to_device, (unsigned long long)r->bytes_from_device);
    fprintf(out, "memory              %s on %s, %s of the host in all (maxima)\n",
           bytes_to_text((double)r->place_bytes).s, place_name(where), bytes_to_text((double)r->host_bytes).s);
    for (int n = 0; n < r->clock.count; n++) {
        int depth = 0;
        for (int up = r->clock.node[n].parent; up >= 0; up = r->clock.node[up].parent)
            depth++;
        fprintf(out, "%*s%-*s %10.4f s in %ld calls\n", 2 * depth, "", 24 - 2 * depth, r->clock.node[n].name,
               r->clock.node[n].seconds, r->clock.node[n].calls);
    }
}

static void print_trajectory_json(const trajectory_request *w, const trajectory_result *r, place where,
                                  const int extents[4])
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_open(&j, "lattice", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&j, NULL, extents[mu]);
    json_close(&j);
    json_text(&j, "device", place_name(where));
    json_text(&j, "action", w->action);
    json_int(&j, "steps", w->steps);
    json_text(&j, "start", "hot, not thermalized");
    json_real(&j, "seconds", r->seconds);
    json_real(&j, "fastest_seconds", r->fastest);
    json_real(&j, "dH", r->dh);
    json_int(&j, "force_evaluations_per_trajectory", r->forces);
    json_real(&j, "force_seconds_per_trajectory", r->force_seconds);
    json_real(&j, "force_seconds_per_evaluation", r->force_seconds / (double)r->forces);
    json_real(&j, "force_flops_per_evaluation", r->force_flops);
    json_real(&j, "force_bytes_per_evaluation", r->force_bytes);
    json_int(&j, "bytes_to_device", (int64_t)r->bytes_to_device);
    json_int(&j, "bytes_from_device", (int64_t)r->bytes_from_device);
    json_int(&j, "memory_bytes", (int64_t)r->place_bytes);
    json_int(&j, "host_memory_bytes", (int64_t)r->host_bytes);
    clock_to_json(&r->clock, &j, "timers");
    json_close(&j);
    fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
}

static int run_trajectory(const bench_options *o, place where)
{
    int action = o->action == NOT_GIVEN ? gauge_action_find("symanzik_tree") : o->action;
    trajectory_request request = { gauge_action_names[action], o->steps ? (int)o->steps : 20 };
    trajectory_result result;
    bench_trajectory(&request, where, o->extents, o->repeats ? (int)o->repeats : 3, &result);
    (o->json ? print_trajectory_json : print_trajectory_text)(&request, &result, where, o->extents);
    return EXIT_OK;
}

/* SOLVER has its own options, which follow its name. */
enum { KERNELS, TRAJECTORY, SOLVER, PARTS };
static const struct { const char *name; int (*run)(const bench_options *o, place where); } parts[PARTS] = {
    [KERNELS] = { "kernels", run_kernels },
    [TRAJECTORY] = { "trajectory", run_trajectory },
    [SOLVER] = { "solver", NULL },
};

static const char *part_name(const void *list, int i)
{
    (void)list;
    return i < PARTS ? parts[i].name : NULL;
}

/* EXIT_USAGE if an option of another part is given, else GO_ON. */
static int refuse_foreign_options(const bench_options *o, int part)
{
    const struct { const char *name; int part; bool given; } owned[] = {
        { "precision", KERNELS, o->precision != NOT_GIVEN },
        { "only", KERNELS, o->only != NOT_GIVEN },
        { "Ls", KERNELS, o->Ls != 0 },
        { "exchange", KERNELS, o->exchange != NOT_GIVEN },
        { "packing-warps", KERNELS, o->packing_warps != 0 },
        { "action", TRAJECTORY, o->action != NOT_GIVEN },
        { "steps", TRAJECTORY, o->steps != 0 },
    };
    for (unsigned i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i].given && owned[i].part != part)
            return usage_error(&bench_usage, "--%s may be used only with bench %s", owned[i].name,
                               parts[owned[i].part].name);
    return GO_ON;
}

/* Sets --exchange and --packing-warps for this rank; only the transport `peer` has them. */
static bool try_exchange(const bench_options *o, place where, failure *f)
{
    const transport *t = transport_here();
    if (where != PLACE_GPU || comm_size(comm_world()) == 1)
        return fail(f, "--exchange and --packing-warps are for several ranks on GPUs; give --ranks N --device cuda");
    if (t && t != &transport_peer)
        return fail(f, "--exchange and --packing-warps are of the transport peer, not of %s", transport_name(t));
    transport_want(&transport_peer);
    peers_try((peers_trial){ part_of_exchange(o), (int)o->packing_warps });
    return true;
}

/* What each rank gets. */
typedef struct { const bench_options *options; int part; } bench_task;

static int bench_on_rank(void *of)
{
    const bench_task *t = of;
    place where;
    failure f;
    if (!grid_is_possible_here(t->options->extents, GRID_HOPS_MOST, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_USAGE;
    }
    if (!device_choice_open(&t->options->device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    if (has_trial(t->options) && !try_exchange(t->options, where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_USAGE;
    }
    return parts[t->part].run(t->options, where);
}

/* The comparison of solvers is work for one rank. */
static int bench_solver_on_root(int argc, char **argv)
{
    const comm *world = comm_world();
    if (!comm_is_root(world))
        return EXIT_OK;
    comm_enter(NULL);
    const int status = bench_solver(argc, argv);
    comm_enter(world);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    bench_options o = { .precision = NOT_GIVEN, .action = NOT_GIVEN, .only = NOT_GIVEN, .exchange = NOT_GIVEN };
    bench_task task = { .options = &o };
    operands what;
    failure f;
    if (argc > 1 && strcmp(argv[1], parts[SOLVER].name) == 0)
        return bench_solver_on_root(argc - 1, argv + 1);
    int status = rank_options_read(&bench_usage, argc, argv, &o, &o.ranks, &what);
    if (status == EXIT_OK && help_is_collected(argc, argv))
        return bench_solver_on_root(argc, argv);
    if (status != GO_ON)
        return status;
    task.part = word_list_find(what.item[0], part_name, NULL, &f);
    if (task.part < 0)
        return usage_error(&bench_usage, "%s", f.why);
    if (task.part == SOLVER)
        return usage_error(&bench_usage, "options of bench solver follow its name: kiln bench solver STUDY ...");
    status = refuse_foreign_options(&o, task.part);
    return status == GO_ON ? rank_options_run(&o.ranks, bench_on_rank, &task) : status;
}
