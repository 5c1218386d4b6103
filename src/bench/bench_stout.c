/* bench_stout.c - time the kernels of a level of stout smearing and of its chain rule. */
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_rows.h"
#include "src/kernels/stout_args.h"
#include "src/lattice/rng.h"

MAP_KERNEL(stout_links_sites);
MAP_KERNEL(stout_insertions);
MAP_KERNEL(stout_force_sites);
SUM_KERNEL(stout_force_end, 1, 1);

/* Of one link: the exponent is a sum of six staples; the derivative of the exponential sums its series three times, and
 * has eight products (site/algebra_chain.h); in the chain rule a staple has seven products (kernels/stout_force.c). */
enum {
    UP_AND_DOWN = 8,
    MATRIX_SUM = 18,
    EXPONENT = 6 * PLAQUETTE_STAPLE + PRODUCT + ALGEBRA_PART + 8,
    EXPONENTIAL_CHAIN = NORM2 + 8 + 72 + 18 * 44 + 6 * PRODUCT + 3 * 144 + 2 * TRACE_OF_PRODUCT + MATRIX_SUM + 9 * 24
                        + 2 * ALGEBRA_PART + 8,
    STAPLE_CHAIN = 7 * PRODUCT + 4 * MATRIX_SUM + MATRIX_AXPY + ALGEBRA_AXPY
};

typedef enum { ARGS_LINKS, ARGS_CHAIN, ARGS_END } args_of;

static const struct stout_case {
    const map_kernel *map;            /* one of the two */
    const sum_kernel *sum;
    args_of args;
    int flops, reals, table;          /* of a site: reals read and written, entries of tables of neighbors */
} cases[] = {
    { &stout_links_sites, NULL, ARGS_LINKS, 4 * (EXPONENT + EXPONENTIAL + PRODUCT), 2 * GAUGE_REALS, UP_AND_DOWN },
    { &stout_insertions, NULL, ARGS_CHAIN, 4 * (EXPONENT + EXPONENTIAL_CHAIN), GAUGE_REALS + 3 * MOMENTUM_REALS,
      UP_AND_DOWN },
    { &stout_force_sites, NULL, ARGS_CHAIN, 4 * (6 * STAPLE_CHAIN + PRODUCT + ALGEBRA_PART + ALGEBRA_AXPY),
      GAUGE_REALS + 3 * MOMENTUM_REALS, UP_AND_DOWN },
    { NULL, &stout_force_end, ARGS_END, 4 * (NORM2 + ALGEBRA_AXPY + 1), 3 * MOMENTUM_REALS, 0 },
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct { gauge *u, *out; momentum *force, *p; field insertions; sum_array sums; } stout_fields;
typedef struct { const struct stout_case *c; const stout_fields *f; } stout_job;

#define RHO 0.1

static void run_case(const void *what)
{
    const stout_job *j = what;
    const stout_fields *f = j->f;
    const field *links = &f->u->links;
    lattice_view l = lattice_on(links->lattice, links->where);
    gauge_view u = gauge_view_of(f->u);
    momentum_view force = momentum_view_of(f->force);
    const stout_links_args smear = { l, u, gauge_view_of(f->out), RHO, 4, 0 };
    const stout_force_args chain = { l, u, force, { field_view_of(&f->insertions).data }, RHO, 4, 0 };
    const stout_end_args end = { momentum_view_of(f->p), force, 1e-3 };
    const void *args[] = { [ARGS_LINKS] = &smear, [ARGS_CHAIN] = &chain, [ARGS_END] = &end };
    const site_range range = lattice_all(links->lattice);
    if (j->c->map)
        run_map(j->c->map, links->where, links->precision, args[j->c->args], range);
    else
        run_sum_into(j->c->sum, &(sum_launch){ .where = links->where, .precision = links->precision,
                                               .args = args[j->c->args], .range = range }, f->sums.cells);
}

static void measure(const bench_request *w, const stout_fields *f, const struct stout_case *c, bench_table *t)
{
    const precision p = f->u->links.precision;
    const double sites = (double)lattice_local_sites(&w->shape);
    const bench_time time = bench_launches(w->where, w->repeats, run_case, &(stout_job){ c, f });
    bench_row *row = bench_add_row(t, c->map ? c->map->name : c->sum->name, "portable", p, time);
    row->flops = sites * c->flops;
    row->bytes = sites * ((double)precision_bytes(p) * c->reals + (double)sizeof(int) * c->table);
}

void bench_stout(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    stout_fields f = { .u = gauge_create(l, w->where, p), .out = gauge_create(l, w->where, p),
                       .force = momentum_create(l, w->where, p), .p = momentum_create(l, w->where, p) };
    f.insertions = field_create_ghosts(l, GHOSTS_SIDES, w->where, p, MOMENTUM_REALS, "the force of stout links");
    f.sums = sums_create(l, w->where, SUM_SCRATCH, SUM_SCRATCH);
    gauge_set_random(f.u, rng_key_for(1, 0, 0, RNG_TEST));
    momentum_set_gaussian(f.force, rng_key_for(2, 0, 0, RNG_TEST));
    for (int i = 0; i < CASES; i++)
        measure(w, &f, &cases[i], t);
    sums_free(&f.sums);
    field_free(&f.insertions);
    momentum_free(f.p);
    momentum_free(f.force);
    gauge_free(f.out);
    gauge_free(f.u);
}
