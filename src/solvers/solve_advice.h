/* solve_advice.h - advice about a solve that did not converge: more iterations help only if none were left. */
#ifndef KILN_SOLVERS_SOLVE_ADVICE_H
#define KILN_SOLVERS_SOLVE_ADVICE_H

#include <stdbool.h>

typedef struct { char s[192]; } solve_advice;

/* spent: of the result (solver.h); residual: of the result. */
solve_advice solve_advice_for(bool spent, double residual);

#endif
