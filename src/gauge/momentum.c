/* momentum.c - operations on the momentum field. */
#include "src/base/memory.h"
#include "src/gauge/momentum.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

#include <math.h>

MAP_KERNEL(gaussian_momentum);
MAP_KERNEL(momentum_axpy_sites);
MAP_KERNEL(open_momentum);
MAP_KERNEL(momentum_mix_sites);
MAP_KERNEL(momentum_scale_links_in_t);
SUM_KERNEL(momentum_norms, 1, 1);

size_t momentum_bytes(const lattice_shape *shape, precision p)
{
    return field_bytes_on(shape, ON_ALL, GHOSTS_NONE, p, MOMENTUM_REALS);
}

size_t momentum_near_bytes(const lattice_shape *shape, precision p)
{
    return field_bytes_on(shape, ON_ALL, GHOSTS_NEAR, p, MOMENTUM_REALS);
}

static momentum *create_with(ghost_level ghosts, lattice *l, place where, precision p)
{
    momentum *m = memory_alloc(sizeof *m, "a momentum field");
    m->f = field_create_ghosts(l, ghosts, where, p, MOMENTUM_REALS, "a momentum field");
    return m;
}

momentum *momentum_create(lattice *l, place where, precision p)
{
    return create_with(GHOSTS_NONE, l, where, p);
}

momentum *momentum_create_near(lattice *l, place where, precision p)
{
    return create_with(GHOSTS_NEAR, l, where, p);
}

void momentum_free(momentum *p)
{
    if (p)
        field_free(&p->f);
    memory_free(p);
}

momentum_view momentum_view_of(const momentum *p)
{
    return (momentum_view){ field_view_of(&p->f).data };
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
    momentum_scale_ends(p, 1);
}

void momentum_scale_ends(momentum *p, double ends)
{
    if (!lattice_is_open(p->f.lattice))
        return;
    open_momentum_args args = { lattice_of(p), momentum_view_of(p), ends };
    run_map(&open_momentum, p->f.where, p->f.precision, &args, lattice_all(p->f.lattice));
}

void momentum_scale_time(momentum *p, double factor)
{
    momentum_args args = { lattice_of(p), momentum_view_of(p), momentum_view_of(p), factor };
    run_map(&momentum_scale_links_in_t, p->f.where, p->f.precision, &args, lattice_all(p->f.lattice));
}

void momentum_axpy(momentum *y, double a, const momentum *x)
{
    momentum_args args = { lattice_of(y), momentum_view_of(y), momentum_view_of(x), a };
    run_map(&momentum_axpy_sites, y->f.where, y->f.precision, &args, lattice_all(y->f.lattice));
}

void momentum_mix(momentum *y, double a, const momentum *x, double b)
{
    momentum_mix_args args = { lattice_of(y), momentum_view_of(y), momentum_view_of(x), a, b };
    run_map(&momentum_mix_sites, y->f.where, y->f.precision, &args, lattice_all(y->f.lattice));
}

momentum_size momentum_measure(const momentum *p)
{
    momentum_args args = { lattice_of(p), momentum_view_of(p), momentum_view_of(p), 0 };
    const sum_launch sum = { .where = p->f.where, .precision = p->f.precision, .args = &args,
                             .range = lattice_all(p->f.lattice) };
    double norms[2];
    run_sum(&momentum_norms, p->f.lattice, &sum, norms);
    return (momentum_size){ norms[0], norms[1] };
}

double momentum_kinetic(const momentum *p)
{
    return 0.5 * momentum_measure(p).sum_norm2;
}

/* The eight reals c of a link (site/algebra.h): Im P_00, Im P_11, then Re and Im of P_01, P_02 and P_12. */
static const struct { int row, col; } off_diagonal[3] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };

static const int compact_reals = MOMENTUM_REALS / 4;

/* c <- the antihermitian traceless part of m.  Returns the largest element of the rest, NaN if m is not finite. */
static double compress(double c[8], const double m[3][3][2])
{
    double rest, trace = (m[0][0][1] + m[1][1][1] + m[2][2][1]) / 3;
    bool finite = true;
    c[0] = m[0][0][1] - trace;
    c[1] = m[1][1][1] - trace;
    rest = fabs(trace);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            finite = finite && isfinite(m[i][j][0]) && isfinite(m[i][j][1]);
    for (int i = 0; i < 3; i++)
        rest = fmax(rest, fabs(m[i][i][0]));
    for (int k = 0; k < 3; k++) {
        int i = off_diagonal[k].row, j = off_diagonal[k].col;
        c[2 + 2 * k] = 0.5 * (m[i][j][0] - m[j][i][0]);
        c[3 + 2 * k] = 0.5 * (m[i][j][1] + m[j][i][1]);
        rest = fmax(rest, fmax(fabs(m[i][j][0] + m[j][i][0]), fabs(m[i][j][1] - m[j][i][1])) / 2);
    }
    return finite ? rest : NAN;
}

static void expand(double m[3][3][2], const double c[8])
{
    const double diagonal[3] = { c[0], c[1], -(c[0] + c[1]) };
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

static size_t slice_links(const momentum *p)
{
    return field_slice_reals(&p->f) / (size_t)compact_reals;
}

static void set_matrices(void *to, int t, const double *slice)
{
    momentum_intake *in = to;
    const size_t links = slice_links(in->p);
    double *compact = slice_alloc(links * (size_t)compact_reals);
    for (size_t link = 0; link < links; link++) {
        const double rest = compress(compact + link * (size_t)compact_reals,
                                     (const double(*)[3][2])(slice + link * MATRIX_REALS));
        if (!(rest <= in->rest))
            in->rest = isnan(in->rest) ? in->rest : rest;
    }
    field_set_slice(&in->p->f, t, compact);
    if (t == field_slice_count(&in->p->f) - 1)
        momentum_scale_ends(in->p, 1);
    memory_free(compact);
}

static void get_matrices(double *slice, const void *from, int t)
{
    const momentum *p = from;
    const size_t links = slice_links(p);
    double *compact = slice_alloc(links * (size_t)compact_reals);
    field_get_slice(compact, &p->f, t);
    for (size_t link = 0; link < links; link++)
        expand((double(*)[3][2])(slice + link * MATRIX_REALS), compact + link * (size_t)compact_reals);
    memory_free(compact);
}

slice_source momentum_matrix_slices(const momentum *p)
{
    return (slice_source){ get_matrices, p, field_slice_count(&p->f), slice_links(p) * MATRIX_REALS };
}

slice_sink momentum_matrix_sink(momentum_intake *in)
{
    in->rest = 0;
    return (slice_sink){ set_matrices, in, field_slice_count(&in->p->f), slice_links(in->p) * MATRIX_REALS };
}
