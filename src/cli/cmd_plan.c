/* cmd_plan.c - kiln plan: memory, time and disk space of a run before it starts. */
#include "src/base/log.h"
#include "src/cli/start_limits.h"
#include "src/cli/stop_signals.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/ensemble/ensemble_check.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/grid.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"
#include "src/options/run_options.h"
#include "src/tune/plan_report.h"

#include <math.h>
#include <string.h>

typedef struct {
    device_choice device;
    text_refs sets;
    rank_options ranks;
    const char *from;
    double probe, bandwidth, iterations, device_memory;
    bool json;
} plan_options;

#define GB 1e9
#define GIB 1073741824.0

static const usage plan_usage = {
    .name = "plan", .operands = "INPUT.yaml", .least = 1, .most = 1,
    .about = "Predicts what the run of INPUT.yaml needs, before it starts: memory by category, and whether it fits;\n"
             "the time of a trajectory, part by part, from a short probe on this device and lattice; the hours for\n"
             "all remaining trajectories; the bytes on disk, and whether they fit.\n"
             "The memory is exact (an upper bound for one flavor of domain-wall or Wilson quarks without given\n"
             "eigenvalues).\n"
             "The probe uses the newest state of the ensemble, or its start.  Writes no file.\n"
             "With --ranks the memory is that of one rank, on a GPU of its own; with --probe, too, these ranks are\n"
             "started, and time the parts together.\n"
             "A signal, or the end of the time of a batch job, stops the sweeps over start links and the probe.\n"
             "With --json a command that was stopped prints {\"end\": \"stopped\", \"by\": \"SIGTERM\",\n"
             "\"reason\": \"...\"}.\n"
             "Exit status 1: the run does not fit; stderr says by how much, and the plan names keys that would help.",
    .options = (const option[]){
        DEVICE_OPTIONS(plan_options, device),
        SET_OPTION(plan_options, sets),
        { .name = "ranks", .value = "N", .doc = "plan for N ranks (default: those of mpirun, else 1)",
          .type = OPTION_INT, .offset = offsetof(plan_options, ranks.count), .min = 1, .max = RANKS_MAX },
        GRID_OPTION(plan_options, ranks),
        REPLICA_GROUPS_OPTION(plan_options, ranks),
        TRANSPORT_OPTION(plan_options, ranks),
        { .name = "share-gpu", .doc = "let ranks of one node share a GPU: slow, for tests", .type = OPTION_FLAG,
          .offset = offsetof(plan_options, device.share_gpu) },
        { .name = "probe", .value = "SECONDS",
          .doc = "time the parts of a trajectory for about this long, each at\nleast once (default 10, "
          "or 0 with --ranks); 0: no probe",
          .type = OPTION_REAL, .offset = offsetof(plan_options, probe), .max = 86400 },
        { .name = "from", .value = "FILE", .doc = "configuration for the probe (default: as above)",
          .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(plan_options, from) },
        { .name = "bandwidth", .value = "GB/S",
          .doc = "without a probe: a lower bound on the time, from the bytes\nof the forces at this "
          "memory bandwidth", .type = OPTION_REAL, .offset = offsetof(plan_options, bandwidth), .min = 0.001,
          .max = 1e6 },
        { .name = "iterations", .value = "N",
          .doc = "with --bandwidth: iterations of each solve of a force\n(default: without solves)",
          .type = OPTION_REAL, .offset = offsetof(plan_options, iterations), .max = 1e9 },
        { .name = "device-memory", .value = "GIB",
          .doc = "plan for a GPU that is not in this machine, with GIB of free\n" "memory; without a probe",
          .type = OPTION_REAL, .offset = offsetof(plan_options, device_memory), .min = 0.001, .max = 1e6 },
        JSON_OPTION(plan_options, json),
        { 0 } },
};

static bool check_memory(size_t needed, size_t available)
{
    return available == 0 || needed <= available;
}

static void plan_memory(plan *q, const plan_options *o, const char *path)
{
    q->device = (memory_verdict){ hmc_memory_needed(q->p, q->where, true, false), 0 };
    q->host = (memory_verdict){ hmc_memory_needed(q->p, q->where, false, true),
                                hmc_memory_available(PLACE_CPU) / (size_t)comm_local_size(comm_world()) };
    if (q->where == PLACE_GPU)
        q->device.available = o->device_memory > 0 ? (size_t)(o->device_memory * GIB)
                                                   : hmc_memory_available(PLACE_GPU);
    else
        q->device.available = q->host.available > q->host.needed ? q->host.available - q->host.needed : 0;
    q->memory_fits = q->where == PLACE_GPU
                         ? check_memory(q->device.needed, q->device.available)
                             && check_memory(q->host.needed, q->host.available)
                         : check_memory(q->device.needed + q->host.needed, q->host.available);
    q->memory_fits = comm_agree(comm_world(), q->memory_fits, NULL);
    const int lattice_ranks = q->ranks / grid_groups_here();
    q->speed = (rank_speed){ lattice_ranks, lattice_ranks, 1 };
    if (q->where == PLACE_GPU && q->device.available > 0)
        q->fit = plan_ranks_find(q->p, q->device.available);
    if (q->where == PLACE_GPU)
        q->speed = rank_speed_find(q->p, lattice_ranks, o->bandwidth * GB, transport_here());
    if (!q->memory_fits)
        advice_find(&q->advice, path, &o->sets, q->p);
}

static bool probe_time(plan *q, const plan_options *o, const run_limits *limits, failure *f)
{
    const lattice_shape shape = run_shape(q->p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, q->where, PRECISION_DOUBLE);
    const plan_probe of = { .params = q->p, .u = u, .memory = &q->links.memory, .seconds = o->probe,
                            .limits = limits };
    q->timed = latest_links_load(&q->links, u, q->p, o->from, limits, f) && plan_time_probe(&q->time, &of, f);
    gauge_free(u);
    lattice_free(l);
    return q->timed;
}

/* What a rank of the plan needs. */
typedef struct { const plan_options *options; const char *input; const volatile sig_atomic_t *stop; } plan_of_rank;

static int make_plan(plan *q, const plan_of_rank *t)
{
    const plan_options *o = t->options;
    failure why = { .why = "" };
    start_limits limits = { .by = BY_WALLTIME };
    bool done = true;
    plan_memory(q, o, t->input);
    plan_disk_make(&q->disk, q->p);
    q->disk_fits = isnan(q->disk.available) || q->disk.total <= q->disk.available;
    if (o->probe > 0 && q->memory_fits) {
        start_limits_begin(&limits, t->stop, NAN, NULL);
        done = probe_time(q, o, &limits.limits, &why);
    } else if (o->bandwidth > 0) {
        plan_time_from_rate(&q->time, q->p, o->bandwidth * GB, o->iterations);
        q->timed = true;
    }
    if (start_limits_report(&limits, why.why, o->json))
        return EXIT_FAILED;
    if (!done)
        log_line(LOG_ERROR, "the probe: %s", why.why);
    if (comm_is_root(comm_world()))
        (o->json ? plan_print_json : plan_print)(q);
    plan_report_refusal(q);
    return done && q->memory_fits && q->disk_fits ? EXIT_OK : EXIT_FAILED;
}

/* EXIT_USAGE for options that contradict each other, else GO_ON. */
static int check_options(plan_options *o)
{
    const bool elsewhere = o->device_memory > 0, started = comm_size(comm_world()) > 1;
    if (elsewhere && o->probe > 0)
        return usage_error(&plan_usage, "--device-memory is for a GPU that is not in this machine: leave out --probe");
    if (elsewhere && o->device.request.kind != DEVICE_AUTO)
        return usage_error(&plan_usage, "--device-memory is for a GPU that is not in this machine: leave out --device");
    if (o->ranks.groups > 1 && o->probe > 0)
        return usage_error(&plan_usage, "--replica-groups has no probe: leave out --probe");
    if (isnan(o->probe))
        o->probe = elsewhere || o->ranks.groups > 1 || o->bandwidth > 0 || (o->ranks.count > 1 && !started) ? 0 : 10;
    if (o->probe > 0 && o->bandwidth > 0)
        return usage_error(&plan_usage, "give --bandwidth or --probe, not both");
    if (o->iterations > 0 && o->bandwidth == 0)
        return usage_error(&plan_usage, "--iterations needs --bandwidth");
    if (o->from && o->probe == 0)
        return usage_error(&plan_usage, "--from needs a probe: leave out --probe 0, --bandwidth, --device-memory and "
                                        "--ranks, or give --probe SECONDS");
    return GO_ON;
}

static int plan_input(const run_input *in, const plan_of_rank *t)
{
    const plan_options *o = t->options;
    plan q = { .p = &in->p, .where = PLACE_GPU, .ranks = (int)o->ranks.count };
    failure why;
    int status = EXIT_FAILED;
    if (!replica_groups_check(&in->p, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_USAGE;
    }
    if (!o->from && ensemble_is_fresh(&in->p) && !run_options_start_input(in, t->input))
        return EXIT_USAGE;
    if (o->device_memory == 0 && !device_choice_open(&o->device, &q.where, &why))
        log_line(LOG_ERROR, "%s", why.why);
    else
        status = make_plan(&q, t);
    json_free(&q.time.solves);
    text_free(&q.links.origin);
    text_free(&q.disk.folder);
    return status;
}

static int plan_on_rank(void *of)
{
    const plan_of_rank *t = of;
    run_input in;
    const bool readable = run_options_read_input(&in, t->input, &t->options->sets);
    const int status = comm_agree(comm_world(), readable, NULL) ? plan_input(&in, t) : EXIT_USAGE;
    if (readable)
        run_input_free(&in);
    return status;
}

int cmd_plan(int argc, char **argv)
{
    plan_options o = { .probe = NAN };
    operands files;
    int status = rank_options_read(&plan_usage, argc, argv, &o, &o.ranks, &files);
    if (status == GO_ON)
        status = check_options(&o);
    if (status != GO_ON)
        return status;
    plan_of_rank task = { &o, files.item[0], stop_signals_catch("kiln plan stops as soon as it can") };
    if (o.probe > 0)
        return rank_options_run(&o.ranks, plan_on_rank, &task);
    rank_options_pretend(&o.ranks);
    return plan_on_rank(&task);
}
