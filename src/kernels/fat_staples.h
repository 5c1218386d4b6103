/* fat_staples.h - the staples that smearing and its chain rule are made of.
 *
 *     S+_s[M](x) = U_s(x) M(x+s) U_s(x+mu)^+          S-_s[M](x) = U_s(x-s)^+ M(x-s) U_s(x-s+mu)
 *
 * Each is the adjoint of the other.  M is a linear combination of fields (`blend`), computed where it is read. */
#ifndef KILN_KERNELS_FAT_STAPLES_H
#define KILN_KERNELS_FAT_STAPLES_H

#include "src/kernels/staggered_args.h"
#include "src/site/load.h"

/* The sides: directions other than mu, in ascending order.  third_side: the number of the side other than s and r. */
enum { SIDES = 3 };
SITE_FN int side_axis(int mu, int side) { return side + (side >= mu); }
SITE_FN int third_side(int s, int r) { return SIDES - s - r; }

/* of_link L_mu + of_a a + of_b b; a field with coefficient 0 is not read. */
typedef struct {
    gauge_view links;
    matrix_view a, b;
    scalar of_link, of_a, of_b;
} blend;

SITE_FN blend blend_of_link(gauge_view links, scalar of_link)
{
    blend m;
    m.links = links;
    m.a.data = m.b.data = links.data;
    m.of_link = of_link;
    m.of_a = m.of_b = 0;
    return m;
}

SITE_FN blend blend_of_two(matrix_view a, scalar of_a, matrix_view b, scalar of_b)
{
    blend m;
    m.links.data = a.data;
    m.of_link = 0;
    m.a = a;
    m.b = b;
    m.of_a = of_a;
    m.of_b = of_b;
    return m;
}

/* five U_mu + seven T_q: the field M in the middle staples of smearing */
SITE_FN blend middle_blend(const gauge_view *u, const staple_views *t, const path_table *c, int q)
{
    blend m = blend_of_two(t->ahead[q], (scalar)c->seven, t->behind[q], (scalar)c->seven);
    m.links = *u;
    m.of_link = (scalar)c->five;
    return m;
}

SITE_PART su3 load_blend(const blend *m, int mu, site x)
{
    su3 sum = su3_zero();
    if (m->of_link != 0)
        sum = su3_axpy(m->of_link, load_link(&m->links, x, mu), sum);
    if (m->of_a != 0)
        sum = su3_axpy(m->of_a, load_matrix(&m->a, x), sum);
    if (m->of_b != 0)
        sum = su3_axpy(m->of_b, load_matrix(&m->b, x), sum);
    return sum;
}

/* s + a b */
SITE_FN su3 su3_mul_add(su3 a, su3 b, su3 s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                s.e[i][j] = cplx_mad(a.e[i][k], b.e[k][j], s.e[i][j]);
    return s;
}

/* s += a b c^+ and s += a^+ b c.  By pointer: on the CPU, calls by value would copy matrices of SIMD vectors. */
SITE_PART void add_triple_dag(su3 *s, const su3 *a, const su3 *b, const su3 *c)
{
    *s = su3_mul_add(su3_mul(*a, *b), su3_dagger(*c), *s);
}
SITE_PART void add_dag_triple(su3 *s, const su3 *a, const su3 *b, const su3 *c)
{
    *s = su3_mul_add(su3_dag_mul(*a, *b), *c, *s);
}

/* sum += S+_s[m](x), with s an axis */
SITE_PART void add_ahead(su3 *sum, const lattice_view *l, const gauge_view *u, const blend *m, int mu, int s, site x)
{
    su3 here = load_link(u, x, s), middle = load_blend(m, mu, site_up(l, x, s));
    su3 there = load_link(u, site_up(l, x, mu), s);
    add_triple_dag(sum, &here, &middle, &there);
}

/* sum += S-_s[m](x) */
SITE_PART void add_behind(su3 *sum, const lattice_view *l, const gauge_view *u, const blend *m, int mu, int s, site x)
{
    site y = site_down(l, x, s);
    su3 here = load_link(u, y, s), middle = load_blend(m, mu, y), there = load_link(u, site_up(l, y, mu), s);
    add_dag_triple(sum, &here, &middle, &there);
}

/* sum += S_s[m](x) */
SITE_FN void add_both(su3 *sum, const lattice_view *l, const gauge_view *u, const blend *m, int mu, int s, site x)
{
    add_ahead(sum, l, u, m, mu, s, x);
    add_behind(sum, l, u, m, mu, s, x);
}

/* plus_s = S+_s[m](x), minus_s = S-_s[m](x), for every side s of mu. */
SITE_FN void store_staples(const matrix_view plus[SIDES], const matrix_view minus[SIDES], const lattice_view *l,
                           const gauge_view *u, const blend *m, int mu, site x)
{
    const bool ahead_last = sizeof(scalar) == sizeof(double);           /* up to 9 percent faster on a GPU */
    su3 sum;
    KEEP_LOOP
    for (int s = 0; s < SIDES; s++) {
        int axis = side_axis(mu, s);
        if (!ahead_last) {
            sum = su3_zero();
            add_ahead(&sum, l, u, m, mu, axis, x);
            store_matrix(&plus[s], x, sum);
        }
        sum = su3_zero();
        add_behind(&sum, l, u, m, mu, axis, x);
        store_matrix(&minus[s], x, sum);
        if (ahead_last) {
            sum = su3_zero();
            add_ahead(&sum, l, u, m, mu, axis, x);
            store_matrix(&plus[s], x, sum);
        }
    }
}

#endif
