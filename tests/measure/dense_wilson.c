/* dense_wilson.c - column by column, from unit vectors. */
#include "tests/measure/dense_wilson.h"

#include "src/base/memory.h"
#include "tests/facts.h"

#include <gsl/gsl_complex_math.h>

void dense_numbers(double complex out[DENSE], spinor_field v)
{
    double even[2 * DENSE], odd[2 * DENSE];
    vec_export(even, v.even);
    vec_export(odd, v.odd);
    for (int i = 0; i < DENSE; i++)
        out[i] = even[2 * i] + odd[2 * i] + I * (even[2 * i + 1] + odd[2 * i + 1]);
}

static void dense_unit(spinor_field v, int component)
{
    double unit[2 * DENSE] = { 0 };
    unit[2 * component] = 1;
    vec_import(v.even, unit);
    vec_import(v.odd, unit);
}

gsl_matrix_complex *dense_wilson_matrix(const gauge *u, const clover_operator_params *params)
{
    const dirac_plan plan = clover_operator_plan(params);
    dirac_operator *d = dirac_create(&plan, u, false);
    failure f;
    require(dirac_update(d, u, &f), "%s", f.why);
    dirac_matrix *m = d->kind->matrix(d, 0);
    spinor_field in = spinor_field_create(u, 1), out = spinor_field_create(u, 1);
    gsl_matrix_complex *a = gsl_matrix_complex_alloc(DENSE, DENSE);
    for (int column = 0; column < DENSE; column++) {
        double complex numbers[DENSE];
        dense_unit(in, column);
        clover_apply(out, clover_operator_links(d, m), false, in);
        dense_numbers(numbers, out);
        for (int row = 0; row < DENSE; row++)
            gsl_matrix_complex_set(a, (size_t)row, (size_t)column,
                                   gsl_complex_rect(creal(numbers[row]), cimag(numbers[row])));
    }
    spinor_field_free(in);
    spinor_field_free(out);
    memory_free(m);
    dirac_free(d);
    return a;
}

double complex dense_at(const gsl_matrix_complex *m, int row, int column)
{
    const gsl_complex z = gsl_matrix_complex_get(m, (size_t)row, (size_t)column);
    return GSL_REAL(z) + I * GSL_IMAG(z);
}
