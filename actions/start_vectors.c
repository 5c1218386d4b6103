/* start_vectors.c - the nearest vector of a span, by the Gram-Schmidt method on the images C x, applied twice. */
#include "actions/start_vectors.h"

#include "src/lattice/vec_mixed.h"

#include <math.h>

/* A solution x is dropped if the part of C x outside the span of the later ones is smaller than |C x| by this
 * factor. */
#define NOTHING_NEW 1e-12

/* y <- y + a x */
static void add_multiple(vec *y, complex_number a, const vec *x)
{
    vec_direction(y, a, x, 1, y);
}

static void scale_vector(vec *y, double a)
{
    vec_direction(y, (complex_number){ a, 0 }, y, 0, y);
}

/* In a basis that is orthonormal in <x, A y>, the coefficients of v are the scalar products of its vectors with b. */
void start_vectors_combine(start_vectors *f, vec *start, dirac_solver *w, const dirac_matrix *m, const vec *b,
                           vec *const *image)
{
    int kept = 0;
    vec_zero(start);
    for (int i = 0; i < f->count; i++) {
        vec *x = f->solution[i], *y = image[kept];
        dirac_solver_apply(y, w, m, false, x);
        const double before = vec_norm2(y);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < kept; j++) {
                complex_number a = vec_dot(image[j], y);
                a = (complex_number){ -a.re, -a.im };
                add_multiple(y, a, image[j]);
                add_multiple(x, a, f->solution[j]);
            }
        const double norm2 = vec_norm2(y);
        if (!(norm2 > NOTHING_NEW * NOTHING_NEW * before))
            continue;
        scale_vector(y, 1 / sqrt(norm2));
        scale_vector(x, 1 / sqrt(norm2));
        f->solution[i] = f->solution[kept];
        f->solution[kept++] = x;
        add_multiple(start, vec_dot(x, b), x);
    }
    f->count = kept;
}

void start_vectors_keep(start_vectors *f, const vec *x)
{
    vec *oldest = f->solution[f->capacity - 1];
    for (int i = f->capacity - 1; i > 0; i--)
        f->solution[i] = f->solution[i - 1];
    f->solution[0] = oldest;
    vec_copy(oldest, x);
    f->count = f->count < f->capacity ? f->count + 1 : f->capacity;
}
