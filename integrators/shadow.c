/* shadow.c - the Baker-Campbell-Hausdorff formula, evaluated on the list of steps.
 *
 * The steps are exponentials exp(dt X), where X is T or one of the S_i, which do not commute with T.  Their product P
 * is expanded in words of these letters, with up to three letters.  The words of its logarithm have the coefficients
 *
 *     L(abc) = P(abc) - [P(a) P(bc) + P(ab) P(c)] / 2 + P(a) P(b) P(c) / 3
 *
 * and it equals tau (T + S) + sum a_ij tau [S_i, [S_j, T]] - sum b_i tau [T, [S_i, T]], in which the word S_i S_j T has
 * the coefficient tau a_ij, and T T S_i has tau b_i.  A force-gradient kick with displacement d is a kick of the action
 * S - (d/2) |F|^2, and adds -(d/2) dt to tau a_ii. */
#include "integrators/shadow.h"

#include <assert.h>

enum { LETTERS = SHADOW_LEVELS + 1, T = SHADOW_LEVELS };       /* S_0, S_1, ...; T */

typedef struct {
    double one[LETTERS], two[LETTERS][LETTERS], three[LETTERS][LETTERS][LETTERS];
} words;

/* P <- P exp(dt X), the longest words first. */
static void multiply(words *p, int x, double dt)
{
    for (int a = 0; a < LETTERS; a++) {
        for (int b = 0; b < LETTERS; b++)
            p->three[a][b][x] += dt * p->two[a][b];
        p->three[a][x][x] += dt * dt / 2 * p->one[a];
    }
    p->three[x][x][x] += dt * dt * dt / 6;
    for (int a = 0; a < LETTERS; a++)
        p->two[a][x] += dt * p->one[a];
    p->two[x][x] += dt * dt / 2;
    p->one[x] += dt;
}

/* L(abc) */
static double of_logarithm(const words *p, int a, int b, int c)
{
    return p->three[a][b][c] - (p->one[a] * p->two[b][c] + p->two[a][b] * p->one[c]) / 2
           + p->one[a] * p->one[b] * p->one[c] / 3;
}

shadow shadow_of(const schedule *s)
{
    shadow h = { .levels = s->levels };
    words p = { .one = { 0 } };
    assert(s->levels <= SHADOW_LEVELS);
    for (int i = 0; i < s->count; i++) {
        const md_step *step = &s->step[i];
        multiply(&p, step->what == MD_DRIFT ? T : step->level, step->dt);
        if (step->what == MD_FORCE_GRADIENT)
            h.a[step->level][step->level] -= step->displacement / 2 * step->dt;
    }
    const double tau = p.one[T];
    for (int i = 0; i < s->levels; i++) {
        for (int j = 0; j < s->levels; j++)
            h.a[i][j] += (of_logarithm(&p, i, j, T) + of_logarithm(&p, j, i, T)) / 2;
        h.b[i] = of_logarithm(&p, T, T, i) / tau;
        for (int j = 0; j < s->levels; j++)
            h.a[i][j] /= tau;
    }
    return h;
}
