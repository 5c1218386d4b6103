/* overlap_workplace.c - an overlap operator on a test field. */
#include "tests/overlap/overlap_workplace.h"

#include <math.h>

overlap_params overlap_test_params(sign_method sign, int modes)
{
    return (overlap_params){ .M0 = 1.4, .boundary = { .t = -1 }, .sign = sign, .modes = modes, .poles = RATIONAL_POLES,
                             .accuracy = 1e-13, .max_iterations = 10000 };
}

overlap_workplace overlap_begin(place where, const int extents[4], double width, const overlap_params *p)
{
    overlap_workplace w = { .w = wilson_begin_theta(where, extents, width, p->boundary) };
    failure f;
    w.o = overlap_create(p, w.w.u);
    w.solver = overlap_solver_create(w.w.u);
    for (int i = 0; i < OVERLAP_PAIRS; i++)
        w.v[i] = spinor_pair_create(w.w.u);
    require(overlap_update(w.o, w.w.u, rng_key_for(3, 0, 0, RNG_TEST), 0, &f), "%s", f.why);
    return w;
}

void overlap_end(overlap_workplace *w)
{
    for (int i = 0; i < OVERLAP_PAIRS; i++)
        vec_free(w->v[i]);
    overlap_solver_free(w->solver);
    overlap_free(w->o);
    wilson_end(&w->w);
}

void overlap_set_random(vec *pair, unsigned key)
{
    vec part;
    for (int parity = 0; parity < 2; parity++) {
        spinor_pair_part(&part, pair, parity ? ON_ODD : ON_EVEN);
        vec_set_gaussian(&part, rng_key_for(79, 0, key, RNG_TEST), 0);
    }
}

double overlap_distance(const vec *a, const vec *b)
{
    vec *apart = vec_create_native(a, PRECISION_DOUBLE);
    vec_copy(apart, a);
    vec_axpy(apart, -1, b);
    const double distance = sqrt(vec_norm2(apart) / vec_norm2(b));
    vec_free(apart);
    return distance;
}

