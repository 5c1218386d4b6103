/* small_system.c - a small lattice of random links: K on even sites, a source, and room for solvers. */
#include "tests/solvers/small_system.h"

#include "src/lattice/rng.h"

void small_create(small_system *s, const int extents[4], place where, precision p)
{
    rng_key key = rng_key_for(72, 0, 0, RNG_TEST);
    s->l = lattice_create_single(extents);
    s->fat = gauge_create(s->l, where, p);
    s->naik = gauge_create(s->l, where, p);
    gauge_set_random(s->fat, key);
    gauge_set_random(s->naik, rng_key_for(72, 0, 1, RNG_TEST));
    s->between = vec_create(s->l, ON_ODD, where, p);
    s->b = vec_create(s->l, ON_EVEN, where, p);
    s->x = vec_create(s->l, ON_EVEN, where, p);
    vec_set_gaussian(s->b, key, 0);
    s->k = staggered_normal_operator_with((staggered_terms){ s->fat, s->naik, -0.1 }, s->between);
    s->w = cg_space_create(s->l, ON_EVEN, where, p);
}

void small_free(small_system *s)
{
    cg_space_free(s->w);
    vec_free(s->x);
    vec_free(s->b);
    vec_free(s->between);
    gauge_free(s->naik);
    gauge_free(s->fat);
    lattice_free(s->l);
}
