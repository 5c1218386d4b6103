/* stout.c - the levels of stout smearing, upwards for links and downwards for forces. */
#include "src/operators/stout.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/stout_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(stout_links_sites);
MAP_KERNEL(stout_insertions);
MAP_KERNEL(stout_force_sites);
SUM_KERNEL(stout_force_end, 1, 1);

struct stout {
    stout_params params;
    gauge *level[STOUT_LEVELS_MAX];      /* smeared once, twice, ... */
    uint64_t version;                    /* of the links that these were made from; 0: none yet */
    momentum *force;                     /* NULL: not needed yet */
    field insertions;
    sum_array size;                      /* of the force on the smeared links: not used */
};

memory_need stout_bytes(const stout_params *params, const lattice_shape *shape, precision p, bool with_force)
{
    if (params->levels == 0)
        return (memory_need){ 0 };
    memory_need need = { .lasting = (size_t)params->levels * field_bytes(shape, p, GAUGE_REALS) };
    if (with_force) {
        need.shared = momentum_bytes(shape, p) + field_bytes_on(shape, ON_ALL, GHOSTS_SIDES, p, MOMENTUM_REALS);
        need.cells = sums_bytes(stout_force_end.sums, stout_force_end.maxima);
    }
    return need;
}

/* Products of 3x3 matrices (198 flops) a link: the exponent 12 for six staples and 1; exp about 3, its derivative about
 * 14; the chain rule of the staples 7 for each and 1. */
enum { EXPONENT = 13, SMEAR = EXPONENT + 3 + 1, CHAIN = EXPONENT + 14 + 6 * 7 + 1 };
#define PRODUCT_FLOPS 198.0

/* The smearing reads and writes links.  The chain rule reads links twice, reads and writes forces twice, and writes and
 * reads insertions. */
work_count stout_force_work(const stout_params *params, const lattice_shape *shape)
{
    const double links = 4 * (double)lattice_local_sites(shape) * (double)params->levels;
    return (work_count){ links * (SMEAR + CHAIN) * PRODUCT_FLOPS,
                         links * (4 * MATRIX_REALS + 6 * (MOMENTUM_REALS / 4)) * sizeof(double) };
}

stout *stout_create(const stout_params *params, const gauge *u)
{
    const field *f = &u->links;
    if (params->levels == 0)
        return NULL;
    assert(params->levels > 0 && params->levels <= STOUT_LEVELS_MAX);
    stout *s = memory_alloc(sizeof *s, "stout links");
    s->params = *params;
    for (int n = 0; n < params->levels; n++)
        s->level[n] = gauge_create(f->lattice, f->where, f->precision);
    return s;
}

void stout_free(stout *s)
{
    if (!s)
        return;
    if (s->force) {
        sums_free(&s->size);
        field_free(&s->insertions);
        momentum_free(s->force);
    }
    for (int n = 0; n < s->params.levels; n++)
        gauge_free(s->level[n]);
    memory_free(s);
}

static void run_on(const map_kernel *k, const gauge *u, const void *args)
{
    run_map(k, u->links.where, u->links.precision, args, lattice_all(u->links.lattice));
}

static int axes_of(const stout *s)
{
    return s->params.spatial_only ? 3 : 4;
}

static bool alike(const gauge *a, const gauge *b)
{
    return a->links.lattice == b->links.lattice && a->links.where == b->links.where &&
           a->links.precision == b->links.precision;
}

const gauge *stout_links(stout *s, const gauge *u)
{
    if (!s)
        return u;
    const gauge *in = u;
    for (int n = 0; n < s->params.levels && s->version != u->version; n++) {
        gauge *out = s->level[n];
        assert(out != in && alike(out, in));
        const stout_links_args args = { lattice_on(in->links.lattice, in->links.where), gauge_view_of(in),
                                        gauge_view_of(out), s->params.rho, axes_of(s),
                                        lattice_is_open(in->links.lattice) };
        gauge_exchange(in, GHOSTS_SIDES);
        run_on(&stout_links_sites, in, &args);
        out->version = lattice_new_version(out->links.lattice);
        in = out;
    }
    s->version = u->version;
    return s->level[s->params.levels - 1];
}

void stout_force_reserve(stout *s, size_t before)
{
    if (!s || s->force)
        return;
    const field *f = &s->level[0]->links;
    workspace *memory = lattice_workspace(f->lattice, f->where);
    const bool was = workspace_begin(memory);
    workspace_move(memory, workspace_position(memory) + before);
    s->force = momentum_create(f->lattice, f->where, f->precision);
    s->insertions = field_create_ghosts(f->lattice, GHOSTS_SIDES, f->where, f->precision, MOMENTUM_REALS,
                                        "the force of stout links");
    workspace_end(memory, was);
    s->size = sums_create(f->lattice, f->where, stout_force_end.sums, stout_force_end.maxima);
}

stout_smeared_force stout_force_begin(stout *s)
{
    stout_force_reserve(s, 0);
    momentum_zero(s->force);
    sums_zero(&s->size);
    return (stout_smeared_force){ s->force, s->size.cells };
}

stout_smeared_force stout_force_chain(stout *s, const gauge *u)
{
    const field *links = &u->links;
    assert(s->version == u->version && alike(u, s->level[0]));
    for (int n = (int)s->params.levels - 1; n >= 0; n--) {
        const gauge *in = n > 0 ? s->level[n - 1] : u;
        const stout_force_args args = { lattice_on(links->lattice, links->where), gauge_view_of(in),
                                        momentum_view_of(s->force), { field_view_of(&s->insertions).data },
                                        s->params.rho, axes_of(s), lattice_is_open(in->links.lattice) };
        gauge_exchange(in, GHOSTS_SIDES);
        run_on(&stout_insertions, in, &args);
        field_exchange(&s->insertions, GHOSTS_SIDES);
        run_on(&stout_force_sites, in, &args);
    }
    return (stout_smeared_force){ s->force, s->size.cells };
}

void stout_force_add(const stout *s, momentum *p, double weight, sum_cells size)
{
    const field *f = &s->force->f;
    const stout_end_args args = { momentum_view_of(p), momentum_view_of(s->force), weight };
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_all(f->lattice) };
    assert(p->f.precision == f->precision);
    run_sum_into(&stout_force_end, &sum, size);
}
