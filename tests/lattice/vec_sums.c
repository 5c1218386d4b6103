/* vec_sums.c - vectors on the host, without the kernels that are tested. */
#include "tests/lattice/vec_sums.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "tests/facts.h"

#include <math.h>

size_t vec_count(const vec *v)
{
    return (size_t)lattice_volume(v->f.lattice) * (size_t)v->f.slabs * VEC_REALS;
}

double *vec_numbers(const vec *v)
{
    double *a = memory_alloc(vec_count(v) * sizeof *a, "a vector");
    vec_export(a, v);
    return a;
}

uint64_t vec_digest(uint64_t digest, const vec *v)
{
    double *a = vec_numbers(v);
    digest = digest64(digest, a, vec_count(v) * sizeof *a);
    memory_free(a);
    return digest;
}

double *vec_sum(const multiple of[3])
{
    const double a = of[0].factor, b = of[1].factor, c = of[2].factor;
    double *u[3] = { vec_numbers(of[0].x), vec_numbers(of[1].x), vec_numbers(of[2].x) };
    for (size_t i = 0; i < vec_count(of[0].x); i++)
        u[0][i] = a * u[0][i] + b * u[1][i] + c * u[2][i];
    memory_free(u[1]);
    memory_free(u[2]);
    return u[0];
}

shift_systems shift_systems_create(const vec *like, int count, vec_random *random)
{
    shift_systems s = { .count = count };
    for (int k = 0; k < count; k++) {
        s.x[k] = random(like, 2);
        s.p[k] = random(like, 3);
        s.a[k] = 0.1 * k;
        s.b[k] = 1 - 0.05 * k;
        s.c[k] = 0.3 + 0.01 * k;
    }
    return s;
}

void shift_systems_free(shift_systems *s)
{
    for (int k = 0; k < s->count; k++) {
        vec_free(s->x[k]);
        vec_free(s->p[k]);
    }
}

double shift_systems_update(shift_systems *s, const vec *r, const vec *y, const vec *z, vec_distance *distance)
{
    const vec_shift_step step = { .x = s->x, .p = s->p, .a = s->a, .b = s->b, .z = s->c, .count = s->count };
    double worst = 0;
    vec_multishift_update(&step, r);
    for (int k = 0; k < s->count; k++)
        worst = worse(worst, worse(distance(s->x[k], (multiple[]){ { 1, y }, { s->a[k], z }, { 0, r } }),
                                  distance(s->p[k], (multiple[]){ { s->c[k], r }, { s->b[k], z }, { 0, y } })));
    return worst;
}
