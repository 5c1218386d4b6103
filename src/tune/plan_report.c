/* plan_report.c - a plan as text and as JSON. */
#include "src/tune/plan_report.h"

#include "src/base/log.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/grid.h"
#include "src/tune/memory_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* "3.2 s", "4.1 min", "7.0 h", "12 days" */
typedef struct { char s[32]; } time_text;

static time_text time_to_text(double seconds)
{
    static const struct { double from, unit; const char *name; } units[] = {
        { 2 * 86400.0, 86400.0, "days" }, { 5400.0, 3600.0, "h" }, { 90.0, 60.0, "min" }, { 0.1, 1.0, "s" },
        { 1e-4, 1e-3, "ms" }, { 0, 1e-6, "us" },
    };
    time_text t;
    int i = 0;
    while (units[i].from > seconds)
        i++;
    snprintf(t.s, sizeof t.s, "%.3g %s", seconds / units[i].unit, units[i].name);
    return t;
}

static void print_memory(const plan *q)
{
    const bool cpu = q->where == PLACE_CPU;
    const lattice_shape shape = run_shape(q->p);
    const int groups = grid_groups_here();
    if (groups > 1)
        printf("%s\n", replica_groups_to_text(q->p, q->ranks).s);
    if (q->ranks > groups)
        printf("each of %d ranks holds %s and its ghosts (grid %s)\n", q->ranks, extents_to_text(shape.local).s,
               extents_to_text(shape.grid).s);
    printf("memory %s%s: %s", cpu ? "of fields" : q->ranks > 1 ? "on each GPU" : "on the GPU",
           cpu && q->ranks > 1 ? " of a rank" : "", bytes_to_text((double)q->device.needed).s);
    if (q->device.available > 0 && !cpu)
        printf(", %s are free", bytes_to_text((double)q->device.available).s);
    printf("\n");
    memory_print(q->p, q->where, false, "  ");
    for (int m = 0; m < run_monomial_count(q->p); m++) {
        const memory_need need = monomial_need(run_monomial_kind(q->p, m), run_monomial_params(q->p, m), &shape);
        printf("    of monomials: %-14s %s, in the workspace %s\n", run_monomial_name(q->p, m),
               bytes_to_text((double)(need.lasting + need.cells)).s, bytes_to_text((double)need.shared).s);
    }
    for (int m = 0; m < q->p->measurements.count; m++) {
        const memory_need need = measurement_need(run_measurements(q->p), m, &shape);
        printf("    of measurements: %-11s %s%sin the workspace %s\n", measurement_name(&q->p->measurements, m),
               need.lasting ? bytes_to_text((double)need.lasting).s : "", need.lasting ? ", " : "",
               bytes_to_text((double)need.shared).s);
    }
    printf("memory on the host%s\n", cpu ? ", in addition" : "");
    memory_print(q->p, q->where, true, "  ");
    const memory_verdict *v = &q->host;
    if (v->available > 0)
        printf("  %-28s %s\n", "free now", bytes_to_text((double)v->available).s);
}

static bool knows_fit(const plan *q)
{
    return q->where == PLACE_GPU && q->device.available > 0;
}

static void print_fit(const plan *q)
{
    text groups = { 0 };
    if (grid_groups_here() > 1)
        text_add(&groups, " in each of %d groups", grid_groups_here());
    if (knows_fit(q) && q->fit.ranks > 0)
        printf("fits from %s on: grid %s%s, %s on each\n", count_to_text(q->fit.ranks * grid_groups_here(), "GPU").s,
               extents_to_text(q->fit.grid).s, text_string(&groups), bytes_to_text((double)q->fit.bytes).s);
    else if (knows_fit(q))
        printf("fits on no number of GPUs up to %d%s\n", PLAN_RANKS_MAX, text_string(&groups));
    text_free(&groups);
}

static void print_speed(const plan *q)
{
    text words = { 0 };
    if (!rank_speed_is_low(&q->speed))
        return;
    rank_speed_add_advice(&words, &q->speed);
    printf("slow: %s\n", text_string(&words));
    text_free(&words);
}

static void print_advice(const plan *q)
{
    if (q->memory_fits)
        return;
    printf("values that would save memory (--set KEY=VALUE, or in the input)\n");
    for (int i = 0; i < q->advice.count; i++)
        printf("  %-44s saves %s\n", q->advice.item[i].set, bytes_to_text((double)q->advice.item[i].saves).s);
    if (q->advice.count > 1)
        printf("  %-44s saves %s%s\n", "all of them", bytes_to_text((double)q->advice.all).s,
               q->advice.all >= q->device.needed - q->device.available ? "" : ": not enough");
    if (q->advice.count == 0)
        printf("  none; use more GPUs, a device with more memory, or a smaller lattice\n");
}

static bool has_solves(const run_params *p)
{
    bool any = false;
    for (int m = 0; m < run_monomial_count(p); m++)
        any |= run_monomial_kind(p, m)->iteration_work != NULL;
    return any;
}

/* After the time of a trajectory: its error, and the parts without an error. */
static void print_error(const plan_time *t, const plan_sum *sum)
{
    if (!t->by_probe)
        return;
    if (isnan(sum->error)) {
        printf(", without an error: each part was timed once; use a longer --probe");
        return;
    }
    printf(" +- %s", time_to_text(sum->error).s);
    if (sum->once > 0)
        printf(" (error covers %.3g %% of this time; parts timed once have none)", 100 * sum->covered / sum->seconds);
}

static void print_time(const plan *q)
{
    const plan_time *t = &q->time;
    const plan_sum sum = plan_time_sum(t);
    if (t->by_probe)
        printf("time, from a probe of %.1f s on %s, plaquette %.5f to %.5f; copy rate %.1f GB/s\n", t->took,
               text_string(&q->links.origin), t->plaquette[0], t->plaquette[1], t->copy * 1e-9);
    else
        printf("time, from bytes at %.1f GB/s: a lower bound\n", t->copy * 1e-9);
    if (t->by_probe && !q->links.thermalized && has_solves(q->p))
        printf("  these links are not in equilibrium: in equilibrium solves usually need more iterations\n");
    printf("  %-32s %9s %12s %12s\n", "part", "calls", "time/call", "total");
    for (int i = 0; i < t->parts; i++) {
        const plan_part *part = &t->part[i];
        if (part->calls == 0)
            continue;
        printf("  %-32s %9.4g ", part->name, part->calls);
        if (isnan(part->seconds))
            printf("%12s\n", "unknown");
        else if (isnan(part->error))
            printf("%12s %12s%s\n", time_to_text(part->seconds).s, time_to_text(part->calls * part->seconds).s,
                   t->by_probe ? "  timed once" : "");
        else
            printf("%12s %12s  +- %.1f%%\n", time_to_text(part->seconds).s,
                   time_to_text(part->calls * part->seconds).s, 100 * part->error / part->seconds);
    }
    printf("  %-32s %s%s", "a trajectory", sum.unknown > 0 ? "at least " : "", time_to_text(sum.seconds).s);
    print_error(t, &sum);
    printf("\n");
    const double all = (double)q->disk.trajectories * sum.seconds;
    printf("  %s: %s, %.4g %s hours\n",
           nouns_to_text(q->disk.trajectories, "remaining trajectory", "remaining trajectories").s, time_to_text(all).s,
           q->ranks * all / 3600, q->where == PLACE_GPU ? "GPU" : "machine");
    if (t->watts > 0)
        printf("  energy at the %.4g W of the probe: %s per trajectory, %s in all\n", t->watts,
               joules_to_text(plan_time_joules(t)).s,
               joules_to_text((double)q->disk.trajectories * plan_time_joules(t)).s);
}

static void print_disk(const plan *q)
{
    const plan_disk *d = &q->disk;
    printf("disk, for %s\n", nouns_to_text(d->trajectories, "remaining trajectory", "remaining trajectories").s);
    printf("  %-28s %s, number: %" PRId64 "\n", "a configuration", bytes_to_text(d->configuration).s,
           d->configurations);
    printf("  %-28s %s\n", "checkpoints, together", bytes_to_text(d->checkpoints).s);
    printf("  %-28s %s, estimated\n", "record", bytes_to_text(d->record).s);
    printf("  %-28s %s", "all", bytes_to_text(d->total).s);
    if (!isnan(d->available))
        printf(", %s are free in %s", bytes_to_text(d->available).s, text_string(&d->folder));
    printf("\n");
}

void plan_print(const plan *q)
{
    printf("lattice %s on %s\n", extents_to_text(q->p->extents).s, place_name(q->where));
    print_memory(q);
    print_fit(q);
    print_speed(q);
    print_advice(q);
    if (q->timed)
        print_time(q);
    print_disk(q);
}

static void time_to_json(json *j, const plan *q)
{
    const plan_time *t = &q->time;
    const plan_sum sum = plan_time_sum(t);
    const double hours = (double)q->disk.trajectories / 3600;
    json_open(j, "time", '{');
    json_bool(j, "by_probe", t->by_probe);
    json_bool(j, "lower_bound", !t->by_probe || sum.unknown > 0);
    json_real(j, "copy_bytes_per_second", t->copy);
    if (t->by_probe) {
        json_real(j, "probe_seconds", t->took);
        json_text(j, "links", text_string(&q->links.origin));
        json_bool(j, "thermalized", q->links.thermalized);
        json_real(j, "plaquette_at_start", t->plaquette[0]);
        json_real(j, "plaquette_at_end", t->plaquette[1]);
        json_insert(j, "solves", &t->solves);
    }
    json_open(j, "parts", '[');
    for (int i = 0; i < t->parts; i++) {
        json_open(j, NULL, '{');
        json_text(j, "part", t->part[i].name);
        json_real(j, "calls", t->part[i].calls);
        json_int(j, "timed", t->part[i].timed);
        json_real(j, "seconds", t->part[i].seconds);
        json_real(j, "error", t->part[i].error);
        json_close(j);
    }
    json_close(j);
    json_real(j, "trajectory_seconds", sum.seconds);
    json_real(j, "trajectory_error", t->by_probe ? sum.error : NAN);
    json_real(j, "trajectory_error_covers", t->by_probe ? sum.covered / sum.seconds : NAN);
    json_int(j, "parts_not_known", sum.unknown);
    json_int(j, "parts_timed_once", sum.once);
    json_real(j, "hours", hours * sum.seconds);
    json_real(j, "hours_error", t->by_probe ? hours * sum.error : NAN);
    json_real(j, "watts", t->watts > 0 ? t->watts : NAN);
    json_real(j, "trajectory_joules", plan_time_joules(t));
    json_real(j, "kilowatt_hours", hours * plan_time_joules(t) / 1000);
    json_close(j);
}

static void disk_to_json(json *j, const plan *q)
{
    const plan_disk *d = &q->disk;
    json_open(j, "disk", '{');
    json_int(j, "configurations", d->configurations);
    json_real(j, "configuration_bytes", d->configuration);
    json_real(j, "checkpoints_bytes", d->checkpoints);
    json_real(j, "record_bytes", d->record);
    json_real(j, "total_bytes", d->total);
    json_real(j, "available_bytes", d->available);
    json_text(j, "folder", text_string(&d->folder));
    json_bool(j, "fits", q->disk_fits);
    json_close(j);
}

/* An int, or null if unknown. */
static void available_to_json(json *j, size_t bytes)
{
    if (bytes > 0)
        json_int(j, "available_bytes", (int64_t)bytes);
    else
        json_text(j, "available_bytes", NULL);
}

static void extents_to_json(json *j, const char *key, const int extents[4])
{
    json_open(j, key, '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(j, NULL, extents[mu]);
    json_close(j);
}

/* An object, or null if no number of GPUs suffices or their memory is unknown. */
static void fit_to_json(json *j, const plan *q)
{
    if (!knows_fit(q) || q->fit.ranks == 0) {
        json_text(j, "fits_from", NULL);
        return;
    }
    json_open(j, "fits_from", '{');
    json_int(j, "ranks", q->fit.ranks * grid_groups_here());
    extents_to_json(j, "grid", q->fit.grid);
    json_int(j, "bytes", (int64_t)q->fit.bytes);
    json_close(j);
}

void plan_print_json(const plan *q)
{
    const lattice_shape shape = run_shape(q->p);
    json j = { 0 };
    json_open(&j, NULL, '{');
    extents_to_json(&j, "lattice", q->p->extents);
    json_text(&j, "device", place_name(q->where));
    json_int(&j, "ranks", q->ranks);
    json_int(&j, "replica_groups", grid_groups_here());
    extents_to_json(&j, "grid", shape.grid);
    extents_to_json(&j, "block", shape.local);
    memory_to_json(&j, "memory", q->p, q->where, false, true);
    available_to_json(&j, q->where == PLACE_CPU ? 0 : q->device.available);
    json_close(&j);
    memory_to_json(&j, "host_memory", q->p, q->where, true, true);
    available_to_json(&j, q->host.available);
    json_close(&j);
    json_bool(&j, "memory_fits", q->memory_fits);
    fit_to_json(&j, q);
    json_int(&j, "fastest_ranks", q->speed.fastest);
    json_open(&j, "advice", '[');
    for (int i = 0; i < q->advice.count; i++) {
        json_open(&j, NULL, '{');
        json_text(&j, "set", q->advice.item[i].set);
        json_int(&j, "saves_bytes", (int64_t)q->advice.item[i].saves);
        json_close(&j);
    }
    json_close(&j);
    json_int(&j, "trajectories", q->disk.trajectories);
    if (q->timed)
        time_to_json(&j, q);
    disk_to_json(&j, q);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static void report_memory(const memory_verdict *v, size_t needed, const char *where)
{
    if (v->available > 0 && needed > v->available) {
        const bytes_text all = bytes_to_text((double)needed), has = bytes_to_text((double)v->available);
        log_line(LOG_ERROR, "the run does not fit %s: needs %s, but %s are free (%s too little)", where, all.s, has.s,
                 bytes_to_text((double)(needed - v->available)).s);
    }
}

void plan_report_refusal(const plan *q)
{
    if (q->where == PLACE_GPU)
        report_memory(&q->device, q->device.needed, "the GPU");
    report_memory(&q->host, q->host.needed + (q->where == PLACE_CPU ? q->device.needed : 0), "the host");
    if (!q->disk_fits)
        log_line(LOG_ERROR, "the run does not fit the disk: it writes %s, but %s are free in %s (fewer configurations: "
                            "output.configuration_every; single precision: output.bits=32)",
                 bytes_to_text(q->disk.total).s, bytes_to_text(q->disk.available).s, text_string(&q->disk.folder));
}
