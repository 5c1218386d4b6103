/* clover_climb.c - the ladder of the operator with a clover term for several systems: all steps of one number
 * of systems give the bits of the first one that runs, which is the portable one if all run.
 *
 * Both hops are timed, for all systems; the printed time is for one system.  Blocks are random numbers. */
#include "gpu/bench/ladder.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/lattice/rng.h"
#include "src/operators/hop_links.h"
#include "src/operators/spinor_field.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    lattice *l;
    precision p;
    hop_links *links;
    double *blocks;
    krylov_state *state;
    int systems;
    vec *in[BATCH_MAX_RHS], *middle[BATCH_MAX_RHS], *out[BATCH_MAX_RHS];
    wilson_hop_args inner, outer;
    const clover_step *step;
} clover_climb;

static void run_both(const void *what)
{
    const clover_climb *c = what;
    c->step->inner(&c->inner, lattice_parity(c->l, 1), device_stream());
    c->step->outer(&c->outer, lattice_parity(c->l, 0), device_stream());
    device_check_launch(c->step->step);
}

/* Random numbers in (-1/2, 1/2) in place of blocks on all sites, in double; copies of one piece. */
static double *random_blocks(lattice *l, size_t *bytes)
{
    enum { PIECE = 1 << 20 };
    const lattice_view view = lattice_on(l, PLACE_GPU);
    const size_t numbers = (size_t)site_count(&view) * CLOVER_REALS;
    double *piece = memory_alloc(PIECE * sizeof *piece, "blocks on the host");
    double *blocks = device_alloc(numbers * sizeof *blocks, "blocks");
    uint64_t state = 1;
    for (size_t i = 0; i < PIECE; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        piece[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
    for (size_t at = 0; at < numbers; at += PIECE)
        device_copy_to(blocks + at, piece, (numbers - at < PIECE ? numbers - at : PIECE) * sizeof *piece);
    memory_free(piece);
    *bytes = numbers * sizeof *blocks;
    return blocks;
}

static void begin_group(clover_climb *c)
{
    krylov_state host;
    memset(&host, 0, sizeof host);
    memset(&c->inner, 0, sizeof c->inner);
    host.going = 1;
    host.count = c->systems = c->step->systems;
    c->state = device_alloc(sizeof host, "the state of a batch");
    device_copy_to(c->state, &host, sizeof host);
    c->inner.b.state = c->state;
    c->inner.b.count = c->systems;
    c->inner.l = lattice_on(c->l, PLACE_GPU);
    c->inner.u = packed_links_view(c->links->links);
    c->inner.by = (clover_factor){ .blocks.data = c->blocks, .diagonal = 2.5 };
    c->inner.boundary = -1;
    c->inner.scale = -0.5;
    c->outer = c->inner;
    for (int n = 0; n < c->systems; n++) {
        c->in[n] = spinor_vec_create(c->l, ON_EVEN, PLACE_GPU, c->p, 1);
        c->middle[n] = spinor_vec_create(c->l, ON_ODD, PLACE_GPU, c->p, 1);
        c->out[n] = spinor_vec_create(c->l, ON_EVEN, PLACE_GPU, c->p, 1);
        vec_set_gaussian(c->in[n], rng_key_for(2, 0, (unsigned)n, RNG_TEST), 0);
        c->inner.b.number[n] = c->outer.b.number[n] = n;
        c->inner.in[n] = c->outer.y[n] = vec_view(c->in[n]);
        c->inner.out[n] = c->outer.in[n] = c->inner.y[n] = vec_view(c->middle[n]);
        c->inner.z[n] = c->outer.out[n] = c->outer.z[n] = vec_view(c->out[n]);
    }
}

static void end_group(clover_climb *c)
{
    for (int n = 0; n < c->systems; n++) {
        vec_free(c->in[n]);
        vec_free(c->middle[n]);
        vec_free(c->out[n]);
    }
    device_free(c->state);
}

/* The result of both hops; all vectors that they write are zero before. */
static char *outcome(const clover_climb *c)
{
    const size_t each = c->out[0]->f.bytes;
    char *host = memory_alloc((size_t)c->systems * each, "what a step left");
    for (int n = 0; n < c->systems; n++) {
        device_zero(c->middle[n]->f.data, each);
        device_zero(c->out[n]->f.data, each);
    }
    run_both(c);
    for (int n = 0; n < c->systems; n++)
        device_copy_from(host + (size_t)n * each, c->out[n]->f.data, each);
    return host;
}

/* The bytes that must move: five spinors of each system, the links in both hops, and the blocks once. */
static double bytes_moved(const clover_climb *c, size_t block_bytes)
{
    return 5.0 * c->systems * (double)c->out[0]->f.bytes + 2 * (double)c->links->links->f.bytes + (double)block_bytes;
}

/* Whether the name of the step contains one of the parts; true if there are no parts. */
static bool is_wanted(const clover_step *s, char **parts)
{
    for (char **part = parts; *part; part++)
        if (strstr(s->step, *part))
            return true;
    return !*parts;
}

void climb_clover(lattice *l, int repeats, char **parts)
{
    const int *n = lattice_global(l);
    clover_climb c = { .l = l, .p = PRECISION_DOUBLE };
    size_t block_bytes;
    failure why;
    gauge *u = gauge_create(l, PLACE_GPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(1, 0, 0, RNG_TEST));
    c.links = hop_links_create(l, PLACE_GPU, c.p, -1);
    require(hop_links_update(c.links, u, &why), "%s", why.why);
    gauge_free(u);
    c.blocks = random_blocks(l, &block_bytes);
    printf("both hops with a clover term on %dx%dx%dx%d\n", n[0], n[1], n[2], n[3]);
    char *expected = NULL;
    for (const clover_step *s = clover_ladder_gpu_d; s->inner; s++) {
        if (!is_wanted(s, parts))
            continue;
        c.step = s;
        if (c.systems != s->systems) {
            end_group(&c);
            begin_group(&c);
            memory_free(expected);
            expected = outcome(&c);
        }
        char *got = outcome(&c);
        const bool same = memcmp(expected, got, (size_t)c.systems * c.out[0]->f.bytes) == 0;
        memory_free(got);
        const bench_time t = bench_launches(PLACE_GPU, repeats, run_both, &c);
        printf("double x%d  %-40s %8.1f us a system, %.2f TB/s  %s\n", c.systems, s->step,
               t.median * 1e6 / c.systems, bytes_moved(&c, block_bytes) / t.median * 1e-12,
               same ? "same bits" : "DIFFERENT");
        fflush(stdout);
    }
    end_group(&c);
    memory_free(expected);
    device_free(c.blocks);
    hop_links_free(c.links);
}
