/* meson_sources.c - sources on one time slice. */
#include "src/measure/meson_sources.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/fixed_gauge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { COLORS = 3 };

const char *const meson_source_names[] = { "point", "wall", "z2_wall", "corner_wall", "even_wall", "z2_corners", NULL };
const char *const spin_source_names[] = { "point", "wall", "z2_wall", NULL };

bool meson_source_check(const meson_source_params *p, const lattice_shape *shape, const char *name, failure *f)
{
    for (int mu = 0; mu < 4; mu++)
        if (p->point[mu] >= shape->global[mu])
            return fail(f, "%s: the source [%d, %d, %d, %d] is outside the lattice", name, p->point[0], p->point[1],
                        p->point[2], p->point[3]);
    return true;
}

bool meson_source_check_open(const meson_source_params *p, const lattice_shape *shape, const char *name, failure *f)
{
    const int time = p->point[3], last = shape->global[3] - 1;
    if (!shape->open_in_time)
        return true;
    if (meson_source_needs_gauge(p))
        return fail(f, "%s: with open boundaries in time source_type is point or z2_wall", name);
    return (time > 0 && time < last)
           || fail(f, "%s: source: time slice %d; with open boundaries it must be between the first and the last "
                      "slice, 0 and %d, where quarks are 0", name, time, last);
}

bool meson_source_is_random(const meson_source_params *p)
{
    return p->kind == SOURCE_Z2_WALL || p->kind == SOURCE_Z2_CORNERS;
}

bool meson_source_needs_gauge(const meson_source_params *p)
{
    return p->kind != SOURCE_POINT && !meson_source_is_random(p);
}

int meson_source_columns(const meson_source_params *p, int spins)
{
    return meson_source_is_random(p) ? (int)p->count : COLORS * spins;
}

double meson_source_norm(const meson_source_params *p, const lattice_shape *shape)
{
    const int *n = shape->global;
    if (!meson_source_is_random(p))
        return 1;
    return (double)p->count * n[0] * n[1] * n[2] / (p->kind == SOURCE_Z2_CORNERS ? 8 : 1);
}

/* ---- Coulomb gauge */

gauge_rotation *meson_gauge_create(const meson_source_params *p, const gauge *u)
{
    const field *links = &u->links;
    return meson_source_needs_gauge(p)
        ? gauge_rotation_create_unit(links->lattice, links->where, links->precision) : NULL;
}

memory_need meson_gauge_bytes(const meson_source_params *p, const lattice_shape *shape)
{
    memory_need need = { 0 };
    if (meson_source_needs_gauge(p))
        need = (memory_need){ .lasting = field_bytes(shape, PRECISION_DOUBLE, MATRIX_REALS),
                              .cells = gauge_fixing_bytes(GAUGE_COULOMB, shape) };
    return need;
}

bool meson_gauge_find(json *j, gauge_rotation *g, const meson_source_params *p, const gauge *u, failure *f)
{
    const gauge_fixing_params fixing = { GAUGE_COULOMB, p->quality, GAUGE_FIXING_OVERRELAXATION, GAUGE_FIXING_SWEEPS };
    if (!g)
        return true;
    const gauge_fixing_result r = gauge_fixing_search(g, u, &fixing);
    json_open(j, "gauge_fixing", '{');
    gauge_fixing_to_json(j, &r, GAUGE_COULOMB);
    json_close(j);
    return gauge_fixing_check(&r, &fixing, f);
}

/* ---- numbers of a slice */

/* Whether the site x, y, z of the slice belongs to the source. */
static bool is_in(const meson_source_params *p, const int x[3])
{
    int odd[3];
    for (int i = 0; i < 3; i++)
        odd[i] = (x[i] + p->point[i]) % 2;
    switch ((meson_source_kind)p->kind) {
    case SOURCE_POINT:
        return memcmp(x, p->point, 3 * sizeof *x) == 0;
    case SOURCE_CORNER_WALL:
    case SOURCE_Z2_CORNERS:
        return !odd[0] && !odd[1] && !odd[2];
    case SOURCE_EVEN_WALL:
        return (odd[0] + odd[1] + odd[2]) % 2 == 0;
    default:
        return true;
    }
}

/* (+-1 +- i)/2^1/2 for each component of a site: two of the 128 bits of its draw. */
static void set_random(double *at, int components, philox_words bits)
{
    for (int i = 0; i < 2 * components; i++)
        at[i] = bits.v[i / 32] >> i % 32 & 1 ? M_SQRT1_2 : -M_SQRT1_2;
}

/* g^+ e_c, of spin `column` / COLORS and color c = `column` % COLORS; g NULL: e_c. */
static void set_column(double *at, int column, const double *g)
{
    const int color = column % COLORS;
    double *v = at + (ptrdiff_t)(column / COLORS) * VEC_REALS;
    if (!g)
        v[2 * color] = 1;
    for (int a = 0; g && a < COLORS; a++) {
        v[2 * a] = g[2 * (COLORS * color + a)];
        v[2 * a + 1] = -g[2 * (COLORS * color + a) + 1];
    }
}

/* The data of a slice.  rotations: the slice of g, or NULL. */
typedef struct { const meson_source_params *p; int column, spins; rng_key key; const double *rotations; } slice_task;

static void fill_slice(double *slice, const slice_task *s, const int *n)
{
    const size_t reals = (size_t)s->spins * VEC_REALS;
    const uint64_t before = (uint64_t)s->p->point[3] * (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2];
    size_t site = 0;
    int x[3];
    for (x[2] = 0; x[2] < n[2]; x[2]++)
        for (x[1] = 0; x[1] < n[1]; x[1]++)
            for (x[0] = 0; x[0] < n[0]; x[0]++, site++) {
                if (!is_in(s->p, x))
                    continue;
                if (meson_source_is_random(s->p))
                    set_random(slice + site * reals, COLORS * s->spins,
                               rng_words(s->key, before + site, MESON_SOURCE_DRAW + (uint32_t)s->column));
                else
                    set_column(slice + site * reals, s->column,
                               s->rotations ? s->rotations + site * MATRIX_REALS : NULL);
            }
}

void meson_source_set(vec *even, vec *odd, const meson_source_params *p, const gauge_rotation *g, int column,
                      rng_key key)
{
    const int *n = lattice_global(even->f.lattice);
    double *slice = slice_alloc(field_slice_reals(&even->f));
    double *rotations = g ? slice_alloc(field_slice_reals(&g->f)) : NULL;
    assert(even->f.slabs == odd->f.slabs && (even->f.slabs == 1 || even->f.slabs == SLAB_GROUP));
    if (g)
        field_get_slice(rotations, &g->f, p->point[3]);
    fill_slice(slice, &(slice_task){ p, column, even->f.slabs, key, rotations }, n);
    vec_zero(even);
    vec_zero(odd);
    field_set_slice(&even->f, p->point[3], slice);
    field_set_slice(&odd->f, p->point[3], slice);
    memory_free(rotations);
    memory_free(slice);
}
