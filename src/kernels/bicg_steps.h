/* bicg_steps.h - the scalars of BiCGstab(l) between the kernels of a cycle (krylov_finish.h calls it).
 *
 * All numbers are in double, and the only operations are + - * /, explicit fused operations and square roots: CPU and
 * GPU compute the same bits.  s is the shadow residual. */
#ifndef KILN_KERNELS_BICG_STEPS_H
#define KILN_KERNELS_BICG_STEPS_H

#include "src/kernels/bicg_args.h"
#include "src/kernels/krylov_steps.h"

/* |(a, b)| is zero within rounding if it is smaller than this times |a| |b|; so is a pivot of the Gram matrix,
 * relative to its diagonal element. */
#define BICG_ZERO 1e-14

/* The size of the next sums is known only up to the norms of the operator and of a direction.  A sum may be larger or
 * smaller than its guess by this factor; digits of a term below 2^-78 of the guess are dropped (exact_sum.h). */
#define BICG_MARGIN 1073741824.0               /* 2^30 */
#define BICG_OPERATOR2 16.0                    /* a guess of the operator's |A v|^2 / |v|^2 */

KRYLOV_FN krylov_complex complex_of(double re, double im)
{
    krylov_complex z;
    z.re = re;
    z.im = im;
    return z;
}

/* Explicit fused operations, because gcc 12 contracts a b - c d next to a d + c b in spite of -ffp-contract=off. */
KRYLOV_FN krylov_complex complex_times(krylov_complex a, krylov_complex b)
{
    return complex_of(fused_double(a.re, b.re, -(a.im * b.im)), fused_double(a.re, b.im, a.im * b.re));
}

KRYLOV_FN double complex_norm2(krylov_complex a)
{
    return a.re * a.re + a.im * a.im;
}

KRYLOV_FN krylov_complex complex_over(krylov_complex a, krylov_complex b)
{
    const double n = complex_norm2(b);
    const krylov_complex t = complex_times(a, complex_of(b.re, -b.im));
    return complex_of(t.re / n, t.im / n);
}

KRYLOV_FN bool complex_is_finite(krylov_complex a)
{
    return is_finite(a.re) && is_finite(a.im);
}

/* Sets the bounds of the next sums: |v|^2 of a vector v, about `guess`, and the product of v with s. */
KRYLOV_FN void bicg_expect(krylov_system *s, bicg_system *b, double guess)
{
    b->weight = b->shadow2 > 0 && guess > 0 ? sum_bound_above(square_root_of(guess / b->shadow2)) : 1;
    s->norm_per_bound = SUM_WORD / sum_bound_guessed(guess * (BICG_MARGIN / SUM_GUESS_MARGIN));
}

/* Before a cycle: u_0 becomes r_0 - beta (u_0 - sum g_k u_k); of the old u_0, only |u_1|^2 = |A u_0|^2 is known. */
KRYLOV_FN void bicg_expect_cycle(krylov_system *s, bicg_system *b)
{
    b->size2[0] = s->rr;
    b->moved = 0;
    bicg_expect(s, b, BICG_OPERATOR2 * (s->rr + complex_norm2(b->beta) * b->first2));
}

/* Whether one may divide by `product` = (s, v), where |v|^2 = norm2.  If not, sets the status to the reason. */
KRYLOV_FN bool bicg_may_divide(krylov_system *s, const bicg_system *b, krylov_complex product, double norm2)
{
    if (!(complex_is_finite(product) && is_finite(norm2)))
        s->status = SYSTEM_NOT_FINITE;
    else if (!(complex_norm2(product) > BICG_ZERO * BICG_ZERO * b->shadow2 * norm2))
        s->status = SYSTEM_BROKEN;
    return s->status == SYSTEM_GOING;
}

/* Takes sigma = (s, u_(j+1)) and norm2 = |u_(j+1)|^2. */
KRYLOV_FN void bicg_set_curvature(krylov_system *s, bicg_system *b, int j, krylov_complex sigma, double norm2)
{
    double most = 0;
    if (!bicg_may_divide(s, b, sigma, norm2))
        return;
    b->alpha = complex_over(b->rho, sigma);
    b->latest2 = norm2;
    if (j == 0)
        b->first2 = norm2;
    const double moved2 = complex_norm2(b->alpha) * norm2;
    b->moved += square_root_of(moved2);
    b->size2[j] += moved2;
    for (int k = 0; k <= j; k++)
        most = b->size2[k] > most ? b->size2[k] : most;
    bicg_expect(s, b, BICG_OPERATOR2 * (j + 1 < b->order ? b->size2[j] : most));
    s->stepped = 1;
}

/* Takes rho = (s, r_(j+1)) and norm2 = |r_(j+1)|^2, for j + 1 < l. */
KRYLOV_FN void bicg_set_power(krylov_system *s, bicg_system *b, int j, krylov_complex rho, double norm2)
{
    if (!bicg_may_divide(s, b, rho, norm2))
        return;
    b->beta = complex_times(b->alpha, complex_over(rho, b->rho));
    b->rho = rho;
    b->size2[j + 1] = norm2;
    bicg_expect(s, b, BICG_OPERATOR2 * (norm2 + complex_norm2(b->beta) * b->latest2));
}

/* Computes g from the Gram matrix of r_0 .. r_l: sum_k (r_i, r_k) g_k = (r_i, r_0), with the factors L D L^+ of the
 * matrix.  Returns false if the matrix is singular within rounding. */
KRYLOV_FN bool bicg_minimize(bicg_system *b)
{
    krylov_complex lower[BICG_POWERS][BICG_POWERS];
    double d[BICG_POWERS];
    for (int i = 1; i <= b->order; i++) {
        krylov_complex right = b->gram[i][0];
        double pivot = b->gram[i][i].re;
        for (int k = 1; k < i; k++) {
            krylov_complex sum = b->gram[i][k];
            for (int m = 1; m < k; m++) {
                const krylov_complex t = complex_times(lower[i][m], complex_of(lower[k][m].re, -lower[k][m].im));
                sum.re = fused_double(-d[m], t.re, sum.re);
                sum.im = fused_double(-d[m], t.im, sum.im);
            }
            lower[i][k] = complex_of(sum.re / d[k], sum.im / d[k]);
            pivot -= d[k] * complex_norm2(lower[i][k]);
            const krylov_complex t = complex_times(lower[i][k], b->g[k - 1]);
            right.re -= t.re;
            right.im -= t.im;
        }
        if (!(pivot > BICG_ZERO * b->gram[i][i].re && is_finite(pivot)))
            return false;
        d[i] = pivot;
        b->g[i - 1] = right;                                 /* L^-1 times the right-hand side */
    }
    for (int i = b->order; i > 0; i--) {
        krylov_complex sum = complex_of(b->g[i - 1].re / d[i], b->g[i - 1].im / d[i]);
        for (int k = i + 1; k <= b->order; k++) {
            const krylov_complex t = complex_times(complex_of(lower[k][i].re, -lower[k][i].im), b->g[k - 1]);
            sum.re -= t.re;
            sum.im -= t.im;
        }
        b->g[i - 1] = sum;
    }
    return true;
}

/* Takes the products of one launch of the Gram matrix, from (i, first) on. */
KRYLOV_FN void bicg_set_gram(krylov_system *s, bicg_system *b, int part, const krylov_complex *product)
{
    const int i = part / BICG_POWERS, first = part % BICG_POWERS;
    for (int k = first; k <= i && k < first + BICG_PRODUCTS; k++) {
        b->gram[i][k] = product[k - first];
        if (!complex_is_finite(product[k - first]))
            s->status = SYSTEM_NOT_FINITE;
    }
    if (s->status != SYSTEM_GOING || i < b->order || first + BICG_PRODUCTS <= i)
        return;
    if (!bicg_minimize(b)) {
        s->status = SYSTEM_BROKEN;
        return;
    }
    bicg_expect(s, b, b->size2[0]);
}

/* Takes (s, r_0) and |r_0|^2 after a cycle: computes the next beta and decides whether another cycle follows. */
KRYLOV_FN void bicg_set_cycle(krylov_system *s, bicg_system *b, krylov_complex rho, double norm2)
{
    const krylov_complex omega = b->g[b->order - 1];
    if (!s->stepped || s->status != SYSTEM_GOING)
        return;
    if (!is_finite(norm2)) {
        s->status = SYSTEM_NOT_FINITE;
        s->stepped = 0;
        return;
    }
    s->before = s->rr;
    krylov_progressed(s, norm2, b->moved, b->order);
    b->former = complex_over(b->alpha, complex_times(omega, complex_of(-b->rho.re, -b->rho.im)));
    b->rho = rho;
    b->beta = complex_times(b->former, rho);
    if (s->status == SYSTEM_GOING && norm2 > s->target && bicg_may_divide(s, b, rho, norm2)
        && !complex_is_finite(b->beta))
        s->status = SYSTEM_BROKEN;
    bicg_expect_cycle(s, b);
}

/* ---- after the launch of a sum: its cells, for one system */

/* Cells 0 and 1: real and imaginary part of weight (s, v).  Cell 2: |v|^2, which is returned. */
KRYLOV_FN double bicg_pop_shadow(krylov_complex *product, krylov_state *state, int number)
{
    const double per_bound = state->system[number].norm_per_bound, weight = state->bicg[number].weight;
    sum_cell *cell = state->cell[number];
    const double re = cell_value(pop_cell(&cell[0]), per_bound), im = cell_value(pop_cell(&cell[1]), per_bound);
    *product = complex_of(re / weight, im / weight);
    return cell_value(pop_cell(&cell[2]), per_bound);
}

KRYLOV_FN void bicg_read_shadow(krylov_state *state, int number, int part)
{
    krylov_system *s = &state->system[number];
    bicg_system *b = &state->bicg[number];
    krylov_complex product;
    const double norm2 = bicg_pop_shadow(&product, state, number);
    if (s->status != SYSTEM_GOING)
        return;
    if (part % 2 == 0)
        bicg_set_curvature(s, b, part / 2, product, norm2);
    else
        bicg_set_power(s, b, part / 2, product, norm2);
}

KRYLOV_FN void bicg_read_gram(krylov_state *state, int number, int part)
{
    krylov_system *s = &state->system[number];
    bicg_system *b = &state->bicg[number];
    krylov_complex product[BICG_PRODUCTS];
    for (int k = 0; k < BICG_PRODUCTS; k++) {
        product[k].re = cell_value(pop_cell(&state->cell[number][2 * k]), s->norm_per_bound);
        product[k].im = cell_value(pop_cell(&state->cell[number][2 * k + 1]), s->norm_per_bound);
    }
    if (s->status == SYSTEM_GOING)
        bicg_set_gram(s, b, part, product);
}

KRYLOV_FN void bicg_read_cycle(krylov_state *state, int number)
{
    krylov_complex product;
    const double norm2 = bicg_pop_shadow(&product, state, number);
    bicg_set_cycle(&state->system[number], &state->bicg[number], product, norm2);
}

#endif
