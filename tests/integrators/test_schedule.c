/* test_schedule.c - nested levels as flat lists: what stands where, what it costs, and what order it has. */
#include "integrators/schedule.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { DEEPEST = 4 };
typedef struct { const char *name; int count; const char *integrators[DEEPEST]; int steps[DEEPEST]; int order; } nest;

static const nest nests[] = {
    { "leapfrog in leapfrog", 2, { "leapfrog", "leapfrog" }, { 8, 3 }, 2 },
    { "leapfrog in leapfrog_position", 2, { "leapfrog_position", "leapfrog" }, { 8, 2 }, 2 },
    { "4mn5fv in omelyan", 2, { "omelyan", "4mn5fv" }, { 12, 2 }, 2 },
    { "omelyan in omelyan_position", 2, { "omelyan_position", "omelyan" }, { 8, 2 }, 2 },
    { "4mn4fp in 4mn5fv", 2, { "4mn5fv", "4mn4fp" }, { 16, 2 }, 4 },
    { "force_gradient in force_gradient", 2, { "force_gradient", "force_gradient" }, { 8, 2 }, 4 },
    { "4mn5fv in force_gradient in 4mn4fp", 3, { "4mn4fp", "force_gradient", "4mn5fv" }, { 10, 1, 1 }, 4 },
    { "leapfrog in omelyan in leapfrog", 3, { "leapfrog", "omelyan", "leapfrog" }, { 6, 2, 3 }, 2 },
    { "3g1f in omelyan", 2, { "omelyan", "3g1f" }, { 8, 2 }, 2 },
    { "6g1f in force_gradient", 2, { "force_gradient", "6g1f" }, { 16, 2 }, 2 },
};
enum { NESTS = sizeof nests / sizeof nests[0] };

static double drifted(const schedule *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        if (s->step[i].what == MD_DRIFT)
            sum += s->step[i].dt;
    return sum;
}

static double kicked(const schedule *s, int level)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        if (s->step[i].what != MD_DRIFT && s->step[i].level == level)
            sum += s->step[i].dt;
    return sum;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-15;
}

/* The list and its mirror image are the same but for the order of the kicks at one time, which commute. */
static bool is_palindrome(const schedule *s)
{
    for (int begin = 0, end = s->count; begin < s->count;) {
        int next = begin, before = end;
        if (s->step[begin].what == MD_DRIFT) {
            next = begin + 1;
            before = end - 1;
            if (s->step[before].what != MD_DRIFT || !is_near(s->step[begin].dt, s->step[before].dt))
                return false;
        } else {
            while (next < s->count && s->step[next].what != MD_DRIFT)
                next++;
            while (before > 0 && s->step[before - 1].what != MD_DRIFT)
                before--;
            if (end - before != next - begin)
                return false;
            for (int i = 0; i < next - begin; i++) {
                const md_step *a = &s->step[begin + i], *b = &s->step[before + i];
                if (a->what != b->what || a->level != b->level || !is_near(a->dt, b->dt) ||
                    !is_near(a->displacement, b->displacement))
                    return false;
            }
        }
        begin = next;
        end = before;
    }
    return true;
}

/* No two drifts side by side, no two kicks of a level at one time, outer levels first. */
static bool is_merged(const schedule *s)
{
    for (int i = 1; i < s->count; i++) {
        const md_step *a = &s->step[i - 1], *b = &s->step[i];
        if (a->what == MD_DRIFT ? b->what == MD_DRIFT : b->what != MD_DRIFT && b->level <= a->level)
            return false;
    }
    return true;
}

static void nested(const nest *n)
{
    schedule *s = toy_schedule(n->count, n->integrators, n->steps, 1);
    level_params levels[TOY_TERMS];
    toy_levels(levels, n->count, n->integrators, n->steps);
    failure f = { .why = "" };

    fact(schedule_check(levels, n->count, &f), "%s is an integrator%s", n->name, f.why);
    fact(is_palindrome(s), "%s is its own mirror image", n->name);
    fact(is_merged(s), "%s has one kick of a level at one time, and no two drifts in a row", n->name);
    fact(s->count <= schedule_steps_bound(levels, n->count), "%s has no more steps than its bound", n->name);
    fact_close(drifted(s), 1, 1e-14, "%s drifts for the length of the trajectory", n->name);
    for (int level = 0; level < s->levels; level++)
        fact_close(kicked(s, level), 1, 1e-14, "%s kicks level %d for the length of the trajectory", n->name, level);
    schedule_free(s);

    const toy *toys[] = { &anharmonic, &su3_matrix };
    for (int t = 0; t < 2; t++) {
        fact_close(toy_order_of_dh(toys[t], n->count, n->integrators, n->steps), n->order, 0.15,
                   "%s: dH of %s falls as dt^%d", toys[t]->name, n->name, n->order);
        fact_close(toy_order_of_end(toys[t], n->count, n->integrators, n->steps), n->order, 0.15,
                   "%s: the end point of %s converges as dt^%d", toys[t]->name, n->name, n->order);
        fact_close(toy_irreversibility(toys[t], n->count, n->integrators, n->steps), 0, 1e-13,
                   "%s: %s is reversible", toys[t]->name, n->name);
    }
}

static bool equals(const schedule *s, const md_step *want, int count)
{
    if (s->count != count)
        return false;
    for (int i = 0; i < count; i++)
        if (s->step[i].what != want[i].what || s->step[i].level != want[i].level ||
            !is_near(s->step[i].dt, want[i].dt) || !is_near(s->step[i].displacement, want[i].displacement))
            return false;
    return true;
}

static void lists_by_hand(void)
{
    const char *leapfrogs[] = { "leapfrog", "leapfrog" };
    schedule *s = toy_schedule(1, leapfrogs, (int[]){ 2 }, 1);
    const md_step plain[] = { { MD_KICK, 0, 0.25, 0 }, { MD_DRIFT, 0, 0.5, 0 }, { MD_KICK, 0, 0.5, 0 },
                              { MD_DRIFT, 0, 0.5, 0 }, { MD_KICK, 0, 0.25, 0 } };
    fact(equals(s, plain, 5), "two steps of leapfrog are three kicks and two drifts");
    fact(s->level[0].force_evaluations == 3 && s->drifts == 2, "and that is their work");
    schedule_free(s);

    s = toy_schedule(2, leapfrogs, (int[]){ 2, 1 }, 1);
    const md_step two_levels[] = {
        { MD_KICK, 0, 0.25, 0 }, { MD_KICK, 1, 0.25, 0 }, { MD_DRIFT, 0, 0.5, 0 }, { MD_KICK, 0, 0.5, 0 },
        { MD_KICK, 1, 0.5, 0 }, { MD_DRIFT, 0, 0.5, 0 }, { MD_KICK, 0, 0.25, 0 }, { MD_KICK, 1, 0.25, 0 } };
    fact(equals(s, two_levels, 8), "kicks of the inner level on both sides of an outer one are one kick");
    schedule_free(s);

    const char *gradient[] = { "force_gradient" };
    s = toy_schedule(1, gradient, (int[]){ 2 }, 1);
    const md_step fg[] = {
        { MD_KICK, 0, 1. / 12, 0 }, { MD_DRIFT, 0, 0.25, 0 }, { MD_FORCE_GRADIENT, 0, 1. / 3, 1. / 96 },
        { MD_DRIFT, 0, 0.25, 0 }, { MD_KICK, 0, 1. / 6, 0 }, { MD_DRIFT, 0, 0.25, 0 },
        { MD_FORCE_GRADIENT, 0, 1. / 3, 1. / 96 }, { MD_DRIFT, 0, 0.25, 0 }, { MD_KICK, 0, 1. / 12, 0 } };
    fact(equals(s, fg, 9), "the displacement of a force gradient is dt^2 / 24");
    fact(s->level[0].force_evaluations == 7, "a force gradient costs two forces");
    schedule_free(s);

    const char *at_nodes[] = { "force_gradient_position" };
    s = toy_schedule(1, at_nodes, (int[]){ 1 }, 1);
    const double node = 0.5 - 0.5 / sqrt(3), shift = (2 - sqrt(3)) / 12;
    const md_step fgp[] = { { MD_DRIFT, 0, node, 0 }, { MD_FORCE_GRADIENT, 0, 0.5, shift },
                            { MD_DRIFT, 0, 1 - 2 * node, 0 }, { MD_FORCE_GRADIENT, 0, 0.5, shift },
                            { MD_DRIFT, 0, node, 0 } };
    fact(equals(s, fgp, 5), "two kicks at the nodes of Gauss, with displacements (2 - sqrt(3)) dt^2 / 12");
    fact(s->level[0].force_evaluations == 4, "that is four forces");
    schedule_free(s);
}

static void work_of_nests(void)
{
    const char *leapfrogs[] = { "leapfrog", "leapfrog", "leapfrog" };
    schedule *s = toy_schedule(3, leapfrogs, (int[]){ 4, 3, 5 }, 1);
    fact(s->level[0].force_evaluations == 5 && s->level[1].force_evaluations == 13 &&
         s->level[2].force_evaluations == 61 && s->drifts == 60,
         "leapfrogs of 4, 3 and 5 steps take 5, 13 and 61 forces and 60 drifts");
    fact(strcmp(s->level[1].integrator, "leapfrog") == 0 && strcmp(s->level[1].monomials.item[0], "middle") == 0,
         "a level knows its scheme and monomials");
    schedule_free(s);

    const char *fermions[] = { "3g1f" };
    s = toy_schedule(1, fermions, (int[]){ 12 }, 1);
    fact(s->levels == 2 && s->level[0].force_evaluations == 12 && s->level[1].force_evaluations == 36,
         "12 steps of 3g1f are 12 fermion and 36 gauge forces");
    fact(strcmp(s->level[1].monomials.item[0], "gauge") == 0, "the inner level of 3g1f has the gauge monomials");
    schedule_free(s);
}

/* Kick times over two steps of length 1, from the times in units of the step that MILC's update_rhmc.c lists. */
typedef struct { const char *name; int kicks; double time[16]; const char *level; } kick_times;

static const kick_times milc[] = {
    { "2g1f", 6, { 0.2, 0.4, 0.8, 1.2, 1.6, 1.8 }, "GFGGFG" },
    { "3g1f", 8, { 2. / 15, 0.4, 8. / 15, 0.8, 1.2, 22. / 15, 1.6, 28. / 15 }, "GFGGGGFG" },
    { "5g1f", 12, { 0.08, 0.32, 0.4, 0.48, 0.72, 0.88, 1.12, 1.28, 1.52, 1.6, 1.68, 1.92 }, "GGFGGGGGGFGG" },
    { "6g1f", 14, { 1. / 15, 4. / 15, 0.4, 0.4, 0.6, 11. / 15, 14. / 15, 16. / 15, 19. / 15, 1.4, 1.6, 1.6, 26. / 15,
                    29. / 15 }, "GGFGGGGGGGFGGG" },
};

static void kick_times_of_milc(const kick_times *want)
{
    level_params level;
    toy_levels(&level, 1, &want->name, (int[]){ 2 });
    schedule *s = schedule_create(&level, 1, 2);
    double time = 0, off = 0;
    int kicks = 0, gauge_kicks = toy_scheme(want->name)->gauge_kicks;
    bool levels_right = true, weights_right = true;
    for (int i = 0; i < s->count; i++) {
        const md_step *step = &s->step[i];
        if (step->what == MD_DRIFT) {
            time += step->dt;
            continue;
        }
        bool gauge = step->level == 1;
        off = worse(off, kicks < want->kicks ? fabs(time - want->time[kicks]) : 1);
        levels_right &= kicks < want->kicks && (want->level[kicks] == 'G') == gauge;
        weights_right &= is_near(step->dt, gauge ? 1. / gauge_kicks : 1);
        kicks++;
    }
    fact(kicks == want->kicks, "%s kicks %d times in two steps", want->name, want->kicks);
    fact_close(off, 0, 1e-15, "%s kicks at MILC's times", want->name);
    fact(levels_right, "%s kicks the gauge and the fermion level in turn as MILC does", want->name);
    fact(weights_right, "%s kicks with weights 1/%d and 1", want->name, gauge_kicks);
    fact(s->drifts == (gauge_kicks == 6 ? 13 : want->kicks + 1), "%s has no drift of no length", want->name);
    fact_close(time, 2, 1e-15, "%s drifts to the end", want->name);
    schedule_free(s);
}

static void pure_gauge_3g1f(void)
{
    level_params level;
    toy_levels(&level, 1, (const char *[]){ "3g1f" }, (int[]){ 2 });
    level.monomials.count = 0;
    failure f;
    schedule *s = schedule_create(&level, 1, 2);
    fact(schedule_check(&level, 1, &f), "3g1f may do without fermions");
    fact(s->level[0].force_evaluations == 0 && s->level[1].force_evaluations == 6 && s->drifts == 7,
         "without fermions 3g1f has six gauge kicks and drifts across the places of the others");
    fact(is_palindrome(s) && is_merged(s), "and is symmetric");
    schedule_free(s);
}

static void lambda_is_used(void)
{
    level_params level;
    toy_levels(&level, 1, (const char *[]){ "omelyan_position" }, (int[]){ 1 });
    level.lambda = 0.2;                       /* MILC's 0.8, which counts quarters of two steps */
    schedule *s = schedule_create(&level, 1, 2);
    const md_step want[] = { { MD_DRIFT, 0, 0.4, 0 }, { MD_KICK, 0, 1, 0 }, { MD_DRIFT, 0, 1.2, 0 },
                             { MD_KICK, 0, 1, 0 }, { MD_DRIFT, 0, 0.4, 0 } };
    fact(equals(s, want, 5), "omelyan_position with lambda 0.2 is MILC's OMELYAN with 0.8");
    schedule_free(s);
    level.lambda = 0.5;
    s = schedule_create(&level, 1, 1);
    fact(s->count == 3, "with lambda 1/2 the middle drift is gone and the kicks are one: leapfrog");
    schedule_free(s);
}

int main(void)
{
    lists_by_hand();
    work_of_nests();
    for (size_t i = 0; i < sizeof milc / sizeof milc[0]; i++)
        kick_times_of_milc(&milc[i]);
    pure_gauge_3g1f();
    lambda_is_used();
    for (int i = 0; i < NESTS; i++)
        nested(&nests[i]);
    return facts_end();
}
