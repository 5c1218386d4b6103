/* fifth_dense.c - a table's recursion, from each unit vector. */
#include "tests/operators/fifth_dense.h"

void fifth_dense(double *matrix, const fifth_table *k, int chirality, int Ls)
{
    int c = chirality;
    for (int column = 0; column < Ls; column++) {
        double p = 0;
        for (int step = 0; step < Ls; step++) {
            int s = k->up[c] ? step : Ls - 1 - step;
            double in = s == column;
            matrix[s * Ls + column] = k->d[c][s] * in + k->e[c][s] * p + k->h[c][s] * k->g[c][column];
            p = k->a[c][s] * in + k->r[c][s] * p;
        }
    }
}
