/* quark_factor.c - common functions of factors: count solves, report failures, check the first action. */
#include "actions/quark_factor.h"

#include "src/lattice/locate.h"
#include "src/solvers/solve_advice.h"

#include <math.h>

/* The largest allowed |S / |eta|^2 - 1|, over the sum of the errors and residuals of refresh and action. */
#define START_SLACK 100

void quark_forget_refresh(quark_factor *x)
{
    for (int entry = 0; entry < x->entries; entry++)
        x->of[entry][ROLE_REFRESH] = (solve_facts){ .solves = 0 };
}

/* The mean number of iterations of a solve in the last refresh, the largest one of all entries; 0 before any refresh.
 * It is the largest one, so that the bits of a field do not depend on which fields are solved together. */
static double refresh_iterations(const quark_factor *x)
{
    double most = 0;
    for (int entry = 0; entry < x->entries; entry++) {
        const solve_facts *s = &x->of[entry][ROLE_REFRESH];
        if (s->solves > 0)
            most = fmax(most, (double)s->iterations / (double)s->solves);
    }
    return most;
}

static solver_precision precision_of(const quark_factor *x, const quark_context *q, int role)
{
    const double iterations = role == ROLE_REFRESH ? 0 : refresh_iterations(x);
    return iterations > 0 && iterations < q->least_iterations ? SOLVER_DOUBLE : q->precision[role];
}

dirac_goal quark_goal(const quark_factor *x, const quark_context *q, int role)
{
    return (dirac_goal){ .precision = precision_of(x, q, role), .residual = x->plan.residual.of[role],
                         .norm = q->norm, .max_iterations = q->max_iterations, .verify = role != ROLE_FORCE };
}

static bool fail_non_finite(quark_factor *x, const char *of, monomial_call *c)
{
    field_component at;
    vec *phi;
    for (int i = 0; (phi = x->kind->field(x->data, i)); i++)
        if (field_find_nonfinite(&phi->f, &at))
            return fail(&c->failure, "factor %d: the solve of %s has non-finite numbers: in pseudofermion %d, first at "
                                     "site (x y z t) = (%d %d %d %d), slice %d, number %d there", x->index, of, i,
                        at.site[0], at.site[1], at.site[2], at.site[3], at.slice, at.component);
    return fail(&c->failure, "factor %d: the solve of %s has non-finite numbers, but its pseudofermions are finite "
                             "(kiln replay repeats it)", x->index, of);
}

bool quark_solve_ended(quark_factor *x, const quark_context *q, int role, const char *of, const dirac_solved *s,
                       monomial_call *c)
{
    solve_facts_add(&x->of[0][role], s->iterations, s->polish_iterations, s->residual);
    mixed_record_add(&x->mixed[role], &s->record);
    if (s->converged)
        return true;
    if (!isfinite(s->residual))
        return fail_non_finite(x, of, c);
    return fail(&c->failure, "factor %d: the solve of %s did not converge: after %d of at most %d iterations its "
                             "residual%s is %.3g, the goal is %.3g (%s)", x->index, of, s->iterations,
                q->max_iterations, q->norm == RESIDUAL_NORM_UNIFORM ? " in the uniform norm" : "",
                s->residual, x->plan.residual.of[role],
                solve_advice_for(s->spent, s->residual).s);
}

void quark_start_drawn(quark_start *s, double eta_norm2, const quark_context *q, monomial_call *c)
{
    c->drawn += eta_norm2;
    *s = c->unchecked ? (quark_start){ 0 } : (quark_start){ eta_norm2, 0, q->d->version };
}

bool quark_start_action(quark_start *s, double action, const quark_factor *x, const quark_context *q,
                        const char *advice, monomial_call *c)
{
    const bool first = s->version == q->d->version;
    s->version = 0;
    if (first && q->mixed)
        s->eta_norm2 = 0;
    if (!first || q->mixed)
        return true;
    double explained = 0;
    for (int role = ROLE_REFRESH; role <= ROLE_ACTION; role++)
        explained += x->plan.error.of[role] + x->plan.residual.of[role];
    s->apart = action / s->eta_norm2 - 1;
    return fabs(s->apart) <= START_SLACK * explained
           || fail(&c->failure, "factor %d: the action of new pseudofermions is %.15g, but |eta|^2 of their random "
                                 "numbers is %.15g: %s", x->index, action, s->eta_norm2, advice);
}

void quark_start_report(const quark_start *s, json *j)
{
    if (s->eta_norm2 > 0)
        json_real(j, "start_action_error", s->apart);
}

/* A mid-trajectory checkpoint is written after the check of the first action, so there is nothing to compare after
 * reading it. */
void quark_start_row(quark_start *s, number_row *row)
{
    number_row_real(row, &s->eta_norm2);
    number_row_real(row, &s->apart);
    if (row->reading)
        s->version = 0;
}

static void describe_power(text *out, const dirac_plan *d, int index, int power)
{
    text_add(out, "(");
    d->kind->describe(out, d, index);
    text_add(out, ")^%d", power);
}

void quark_describe_ratio(text *out, const quark_factor_plan *p, const dirac_plan *d)
{
    describe_power(out, d, p->light, p->kind->flavors);
    if (!p->alone) {
        text_add(out, " ");
        describe_power(out, d, p->heavy, -p->kind->flavors);
    }
}

double quark_freedom(const dirac_plan *d, const lattice_shape *shape)
{
    return VEC_REALS / 2 * d->slabs * ((double)lattice_global_sites(shape) / 2);
}

double quark_gain(spectral_range range)
{
    return sqrt(range.largest / range.smallest);
}
