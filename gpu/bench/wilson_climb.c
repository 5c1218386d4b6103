/* wilson_climb.c - the ladder of the hop of Wilson quarks.  All steps of one format of vectors and links, and of one
 * number of systems, give the same bits as the portable kernel; in a basis with diagonal gamma_t and with textures,
 * results differ by rounding.  Twins compute something else: only their times count.
 *
 * Rates count the bytes that must move: a spinor in and a spinor out for each system, and all links once.  On small
 * lattices, where a launch takes the host longer than the hop takes the device, a graph has many launches. */
#include "gpu/bench/ladder.h"
#include "gpu/device.h"
#include "gpu/device_loop.h"
#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/lattice/rng.h"
#include "src/operators/hop_links.h"
#include "src/operators/spinor_field.h"
#include "src/operators/hop_links.h"
#include "src/operators/spinor_field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HOP_FLOPS = 1320, SPINOR = 4 * VEC_REALS, ONE_SCALE_BYTES = 52, SMALL_VOLUME = 1 << 18, LAUNCHES = 100 };

typedef struct {
    lattice *l;
    precision p;
    const gauge *links;
    gauge *temporal;                               /* made when the first step needs it */
    const wilson_step *step;
    int systems;
    vec *in[BATCH_MAX_RHS], *out[BATCH_MAX_RHS];
    hop_links *packed, *packed_temporal;           /* in the format of the step; the latter if needed */
    krylov_state *state;
    wilson_hop_args args;
    device_loop *graph;
    int *stopped;                                  /* 0 on the device: the graph runs once */
} wilson_climb;

static void run_hop(const void *what)
{
    const wilson_climb *c = what;
    c->step->run(&c->args, lattice_parity(c->l, 1), device_stream());
    device_check_launch(c->step->step);
}

static void run_graph(const void *what)
{
    device_loop_run(((const wilson_climb *)what)->graph);
}

/* The median time of a hop: of `repeats` launches, or, on small lattices, of `repeats` graphs of LAUNCHES each. */
static double time_of_hop(wilson_climb *c, int repeats)
{
    if (lattice_volume(c->l) > SMALL_VOLUME || !device_decides_loops())
        return bench_launches(PLACE_GPU, repeats, run_hop, c).median;
    c->stopped = device_alloc(sizeof *c->stopped, "the end of a graph");
    device_wait();
    c->graph = device_loop_begin(c->stopped, true);
    for (int i = 0; i < LAUNCHES; i++)
        run_hop(c);
    device_loop_end(c->graph);
    const double median = bench_launches(PLACE_GPU, repeats, run_graph, c).median / LAUNCHES;
    device_loop_free(c->graph);
    device_free(c->stopped);
    return median;
}

static hop_links *packed_of(const wilson_climb *c, const gauge *u)
{
    hop_links *w = hop_links_create_format(c->l, PLACE_GPU, c->step->links, c->p, -1);
    failure why;
    require(hop_links_update(w, u, &why), "%s", why.why);
    return w;
}

static vec *spinor_on(const wilson_climb *c, parity_set on)
{
    return c->step->format == VECTOR_NATIVE ? spinor_vec_create(c->l, on, PLACE_GPU, c->p, 1)
                                            : spinor_vec_create_format(c->l, on, PLACE_GPU, c->step->format, 1);
}

/* Creates the fields for the format and number of systems of c->step. */
static void begin_group(wilson_climb *c)
{
    krylov_state host;
    memset(&host, 0, sizeof host);
    memset(&c->args, 0, sizeof c->args);
    host.going = 1;
    host.count = c->systems = c->step->systems;
    c->packed = packed_of(c, c->links);
    c->state = device_alloc(sizeof host, "the state of a batch");
    device_copy_to(c->state, &host, sizeof host);
    for (int n = 0; n < c->systems; n++) {
        c->in[n] = spinor_on(c, ON_EVEN);
        c->out[n] = spinor_on(c, ON_ODD);
        vec_set_gaussian(c->in[n], rng_key_for(2, 0, (unsigned)n, RNG_TEST), 0);
        c->args.in[n] = vec_view(c->in[n]);
        c->args.out[n] = c->args.y[n] = c->args.z[n] = vec_view(c->out[n]);
        c->args.b.number[n] = n;
    }
    if (c->systems > 1) {
        c->args.b.state = c->state;
        c->args.b.count = c->systems;
    }
    c->args.l = lattice_on(c->l, PLACE_GPU);
    c->args.boundary = -1;
    c->args.scale = -0.5 * c->packed->links->unit;
}

static void end_group(wilson_climb *c)
{
    for (int n = 0; n < c->systems; n++) {
        vec_free(c->in[n]);
        vec_free(c->out[n]);
    }
    hop_links_free(c->packed);
    if (c->packed_temporal)
        hop_links_free(c->packed_temporal);
    c->packed_temporal = NULL;
    device_free(c->state);
    c->systems = 0;
}

static void select_links(wilson_climb *c)
{
    c->args.u = packed_links_view((c->step->kind == LADDER_TEMPORAL ? c->packed_temporal : c->packed)->links);
}

/* The numbers of a spinor on all sites, as in vec_export. */
static size_t numbers_of(const wilson_climb *c)
{
    return (size_t)SPINOR * (size_t)lattice_volume(c->l);
}

/* The result of a step, for all systems one after the other. */
static double *outcome(wilson_climb *c, size_t *count)
{
    const size_t each = numbers_of(c);
    double *host = memory_alloc((size_t)c->systems * each * sizeof *host, "what a step left");
    select_links(c);
    for (int n = 0; n < c->systems; n++)
        device_zero(c->out[n]->f.data, c->out[n]->f.bytes);
    run_hop(c);
    for (int n = 0; n < c->systems; n++)
        vec_export(host + (size_t)n * each, c->out[n]);
    *count = (size_t)c->systems * each;
    return host;
}

/* v <- S v with the blocks S = [1 1; 1 -1] / 2^1/2: spin s and spin s + 2. */
static void change_basis(double *v, size_t count)
{
    for (size_t at = 0; at < count; at += SPINOR)
        for (size_t i = at; i < at + SPINOR / 2; i++) {
            const double a = v[i], b = v[i + SPINOR / 2];
            v[i] = sqrt(0.5) * (a + b);
            v[i + SPINOR / 2] = sqrt(0.5) * (a - b);
        }
}

/* The largest difference from the expected numbers, relative to the largest of them, for input in another basis. */
static double basis_error(wilson_climb *c, const double *expected)
{
    size_t count;
    double *in = memory_alloc(numbers_of(c) * sizeof *in, "a spinor");
    double worst = 0, largest = 0;
    vec_export(in, c->in[0]);
    change_basis(in, numbers_of(c));
    vec_import(c->in[0], in);
    double *got = outcome(c, &count);
    change_basis(got, count);
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(got[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
    }
    vec_set_gaussian(c->in[0], rng_key_for(2, 0, 0, RNG_TEST), 0);
    memory_free(got);
    memory_free(in);
    return worst / largest;
}

/* The largest difference from the expected numbers, relative to the largest of them, with one scale for each spinor;
 * prepares y and z for the hop. */
static double one_scale_error(wilson_climb *c, const double *expected)
{
    const size_t bytes = (size_t)ONE_SCALE_BYTES * (size_t)lattice_volume(c->l), count = numbers_of(c);
    double *got = memory_alloc(count * sizeof *got, "what a step left");
    double worst = 0, largest = 0;
    c->args.y[0].slab_sites = c->args.z[0].slab_sites = (int)lattice_volume(c->l);
    c->args.y[0].data = device_alloc(bytes, "spinors with one scale");
    c->args.z[0].data = device_alloc(bytes, "spinors with one scale");
    wilson_one_scale_copy(&c->args, false, lattice_parity(c->l, 0), device_stream());
    select_links(c);
    run_hop(c);
    wilson_one_scale_copy(&c->args, true, lattice_parity(c->l, 1), device_stream());
    vec_export(got, c->out[0]);
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(got[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
    }
    memory_free(got);
    return worst / largest;
}

/* The same as one_scale_error, with textures. */
static double textured_error(wilson_climb *c, const double *expected)
{
    size_t count;
    double worst = 0, largest = 0;
    select_links(c);
    c->args.z[0].data = wilson_textures_create(&c->args);
    require(c->args.z[0].data, "%s: the device refused a texture of the links or of the spinors", c->step->step);
    double *got = outcome(c, &count);
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(got[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
    }
    memory_free(got);
    return worst / largest;
}

static void free_textures(wilson_climb *c)
{
    device_wait();
    wilson_textures_free(c->args.z[0].data);
    c->args.z[0] = c->args.out[0];
}

static void free_one_scale(wilson_climb *c)
{
    device_free(c->args.y[0].data);
    device_free(c->args.z[0].data);
    c->args.y[0] = c->args.z[0] = c->args.out[0];
}

static double bytes_moved(const wilson_climb *c)
{
    const double spinors = c->step->kind == LADDER_ONE_SCALE ? ONE_SCALE_BYTES * (double)lattice_volume(c->l) / 2
                                                             : (double)c->out[0]->f.bytes;
    return 2.0 * c->systems * spinors + (double)c->packed->links->f.bytes;
}

/* Whether a part is the format of the step or occurs in its name; true if there are no parts. */
static bool is_wanted(const wilson_step *s, char **parts)
{
    for (char **part = parts; *part; part++)
        if (strcmp(vector_format_names[s->format], *part) == 0 || strstr(s->step, *part))
            return true;
    return !*parts;
}

static void climb_step(wilson_climb *c, const double *expected, int repeats)
{
    static const char *const kinds[] = { "", ", temporal gauge", ", diagonal gamma_t", ", one scale", "", "" };
    const wilson_step *s = c->step;
    char verdict[40] = "same bits";
    if (s->kind == LADDER_NON_RELATIVISTIC)
        snprintf(verdict, sizeof verdict, "error %.1e", basis_error(c, expected));
    else if (s->kind == LADDER_ONE_SCALE)
        snprintf(verdict, sizeof verdict, "error %.1e", one_scale_error(c, expected));
    else if (s->kind == LADDER_TEXTURED)
        snprintf(verdict, sizeof verdict, "error %.1e", textured_error(c, expected));
    else if (s->kind == LADDER_TWIN) {
        select_links(c);
        run_hop(c);
        strcpy(verdict, "another result");
    } else {
        size_t count;
        double *got = outcome(c, &count);
        if (memcmp(expected, got, count * sizeof *got) != 0)
            strcpy(verdict, "DIFFERENT");
        memory_free(got);
    }
    const double time = time_of_hop(c, repeats);
    const double flops = (double)c->systems * HOP_FLOPS * (double)lattice_volume(c->l) / 2;
    printf("%s %-6s %-10s x%d  %-33s%-18s %8.1f us, %.2f TB/s, %5.2f Tflop/s  %s\n",
           c->p == PRECISION_SINGLE ? "single" : "double", vector_format_names[s->format], link_format_names[s->links],
           s->systems, s->step, kinds[s->kind], time * 1e6, bytes_moved(c) / time * 1e-12,
           flops / time * 1e-12, verdict);
    if (s->kind == LADDER_ONE_SCALE)
        free_one_scale(c);
    if (s->kind == LADDER_TEXTURED)
        free_textures(c);
    fflush(stdout);
}

static bool are_alike(const wilson_step *a, const wilson_step *b)
{
    return a->format == b->format && a->links == b->links && a->systems == b->systems;
}

/* u with links in t that are 1 below the last slice. */
static gauge *temporal_links(const gauge *u)
{
    lattice *l = u->links.lattice;
    const int *n = lattice_global(l);
    const size_t matrix = 18, slice = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    double *links = memory_alloc(4 * matrix * slice * (size_t)n[3] * sizeof *links, "links on the host");
    gauge *temporal = gauge_create(l, PLACE_GPU, PRECISION_DOUBLE);
    gauge_export(links, u);
    for (size_t x = 0; x < slice * (size_t)(n[3] - 1); x++)
        for (size_t i = 0; i < matrix; i++)
            links[(4 * x + 3) * matrix + i] = i % 8 == 0 ? 1 : 0;
    gauge_import(temporal, links);
    memory_free(links);
    return temporal;
}

/* Whether a step in the group of `first` is wanted; only steps of this kind count, unless it is LADDER_PLAIN. */
static bool wants_group(const wilson_step *first, wilson_kind kind, char **parts)
{
    for (const wilson_step *s = first; s->run && are_alike(s, first); s++)
        if (is_wanted(s, parts) && (kind == LADDER_PLAIN || s->kind == kind))
            return true;
    return false;
}

/* Runs the steps of a group; `first` is the portable kernel. */
static void climb_group(wilson_climb *c, const wilson_step *first, int repeats, char **parts)
{
    wilson_step temporal = *first;
    double *expected, *expected_temporal = NULL;
    size_t count;
    c->step = first;
    begin_group(c);
    expected = outcome(c, &count);
    if (wants_group(first, LADDER_TEMPORAL, parts)) {
        if (!c->temporal)
            c->temporal = temporal_links(c->links);
        c->packed_temporal = packed_of(c, c->temporal);
        temporal.kind = LADDER_TEMPORAL;
        c->step = &temporal;
        expected_temporal = outcome(c, &count);
    }
    for (const wilson_step *s = first; s->run && are_alike(s, first); s++)
        if (is_wanted(s, parts)) {
            c->step = s;
            climb_step(c, s->kind == LADDER_TEMPORAL ? expected_temporal : expected, repeats);
        }
    memory_free(expected);
    memory_free(expected_temporal);
    end_group(c);
}

static void climb_precision(wilson_climb *c, const wilson_step *steps, int repeats, char **parts)
{
    for (const wilson_step *s = steps; s->run; s++)
        if ((s == steps || !are_alike(s, s - 1)) && wants_group(s, LADDER_PLAIN, parts))
            climb_group(c, s, repeats, parts);
}

void climb_wilson(lattice *l, int repeats, char **parts)
{
    const int *n = lattice_global(l);
    gauge *u = gauge_create(l, PLACE_GPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(1, 0, 0, RNG_TEST));
    printf("hop of Wilson quarks from even to odd sites on %dx%dx%dx%d\n", n[0], n[1], n[2], n[3]);
    wilson_climb c = { .l = l, .p = PRECISION_SINGLE, .links = u };
    climb_precision(&c, wilson_ladder_gpu_f, repeats, parts);
    climb_precision(&c, wilson_trials_gpu_f, repeats, parts);
    c.p = PRECISION_DOUBLE;
    climb_precision(&c, wilson_ladder_gpu_d, repeats, parts);
    climb_precision(&c, wilson_trials_gpu_d, repeats, parts);
    if (c.temporal)
        gauge_free(c.temporal);
    gauge_free(u);
}
