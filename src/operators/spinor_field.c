/* spinor_field.c - vectors of Dirac spinors on one parity and on all sites. */
#include "src/operators/spinor_field.h"

vec *spinor_vec_create(lattice *l, parity_set on, place where, precision p, int Ls)
{
    return vec_create_slabs(l, on, where, p, SLAB_GROUP * Ls);
}

vec *spinor_vec_create_format(lattice *l, parity_set on, place where, vector_format f, int Ls)
{
    return vec_create_slabs_format(l, on, where, f, SLAB_GROUP * Ls);
}

spinor_field spinor_field_create(const gauge *u, int Ls)
{
    lattice *l = u->links.lattice;
    return (spinor_field){ spinor_vec_create(l, ON_EVEN, u->links.where, PRECISION_DOUBLE, Ls),
                           spinor_vec_create(l, ON_ODD, u->links.where, PRECISION_DOUBLE, Ls) };
}

void spinor_field_free(spinor_field f)
{
    vec_free(f.even);
    vec_free(f.odd);
}

vec *spinor_field_part(spinor_field f, parity_set on)
{
    return on == ON_ODD ? f.odd : f.even;
}

double spinor_field_norm2(spinor_field f)
{
    return vec_norm2(f.even) + vec_norm2(f.odd);
}

complex_number spinor_field_dot(spinor_field x, spinor_field y)
{
    complex_number even = vec_dot(x.even, y.even), odd = vec_dot(x.odd, y.odd);
    return (complex_number){ even.re + odd.re, even.im + odd.im };
}

void spinor_field_axpy(spinor_field y, double a, spinor_field x)
{
    vec_axpy(y.even, a, x.even);
    vec_axpy(y.odd, a, x.odd);
}
