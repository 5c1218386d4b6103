/* fifth_dimension.c - inverses of cyclic bidiagonal matrices, by one open recursion and a matrix of rank one.
 *
 * Walk through the slices as L does: upwards for chirality 0, downwards for chirality 1.  On that walk both
 * chiralities look alike; index 0 is its first slice, n its last one.  With X = a - beta L, r = beta / a,
 *     X + corner = X_open + u e_n^T,   u = m beta_0 e_0 + corner's column,
 * X_open being X without the step from n to 0.  z = X_open^-1 u is the recursion z_s = column_s / a_s + r_s z_{s-1}
 * from z_{-1} = m, and by Sherman and Morrison
 *     (X + corner)^-1 = X_open^-1 - z g^T / (1 + z_n),   g^T = e_n^T X_open^-1,   g_s = prod_{j > s} r_j / a_s.
 * A factor b + c L from the left acts on the recursion's present and last value, hence on z as on the rest.  Nothing
 * is divided by r: it may vanish. */
#include "src/operators/fifth_dimension.h"

#include <assert.h>
#include <math.h>

/* now + before L, the two numbers of each slice */
typedef struct { double now[SLICES_MAX], before[SLICES_MAX]; } step_matrix;

static bool walks_up(int chirality)
{
    return chirality == 0;
}

static int slice_of(bool up, int step, int Ls)
{
    return up ? step : Ls - 1 - step;
}

static fifth_table nothing(int Ls)
{
    assert(Ls >= 1 && Ls <= SLICES_MAX);
    fifth_table k = { 0 };
    for (int c = 0; c < 2; c++)
        k.up[c] = walks_up(c);
    return k;
}

static step_matrix matrix_one(int Ls)
{
    step_matrix one = { { 0 }, { 0 } };
    for (int s = 0; s < Ls; s++)
        one.now[s] = 1;
    return one;
}

static step_matrix matrix_y(const dwf_weights *w)
{
    step_matrix y = { { 0 }, { 0 } };
    for (int s = 0; s < w->Ls; s++) {
        y.now[s] = w->b[s];
        y.before[s] = w->c[s];
    }
    return y;
}

/* X = T Y + 1 - L */
static step_matrix matrix_x(const dwf_weights *w)
{
    double t = 4 - w->M5;
    step_matrix x = { { 0 }, { 0 } };
    for (int s = 0; s < w->Ls; s++) {
        x.now[s] = 1 + t * w->b[s];
        x.before[s] = t * w->c[s] - 1;
    }
    return x;
}

/* factor (now + before L) */
static fifth_table product(const step_matrix *m, int Ls, double mass, double factor)
{
    fifth_table k = nothing(Ls);
    for (int c = 0; c < 2; c++) {
        int first = slice_of(k.up[c], 0, Ls), last = slice_of(k.up[c], Ls - 1, Ls);
        for (int s = 0; s < Ls; s++) {
            k.d[c][s] = factor * m->now[s];
            k.e[c][s] = factor * m->before[s];
            k.a[c][s] = 1;
        }
        k.h[c][first] = -factor * m->before[first] * mass;
        k.g[c][last] = 1;
    }
    return k;
}

/* z for the matrix x and a chirality; returns z_n. */
static double walk_column(double z[SLICES_MAX], const step_matrix *x, int chirality, int Ls, double mass,
                          fifth_corner corner)
{
    double before = mass, column = corner.chirality == chirality ? corner.strength : 0;
    for (int step = 0; step < Ls; step++) {
        int s = slice_of(walks_up(chirality), step, Ls);
        z[s] = (column - x->before[s] * before) / x->now[s];
        before = z[s];
        column *= -corner.ratio;
    }
    return before;
}

/* factor left (x + corner)^-1 */
static fifth_table quotient(const step_matrix *left, const step_matrix *x, int Ls, double mass,
                            fifth_corner corner, double factor)
{
    fifth_table k = nothing(Ls);
    for (int c = 0; c < 2; c++) {
        double z[SLICES_MAX], last = walk_column(z, x, c, Ls, mass, corner), before = mass, rest = 1;
        for (int step = 0; step < Ls; step++) {
            int s = slice_of(k.up[c], step, Ls);
            k.a[c][s] = 1 / x->now[s];
            k.r[c][s] = -x->before[s] / x->now[s];
            k.d[c][s] = factor * left->now[s] * k.a[c][s];
            k.e[c][s] = factor * (left->now[s] * k.r[c][s] + left->before[s]);
            k.h[c][s] = -factor * (left->now[s] * z[s] + left->before[s] * before) / (1 + last);
            before = z[s];
        }
        for (int step = Ls - 1; step >= 0; step--) {
            int s = slice_of(k.up[c], step, Ls);
            k.g[c][s] = rest * k.a[c][s];
            rest *= k.r[c][s];
        }
    }
    return k;
}

fifth_table fifth_y(const dwf_weights *w, double mass, double factor)
{
    step_matrix y = matrix_y(w);
    return product(&y, w->Ls, mass, factor);
}

fifth_table fifth_x(const dwf_weights *w, double mass, double factor)
{
    step_matrix x = matrix_x(w);
    return product(&x, w->Ls, mass, factor);
}

fifth_table fifth_x_inverse(const dwf_weights *w, double mass, fifth_corner corner, double factor)
{
    step_matrix one = matrix_one(w->Ls), x = matrix_x(w);
    return quotient(&one, &x, w->Ls, mass, corner, factor);
}

fifth_table fifth_k(const dwf_weights *w, double mass, fifth_corner corner, double factor)
{
    step_matrix y = matrix_y(w), x = matrix_x(w);
    return quotient(&y, &x, w->Ls, mass, corner, factor);
}

fifth_table fifth_k_scaled(const dwf_weights *w, double mass, fifth_corner corner, double factor)
{
    double left[SLICES_MAX], right[SLICES_MAX];
    for (int s = 0; s < w->Ls; s++) {
        right[s] = sqrt(w->b[s]);
        left[s] = 1 / right[s];
    }
    fifth_table k = fifth_k(w, mass, corner, factor);
    return fifth_scaled(&k, left, right, w->Ls);
}

fifth_table fifth_one(int Ls, double factor)
{
    fifth_table k = nothing(Ls);
    k.diagonal = true;
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < Ls; s++)
            k.d[c][s] = factor;
    return k;
}

/* Below the diagonal K is e_s (prod r between s and s') a_s': the transpose walks the other way. */
fifth_table fifth_transposed(const fifth_table *k, int Ls)
{
    fifth_table t = *k;
    for (int c = 0; c < 2; c++) {
        for (int s = 0; s < Ls; s++) {
            t.e[c][s] = k->a[c][s];
            t.a[c][s] = k->e[c][s];
            t.g[c][s] = k->h[c][s];
            t.h[c][s] = k->g[c][s];
        }
        t.up[c] = !k->up[c];
    }
    return t;
}

fifth_table fifth_scaled(const fifth_table *k, const double *left, const double *right, int Ls)
{
    fifth_table t = *k;
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < Ls; s++) {
            t.d[c][s] *= left[s] * right[s];
            t.e[c][s] *= left[s];
            t.h[c][s] *= left[s];
            t.a[c][s] *= right[s];
            t.g[c][s] *= right[s];
        }
    return t;
}
