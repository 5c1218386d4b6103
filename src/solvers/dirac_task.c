/* dirac_task.c - results of solves. */
#include "src/solvers/dirac_task.h"

dirac_solved dirac_solved_of(const solve_result *solve, const mixed_record *record)
{
    dirac_solved s = { .converged = solve->converged, .spent = solve->spent, .iterations = solve->iterations,
                       .residual = solve->residual };
    if (record)
        s.record = *record;
    return s;
}

void dirac_solved_add(dirac_solved *sum, const dirac_solved *one)
{
    if (one->fallback && !sum->fallback) {
        sum->fallback = one->fallback;
        sum->fallback_at = sum->iterations + one->fallback_at;
    }
    sum->iterations += one->iterations;
    sum->restarts += one->restarts;
    mixed_record_add(&sum->record, &one->record);
}
