/* test_tuned_batch.c - the staggered operator of several systems leaves the same bits on CPU, GPU, and by the variant
 * tuned for the GPU, also region by region: in every format, with long links in full and in 13 numbers, on
 * lattices whose tiles stick out.
 */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/packed_links.h"
#include "src/kernels/staggered_args.h"
#include "src/lattice/regions.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"

#include <string.h>

MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_1);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_2);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_4);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_8);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_1);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_2);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_4);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_8);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_1_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_2_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_4_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_hop_8_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_1_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_2_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_4_13);
MAP_KERNEL_FORMATS_TUNED(staggered_batch_normal_8_13);

/* How long links are stored. */
enum { IN_18, IN_13, STORAGES };
static const int numbers_stored[STORAGES] = { 18, 13 };
static const link_format few_formats[STORAGES][VECTOR_FORMATS] = {
    [IN_13] = { LINK_13, LINK_FIXED16_13, LINK_FIXED16_13, LINK_FIXED32_13 },
};

static const map_kernel *const hops[STORAGES][4] = {
    { staggered_batch_hop_1, staggered_batch_hop_2, staggered_batch_hop_4, staggered_batch_hop_8 },
    { staggered_batch_hop_1_13, staggered_batch_hop_2_13, staggered_batch_hop_4_13, staggered_batch_hop_8_13 },
};
static const map_kernel *const normals[STORAGES][4] = {
    { staggered_batch_normal_1, staggered_batch_normal_2, staggered_batch_normal_4, staggered_batch_normal_8 },
    { staggered_batch_normal_1_13, staggered_batch_normal_2_13, staggered_batch_normal_4_13,
      staggered_batch_normal_8_13 },
};

/* Links, vectors and the state at a place; the same numbers at each. */
typedef struct {
    place where;
    lattice *l;
    const batch_kind *kind;
    gauge *fat, *naik;
    packed_links *fat_packed, *naik_packed[STORAGES];       /* NULL: in full in native format, as they are */
    vec *in[BATCH_MAX_RHS], *between[BATCH_MAX_RHS], *out[BATCH_MAX_RHS];
    krylov_state *state;
} workplace;

static packed_links *pack(const workplace *w, link_format f, const gauge *u)
{
    packed_links *p = packed_links_create_precision(w->l, w->where, f, w->kind->precision);
    packed_links_update(p, u);
    return p;
}

static packed_links *pack_few(const workplace *w, int storage)
{
    packed_links *p = packed_links_create_precision(w->l, w->where, few_formats[storage][w->kind->format],
                                                    w->kind->precision);
    failure why;
    require(packed_links_set(p, w->naik, &why), "%s", why.why);
    return p;
}

static workplace begin(lattice *l, place where, const batch_kind *kind)
{
    workplace w = { .where = where, .l = l, .kind = kind };
    krylov_state host;
    w.fat = gauge_create(l, where, kind->precision);
    w.naik = gauge_create(l, where, kind->precision);
    gauge_set_random(w.fat, rng_key_for(80, 0, 0, RNG_TEST));
    gauge_set_random(w.naik, rng_key_for(81, 0, 0, RNG_TEST));
    if (kind->format != VECTOR_NATIVE) {
        w.fat_packed = pack(&w, link_format_with(kind->format), w.fat);
        w.naik_packed[IN_18] = pack(&w, link_format_with(kind->format), w.naik);
    }
    for (int storage = IN_13; storage < STORAGES; storage++)
        w.naik_packed[storage] = pack_few(&w, storage);
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        w.in[n] = batch_kind_vec(kind, l, ON_EVEN, where);
        w.between[n] = batch_kind_vec(kind, l, ON_ODD, where);
        w.out[n] = batch_kind_vec(kind, l, ON_EVEN, where);
        vec_set_gaussian(w.in[n], rng_key_for(82, 0, (unsigned)n, RNG_TEST), 0);
    }
    batch_state_begin(&host, BATCH_MAX_RHS);
    w.state = batch_state_create(where, &host);
    return w;
}

static void end(workplace *w)
{
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        vec_free(w->in[n]);
        vec_free(w->between[n]);
        vec_free(w->out[n]);
    }
    packed_links_free(w->fat_packed);
    for (int storage = 0; storage < STORAGES; storage++)
        packed_links_free(w->naik_packed[storage]);
    gauge_free(w->fat);
    gauge_free(w->naik);
    batch_state_free(w->state, w->where);
}

static size_t numbers_of(const workplace *w, int systems)
{
    return (size_t)systems * (2 * VEC_REALS * (size_t)lattice_volume(w->l) + 1);
}

/* A lattice as if it were split: which directions, and how far kernels reach; 0: not split. */
typedef struct { bool z, t; int reach; } split;

/* The ranges of a parity: one, or those of the regions.  Returns how many. */
static int ranges_of(site_range ranges[1 + BOUNDARIES], const lattice *l, int parity, split s)
{
    lattice_shape shape = *lattice_shape_of(l);
    hop_regions r;
    ranges[0] = lattice_parity(l, parity);
    shape.grid[2] = s.z ? 2 : 1;
    shape.grid[3] = s.t ? 2 : 1;
    if (s.reach == 0 || !hop_regions_of(&r, &shape, parity, s.reach))
        return 1;
    ranges[0] = r.interior;
    memcpy(ranges + 1, r.boundary, sizeof r.boundary);
    return 1 + r.boundaries;
}

/* D v on odd sites, (K + shift) v on even ones and alpha, of each system. */
static double *outcome(workplace *w, kernel_variant variant, int logarithm, int storage, split s)
{
    site_range odd[1 + BOUNDARIES], even[1 + BOUNDARIES];
    const int launches = ranges_of(odd, w->l, 1, s);
    ranges_of(even, w->l, 0, s);
    const int systems = 1 << logarithm;
    const vector_format f = w->kind->format;
    const packed_links *naik = w->naik_packed[storage];
    double *numbers = memory_alloc(numbers_of(w, systems) * sizeof *numbers, "what kernels leave"), *at = numbers;
    krylov_state host;
    batch_hop_args a;
    memset(&a, 0, sizeof a);
    batch_state_begin(&host, systems);
    for (int n = 0; n < systems; n++) {
        vec_zero(w->between[n]);
        vec_zero(w->out[n]);
        host.system[n].shift = 0.01 + 0.1 * n;
    }
    batch_state_put(w->state, w->where, &host);
    a.b = batch_of(w->state, 0, systems, true);
    a.b.sum_launches = launches;
    a.l = lattice_on(w->l, w->where);
    a.fat = w->fat_packed ? packed_links_view(w->fat_packed) : gauge_view_of(w->fat);
    a.long_links = naik ? packed_links_view(naik) : gauge_view_of(w->naik);
    a.unit = w->fat_packed ? w->fat_packed->unit : 1;
    a.naik = -1.0 / 24 * (naik ? naik->unit : 1);
    batch_hop_args b = a;
    for (int n = 0; n < systems; n++) {
        a.in[n] = b.y[n] = vec_view(w->in[n]);
        a.out[n] = a.y[n] = b.in[n] = vec_view(w->between[n]);
        b.out[n] = vec_view(w->out[n]);
    }
    for (int i = 0; i < launches; i++)
        run_map_variant(&hops[storage][logarithm][f], variant, w->where, w->kind->precision, &a, odd[i]);
    for (int i = 0; i < launches; i++)
        run_map_variant(&normals[storage][logarithm][f], variant, w->where, w->kind->precision, &b, even[i]);
    batch_state_get(&host, w->state, w->where);
    for (int n = 0; n < systems; n++) {
        vec_export(at, w->between[n]);
        at += VEC_REALS * lattice_volume(w->l);
        vec_export(at, w->out[n]);
        at += VEC_REALS * lattice_volume(w->l);
        *at++ = host.system[n].alpha;
    }
    return numbers;
}

static void on_lattice(const int extents[4], const batch_kind *kind)
{
    lattice *l = lattice_create_single(extents);
    workplace cpu = begin(l, PLACE_CPU, kind), gpu = begin(l, PLACE_GPU, kind);
    const extents_text name = extents_to_text(extents);
    static const split whole, splits[] = { { .t = true, .reach = 3 }, { .z = true, .reach = 1 },
                                           { .z = true, .t = true, .reach = 3 }, { .z = true, .t = true, .reach = 1 } };
    for (int storage = 0; storage < STORAGES; storage++)
        for (int k = 0; k < 4; k++) {
            const size_t bytes = numbers_of(&cpu, 1 << k) * sizeof(double);
            double *want = outcome(&cpu, VARIANT_PORTABLE, k, storage, whole);
            double *portable = outcome(&gpu, VARIANT_PORTABLE, k, storage, whole);
            double *tuned = outcome(&gpu, VARIANT_BEST, k, storage, whole);
            fact(memcmp(want, portable, bytes) == 0 && want[numbers_of(&cpu, 1 << k) - 1] > 0,
                 "%s, %s, %d systems, %d numbers: the same bits on CPU and GPU", name.s, kind->name, 1 << k,
                 numbers_stored[storage]);
            fact(memcmp(want, tuned, bytes) == 0,
                 "%s, %s, %d systems, %d numbers: the same bits from the tuned kernels", name.s, kind->name, 1 << k,
                 numbers_stored[storage]);
            bool same = true;
            for (unsigned i = 0; i < sizeof splits / sizeof *splits; i++) {
                double *in_regions = outcome(&gpu, VARIANT_BEST, k, storage, splits[i]);
                same &= memcmp(want, in_regions, bytes) == 0;
                memory_free(in_regions);
            }
            fact(same, "%s, %s, %d systems, %d numbers: and region by region", name.s, kind->name, 1 << k,
                 numbers_stored[storage]);
            memory_free(want);
            memory_free(portable);
            memory_free(tuned);
        }
    end(&cpu);
    end(&gpu);
    lattice_free(l);
}

int main(void)
{
    static const int extents[][4] = { { 2, 4, 4, 4 }, { 4, 6, 10, 8 }, { 6, 12, 4, 4 }, { 16, 8, 6, 4 },
                                     { 12, 18, 6, 4 } };
    if (!place_is_there(PLACE_GPU))
        return facts_end();
    for (unsigned i = 0; i < sizeof extents / sizeof *extents; i++)
        for (int k = 0; k < BATCH_KINDS; k++)
            on_lattice(extents[i], &batch_kinds[k]);
    return facts_end();
}
