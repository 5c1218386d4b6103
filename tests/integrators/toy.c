/* toy.c - running a schedule on a few numbers. */
#include "tests/integrators/toy.h"

#include "tests/facts.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 4 };

static void sum_forces(double f[TOY_REALS], const toy *t, const schedule *s, int level, const double q[TOY_REALS])
{
    memset(f, 0, TOY_REALS * sizeof f[0]);
    int end = level == s->levels - 1 ? TOY_TERMS : level + 1;
    for (int term = level; term < end; term++)
        t->add_force(f, term, q);
}

toy_state toy_run(const toy *t, const schedule *s, toy_state z)
{
    for (int i = 0; i < s->count; i++) {
        const md_step *step = &s->step[i];
        double f[TOY_REALS], q[TOY_REALS];
        if (step->what == MD_DRIFT) {
            t->drift(z.q, step->dt, z.p);
            continue;
        }
        sum_forces(f, t, s, step->level, z.q);
        if (step->what == MD_FORCE_GRADIENT) {
            memcpy(q, z.q, sizeof q);
            t->drift(q, step->displacement, f);
            sum_forces(f, t, s, step->level, q);
        }
        for (int k = 0; k < TOY_REALS; k++)
            z.p[k] += step->dt * f[k];
    }
    return z;
}

double toy_distance(const toy_state *a, const toy_state *b)
{
    double largest = 0;
    for (int k = 0; k < TOY_REALS; k++)
        largest = worse(largest, worse(fabs(a->q[k] - b->q[k]), fabs(a->p[k] - b->p[k])));
    return largest;
}

int toy_scheme_index(const char *name)
{
    int index = 0;
    while (strcmp(scheme_names[index], name) != 0)
        index++;
    return index;
}

const scheme *toy_scheme(const char *name)
{
    return scheme_get(toy_scheme_index(name));
}

int toy_levels(level_params levels[], int count, const char *const integrators[], const int steps[])
{
    /* static: a schedule borrows them */
    static char names[TOY_TERMS + 1][8] = { "slow", "middle", "fast", "gauge" };
    static char *list[TOY_TERMS + 1] = { names[0], names[1], names[2], names[3] };
    for (int i = 0; i < count; i++) {
        const int index = toy_scheme_index(integrators[i]);
        levels[i] = (level_params){ index, steps[i], OMELYAN_LAMBDA, { 1, &list[i] }, { 0, NULL } };
        if (scheme_get(index)->gauge_kicks)
            levels[i].gauge_monomials = (text_list){ 1, &list[TOY_TERMS] };
    }
    return count;
}

schedule *toy_schedule(int count, const char *const integrators[], const int steps[], int refine)
{
    level_params levels[TOY_TERMS];
    toy_levels(levels, count, integrators, steps);
    levels[0].steps *= refine;
    return schedule_create(levels, count, 1);
}

double toy_rms_dh(const toy *t, int count, const char *const integrators[], const int steps[], int refine)
{
    schedule *s = toy_schedule(count, integrators, steps, refine);
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        toy_state start = t->start(i), end = toy_run(t, s, start);
        double dh = t->energy(&end) - t->energy(&start);
        sum += dh * dh;
    }
    schedule_free(s);
    return sqrt(sum / SAMPLES);
}

double toy_order_of_dh(const toy *t, int count, const char *const integrators[], const int steps[])
{
    return log2(toy_rms_dh(t, count, integrators, steps, 1) / toy_rms_dh(t, count, integrators, steps, 2));
}

double toy_order_of_end(const toy *t, int count, const char *const integrators[], const int steps[])
{
    toy_state end[3];
    for (int i = 0; i < 3; i++) {
        schedule *s = toy_schedule(count, integrators, steps, 1 << i);
        end[i] = toy_run(t, s, t->start(0));
        schedule_free(s);
    }
    return log2(toy_distance(&end[0], &end[1]) / toy_distance(&end[1], &end[2]));
}

double toy_irreversibility(const toy *t, int count, const char *const integrators[], const int steps[])
{
    schedule *s = toy_schedule(count, integrators, steps, 1);
    double largest = 0;
    for (int i = 0; i < SAMPLES; i++) {
        toy_state start = t->start(i), z = toy_run(t, s, start);
        for (int k = 0; k < TOY_REALS; k++)
            z.p[k] = -z.p[k];
        z = toy_run(t, s, z);
        for (int k = 0; k < TOY_REALS; k++)
            z.p[k] = -z.p[k];
        largest = worse(largest, toy_distance(&z, &start));
    }
    schedule_free(s);
    return largest;
}
