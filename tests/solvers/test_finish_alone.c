/* test_finish_alone.c - Krylov spaces whose scalars are finished by launches of their own: the same bits as where the
 * kernels that sum finish them, in every way of keeping steps. */
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/kept_vectors.h"
#include "tests/solvers/small_system.h"

#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 3, STEPS = 21, WORK = 2 };

static const int extents[4] = { 4, 6, 4, 4 };

/* The systems after STEPS steps. */
typedef struct { krylov_system system[SYSTEMS]; vectors v[SYSTEMS]; } outcome;

static void vectors_create(vectors *v, const vec *source)
{
    vec **all = (vec **)v;
    for (int i = 0; i < VECTORS; i++)
        all[i] = vec_create_like(source);
    vec_copy(v->residuals[KRYLOV_RING - 1], source);
    vec_copy(v->ring[0], source);
    for (int k = 0; k < PARTS; k++)
        vec_copy(v->p[k], source);
}

static void solve(outcome *o, const small_system *s, keeping how, krylov_finish finish)
{
    static const int number[SYSTEMS] = { 2, 0, 5 };
    krylov *k = krylov_create(s->b->f.lattice, s->b->f.where, finish);
    krylov_vectors v[SYSTEMS];
    for (int n = 0; n < SYSTEMS; n++) {
        vec *source = vec_create_like(s->b);
        vec_set_gaussian(source, rng_key_for(73, 0, (uint64_t)n, RNG_TEST), 0);
        const double bb = vec_norm2(source);
        vectors_create(&o->v[n], source);
        v[n] = kept(&o->v[n], how);
        krylov_system *system = krylov_begin(k, number[n], 0.02 * (n + 1), bb, bb, 0);
        for (int i = 0; i < SHIFTS && how != IN_RINGS; i++)
            krylov_add_shift(system, 0.3 * (i + 1), 1e-3);
        system->most = STEPS + n;
        vec_free(source);
    }
    krylov_run(k, &s->k.base, number, v, SYSTEMS);
    for (int n = 0; n < SYSTEMS; n++)
        o->system[n] = *krylov_system_of(k, number[n]);
    krylov_free(k);
}

static bool same_vec(const vec *a, const vec *b)
{
    vec *difference = vec_create_like(a);
    vec_copy(difference, a);
    vec_axpy(difference, -1, b);
    const bool same = vec_norm2(difference) == 0;
    vec_free(difference);
    return same;
}

static void compare(place where)
{
    small_system s;
    vec *work[WORK];
    small_create(&s, extents, where, PRECISION_DOUBLE);
    for (int i = 0; i < WORK; i++)
        work[i] = vec_create_like(s.between);
    staggered_normal_set_work(&s.k, work, WORK);                 /* three systems are two launches */
    for (keeping how = 0; how < KEEPINGS; how++) {
        outcome in_kernel, alone;
        bool systems = true, fields = true;
        solve(&in_kernel, &s, how, FINISH_IN_KERNEL);
        solve(&alone, &s, how, FINISH_ALONE);
        for (int n = 0; n < SYSTEMS; n++) {
            systems &= memcmp(&in_kernel.system[n], &alone.system[n], sizeof alone.system[n]) == 0;
            for (int i = 0; i < VECTORS; i++) {
                vec *a = ((vec **)&in_kernel.v[n])[i], *b = ((vec **)&alone.v[n])[i];
                fields &= same_vec(a, b);
                vec_free(a);
                vec_free(b);
            }
        }
        fact(in_kernel.system[0].steps >= STEPS && in_kernel.system[0].rr < in_kernel.system[0].bb,
             "%s, %s: %d steps", place_name(where), keeping_names[how], in_kernel.system[0].steps);
        fact(systems && fields, "%s, %s: scalars finished alone are the same bits, and so are vectors",
             place_name(where), keeping_names[how]);
    }
    for (int i = 0; i < WORK; i++)
        vec_free(work[i]);
    small_free(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        compare(where);
    setenv("KILN_LOOPS", "host", 1);                         /* the way of older drivers */
    FOR_EVERY_PLACE(where)
        compare(where);
    return facts_end();
}
