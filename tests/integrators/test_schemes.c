/* test_schemes.c - every scheme in the table: its coefficients on paper, and its order in action. */
#include "integrators/integrator.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double sum_of(const md_step *cycle, int n, md_what what, int level)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if ((cycle[i].what == MD_DRIFT) == (what == MD_DRIFT) && cycle[i].level == level)
            sum += cycle[i].dt;
    return sum;
}

static bool is_palindrome(const md_step *cycle, int n)
{
    for (int i = 0; i < n; i++) {
        const md_step *a = &cycle[i], *b = &cycle[n - 1 - i];
        if (a->what != b->what || a->level != b->level || a->dt != b->dt || a->displacement != b->displacement)
            return false;
    }
    return true;
}

/* What a symmetric scheme with kicks b_i at times c_i lacks to fourth order, from the Taylor series of q'' = F(q):
 *     F''(p, p):  sum_i b_i c_i^2 - 1/3
 *     F' F:       sum_i b_i (sum_{k<i} b_k (c_i - c_k) + d_i) - 1/6,    d_i the displacement of a force gradient */
typedef struct { double curvature, gradient; } defects;

static defects third_order_defects(const scheme *s, double lambda)
{
    md_step cycle[SCHEME_FACTORS];
    int n = scheme_cycle(cycle, s, lambda);
    double b[SCHEME_FACTORS], c[SCHEME_FACTORS], time = 0;
    int kicks = 0;
    defects d = { -1. / 3, -1. / 6 };
    for (int i = 0; i < n; i++) {
        if (cycle[i].what == MD_DRIFT) {
            time += cycle[i].dt;
            continue;
        }
        b[kicks] = cycle[i].dt;
        c[kicks] = time;
        double path = cycle[i].displacement;
        for (int k = 0; k < kicks; k++)
            path += b[k] * (time - c[k]);
        d.curvature += cycle[i].dt * time * time;
        d.gradient += cycle[i].dt * path;
        kicks++;
    }
    return d;
}

static double size(defects d)
{
    return hypot(d.curvature, d.gradient);
}

static void coefficients(const scheme *s)
{
    md_step cycle[SCHEME_FACTORS];
    int n = scheme_cycle(cycle, s, OMELYAN_LAMBDA);
    fact(is_palindrome(cycle, n), "%s is its own mirror image", s->name);
    fact_close(sum_of(cycle, n, MD_DRIFT, 0), s->steps, 1e-15, "%s drifts for the whole cycle", s->name);
    fact_close(sum_of(cycle, n, MD_KICK, 0), s->steps, 1e-15, "%s kicks for the whole cycle", s->name);
    if (s->gauge_kicks)
        fact_close(sum_of(cycle, n, MD_KICK, 1), s->steps, 1e-15, "%s kicks its gauge level for the whole cycle",
                   s->name);
    else if (s->order == 4)
        fact_close(size(third_order_defects(s, 0)), 0, 2e-16, "%s fulfills the conditions of fourth order", s->name);
    else
        fact(size(third_order_defects(s, OMELYAN_LAMBDA)) > 0.01, "%s leaves terms of third order, being of second",
             s->name);
}

static void least_error_lambda(void)
{
    const scheme *s = toy_scheme("omelyan");
    double x = cbrt(36 + 2 * sqrt(326)), best = size(third_order_defects(s, OMELYAN_LAMBDA));
    fact_close(OMELYAN_LAMBDA, 0.5 - x / 12 + 1 / (6 * x), 1e-16, "the default lambda is the root in closed form");
    fact(best < size(third_order_defects(s, OMELYAN_LAMBDA + 1e-5)) &&
         best < size(third_order_defects(s, OMELYAN_LAMBDA - 1e-5)), "at the default lambda the error is least");
    fact_close(size(third_order_defects(s, 0.25)), size(third_order_defects(toy_scheme("leapfrog"), 0)) / 4, 1e-15,
               "omelyan with lambda = 1/4 is two half steps of leapfrog");
}

static void in_action(const toy *t, const scheme *s)
{
    const char *names[] = { s->name };
    int steps[] = { s->order == 4 ? 12 : 24 };
    double p = toy_order_of_dh(t, 1, names, steps), end = toy_order_of_end(t, 1, names, steps);
    fact_close(p, s->order, 0.12, "%s: dH of %s falls as dt^%d", t->name, s->name, s->order);
    fact_close(end, s->order, 0.12, "%s: the end point of %s converges as dt^%d", t->name, s->name, s->order);
    fact_close(toy_irreversibility(t, 1, names, steps), 0, 1e-13, "%s: %s is reversible", t->name, s->name);
}

/* At the same number of forces: 60 a trajectory (61 where a last kick closes it). */
static void work_and_error(const toy *t)
{
    static const char *const name[] = { "leapfrog", "omelyan", "force_gradient", "4mn5fv" };
    static const int steps[] = { 60, 30, 20, 12 };
    double dh[4];
    for (int i = 0; i < 4; i++) {
        schedule *s = toy_schedule(1, &name[i], &steps[i], 1);
        fact(s->level[0].force_evaluations == 61, "%s: %d steps of %s are 61 forces", t->name, steps[i], name[i]);
        schedule_free(s);
        dh[i] = toy_rms_dh(t, 1, &name[i], &steps[i], 1);
        note("%s: rms dH %.3g with %s", t->name, dh[i], name[i]);
    }
    fact(dh[1] < dh[0], "%s: at equal work omelyan beats leapfrog", t->name);
    fact(dh[2] < dh[1] / 10, "%s: at equal work and small steps the force gradient beats omelyan", t->name);
    fact(dh[3] < dh[1] / 10, "%s: so does 4mn5fv", t->name);
}

int main(void)
{
    int count = 0;
    for (; scheme_names[count]; count++) {
        const scheme *s = scheme_get(count);
        fact(strcmp(s->name, scheme_names[count]) == 0, "%s has its name in the list", s->name);
        coefficients(s);
        in_action(&anharmonic, s);
        in_action(&su3_matrix, s);
    }
    fact(scheme_has_lambda(toy_scheme("omelyan")) && scheme_has_lambda(toy_scheme("omelyan_position")) &&
         !scheme_has_lambda(toy_scheme("4mn4fp")), "lambda belongs to the omelyan schemes");
    least_error_lambda();
    work_and_error(&anharmonic);
    work_and_error(&su3_matrix);
    return facts_end();
}
