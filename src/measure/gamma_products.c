/* gamma_products.c - products of gamma matrices. */
#include "src/measure/gamma_products.h"

enum { SPINS = 4 };

/* gamma_x, gamma_y, gamma_z, gamma_t, gamma5 of site/spinor.h */
static const spin_matrix gammas[] = {
    { { 3, 2, 1, 0 }, { 1, 1, 3, 3 } }, { { 3, 2, 1, 0 }, { 2, 0, 0, 2 } }, { { 2, 3, 0, 1 }, { 1, 3, 3, 1 } },
    { { 2, 3, 0, 1 }, { 0, 0, 0, 0 } }, { { 0, 1, 2, 3 }, { 0, 0, 2, 2 } },
};

spin_matrix gamma_matrix(int mu)
{
    return gammas[mu];
}

spin_matrix gamma_unit(void)
{
    return (spin_matrix){ { 0, 1, 2, 3 }, { 0, 0, 0, 0 } };
}

spin_matrix gamma_product(spin_matrix a, spin_matrix b)
{
    spin_matrix c;
    for (int r = 0; r < SPINS; r++) {
        c.to[r] = b.to[(int)a.to[r]];
        c.power[r] = (signed char)((a.power[r] + b.power[(int)a.to[r]]) % 4);
    }
    return c;
}

spin_matrix gamma_transposed(spin_matrix a)
{
    spin_matrix c;
    for (int r = 0; r < SPINS; r++) {
        c.to[(int)a.to[r]] = (signed char)r;
        c.power[(int)a.to[r]] = a.power[r];
    }
    return c;
}

spin_matrix gamma_dagger(spin_matrix a)
{
    spin_matrix c = gamma_transposed(a);
    for (int r = 0; r < SPINS; r++)
        c.power[r] = (signed char)((4 - c.power[r]) % 4);
    return c;
}

spin_matrix gamma_times_i_power(spin_matrix a, int power)
{
    for (int r = 0; r < SPINS; r++)
        a.power[r] = (signed char)((a.power[r] + power) % 4);
    return a;
}
