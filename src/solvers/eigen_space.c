/* eigen_space.c - the vectors of an eigensolver. */
#include "src/solvers/eigen_space.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

#include <assert.h>
#include <math.h>

int eigen_kept(int wanted, int basis)
{
    return wanted + (basis - wanted) / 3;
}

int eigen_basis(int count)
{
    return 2 * count + 16;
}

int eigen_space_vectors(int count, int basis)
{
    return count + basis + 1 + eigen_kept(count, basis) + EIGEN_SCRATCH;
}

static vec **create_vectors(const vec *like, int count)
{
    vec **v = memory_alloc((size_t)count * sizeof *v, "vectors of an eigensolver");
    for (int i = 0; i < count; i++)
        v[i] = vec_create_native(like, like->f.precision);
    return v;
}

static void free_vectors(vec **v, int count)
{
    for (int i = 0; i < count; i++)
        vec_free(v[i]);
    memory_free(v);
}

eigen_space *eigen_space_create(const vec *like, int count, int basis)
{
    eigen_space *s = memory_alloc(sizeof *s, "an eigensolver");
    assert(count > 0 && basis > count);
    s->count = count;
    s->basis = basis;
    s->spares = eigen_kept(count, basis);
    s->pair = memory_alloc((size_t)count * sizeof *s->pair, "eigenpairs");
    for (int i = 0; i < count; i++)
        s->pair[i].x = vec_create_native(like, like->f.precision);
    s->v = create_vectors(like, basis + 1);
    s->spare = create_vectors(like, s->spares);
    for (int i = 0; i < EIGEN_SCRATCH; i++)
        s->scratch[i] = vec_create_native(like, like->f.precision);
    s->projected = ritz_create(basis);
    return s;
}

void eigen_space_free(eigen_space *s)
{
    if (!s)
        return;
    ritz_free(s->projected);
    for (int i = 0; i < EIGEN_SCRATCH; i++)
        vec_free(s->scratch[i]);
    free_vectors(s->spare, s->spares);
    free_vectors(s->v, s->basis + 1);
    for (int i = 0; i < s->count; i++)
        vec_free(s->pair[i].x);
    memory_free(s->pair);
    memory_free(s);
}

const eigen_pair *eigen_pairs(const eigen_space *s)
{
    return s->pair;
}

/* ---- Lanczos */

/* w <- w - sum_i v_i v_i^+ w */
static void project_out(vec *w, vec *const *v, int count)
{
    complex_number dot[VEC_DOTS_MAX];
    for (int done = 0; done < count; done += VEC_DOTS_MAX) {
        const int now = count - done < VEC_DOTS_MAX ? count - done : VEC_DOTS_MAX;
        vec_dots(dot, v + done, w, 1, now);
        for (int i = 0; i < now; i++)
            vec_direction(w, (complex_number){ -dot[i].re, -dot[i].im }, v[done + i], 1, w);
    }
}

/* Twice is enough: B. N. Parlett, The Symmetric Eigenvalue Problem, 1980. */
double eigen_orthogonalize(const eigen_space *s, vec *w, int count)
{
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < s->found; i++)
            project_out(w, &s->pair[i].x, 1);
        project_out(w, s->v, count);
    }
    return sqrt(vec_norm2(w));
}

void eigen_make_ritz_vector(const eigen_space *s, int i)
{
    const int size = (int)s->projected->size;
    double c[SHIFTS_MAX];
    for (int done = 0; done < size; done += SHIFTS_MAX) {
        const int now = size - done < SHIFTS_MAX ? size - done : SHIFTS_MAX;
        for (int j = 0; j < now; j++)
            c[j] = ritz_coefficient(s->projected, done + j, i);
        vec_combine(s->spare[i], done > 0 ? 1 : 0, done > 0 ? s->spare[i] : s->v[0], c, s->v + done, now);
    }
}

void eigen_exchange(vec **a, vec **b)
{
    vec *swap = *a;
    *a = *b;
    *b = swap;
}

void eigen_restart(eigen_space *s, int kept)
{
    const size_t size = s->projected->size;
    for (int i = 0; i < kept; i++)
        eigen_make_ritz_vector(s, i);
    for (int i = 0; i < kept; i++)
        eigen_exchange(&s->v[i], &s->spare[i]);
    eigen_exchange(&s->v[kept], &s->v[size]);
    ritz_restart(s->projected, kept);
}
