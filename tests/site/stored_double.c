/* stored_double.c - see stored.h; tests/site/stored_single.c is this file for single precision. */
#include "tests/site/stored.h"

#include "src/site/link_storage.h"
#include "src/site/spinor_storage.h"

static site group(const int *order)
{
    site x;
    for (int lane = 0; lane < LANES; lane++)
        x.at[lane] = order[lane];
    x.together = true;
    for (int lane = 0; lane < LANES; lane++)
        x.together &= order[lane] == order[0] + lane;
    return x;
}

static spinor spinor_of(const double *in, const int *order)
{
    spinor a;
    for (int i = 0; i < STORED_SPINOR; i++)
        for (int lane = 0; lane < LANES; lane++)
            set_lane(component(&a.s[i / 6], i % 6), lane, (scalar)in[STORED_SPINOR * order[lane] + i]);
    return a;
}

static void numbers_of(double *out, const int *order, spinor a)
{
    for (int i = 0; i < STORED_SPINOR; i++)
        for (int lane = 0; lane < LANES; lane++)
            out[STORED_SPINOR * order[lane] + i] = (double)lane_of(*component(&a.s[i / 6], i % 6), lane);
}

static void spinors_as(vector_format f, int slices, void *memory, const double *in, double *returned, double *loaded,
                       const int *order)
    __attribute__((always_inline));
static inline void spinors_as(vector_format f, int slices, void *memory, const double *in, double *returned,
                              double *loaded, const int *order)
{
    spinor_view v = { memory, 0, slices };
    int along[STORED_SITES];
    for (int x = 0; x < STORED_SITES; x++)
        along[x] = x;
    for (int slice = 0; slice < slices; slice++)
        for (int x = 0; x < STORED_SITES; x += LANES) {
            size_t at = (size_t)slice * STORED_SITES * STORED_SPINOR;
            spinor a = spinor_of(in + at, along + x);
            numbers_of(returned + at, along + x, store_spinor_as(f, &v, group(along + x), slice, a));
        }
    for (int slice = 0; slice < slices; slice++)
        for (int x = 0; x < STORED_SITES; x += LANES) {
            size_t at = (size_t)slice * STORED_SITES * STORED_SPINOR;
            numbers_of(loaded + at, order + x, load_spinor_as(f, &v, group(order + x), slice));
        }
}

static void spinors(vector_format f, int slices, void *memory, const double *in, double *returned, double *loaded,
                    const int *order)
{
    if (f == VECTOR_NATIVE)
        spinors_as(VECTOR_NATIVE, slices, memory, in, returned, loaded, order);
#ifdef SINGLE
    if (f == VECTOR_HALF)
        spinors_as(VECTOR_HALF, slices, memory, in, returned, loaded, order);
    if (f == VECTOR_INT20)
        spinors_as(VECTOR_INT20, slices, memory, in, returned, loaded, order);
#else
    if (f == VECTOR_INT30)
        spinors_as(VECTOR_INT30, slices, memory, in, returned, loaded, order);
#endif
}

static void links_as(link_format f, void *memory, const double *in, double *loaded, const int *order)
    __attribute__((always_inline));
static inline void links_as(link_format f, void *memory, const double *in, double *loaded, const int *order)
{
    gauge_view u = { memory };
    for (int mu = 0; mu < 4; mu++) {
        for (int x = 0; x < STORED_SITES; x += LANES) {
            su3 m;
            for (int i = 0; i < STORED_LINK; i++)
                for (int lane = 0; lane < LANES; lane++) {
                    cplx *z = &m.e[i / 6][i / 2 % 3];
                    set_lane(i % 2 ? &z->im : &z->re, lane, (scalar)in[(4 * (x + lane) + mu) * STORED_LINK + i]);
                }
            store_link_as(f, &u, site_at(x), mu, m);
        }
        for (int x = 0; x < STORED_SITES; x += LANES) {
            su3 m = load_link_as(f, &u, group(order + x), mu);
            for (int i = 0; i < STORED_LINK; i++)
                for (int lane = 0; lane < LANES; lane++) {
                    cplx z = m.e[i / 6][i / 2 % 3];
                    loaded[(4 * order[x + lane] + mu) * STORED_LINK + i] = (double)lane_of(i % 2 ? z.im : z.re, lane);
                }
        }
    }
}

static void links(link_format f, void *memory, const double *in, double *loaded, const int *order)
{
#ifdef SINGLE
    if (f == LINK_FIXED16)
        links_as(LINK_FIXED16, memory, in, loaded, order);
    if (f == LINK_FIXED16_13)
        links_as(LINK_FIXED16_13, memory, in, loaded, order);
#else
    if (f == LINK_FIXED32)
        links_as(LINK_FIXED32, memory, in, loaded, order);
    if (f == LINK_FIXED32_13)
        links_as(LINK_FIXED32_13, memory, in, loaded, order);
#endif
    if (f == LINK_12)
        links_as(LINK_12, memory, in, loaded, order);
    if (f == LINK_9)
        links_as(LINK_9, memory, in, loaded, order);
}

static const int first_site[LANES];

static spinor_products products(const double *a, const double *b)
{
    spinor x = spinor_of(a, first_site), y = spinor_of(b, first_site);
    cplx dot = spinor_dot(x, y);
    return (spinor_products){ (double)lane_of(spinor_norm2(x), 0),
                              { (double)lane_of(dot.re, 0), (double)lane_of(dot.im, 0) } };
}

static void axpy(double *s, double f, const double *a)
{
    spinor sum = spinor_axpy((scalar)f, spinor_of(a, first_site), spinor_of(s, first_site));
    numbers_of(s, first_site, spinor_axpy((scalar)0.5, spinor_zero(), spinor_scale(1, sum)));
}

#ifdef SINGLE
const stored_in stored_in_single = { spinors, links, products, axpy };
#else
const stored_in stored_in_double = { spinors, links, products, axpy };
#endif
