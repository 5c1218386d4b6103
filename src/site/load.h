/* load.h - where the numbers of a field in native format lie in memory, and their loads and stores (storage.h and
 * link_storage.h have the other formats).
 *
 * `site` is what one call of a kernel works on: one site on the GPU, LANES sites on the CPU.
 * Component c of a field of n reals a site, at site x, lies at
 *     data[((x / SITE_TILE) * n + c) * SITE_TILE + x % SITE_TILE],
 * and slab k begins slab_sites sites after slab k - 1: there, x + k * slab_sites takes the place of x in the formula.
 * A slab is one of several equal parts of a field, each with all sites of the field, such as a spin of a spinor. */
#ifndef KILN_SITE_LOAD_H
#define KILN_SITE_LOAD_H

#include "src/site/algebra.h"
#include "src/site/color_vector.h"
#include "src/site/view.h"

#include <stddef.h>

enum { LINK_REALS = 18, VECTOR_REALS = 6 };

typedef struct {
    int at[LANES];            /* indices (view.h) */
    int before;               /* number of sites in memory before this site's slab; ignored for fields without slabs */
    bool together;            /* consecutive sites of one tile: one vector load serves all lanes */
} site;

/* Sites x .. x + LANES - 1, which must be in one tile, in slab 0. */
SITE_FN site site_at(int x)
{
    site s;
    for (int lane = 0; lane < LANES; lane++)
        s.at[lane] = x + lane;
    s.before = 0;
    s.together = true;
    return s;
}

/* The same site in slab `slab` of `v`, and of all fields with the same layout. */
SITE_FN site site_in_slab(const field_view *v, int slab, site x)
{
    x.before = slab * v->slab_sites;
    return x;
}

SITE_FN site site_follow(const int *table, site x)
{
    site s;
    bool together = true;
    for (int lane = 0; lane < LANES; lane++)
        s.at[lane] = table[x.at[lane]];
    for (int lane = 1; lane < LANES; lane++)
        together &= s.at[lane] == s.at[0] + lane;
    s.before = x.before;
    s.together = together && (s.at[0] & (SITE_TILE - 1)) + LANES <= SITE_TILE;
    return s;
}

SITE_FN site site_up(const lattice_view *l, site x, int mu) { return site_follow(l->up[mu], x); }
SITE_FN site site_down(const lattice_view *l, site x, int mu) { return site_follow(l->down[mu], x); }

SITE_FN site site_up3(const lattice_view *l, site x, int mu) { return site_follow(l->up3[mu], x); }
SITE_FN site site_down3(const lattice_view *l, site x, int mu) { return site_follow(l->down3[mu], x); }

/* Directions with a sign: 0..3 forward x y z t, 4..7 backward x y z t.  The sign is a separate bit: if it is
 * a compile-time constant, the compiler knows whether a hop goes forward or backward. */
enum { BACKWARD = 4 };
SITE_FN int opposite(int direction) { return direction ^ BACKWARD; }
SITE_FN int axis_of(int direction) { return direction & (BACKWARD - 1); }
SITE_FN site site_step(const lattice_view *l, site x, int direction)
{
    return site_follow(direction & BACKWARD ? l->down[axis_of(direction)] : l->up[axis_of(direction)], x);
}

/* Offsets of component 0 in `data`, in numbers, for each lane: negative for even ghosts. */
typedef struct { ptrdiff_t first[LANES]; bool together; } place_of;

/* The tile of a site and its place there: also of ghosts, whose indices may be negative. */
SITE_FN int tile_of(int x) { return x >> SITE_TILE_BITS; }
SITE_FN int place_in_tile(int x) { return x & (SITE_TILE - 1); }

/* The place of component 0 of a site, in a field of one slab with `reals` numbers a site. */
SITE_FN place_of find(site x, int reals)
{
    place_of o;
    for (int lane = 0; lane < LANES; lane++)
        o.first[lane] = (ptrdiff_t)tile_of(x.at[lane]) * (reals * SITE_TILE) + place_in_tile(x.at[lane]);
    o.together = x.together;
    return o;
}

/* Adds `before` to the indices, so that they count from the beginning of the field through all slabs. */
SITE_FN site counted_through_slabs(site x)
{
    for (int lane = 0; lane < LANES; lane++)
        x.at[lane] += x.before;                  /* slabs are whole tiles: `together` stays valid */
    x.before = 0;
    return x;
}

/* The same in a field with several slabs. */
SITE_FN place_of find_in_slab(site x, int reals)
{
    return find(counted_through_slabs(x), reals);
}

SITE_FN real load_real(const void *data, const place_of *o, int component)
{
    const scalar *p = (const scalar *)data + (size_t)component * SITE_TILE;
    real r;
#if TARGET_IS_GPU
    r = p[o->first[0]];
#else
    if (o->together)
        memcpy(&r, p + o->first[0], sizeof r);
    else
        for (int lane = 0; lane < LANES; lane++)
            set_lane(&r, lane, p[o->first[lane]]);
#endif
    return r;
}

SITE_FN void store_real(void *data, const place_of *o, int component, real r)
{
    scalar *p = (scalar *)data + (size_t)component * SITE_TILE;
#if TARGET_IS_GPU
    p[o->first[0]] = r;
#else
    if (o->together)
        memcpy(p + o->first[0], &r, sizeof r);
    else
        for (int lane = 0; lane < LANES; lane++)
            p[o->first[lane]] = lane_of(r, lane);
#endif
}

SITE_FN su3 load_su3(const void *data, const place_of *o, int component)
{
    su3 m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m.e[i][j].re = load_real(data, o, component + 6 * i + 2 * j);
            m.e[i][j].im = load_real(data, o, component + 6 * i + 2 * j + 1);
        }
    return m;
}

SITE_FN void store_su3(void *data, const place_of *o, int component, su3 m)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            store_real(data, o, component + 6 * i + 2 * j, m.e[i][j].re);
            store_real(data, o, component + 6 * i + 2 * j + 1, m.e[i][j].im);
        }
}

SITE_FN su3 load_link(const gauge_view *u, site x, int mu)
{
    place_of o = find(x, 4 * LINK_REALS);
    return load_su3(u->data, &o, mu * LINK_REALS);
}

SITE_FN void store_link(const gauge_view *u, site x, int mu, su3 m)
{
    place_of o = find(x, 4 * LINK_REALS);
    store_su3(u->data, &o, mu * LINK_REALS, m);
}

SITE_FN su3 load_matrix(const matrix_view *g, site x)
{
    place_of o = find(x, LINK_REALS);
    return load_su3(g->data, &o, 0);
}

SITE_FN void store_matrix(const matrix_view *g, site x, su3 m)
{
    place_of o = find(x, LINK_REALS);
    store_su3(g->data, &o, 0, m);
}

SITE_FN color_vector load_vector(const vector_view *v, site x)
{
    place_of o = find_in_slab(x, VECTOR_REALS);
    color_vector a;
    for (int i = 0; i < 3; i++) {
        a.c[i].re = load_real(v->data, &o, 2 * i);
        a.c[i].im = load_real(v->data, &o, 2 * i + 1);
    }
    return a;
}

SITE_FN void store_vector(const vector_view *v, site x, color_vector a)
{
    place_of o = find_in_slab(x, VECTOR_REALS);
    for (int i = 0; i < 3; i++) {
        store_real(v->data, &o, 2 * i, a.c[i].re);
        store_real(v->data, &o, 2 * i + 1, a.c[i].im);
    }
}

/* The transporter between neighbors, where `to` is the neighbor of `from` in `direction` (0..7): U_mu(from) in a
 * forward direction, U_mu(to)^+ in a backward direction. */
SITE_FN su3 load_between(const gauge_view *u, site from, site to, int direction)
{
    int mu = axis_of(direction);
    return direction & BACKWARD ? su3_dagger(load_link(u, to, mu)) : load_link(u, from, mu);
}

/* The transporter from x to its neighbor in a direction with sign: U_mu(x), or U_mu(x-mu)^+. */
SITE_FN su3 load_hop(const lattice_view *l, const gauge_view *u, site x, int direction)
{
    int mu = axis_of(direction);
    if (direction & BACKWARD)
        return su3_dagger(load_link(u, site_down(l, x, mu), mu));
    return load_link(u, x, mu);
}

SITE_FN algebra load_algebra(const momentum_view *p, site x, int mu)
{
    place_of o = find(x, 4 * ALGEBRA_REALS);
    algebra a;
    for (int i = 0; i < ALGEBRA_REALS; i++)
        a.c[i] = load_real(p->data, &o, mu * ALGEBRA_REALS + i);
    return a;
}

SITE_FN void store_algebra(const momentum_view *p, site x, int mu, algebra a)
{
    place_of o = find(x, 4 * ALGEBRA_REALS);
    for (int i = 0; i < ALGEBRA_REALS; i++)
        store_real(p->data, &o, mu * ALGEBRA_REALS + i, a.c[i]);
}

/* Coordinates of one site in the part of the lattice of this process.  For kernels compiled with ONE_LANE
 * (site/real.h), which handle one site at a time. */
SITE_FN void site_coordinates(const lattice_view *l, int x, int coordinate[4])
{
    int odd = site_parity(l, x), k = x - site_of_parity(l, odd, 0), half_x = l->local[0] / 2;
    int row = k / half_x;
    coordinate[1] = row % l->local[1];
    coordinate[2] = row / l->local[1] % l->local[2];
    coordinate[3] = row / l->local[1] / l->local[2];
    int shift = (coordinate[1] + coordinate[2] + coordinate[3] + odd) % 2;
    coordinate[0] = 2 * (k % half_x) + shift;
}

/* The site with these coordinates in the part of the lattice of this process; with ONE_LANE. */
SITE_FN site site_of_coordinates(const lattice_view *l, const int coordinate[4])
{
    int row = (coordinate[3] * l->local[2] + coordinate[2]) * l->local[1] + coordinate[1];
    int k = row * (l->local[0] / 2) + coordinate[0] / 2;
    return site_at(site_of_parity(l, coordinate_parity(coordinate), k));
}

/* The coordinates of one site in the whole lattice. */
SITE_FN void site_global_coordinates(const lattice_view *l, int x, int coordinate[4])
{
    site_coordinates(l, x, coordinate);
    for (int mu = 0; mu < 4; mu++)
        coordinate[mu] += l->origin[mu];
}

/* Lexicographic rank of a site in the whole lattice: the counter that selects the random numbers of the site. */
SITE_FN uint64_t site_global_rank(const lattice_view *l, int x)
{
    int c[4];
    site_global_coordinates(l, x, c);
    uint64_t rank = 0;
    for (int mu = 3; mu >= 0; mu--)
        rank = rank * (uint64_t)l->global[mu] + (uint64_t)c[mu];
    return rank;
}

#endif
