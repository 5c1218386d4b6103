/* momentum.c - verbs of the momentum field. */
#include "src/base/memory.h"
#include "src/lattice/gauge.h"
#include "src/lattice/kernels.h"

#include <math.h>

MAP_KERNEL(gaussian_momentum);
MAP_KERNEL(momentum_axpy_sites);
SUM_KERNEL(momentum_norms, 1, 1);

momentum *momentum_create(lattice *l, place where, precision p)
{
    momentum *m = memory_alloc(sizeof *m, "a momentum field");
    m->f = field_create(l, where, p, MOMENTUM_REALS, "a momentum field");
    return m;
}

void momentum_free(momentum *p)
{
    if (p)
        field_free(&p->f);
    memory_free(p);
}

momentum_view momentum_view_of(const momentum *p)
{
    return (momentum_view){ p->f.data };
}

void momentum_copy(momentum *to, const momentum *from)
{
    field_copy(&to->f, &from->f);
}

void momentum_zero(momentum *p)
{
    field_zero(&p->f);
}

static lattice_view lattice_of(const momentum *p)
{
    return lattice_on(p->f.lattice, p->f.where);
}

void momentum_set_gaussian(momentum *p, rng_key key)
{
    gaussian_momentum_args args = { lattice_of(p), momentum_view_of(p), key };
    run_map(&gaussian_momentum, p->f.where, p->f.precision, &args, lattice_all(p->f.lattice));
}

void momentum_axpy(momentum *y, double a, const momentum *x)
{
    momentum_args args = { lattice_of(y), momentum_view_of(y), momentum_view_of(x), a };
    run_map(&momentum_axpy_sites, y->f.where, y->f.precision, &args, lattice_all(y->f.lattice));
}

momentum_size momentum_measure(const momentum *p)
{
    momentum_args args = { lattice_of(p), momentum_view_of(p), momentum_view_of(p), 0 };
    double norms[2];
    run_sum(&momentum_norms, p->f.lattice, p->f.where, p->f.precision, &args, lattice_all(p->f.lattice), norms);
    return (momentum_size){ norms[0], norms[1] };
}

double momentum_kinetic(const momentum *p)
{
    return 0.5 * momentum_measure(p).sum_norm2;
}

/* Eight reals (site/algebra.h) and the 3x3 matrix they stand for: element (row, col, re or im) = sign * c[index]. */
static const struct { int row, col; } off_diagonal[3] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };

double momentum_import(momentum *p, const double *lexicographic)
{
    size_t links = 4 * (size_t)lattice_local_sites(lattice_shape_of(p->f.lattice));
    double *compact = memory_alloc(links * 8 * sizeof *compact, "momenta on their way in"), worst = 0;
    bool finite = true;
    for (size_t link = 0; link < links; link++) {
        const double(*m)[3][2] = (const double(*)[3][2])(lexicographic + link * 18);
        double *c = compact + link * 8, trace = (m[0][0][1] + m[1][1][1] + m[2][2][1]) / 3;
        c[0] = m[0][0][1] - trace;
        c[1] = m[1][1][1] - trace;
        for (int i = 0; i < 18; i++)
            finite = finite && isfinite(lexicographic[link * 18 + (size_t)i]);
        worst = fmax(worst, fabs(trace));
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(m[i][i][0]));
        for (int k = 0; k < 3; k++) {
            int i = off_diagonal[k].row, j = off_diagonal[k].col;
            c[2 + 2 * k] = 0.5 * (m[i][j][0] - m[j][i][0]);
            c[3 + 2 * k] = 0.5 * (m[i][j][1] + m[j][i][1]);
            worst = fmax(worst, fmax(fabs(m[i][j][0] + m[j][i][0]), fabs(m[i][j][1] - m[j][i][1])) / 2);
        }
    }
    field_import(&p->f, compact);
    memory_free(compact);
    return finite ? worst : NAN;
}

void momentum_export(double *lexicographic, const momentum *p)
{
    size_t links = 4 * (size_t)lattice_local_sites(lattice_shape_of(p->f.lattice));
    double *compact = memory_alloc(links * 8 * sizeof *compact, "momenta on their way out");
    field_export(compact, &p->f);
    for (size_t link = 0; link < links; link++) {
        double(*m)[3][2] = (double(*)[3][2])(lexicographic + link * 18);
        const double *c = compact + link * 8;
        double diagonal[3] = { c[0], c[1], -(c[0] + c[1]) };
        for (int i = 0; i < 3; i++) {
            m[i][i][0] = 0;
            m[i][i][1] = diagonal[i];
        }
        for (int k = 0; k < 3; k++) {
            int i = off_diagonal[k].row, j = off_diagonal[k].col;
            m[i][j][0] = c[2 + 2 * k];
            m[j][i][0] = -c[2 + 2 * k];
            m[i][j][1] = m[j][i][1] = c[3 + 2 * k];
        }
    }
    memory_free(compact);
}
