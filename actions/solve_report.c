/* solve_report.c - solves in the record of a run. */
#include "actions/solve_report.h"

#include <math.h>

static _Thread_local int64_t iterations_so_far;

int64_t solve_iterations_so_far(void)
{
    return iterations_so_far;
}

void solve_facts_add(solve_facts *s, int iterations, int polish, double residual)
{
    iterations_so_far += iterations + polish;
    s->solves++;
    s->iterations += iterations;
    s->polish += polish;
    s->residual = fmax(s->residual, residual);
}

void solve_facts_report(const solve_facts of[ROLES], residual_norm norm, json *j)
{
    for (int role = 0; role < ROLES; role++) {
        const solve_facts *s = &of[role];
        if (s->solves == 0)
            continue;
        json_open(j, role_keys[role], '{');
        json_int(j, "solves", s->solves);
        json_int(j, "iterations", s->iterations);
        if (role != ROLE_FORCE || norm != RESIDUAL_NORM_TWO)
            json_int(j, "polish_iterations", s->polish);
        json_real(j, role == ROLE_FORCE ? "residual" : "true_residual", s->residual);
        if (norm != RESIDUAL_NORM_TWO)
            json_text(j, "residual_norm", residual_norm_names[norm]);
        json_close(j);
    }
}

/* With the first reason. */
static void warn_of_fallbacks(const mixed_record of[ROLES], text *lines)
{
    mixed_failure why = NO_FAILURE;
    int fallbacks = 0;
    for (int role = 0; role < ROLES; role++) {
        fallbacks += of[role].fallbacks;
        for (int method = 0; method < MIXED_METHODS && of[role].fallbacks > 0 && !why; method++)
            why = of[role].why[method];
    }
    if (fallbacks > 0)
        text_add(lines, "conjugate gradients took the place of BiCGstab %s: %s\n",
                 count_to_text(fallbacks, "time").s, mixed_failure_names[why]);
}

void mixed_records_warn(const mixed_record of[ROLES], text *lines)
{
    int switches = 0;
    warn_of_fallbacks(of, lines);
    for (int role = 0; role < ROLES; role++)
        switches += of[role].switches;
    if (switches > 0)
        text_add(lines, "solves in mixed precision switched their method %s\n", count_to_text(switches, "time").s);
}

void mixed_records_report(const mixed_record of[ROLES], json *j)
{
    int low = 0;
    for (int role = 0; role < ROLES; role++)
        low += of[role].low_iterations;
    if (low == 0)
        return;
    json_open(j, "mixed_precision", '{');
    for (int role = 0; role < ROLES; role++) {
        const mixed_record *m = &of[role];
        json_open(j, role_keys[role], '{');
        json_int(j, "low_iterations", m->low_iterations);
        json_int(j, "high_iterations", m->high_iterations);
        json_int(j, "high_residuals", m->residuals);
        json_int(j, "reliable_updates", m->updates);
        json_int(j, "switches", m->switches);
        json_int(j, "escalations", m->escalations);
        if (m->fallbacks > 0)
            json_int(j, "fallbacks", m->fallbacks);
        json_close(j);
    }
    json_close(j);
}

void solve_facts_row(solve_facts of[ROLES], number_row *row)
{
    for (int role = 0; role < ROLES; role++) {
        number_row_int64(row, &of[role].solves);
        number_row_int64(row, &of[role].iterations);
        number_row_int64(row, &of[role].polish);
        number_row_real(row, &of[role].residual);
    }
}

void mixed_records_row(mixed_record of[ROLES], number_row *row)
{
    for (int role = 0; role < ROLES; role++) {
        mixed_record *m = &of[role];
        int *const counts[] = { &m->low_iterations, &m->high_iterations, &m->residuals, &m->updates, &m->reprojections,
                                &m->cycles, &m->switches, &m->escalations, &m->fallbacks };
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            number_row_int(row, counts[i]);
        int last = (int)m->last;
        number_row_int(row, &last);
        m->last = (mixed_method)last;
        for (int method = 0; method < MIXED_METHODS; method++) {
            int why = (int)m->why[method];
            number_row_int(row, &why);
            m->why[method] = (mixed_failure)why;
            number_row_int(row, &m->switched_at[method]);
        }
    }
}
