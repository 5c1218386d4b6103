/* exact_matrix.c - M_E of the exact one-flavor action of domain-wall quarks, and its linear systems. */
#include "actions/exact_matrix.h"

#include "src/operators/dwf_embed.h"
#include "src/solvers/solve_advice.h"

#include <math.h>

/* Tolerance for weights that must be reflection symmetric and proportional. */
#define SYMMETRY 1e-12

/* Vectors of the solver by their number.
 * Scratch, on odd sites: the source of a solve, its solution, and the EXACT_KEPT solutions for start vectors.
 * Spare: the source in five dimensions, on even and odd sites; one vector on even sites; the right-hand side before the
 * solve, and the solution in five dimensions after it.  Two other uses share this memory: images of start vectors
 * before the solve, and exact_free_field, in place of the source, after it. */
enum { AT_TURNED, AT_SOLUTION, AT_KEPT, AT_END = AT_KEPT + EXACT_KEPT };
enum { AT_SOURCE, AT_EVEN = AT_SOURCE + 2, AT_X, AT_RHS = AT_X, AT_LAST = AT_X + 2 };
enum { SPARE = (int)AT_LAST > (int)EXACT_KEPT ? (int)AT_LAST : (int)EXACT_KEPT };
_Static_assert((int)EXACT_KEPT <= (int)START_VECTORS_MAX, "start vectors of the refresh");

static double power_of(double base, int n)
{
    double power = 1;
    for (int i = 0; i < n; i++)
        power *= base;
    return power;
}

static double weight_at_wall(const dwf_weights *w, double mass)
{
    return 1 + mass * power_of(-w->c[0] / w->b[0], w->Ls);
}

bool exact_matrix_check(const dwf_weights *w, double mass, double heavy, failure *f)
{
    const int n = w->Ls;
    for (int s = 0; s < n; s++) {
        if (!(w->b[s] > 0))
            return fail(f, "the exact one-flavor action needs positive weights, but b_%d is %g", s, w->b[s]);
        if (fabs(w->b[s] - w->b[n - 1 - s]) > SYMMETRY * w->b[s])
            return fail(f, "the exact one-flavor action needs reflection-symmetric weights, but b_%d is "
                           "%g and b_%d is %g (use action optimal_symmetric, or method rational)", s, w->b[s],
                        n - 1 - s, w->b[n - 1 - s]);
        if (fabs(w->c[s] * w->b[0] - w->c[0] * w->b[s]) > SYMMETRY * w->b[s] * w->b[0])
            return fail(f, "the exact one-flavor action needs c_s in proportion to b_s, but c_0/b_0 is %g and "
                           "c_%d/b_%d is %g", w->c[0] / w->b[0], s, s, w->c[s] / w->b[s]);
    }
    const double light = weight_at_wall(w, mass), other = weight_at_wall(w, heavy);
    if (!(light * other > SYMMETRY))
        return fail(f, "the exact one-flavor action needs 1 + m (-c/b)^Ls with the same sign for both masses, or M_E "
                       "is not positive; it is %g for m = %g and %g for m = %g (use an even Ls, or method rational)",
                    light, mass, other, heavy);
    return true;
}

vec *exact_spinor_create(const dirac_operator *d, parity_set on)
{
    return spinor_vec_create(d->lattice, on, d->where, PRECISION_DOUBLE, 1);
}

exact_matrix exact_matrix_create(const dirac_operator *d, int light, int heavy)
{
    const dwf_operator_params *p = dwf_operator_params_of(d);
    const dwf_weights *w = &p->weights;
    exact_matrix m = { .weights = *w, .c = w->c[0] / w->b[0],
                       .mass = { [PLUS] = p->mass[heavy], [MINUS] = p->mass[light] } };
    for (int c = 0; c < CHIRALITIES; c++)
        m.wall[c] = weight_at_wall(w, m.mass[c]);
    m.k = (1 + m.c) * (m.mass[PLUS] - m.mass[MINUS]) / (m.wall[PLUS] * m.wall[MINUS]);
    m.work[0] = exact_spinor_create(d, ON_EVEN);
    m.work[1] = exact_spinor_create(d, ON_ODD);
    return m;
}

void exact_matrix_free(exact_matrix *m)
{
    vec_free(m->work[0]);
    vec_free(m->work[1]);
}

static vec *odd(const quark_context *q, int i)
{
    return dirac_solver_scratch(q->solver, ON_ODD, i);
}

static spinor_field spare_field(const quark_context *q, int i)
{
    return (spinor_field){ dirac_solver_spare(q->solver, ON_EVEN, i), dirac_solver_spare(q->solver, ON_ODD, i + 1) };
}

spinor_field exact_free_field(const quark_context *q) { return spare_field(q, AT_SOURCE); }
vec *exact_kept(const quark_context *q, int i) { return odd(q, AT_KEPT + i); }
int exact_scratch(void) { return AT_END; }
int exact_spare(void) { return SPARE; }

static bool ended(const exact_solves *s, const dirac_solved *solved)
{
    if (s->role < ROLES)
        return quark_solve_ended(s->factor, s->q, s->role, "the exact one-flavor action", solved, s->call);
    return solved->converged
           || fail(&s->call->failure, "factor %d: the spectrum of M_E: a solve did not converge: after %d iterations "
                                      "the residual is %.3g (%s)", s->factor->index,
                   solved->iterations, solved->residual,
                   solve_advice_for(solved->spent, solved->residual).s);
}

static void start_from(const exact_solves *s, vec *start, const dirac_matrix *m, const vec *b)
{
    vec *image[EXACT_KEPT];
    if (!s->past) {
        vec_zero(start);
        return;
    }
    for (int i = 0; i < s->past->count; i++)
        image[i] = dirac_solver_spare(s->q->solver, ON_ODD, i);
    monomial_time_begin(s->call, "start vector");
    start_vectors_combine(s->past, start, s->q->solver, m, b, image);
    monomial_time_end(s->call);
}

/* The 5D source e psi. */
static spinor_field embed_source(const exact_solves *s, int chirality, vec *const psi[2])
{
    const spinor_field source = spare_field(s->q, AT_SOURCE);
    dwf_embed(source.even, chirality, s->m->c, psi[0]);
    dwf_embed(source.odd, chirality, s->m->c, psi[1]);
    return source;
}

bool exact_solve(spinor_field *x, const exact_solves *s, int chirality, double t, vec *const psi[2])
{
    const exact_matrix *e = s->m;
    const quark_context *q = s->q;
    const hop_links *links = hop_operator_links(q->d);
    const double sign = chirality == PLUS ? 1 : -1;
    const fifth_corner corner = { chirality, sign * t * e->k * e->wall[chirality], e->c };
    const dwf_matrix of_mass = dwf_matrix_of(&e->weights, e->mass[chirality], corner);
    const dirac_matrix *m = dwf_operator_matrix(&of_mass);
    const solver_precision in = q->precision[s->role < ROLES ? s->role : ROLE_REFRESH];
    const dirac_goal goal = { .precision = in, .residual = s->residual, .norm = q->norm,
                              .max_iterations = q->max_iterations, .verify = true };
    vec *solution = odd(q, AT_SOLUTION), *rhs = dirac_solver_spare(q->solver, ON_ODD, AT_RHS);
    dwf_prepare(rhs, links, &of_mass, embed_source(s, chirality, psi), dirac_solver_spare(q->solver, ON_EVEN, AT_EVEN));
    dirac_solver_apply(odd(q, AT_TURNED), q->solver, m, true, rhs);
    start_from(s, solution, m, odd(q, AT_TURNED));
    monomial_time_begin(s->call, "solve");
    dirac_solved solved = dirac_solve(q->solver, m, solution, odd(q, AT_TURNED), &goal);
    monomial_time_end(s->call);
    if (!ended(s, &solved))
        return false;
    if (s->past)
        start_vectors_keep(s->past, solution);
    *x = spare_field(q, AT_X);
    dwf_reconstruct(*x, links, &of_mass, embed_source(s, chirality, psi), solution,
                    dirac_solver_spare(q->solver, ON_EVEN, AT_EVEN));
    return true;
}

bool exact_add_at_wall(vec *const out[2], double a, const exact_solves *s, int chirality, double t, vec *const psi[2])
{
    const exact_matrix *e = s->m;
    spinor_field x;
    if (!exact_solve(&x, s, chirality, t, psi))
        return false;
    dwf_at_wall(e->work[0], chirality, x.even);
    dwf_at_wall(e->work[1], chirality, x.odd);
    for (int i = 0; i < 2; i++)
        vec_axpy(out[i], a * e->k * e->wall[chirality], e->work[i]);
    return true;
}

const exact_way exact_onwards = { 1, { [PLUS] = -1, [MINUS] = 0 } };
const exact_way exact_backwards = { -1, { [PLUS] = 0, [MINUS] = -1 } };

bool exact_apply(vec *const out[2], exact_way way, const exact_solves *s, vec *const psi[2])
{
    for (int i = 0; i < 2; i++)
        vec_copy(out[i], psi[i]);
    for (int chirality = 0; chirality < CHIRALITIES; chirality++)
        if (!exact_add_at_wall(out, way.sign, s, chirality, way.t[chirality], psi))
            return false;
    return true;
}
