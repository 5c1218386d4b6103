/* remez_poles.c - partial fractions: the zeros of the denominator, in descending order, and the residues.
 *
 * On a polynomial whose zeros are all real and to the left, Newton's iteration moves left without passing a zero; zeros
 * found before are divided out (H. J. Maehly, Z. angew. Math. Phys. 5 (1954) 260).  A step to the right shows that not
 * all zeros are real and to the left. */
#include "src/rational/remez.h"

#define RN MPFR_RNDN

/* Sums over j of weight_j / (x - t_j) and weight_j / (x - t_j)^2. */
static void sums(mpfr_t first, mpfr_t second, const remez *r, const mpfr_t *weight, const mpfr_t x)
{
    mpfr_t *w = r->work;
    mpfr_set_zero(first, 1);
    mpfr_set_zero(second, 1);
    for (int j = 0; j <= r->order; j++) {
        mpfr_sub(w[0], x, r->t[j], RN);
        mpfr_ui_div(w[0], 1, w[0], RN);
        mpfr_mul(w[1], weight[j], w[0], RN);
        mpfr_add(first, first, w[1], RN);
        mpfr_fma(second, w[1], w[0], second, RN);
    }
}

/* Newton's step 1 / [Q'/Q - sum_k 1/(x - z_k)] at x, Q(x) = [sum_j beta_j/(x - t_j)] prod_j (x - t_j), over the zeros
 * z_k = -pole_k found so far. */
static void newton_step(mpfr_t step, const remez *r, const mpfr_t x, int found)
{
    mpfr_t *w = r->work, *den = w + 2, *den2 = w + 3;
    sums(*den, *den2, r, r->beta, x);
    mpfr_div(step, *den2, *den, RN);
    mpfr_neg(step, step, RN);
    for (int j = 0; j <= r->order; j++) {
        mpfr_sub(w[0], x, r->t[j], RN);
        mpfr_ui_div(w[0], 1, w[0], RN);
        mpfr_add(step, step, w[0], RN);
    }
    for (int k = 0; k < found; k++) {
        mpfr_add(w[0], x, r->pole[k], RN);
        mpfr_ui_div(w[0], 1, w[0], RN);
        mpfr_sub(step, step, w[0], RN);
    }
    mpfr_ui_div(step, 1, step, RN);
}

/* x <- the next zero on the left of x; false with the reason if there is none. */
static bool walk(mpfr_t x, const remez *r, int found, failure *why)
{
    enum { STEPS = 3000 };
    mpfr_t *step = r->work + 6, *small = r->work + 7;
    for (int i = 0; i < STEPS; i++) {
        newton_step(*step, r, x, found);
        if (mpfr_zero_p(*step))
            return true;
        if (!mpfr_regular_p(*step))
            break;
        mpfr_div_2ui(*small, x, (unsigned long)r->bits / 2, RN);      /* Newton's iteration converges quadratically */
        bool done = mpfr_cmpabs(*step, *small) <= 0;
        if (!done && mpfr_sgn(*step) < 0)
            break;
        mpfr_sub(x, x, *step, RN);
        if (done)
            return true;
    }
    return fail(why, "only %d/%d poles of the best rational function are real and below the range", found, r->order);
}

bool remez_partial_fractions(remez *r, failure *why)
{
    enum { APART = 30 };                             /* neighboring zeros differ by more than the fraction 2^-30 */
    mpfr_t *w = r->work, *x = w + 8, *num = w + 2, *num2 = w + 3, *den = w + 4, *den2 = w + 5;
    mpfr_sub(*x, r->t[0], r->x[1], RN);
    mpfr_div_2ui(*x, *x, APART, RN);
    mpfr_add(*x, *x, *r->lower, RN);
    for (int k = 0; k < r->order; k++) {
        if (!walk(*x, r, k, why))
            return false;
        mpfr_neg(r->pole[k], *x, RN);
        sums(*num, *num2, r, r->alpha, *x);
        sums(*den, *den2, r, r->beta, *x);
        mpfr_div(r->residue[k], *num, *den2, RN);
        mpfr_neg(r->residue[k], r->residue[k], RN);
        mpfr_div_2ui(w[0], r->pole[k], APART, RN);
        mpfr_abs(w[0], w[0], RN);
        mpfr_sub(*x, *x, w[0], RN);
    }
    mpfr_set_zero(*num, 1);
    mpfr_set_zero(*den, 1);
    for (int j = 0; j <= r->order; j++) {
        mpfr_add(*num, *num, r->alpha[j], RN);
        mpfr_add(*den, *den, r->beta[j], RN);
    }
    mpfr_div(*r->constant, *num, *den, RN);
    return true;
}
