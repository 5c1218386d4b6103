/* test_tuned.c - a kernel leaves the same bits wherever it runs: CPU, GPU, and the variant tuned for the GPU.
 *
 * Every kernel works on the same random fields at each; the fields and the exact sums are compared byte by byte. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/gauge.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <string.h>

MAP_KERNEL(random_links);
MAP_KERNEL(gaussian_momentum);
MAP_KERNEL(link_drift);
MAP_KERNEL(reunitarize);
MAP_KERNEL(momentum_axpy_sites);
SUM_KERNEL(momentum_norms, 1, 1);
SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(rectangle, 1, 0);
SUM_KERNEL(parallelogram, 1, 0);
SUM_KERNEL(polyakov, 2, 0);
SUM_KERNEL(link_quality, 1, 1);
SUM_KERNEL_TUNED(gauge_force_plaquette, 1, 1);
SUM_KERNEL_TUNED(gauge_force_rectangle, 1, 1);
SUM_KERNEL_TUNED(gauge_force_parallelogram, 1, 1);

typedef enum { LINKS, DRAWN_LINKS, DRAWN_MOMENTA, DRIFT, FORCE, MOMENTA, LINE } args_of;

static const struct { const map_kernel *map; const sum_kernel *sum; args_of args; } kernels[] = {
    { &random_links, NULL, DRAWN_LINKS },
    { &gaussian_momentum, NULL, DRAWN_MOMENTA },
    { &link_drift, NULL, DRIFT },
    { &reunitarize, NULL, LINKS },
    { &momentum_axpy_sites, NULL, MOMENTA },
    { NULL, &momentum_norms, MOMENTA },
    { NULL, &plaquette, LINKS },
    { NULL, &rectangle, LINKS },
    { NULL, &parallelogram, LINKS },
    { NULL, &polyakov, LINE },
    { NULL, &link_quality, LINKS },
    { NULL, &gauge_force_plaquette, FORCE },
    { NULL, &gauge_force_rectangle, FORCE },
    { NULL, &gauge_force_parallelogram, FORCE },
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* At most, of a kernel. */
enum { SUMS = 2, MAXIMA = 1 };

/* Everything that a kernel can change, on the host. */
typedef struct { gauge *u; momentum *x, *y; sum_cell sum[SUMS]; max_cell largest[MAXIMA]; } outcome;

static const rng_key key = { { 7, 0 }, { 1, RNG_TEST } };

static outcome start(lattice *l, place where, precision p)
{
    outcome o = { .u = gauge_create(l, where, p) };
    o.x = momentum_create(l, where, p);
    o.y = momentum_create(l, where, p);
    return o;
}

static void end(outcome *o)
{
    gauge_free(o->u);
    momentum_free(o->x);
    momentum_free(o->y);
}

static void copy(outcome *to, const outcome *from)
{
    gauge_copy(to->u, from->u);
    momentum_copy(to->x, from->x);
    momentum_copy(to->y, from->y);
}

/* Kernel k from what `begin` holds, launched like this; its arguments are found here. */
static outcome run(int k, const outcome *begin, sum_launch a)
{
    lattice *l = begin->u->links.lattice;
    const place where = a.where;
    const precision p = a.precision;
    outcome o = start(l, where, p), host = start(l, PLACE_CPU, p);
    sum_array sums = sums_create(l, where, SUMS, MAXIMA);
    copy(&o, begin);
    lattice_view view = lattice_on(l, where);
    gauge_view u = gauge_view_of(o.u);
    momentum_view x = momentum_view_of(o.x), y = momentum_view_of(o.y);
    gauge_args links = { view, u };
    random_links_args drawn_links = { view, u, key };
    gaussian_momentum_args drawn_momenta = { view, y, key };
    link_drift_args drift = { view, u, x, 0.25 };
    gauge_force_args force = { view, u, y, 0.37, 10.0 / 3, -1.0 / 6, -1.0 / 60 };
    momentum_args momenta = { view, y, x, 1.0 / 3 };
    polyakov_args line = { .l = view, .u = u, .direction = 3 };
    const void *args[] = { [LINKS] = &links, [DRAWN_LINKS] = &drawn_links, [DRAWN_MOMENTA] = &drawn_momenta,
                           [DRIFT] = &drift, [FORCE] = &force, [MOMENTA] = &momenta, [LINE] = &line };
    a.args = args[kernels[k].args];
    if (kernels[k].map)
        run_map_variant(kernels[k].map, a.variant, where, p, a.args, a.range);
    else
        run_sum_into(kernels[k].sum, &a, sums.cells);
    copy(&host, &o);
    sums_read((sum_cells){ host.sum, host.largest }, &sums);
    sums_free(&sums);
    end(&o);
    return host;
}

/* Sites of padding are nobody's: fields are compared in lexicographic order. */
static bool same_field(const field *a, const field *b)
{
    size_t bytes = (size_t)lattice_volume(a->lattice) * (size_t)a->reals * sizeof(double);
    double *of_a = memory_alloc(bytes, "a field"), *of_b = memory_alloc(bytes, "a field");
    field_export(of_a, a);
    field_export(of_b, b);
    bool same = memcmp(of_a, of_b, bytes) == 0;
    memory_free(of_a);
    memory_free(of_b);
    return same;
}

static bool same(const outcome *a, const outcome *b)
{
    return memcmp(a->sum, b->sum, sizeof a->sum) == 0 && memcmp(a->largest, b->largest, sizeof a->largest) == 0
           && same_field(&a->u->links, &b->u->links) && same_field(&a->y->f, &b->y->f);
}

static void on_lattice(const int extents[4], precision p)
{
    lattice *l = lattice_create_single(extents);
    outcome begin = start(l, PLACE_CPU, p);
    gauge_set_random(begin.u, key);
    momentum_set_gaussian(begin.x, rng_key_for(3, 0, 0, RNG_TEST));
    momentum_set_gaussian(begin.y, rng_key_for(4, 0, 0, RNG_TEST));
    const char *digits = p == PRECISION_DOUBLE ? "double" : "single";
    const extents_text lattice_name = extents_to_text(extents);
    const char *name = lattice_name.s;
    for (int k = 0; k < KERNELS; k++) {
        const char *kernel = kernels[k].map ? kernels[k].map->name : kernels[k].sum->name;
        bool tuned = kernels[k].map ? kernels[k].map->tuned[p] != NULL : kernels[k].sum->tuned[p] != NULL;
        sum_launch here = { .variant = VARIANT_PORTABLE, .where = PLACE_CPU, .precision = p, .range = lattice_all(l) };
        sum_launch there = here;
        there.where = PLACE_GPU;
        outcome cpu = run(k, &begin, here), gpu = run(k, &begin, there);
        fact(same(&cpu, &gpu), "%s, %s, %s: the same bits on CPU and GPU", kernel, name, digits);
        if (tuned) {
            there.variant = VARIANT_BEST;
            outcome best = run(k, &begin, there);
            fact(same(&gpu, &best), "%s, %s, %s: the same bits from the tuned kernel", kernel, name, digits);
            end(&best);
            here.range = there.range = lattice_parity(l, 1);
            outcome odd = run(k, &begin, there), cpu_odd = run(k, &begin, here);
            fact(same(&odd, &cpu_odd), "%s, %s, %s: the same bits from the tuned kernel on odd sites", kernel, name,
                 digits);
            end(&odd);
            end(&cpu_odd);
        }
        end(&cpu);
        end(&gpu);
    }
    end(&begin);
    lattice_free(l);
}

int main(void)
{
    static const int extents[][4] = { { 2, 2, 2, 2 }, { 4, 4, 6, 8 }, { 6, 4, 10, 2 }, { 16, 8, 8, 4 } };
    if (!place_is_there(PLACE_GPU))
        return facts_end();
    for (unsigned i = 0; i < sizeof extents / sizeof *extents; i++)
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
            on_lattice(extents[i], p);
    return facts_end();
}
