/* hop_climb.c - the ladder of the staggered hop: all steps of one format and number of systems give the same bits.
 *
 * Both hops of the normal operator are timed, for all systems; the printed time is for one system. */
#include "gpu/bench/ladder.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/gauge/packed_links.h"
#include "src/kernels/staggered_args.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    lattice *l;
    precision p;
    vector_format format;
    gauge *u, *v;
    packed_links *fat, *naik;
    krylov_state *state;
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS], *out[BATCH_MAX_RHS];
    batch_hop_args first, second;
    const hop_step *step;
} hop_climb;

static void run_hops(const void *what)
{
    const hop_climb *c = what;
    c->step->run(&c->first, lattice_parity(c->l, 1), device_stream());
    c->step->run(&c->second, lattice_parity(c->l, 0), device_stream());
    device_check_launch(c->step->step);
}

static vec *vector_on(const hop_climb *c, parity_set on)
{
    return c->format == VECTOR_NATIVE ? vec_create(c->l, on, PLACE_GPU, c->p)
                                      : vec_create_format(c->l, on, PLACE_GPU, c->format);
}

static void begin_format(hop_climb *c, vector_format format)
{
    gauge_view fat = gauge_view_of(c->u), naik = gauge_view_of(c->v);
    double fat_unit = 1, naik_unit = 1;
    c->format = format;
    if (format != VECTOR_NATIVE) {
        const link_format links = link_format_with(format);
        c->fat = packed_links_create(c->l, PLACE_GPU, links);
        c->naik = packed_links_create(c->l, PLACE_GPU, links);
        packed_links_update(c->fat, c->u);
        packed_links_update(c->naik, c->v);
        fat = packed_links_view(c->fat), fat_unit = c->fat->unit;
        naik = packed_links_view(c->naik), naik_unit = c->naik->unit;
    }
    memset(&c->first, 0, sizeof c->first);
    c->first.b.state = c->state;
    c->first.l = lattice_on(c->l, PLACE_GPU);
    c->first.fat = fat;
    c->first.long_links = naik;
    c->first.unit = fat_unit;
    c->first.naik = -naik_unit / 24;
    c->second = c->first;
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        c->even[n] = vector_on(c, ON_EVEN);
        c->odd[n] = vector_on(c, ON_ODD);
        c->out[n] = vector_on(c, ON_EVEN);
        vec_set_gaussian(c->even[n], rng_key_for(2, 0, (unsigned)n, RNG_TEST), 0);
        c->first.in[n] = vec_view(c->even[n]);
        c->first.out[n] = c->second.in[n] = vec_view(c->odd[n]);
        c->second.out[n] = vec_view(c->out[n]);
    }
}

static void end_format(hop_climb *c)
{
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        vec_free(c->even[n]);
        vec_free(c->odd[n]);
        vec_free(c->out[n]);
    }
    packed_links_free(c->fat);
    packed_links_free(c->naik);
    c->fat = c->naik = NULL;
}

/* The result of both hops; all output vectors are zero before. */
static char *outcome(hop_climb *c, size_t *bytes)
{
    const size_t each = c->out[0]->f.bytes;
    char *host = memory_alloc((size_t)c->step->systems * each, "what a step left");
    for (int n = 0; n < c->step->systems; n++) {
        device_zero(c->odd[n]->f.data, each);
        device_zero(c->out[n]->f.data, each);
    }
    run_hops(c);
    for (int n = 0; n < c->step->systems; n++)
        device_copy_from(host + (size_t)n * each, c->out[n]->f.data, each);
    *bytes = (size_t)c->step->systems * each;
    return host;
}

/* The time to move links and vectors once in each hop, at the rate of a copy. */
static double floor_seconds(const hop_climb *c, int systems, double rate)
{
    const double volume = (double)lattice_volume(c->l), bytes = (double)precision_bytes(c->p);
    const double link = c->fat ? (double)c->fat->f.bytes / volume : 72 * bytes, vector = (double)c->out[0]->f.bytes;
    return (4 * volume * link + 4.0 * systems * vector) / rate;
}

typedef struct { char *from, *to; size_t bytes; } copy_job;

static void run_copy(const void *what)
{
    const copy_job *j = what;
    device_copy_within(j->to, j->from, j->bytes);
}

static double copy_rate(void)
{
    copy_job j = { .bytes = (size_t)1 << 30 };
    j.from = device_alloc(j.bytes, "a copy");
    j.to = device_alloc(j.bytes, "a copy");
    bench_time t = bench_launches(PLACE_GPU, 10, run_copy, &j);
    device_free(j.from);
    device_free(j.to);
    return 2 * (double)j.bytes / t.median;
}

/* Whether the name of the step contains one of the parts; true if there are no parts. */
static bool is_wanted(const hop_step *s, char **parts)
{
    for (char **part = parts; *part; part++)
        if (strstr(s->step, *part))
            return true;
    return !*parts;
}

static void climb_precision(lattice *l, precision p, const hop_step *steps, int repeats, char **parts, double rate)
{
    static const char *const names[] = { "native", "half", "int20", "int30" };
    hop_climb c = { .l = l, .p = p, .format = VECTOR_FORMATS };
    c.u = gauge_create(l, PLACE_GPU, p);
    c.v = gauge_create(l, PLACE_GPU, p);
    gauge_set_random(c.u, rng_key_for(1, 0, 0, RNG_TEST));
    gauge_set_random(c.v, rng_key_for(1, 0, 1, RNG_TEST));
    krylov_state *host = memory_alloc(sizeof *host, "a state");
    host->going = 1;
    c.state = device_alloc(sizeof *host, "a state");
    device_copy_to(c.state, host, sizeof *host);
    memory_free(host);
    char *first = NULL;
    for (const hop_step *s = steps; s->run; s++) {
        if (!is_wanted(s, parts))
            continue;
        size_t bytes;
        bool begins = !c.step || s->format != c.step->format || s->systems != c.step->systems;
        if (s->format != c.format) {
            if (c.step)
                end_format(&c);
            begin_format(&c, s->format);
        }
        c.step = s;
        char *got = outcome(&c, &bytes);
        if (begins) {
            memory_free(first);
            first = got;
        }
        bool same = memcmp(first, got, bytes) == 0;
        if (got != first)
            memory_free(got);
        bench_time t = bench_launches(PLACE_GPU, repeats, run_hops, &c);
        double floor = floor_seconds(&c, s->systems, rate);
        printf("%s %-6s %d  %-32s %8.1f us a system, floor %6.1f: %.2f  %s\n",
               p == PRECISION_SINGLE ? "single" : "double", names[s->format], s->systems, s->step,
               t.median * 1e6 / s->systems, floor * 1e6 / s->systems, floor / t.median,
               same ? "same bits" : "DIFFERENT");
        fflush(stdout);
    }
    memory_free(first);
    if (c.step)
        end_format(&c);
    device_free(c.state);
    gauge_free(c.u);
    gauge_free(c.v);
}

void climb_hops(lattice *l, int repeats, char **parts)
{
    const double rate = copy_rate();
    const int *n = lattice_global(l);
    printf("staggered hops on %dx%dx%dx%d: two of one parity; copy %.2f TB/s\n", n[0], n[1], n[2], n[3], rate * 1e-12);
    climb_precision(l, PRECISION_SINGLE, hop_ladder_gpu_f, repeats, parts, rate);
    climb_precision(l, PRECISION_DOUBLE, hop_ladder_gpu_d, repeats, parts, rate);
}
