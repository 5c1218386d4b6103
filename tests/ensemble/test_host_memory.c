/* test_host_memory.c - files of every kind pass over the host in time slices: writing, reading, comparing takes less
 * than three of them and buffers, however many time slices there are and wherever the fields live. */
#include "src/base/memory.h"
#include "src/ensemble/ensemble_state.h"
#include "src/ensemble/midtrajectory.h"
#include "src/ensemble/sdc_check.h"
#include "src/ensemble/failure_folder.h"
#include "src/io/configuration.h"
#include "src/io/npy.h"
#include "src/lattice/locate.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "src/operators/quark_density.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

/* %d: extents; %s: folder */
#define INPUT                                                                  \
    "lattice: [%d, %d, %d, %d]\n"                                              \
    "random: { seed: 3 }\n"                                                    \
    "monomials:\n"                                                             \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.5 }\n"            \
    "hmc:\n"                                                                   \
    "  trajectory_length: 0.1\n"                                               \
    "  trajectories: 3\n"                                                      \
    "  levels: [ { integrator: leapfrog, steps: 2, monomials: [ gauge ] } ]\n" \
    "sdc_check: { rate: 1 }\n"                                                 \
    "output: { directory: \"%s\" }\n"

enum { NUMBER = 1, DIGEST = 5 };

/* A stream on a long lattice, on a large one in nightly tests. */
typedef struct { scratch s; run_input *in; lattice *l; gauge *u, *v; hmc *h; place where; } stream;

static stream stream_create(place where)
{
    const int space = nightly() ? 32 : 8, times = 64;
    stream x = { .s = scratch_create(), .l = lattice_create_single((const int[4]){ space, space, space, times }),
                 .in = memory_alloc(sizeof *x.in, "an input"), .where = where };
    run_from_text(x.in, INPUT, space, space, space, times, x.s.folder);
    x.u = gauge_create(x.l, where, PRECISION_DOUBLE);
    x.v = gauge_create(x.l, where, PRECISION_DOUBLE);
    gauge_set_random(x.u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    x.h = hmc_create(&x.in->p, x.u);
    return x;
}

static void stream_free(stream *x)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", x->s.folder);
    hmc_free(x->h);
    gauge_free(x->u);
    gauge_free(x->v);
    lattice_free(x->l);
    run_input_free(x->in);
    memory_free(x->in);
    require(system(command) == 0, "%s cannot be removed", x->s.folder);
}

/* ---- the most host memory from one point to another: until then there is as much in use as there ever was */

typedef struct { void *ballast; size_t start; } meter;

static meter meter_begin(void)
{
    const size_t below = memory_bytes_peak() - memory_bytes_now();
    meter m = { .ballast = memory_alloc(below, "ballast") };
    m.start = memory_bytes_now();
    require(m.start == memory_bytes_peak(), "ballast");
    return m;
}

/* `fields`: bytes of fields that were made meanwhile, which count where they are on the host by their place. */
static void meter_end(meter *m, bool ok, const stream *x, size_t fields, const char *what)
{
    const double megabyte = 1e6;
    const size_t bound = configuration_bytes(lattice_shape_of(x->l)) + (x->where == PLACE_CPU ? fields : 0);
    const size_t taken = memory_bytes_peak() - m->start;
    fact(ok && taken <= bound, "%s, %s: done with %.2f MB of host memory, at most %.2f MB", place_name(x->where), what,
         (double)taken / megabyte, (double)bound / megabyte);
    memory_free(m->ballast);
}

static void the_bound(const stream *x)
{
    const int *n = lattice_global(x->l);
    const size_t slice = links_slice_reals(n) * sizeof(double), bound = configuration_bytes(lattice_shape_of(x->l));
    const size_t buffers = 8 << 20;
    fact(bound < 3 * slice + buffers && bound < (size_t)n[3] * slice / 2,
         "%zu bytes are below three time slices of %zu bytes and buffers, and far below %d slices", bound, slice, n[3]);
}

/* ---- configurations */

static void configurations(stream *x)
{
    failure f = { .why = "" };
    configuration_facts facts;
    const char *path = scratch_path(&x->s, "state.lime");
    for (int bits = 64; bits >= 32; bits -= 32) {
        const configuration_label label = { .bits = bits, .replace = true };
        links_info written;
        bool same = false;
        uint64_t digest = 0;
        meter m = meter_begin();
        bool ok = configuration_save(x->u, path, &label, &written, &f);
        meter_end(&m, ok, x, 0, bits == 64 ? "a save" : "a save in single precision");
        m = meter_begin();
        ok = configuration_load(x->v, LINKS_AS_STORED, &facts, path, &f);
        meter_end(&m, ok, x, 0, "a load");
        fact(ok && facts.digest == configuration_digest(x->u, bits), "its links are those of the field, by the digest");
        m = meter_begin();
        links_info info;
        links_file *file = links_file_open(path, &info, &f);
        ok = file && configuration_compare(&same, &digest, file, &info, x->u, &f);
        links_file_close(file);
        meter_end(&m, ok && same && digest == facts.digest, x, 0, "a comparison with the file");
    }
}

/* Every row of the table of formats, in all bits and rows that it has. */
static void formats(stream *x)
{
    failure f = { .why = "" };
    const slice_source links = field_slices(&x->u->links);
    for (int format = 0; format < LINKS_FORMATS; format++)
        for (int bits = 32; bits <= 64; bits += 32)
            for (int rows = 2; rows <= 3; rows++) {
                links_info info = { .format = (links_format)format, .bits = bits, .rows = rows };
                configuration_facts facts;
                char what[100];
                const char *path = scratch_path(&x->s, "links");
                if (!links_can_be_written(info.format, bits, rows, path, &f))
                    continue;
                memcpy(info.extents, lattice_global(x->l), sizeof info.extents);
                snprintf(what, sizeof what, "%s, %d bits, %d rows", links_format_names[format], bits, rows);
                meter m = meter_begin();
                configuration_measure_stored(&info, x->u);
                bool ok = links_write(path, &links, &info, true, NULL, &f)
                          && configuration_load(x->v, LINKS_AS_STORED, &facts, path, &f);
                meter_end(&m, ok, x, 0, what);
                fact(ok && facts.plaquette.average == info.plaquette && facts.quality.link_trace == info.link_trace,
                     "%s: plaquette and link trace of the stored links, from slices, have the bits of those of the "
                     "field", what);
            }
}

/* ---- arrays */

static void arrays(stream *x)
{
    failure f = { .why = "" };
    enum { SLABS = 2 * SLAB_GROUP };
    const int *n = lattice_global(x->l);
    const size_t shape[] = { 2, (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 2 };
    vec *a = vec_create_slabs(x->l, ON_ODD, x->where, PRECISION_DOUBLE, SLABS);
    vec *b = vec_create_slabs(x->l, ON_ODD, x->where, PRECISION_DOUBLE, SLABS);
    const slice_source from = field_slices(&a->f);
    const slice_sink to = field_slice_sink(&b->f);
    const char *path = scratch_path(&x->s, "spinors.npy");
    field_component bad;
    vec_set_gaussian(a, rng_key_for(3, 0, 0, RNG_TEST), 0);
    meter m = meter_begin();
    bool ok = npy_write_slices(path, &from, 8, shape, &f) && npy_read_slices(&to, path, 8, shape, &f);
    meter_end(&m, ok, x, 0, "an array of spinors");
    vec_axpy(b, -1, a);
    fact(ok && vec_norm2(b) == 0, "with two slices of the fifth dimension comes back with every bit");
    m = meter_begin();
    ok = !field_find_nonfinite(&a->f, &bad);
    meter_end(&m, ok, x, 0, "a search for a component that is not finite");
    vec_free(a);
    vec_free(b);
}

/* ---- a stream's own files */

static bool write_midtrajectory(void *of)
{
    stream *x = of;
    failure f = { .why = "" };
    const midtrajectory_label label = { NUMBER, DIGEST, 0, 0 };
    const clock_tree clock = { 0 };
    meter m = meter_begin();
    bool ok = midtrajectory_write(&x->in->p, &label, x->h, x->u, &clock, &f);
    meter_end(&m, ok, x, 0, "a trajectory under way is kept");
    return true;
}

static void moments(stream *x)
{
    const evolve_watch watch = { write_midtrajectory, x };
    midtrajectory_label label = { .trajectory = NUMBER, .input_digest = DIGEST };
    clock_tree clock = { 0 };
    hmc_trajectory(x->h, x->u, NUMBER, NULL, &watch);
    gauge_copy(x->v, x->u);
    hmc_restore(x->h, x->u);
    meter m = meter_begin();
    bool ok = midtrajectory_resume(&x->in->p, &label, x->h, x->u, &clock);
    meter_end(&m, ok, x, 0, "and taken up again");
    fact(ok && gauge_distance(x->u, x->v) == 0, "with its links");
}

static void failures(stream *x)
{
    failure f = { .why = "" };
    text folder;
    failure_folder_facts facts;
    const hmc_failure problem = { .step = STEP_FORCE, .term = 0, .why = { "a reason" } };
    const failure_scene scene = { .params = &x->in->p, .h = x->h, .u = x->u, .trajectory = NUMBER,
                                  .failure = &problem };
    gauge_copy(x->v, x->u);
    meter m = meter_begin();
    bool ok = failure_folder_write(&folder, &scene, &f);
    meter_end(&m, ok, x, 0, "a failing step is kept");
    gauge_set_unit(x->u);
    m = meter_begin();
    ok = ok && failure_folder_read(&facts, text_string(&folder), &f)
         && failure_folder_load(x->u, hmc_momenta(x->h), x->h, &facts, text_string(&folder), &f);
    meter_end(&m, ok, x, 0, "and loaded");
    fact(ok && gauge_distance(x->u, x->v) == 0, "with its links");
    text_free(&folder);
}

static void turn_a_bit(void *with, int64_t trajectory, field *force_or_links, double *action)
{
    (void)with, (void)trajectory;
    if (!force_or_links) {
        *action = nextafter(*action, INFINITY);
        return;
    }
    double *slice = slice_alloc(field_slice_reals(force_or_links));
    field_get_slice(slice, force_or_links, 5);
    slice[77] = nextafter(slice[77], INFINITY);
    field_set_slice(force_or_links, 5, slice);
    memory_free(slice);
}

static void comparisons(stream *x)
{
    const size_t forces = 2 * momentum_bytes(lattice_shape_of(x->l), PRECISION_DOUBLE);
    const sdc_check_choice choice = { .step = 1, .term = 0, .what = SDC_CHECK_FORCE };
    const sdc_check_hook hook = { turn_a_bit, NULL };
    sdc_check_task task = { .choice = &choice, .trajectory = NUMBER };
    failure said;
    meter m = meter_begin();
    bool ok = sdc_check_compare(&x->in->p, x->h, x->u, &task, &said) == SDC_CHECK_SAME;
    meter_end(&m, ok, x, forces, "a force is calculated twice and compared");
    task.hook = &hook;
    m = meter_begin();
    ok = sdc_check_compare(&x->in->p, x->h, x->u, &task, &said) == SDC_CHECK_DIFFERS;
    meter_end(&m, ok, x, forces, "and both are kept where a bit differs");
}

/* %s: rate, folder.  The term with most start vectors is neither the first nor the last one. */
#define REMEMBERING                                                                                   \
    "lattice: [4, 4, 2, 4]\n"                                                                         \
    "random: { seed: 3 }\n"                                                                           \
    "monomials:\n"                                                                                    \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.5 }\n"                                   \
    "  - { kind: wilson, name: some, determinants: [ { mass: 0.5, heavy: 1, chronological: 3 } ] }\n" \
    "  - { kind: wilson, name: most, \n"                                                              \
    "      determinants: [ { mass: 1, hasenbusch: [ { mass: 2 } ], chronological: 2 } ] }\n"          \
    "  - { kind: wilson, name: few, determinants: [ { mass: 2, chronological: 1 } ] }\n"              \
    "hmc:\n"                                                                                          \
    "  trajectory_length: 0.1\n"                                                                      \
    "  trajectories: 3\n"                                                                             \
    "  levels: [ { integrator: leapfrog, steps: 4, monomials: [ gauge, some, most, few ] } ]\n"       \
    "sdc_check: { rate: %s }\n"                                                                       \
    "output: { directory: \"%s\" }\n"

static size_t planned_aside(const run_params *p)
{
    memory_item items[HMC_MEMORY_ITEMS];
    const int count = hmc_memory(p, PLACE_CPU, items);
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += items[i].host && strcmp(items[i].what, "start vectors put aside") == 0 ? items[i].bytes : 0;
    return bytes;
}

/* An action takes no fields of its own once it was asked before: what is new on the CPU is what was put aside. */
static void start_vectors(const stream *x)
{
    run_input in, without;
    size_t most = 0;
    failure said;
    run_from_text(&in, REMEMBERING, "1", x->s.folder);
    run_from_text(&without, REMEMBERING, "0", x->s.folder);
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, x->where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    hmc *h = hmc_create(&in.p, u);
    hmc_trajectory(h, u, NUMBER, NULL, NULL);
    for (int term = 0; term < hmc_term_count(h); term++) {
        const sdc_check_choice choice = { .step = 1, .term = term, .what = SDC_CHECK_ACTION };
        const sdc_check_task task = { .choice = &choice, .trajectory = NUMBER };
        const size_t now = place_bytes_now(PLACE_CPU), below = place_bytes_peak(PLACE_CPU) - now;
        void *ballast = place_alloc(PLACE_CPU, below, "ballast");
        require(sdc_check_compare(&in.p, h, u, &task, &said) == SDC_CHECK_SAME, "an action of its own");
        const size_t taken = place_bytes_peak(PLACE_CPU) - now - below;
        most = taken > most ? taken : most;
        place_free(PLACE_CPU, ballast);
    }
    fact(most > 0 && most == planned_aside(&in.p), "%s: the SDC check puts at most %zu bytes of start vectors aside, "
         "%zu were planned", place_name(x->where), most, planned_aside(&in.p));
    fact(planned_aside(&without.p) == 0, "and none without the SDC check");
    hmc_free(h);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&without);
    run_input_free(&in);
}

/* Links, densities. */
static void measurements_of_slices(stream *x)
{
    const int times = lattice_global(x->l)[3];
    field density = quark_density_create(x->l, x->where);
    double *sums = memory_alloc((size_t)times * sizeof *sums, "sums");
    meter m = meter_begin();
    gauge_set_unit(x->v);
    const double change = gauge_reunitarize_change(x->v);
    meter_end(&m, change == 0, x, 0, "unit links are made and brought back to SU(3)");
    m = meter_begin();
    quark_density_in_time(sums, &density, 0);
    meter_end(&m, sums[0] == 0, x, 0, "densities are summed over time slices");
    memory_free(sums);
    field_free(&density);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        stream x = stream_create(where);
        the_bound(&x);
        configurations(&x);
        formats(&x);
        arrays(&x);
        moments(&x);
        failures(&x);
        comparisons(&x);
        start_vectors(&x);
        measurements_of_slices(&x);
        stream_free(&x);
    }
    fact(memory_bytes_now() == 0, "no memory is left behind");
    return facts_end();
}
