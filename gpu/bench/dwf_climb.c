/* dwf_climb.c - the ladder of the domain-wall hop: all steps of one format give the same bits as its portable kernel.
 *
 * The timed operation is C on the sites of one parity: two hops with the fifth dimension.  Rates count the bytes that
 * must move: 5 spinors, the links twice in 12 numbers, and tables of neighbors, which tiles do not need. */
#include "gpu/bench/ladder.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/bench/bench.h"
#include "src/operators/dwf.h"
#include "src/operators/dwf_weights.h"

#include <stdio.h>
#include <string.h>

enum { NEIGHBORS = 8 };

typedef struct {
    lattice *l;
    precision p;
    vector_format format;                  /* VECTOR_FORMATS: no vectors */
    hop_links *links;
    dwf_matrix matrix;
    vec *in, *even, *out;
    dwf_hop_args first, second;
    const dwf_step *step;
} dwf_climb;

static void run_c(const void *what)
{
    const dwf_climb *c = what;
    c->step->run(&c->first, lattice_parity(c->l, 0), device_stream());
    c->step->run(&c->second, lattice_parity(c->l, 1), device_stream());
    device_check_launch(c->step->step);
}

static vec *spinor_on(const dwf_climb *c, parity_set on)
{
    const int Ls = c->matrix.weights.Ls;
    return c->format == VECTOR_NATIVE ? spinor_vec_create(c->l, on, PLACE_GPU, c->p, Ls)
                                      : spinor_vec_create_format(c->l, on, PLACE_GPU, c->format, Ls);
}

static void begin_format(dwf_climb *c, vector_format format)
{
    c->format = format;
    c->in = spinor_on(c, ON_ODD);
    c->even = spinor_on(c, ON_EVEN);
    c->out = spinor_on(c, ON_ODD);
    vec_set_gaussian(c->in, rng_key_for(2, 0, 0, RNG_TEST), 0);
    memset(&c->first, 0, sizeof c->first);
    c->first.l = lattice_on(c->l, PLACE_GPU);
    c->first.u = packed_links_view(c->links->links);
    c->first.boundary = c->links->boundary;
    c->first.Ls = c->matrix.weights.Ls;
    c->second = c->first;
    c->first.k = c->matrix.k;
    c->first.in = vec_view(c->in);
    c->first.out = c->first.y = c->first.z = c->second.in = vec_view(c->even);
    c->second.k = c->matrix.minus_k;
    c->second.a = 1;
    c->second.y = vec_view(c->in);
    c->second.out = c->second.z = vec_view(c->out);
}

static void end_format(dwf_climb *c)
{
    if (c->format != VECTOR_FORMATS) {
        vec_free(c->in);
        vec_free(c->even);
        vec_free(c->out);
    }
    c->format = VECTOR_FORMATS;
}

/* The result of both hops; all output spinors are zero before. */
static char *outcome(const dwf_climb *c)
{
    char *host = memory_alloc(c->out->f.bytes, "what a step left");
    device_zero(c->even->f.data, c->even->f.bytes);
    device_zero(c->out->f.data, c->out->f.bytes);
    run_c(c);
    device_copy_from(host, c->out->f.data, c->out->f.bytes);
    return host;
}

static double bytes_moved(const dwf_climb *c)
{
    const double volume = (double)lattice_volume(c->l), tables = (double)sizeof(int) * NEIGHBORS * volume / 2;
    return 5 * (double)c->out->f.bytes + 2 * ((double)c->links->links->f.bytes + tables);
}

/* Whether a part is the format of the step or occurs in its name; true if there are no parts. */
static bool is_wanted(const dwf_step *s, char **parts)
{
    for (char **part = parts; *part; part++)
        if (strcmp(vector_format_names[s->format], *part) == 0 || strstr(s->step, *part))
            return true;
    return !*parts;
}

static void climb_step(const dwf_climb *c, const char *expected, int repeats)
{
    const dwf_step *s = c->step;
    printf("%s %-6s  %-24s ", c->p == PRECISION_SINGLE ? "single" : "double", vector_format_names[s->format], s->step);
    if (s->fits && !s->fits(&c->first)) {
        printf("does not fit\n");
        return;
    }
    char *got = outcome(c);
    bool same = memcmp(expected, got, c->out->f.bytes) == 0;
    memory_free(got);
    bench_time t = bench_launches(PLACE_GPU, repeats, run_c, c);
    printf("%8.1f us, %.2f TB/s  %s\n", t.median * 1e6, bytes_moved(c) / t.median * 1e-12,
           same ? "same bits" : "DIFFERENT");
    fflush(stdout);
}

static void climb_precision(precision p, const dwf_weights *w, const gauge *u, const dwf_step *steps, int repeats,
                            char **parts)
{
    lattice *l = u->links.lattice;
    dwf_climb c = { .l = l, .p = p, .format = VECTOR_FORMATS };
    failure why;
    c.links = hop_links_create(l, PLACE_GPU, p, -1);
    require(hop_links_update(c.links, u, &why), "%s", why.why);
    c.matrix = dwf_matrix_of(w, 0.01, (fifth_corner){ 0 });
    const dwf_step *portable = steps;             /* the first step of each format */
    char *expected = NULL;
    for (const dwf_step *s = steps; s->run; s++) {
        if (s->format != portable->format)
            portable = s;
        if (!is_wanted(s, parts))
            continue;
        if (s->format != c.format) {
            end_format(&c);
            begin_format(&c, s->format);
            memory_free(expected);
            c.step = portable;
            expected = outcome(&c);
        }
        c.step = s;
        climb_step(&c, expected, repeats);
    }
    memory_free(expected);
    end_format(&c);
    hop_links_free(c.links);
}

void climb_dwf(lattice *l, int Ls, int repeats, char **parts)
{
    const dwf_weights_params params = { .kind = DWF_MOBIUS, .Ls = Ls, .M5 = 1.8, .b = 1.5, .c = 0.5 };
    const int *n = lattice_global(l);
    gauge *u = gauge_create(l, PLACE_GPU, PRECISION_DOUBLE);
    dwf_weights w;
    failure why;
    require(dwf_weights_make(&w, &params, &why), "%s", why.why);
    gauge_set_random(u, rng_key_for(1, 0, 0, RNG_TEST));
    printf("C of domain-wall quarks on %dx%dx%dx%d, %d slices\n", n[0], n[1], n[2], n[3], Ls);
    climb_precision(PRECISION_SINGLE, &w, u, dwf_ladder_gpu_f, repeats, parts);
    climb_precision(PRECISION_DOUBLE, &w, u, dwf_ladder_gpu_d, repeats, parts);
    gauge_free(u);
}
