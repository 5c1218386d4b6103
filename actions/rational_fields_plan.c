/* rational_fields_plan.c - plans of pseudofermions with rational functions: groups, memory, work and errors. */
#include "actions/rational_fields.h"

#include <math.h>

const rational *rational_of(const rational_set *set, int role)
{
    return role == ROLE_REFRESH ? &set->refresh : role == ROLE_ACTION ? &set->action : &set->force;
}

int rational_most_poles(const rational_set *sets, int count)
{
    int most = 0;
    for (int n = 0; n < count; n++)
        for (int role = 0; role < ROLES; role++) {
            int order = rational_of(&sets[n], role)->order;
            most = order > most ? order : most;
        }
    return most;
}

int rational_first_alike(const rational_fields_plan *p, int n)
{
    int first = 0;
    while (p->matrix[first] != p->matrix[n])
        first++;
    return first;
}

rational_groups rational_groups_of(const rational_fields_plan *p)
{
    rational_groups all = { 0 };
    for (int first = 0, matrix = 0; first < p->count; first++) {
        rational_group *g = NULL;
        if (rational_first_alike(p, first) < first)
            continue;
        for (int n = first; n < p->count; n++) {
            if (p->matrix[n] != p->matrix[first])
                continue;
            if (!g || g->count == p->max_rhs)
                g = &all.group[all.count++];
            g->matrix = matrix;
            g->field[g->count++] = n;
        }
        matrix++;
    }
    return all;
}

int rational_fields_max_rhs(const rational_fields_plan *p)
{
    const rational_groups all = rational_groups_of(p);
    int most = 1;
    for (int i = 0; i < all.count; i++)
        most = all.group[i].count > most ? all.group[i].count : most;
    return most;
}

static const rational_fields_plan *plan_of(const quark_factor_plan *p)
{
    return p->more;
}

int rational_fields_entries(const quark_factor_plan *p)
{
    return plan_of(p)->count;
}

void rational_fields_describe(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry)
{
    (void)d;
    plan_of(p)->describe(out, plan_of(p)->of, entry);
}

void rational_fields_describe_functions(text *out, const quark_factor_plan *p, int entry)
{
    const rational_set *set = &plan_of(p)->set[entry];
    text_add(out, "; poles: refresh %d, action %d, force %d", set->refresh.order, set->action.order,
             set->force.order);
}

int rational_fields_vectors(const quark_factor_plan *p)
{
    return plan_of(p)->count + 1;
}

int rational_fields_shifts(const quark_factor_plan *p)
{
    return rational_most_poles(plan_of(p)->set, plan_of(p)->count);
}

int rational_fields_scratch(const quark_factor_plan *p)
{
    return rational_fields_shifts(p) * rational_fields_max_rhs(plan_of(p));
}

int rational_fields_pairs(const quark_factor_plan *p)
{
    int sum = 0;
    for (int n = 0; n < plan_of(p)->count; n++)
        sum += plan_of(p)->set[n].force.order;
    return sum;
}

/* One C^+C for each field; r and p of each field, and x and p of each pole, are read and written. */
quark_iteration rational_fields_iteration(const quark_factor_plan *p)
{
    return (quark_iteration){ plan_of(p)->count, 4.0 * plan_of(p)->count + 4.0 * rational_fields_pairs(p) };
}

/* For r(x) = c + sum a_k / (x + b_k) on [0, upper]: the larger |r| of both ends, and sum |a_k| / b_k. */
typedef struct { double largest, poles; } function_gain;

static function_gain gain_of(const rational *r, double upper)
{
    function_gain g = { fmax(fabs(rational_value(r, 0)), fabs(rational_value(r, upper))), 0 };
    for (int k = 0; k < r->order; k++)
        g.poles += fabs(r->residue[k]) / r->pole[k];
    return g;
}

/* The errors of functions from a file are unknown and not added. */
void rational_fields_energy_errors(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                                   const lattice_shape *shape)
{
    const rational_fields_plan *r = plan_of(p);
    const double freedom = quark_freedom(d, shape);
    for (int n = 0; n < r->count; n++) {
        const function_gain drawn = gain_of(&r->set[n].refresh, r->expected),
                            weighed = gain_of(&r->set[n].action, r->expected);
        energy_errors_add(e, ROLE_REFRESH, freedom, weighed.largest * drawn.poles, r->residual[n].of[ROLE_REFRESH],
                          false);
        energy_errors_add(e, ROLE_ACTION, freedom, drawn.largest * weighed.poles, r->residual[n].of[ROLE_ACTION],
                          false);
        for (int role = ROLE_REFRESH; role <= ROLE_ACTION && !r->from_file; role++)
            energy_errors_add_function(e, role, freedom, p->error.of[role]);
    }
}
