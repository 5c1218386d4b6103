/* probe_spinors.c - domain-wall, Wilson, clover and doublet quarks in kiln probe apply and kiln probe solve. */
#include "src/probe/probe_spinors.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

/* Scratch vectors of the solver: FIRST on each parity, the others on odd sites. */
enum { FIRST, SECOND, SOLUTION, RIGHT };

/* ROUNDS: largest number of refinements.  A refinement solves with C^+C to the residual MARGIN times (requested /
 * present residual of x). */
enum { ROUNDS = 10 };
#define MARGIN 0.1
#define SMALLEST_RESIDUAL 1e-15

/* The residual of BiCGstab is that of M x = v on odd sites, for domain-wall quarks up to a matrix of the fifth
 * dimension. Therefore its first solve needs only this factor; later ones use MARGIN. */
#define FIRST_MARGIN_OF_BICG 0.9

/* Allowed ratio of the true residual to the requested one: the solver sums its residual in another order. */
#define SAME_RESIDUAL 1.01

static probe_spinors *spinors_of(probe_quarks *q)
{
    return (probe_spinors *)q;
}

void probe_spinors_begin(probe_spinors *q, const probe_family *family, const probe_options *o, spinor_part part)
{
    const bool on_odd = part.kind == PART_C || part.kind == PART_NORMAL;
    q->plan.stout = o->stout;
    q->base = (probe_quarks){ .family = family, .options = o, .slabs = q->plan.slabs, .pieces = on_odd ? 1 : 2,
                              .on = { on_odd ? ON_ODD : ON_EVEN, ON_ODD } };
    q->part = part;
}

void probe_spinors_free(probe_quarks *base)
{
    probe_spinors *q = spinors_of(base);
    if (q->solver)                         /* NULL after a failure of probe_spinors_open */
        dirac_solver_free(q->solver);
    probe_rule_end(&q->history);
    memory_free(q->m);
    dirac_free(q->d);
    memory_free(q);
}

bool probe_spinors_open(probe_quarks *base, const gauge *u, failure *f)
{
    probe_spinors *q = spinors_of(base);
    q->precision = dwf_solver_choose((solver_precision)base->options->solver, false, lattice_shape_of(u->links.lattice),
                                 q->plan.slabs / SLAB_GROUP, base->options->residual);
    dirac_solver_spec spec = dirac_solver_spec_of(q->precision, 1);
    spec.kind = solver_kinds[base->options->method];
    spec.settings.multigrid = multigrid_params_settings(&base->options->multigrid);
    if (!linear_solver_is_possible(spec.kind, &spec.settings, &q->plan, lattice_shape_of(u->links.lattice), f))
        return false;
    q->rule = probe_rule_of(base->options, &q->history);
    q->d = dirac_create(&q->plan, u, false);
    q->m = q->d->kind->matrix(q->d, 0);
    q->solver = dirac_solver_create(q->d, spec);
    failure why;
    return dirac_update(q->d, u, &why)
           || fail(f, "%s; use --reunitarize if the file stores 32-bit numbers", why.why);
}

const char *probe_spinors_solver(const probe_quarks *q)
{
    return solver_names[((const probe_spinors *)q)->precision];
}

residual_history *probe_spinors_history(const probe_quarks *q)
{
    return ((const probe_spinors *)q)->rule.history;
}

static vec *odd(probe_spinors *q, int i)
{
    return dirac_solver_scratch(q->solver, ON_ODD, i);
}

static vec *even(probe_spinors *q)
{
    return dirac_solver_scratch(q->solver, ON_EVEN, FIRST);
}

static spinor_field field_of(probe_vector v)
{
    return (spinor_field){ v.piece[0], v.piece[1] };
}

static spinor_field scratch_of(probe_spinors *q)
{
    return (spinor_field){ even(q), odd(q, FIRST) };
}

/* ---- parts of an operator */

static void apply_normal(vec *out, probe_spinors *q, const vec *in)
{
    dirac_solver_apply(odd(q, SECOND), q->solver, q->m, false, in);
    dirac_solver_apply(out, q->solver, q->m, true, odd(q, SECOND));
}

void probe_spinors_apply(probe_quarks *base, probe_vector out, probe_vector in)
{
    probe_spinors *q = spinors_of(base);
    switch (q->part.kind) {
    case PART_ALL_SITES:
        q->d->kind->apply_all(field_of(out), q->d, q->m, q->part.dagger, field_of(in), scratch_of(q));
        break;
    case PART_C:
        dirac_solver_apply(out.piece[0], q->solver, q->m, q->part.dagger, in.piece[0]);
        break;
    case PART_NORMAL:
        apply_normal(out.piece[0], q, in.piece[0]);
        break;
    case PART_HOP:
        q->hop(field_of(out), q->d, field_of(in));
        break;
    case PART_TERM:
        q->term(field_of(out), q->d, q->m, field_of(in));
        break;
    }
}

/* ---- solutions */

static dirac_goal goal_of(const probe_spinors *q, const probe_solution *s, double residual)
{
    return (dirac_goal){ .precision = q->precision, .residual = fmax(residual, SMALLEST_RESIDUAL),
                         .max_iterations = (int)(q->base.options->max_iterations - s->iterations), .rule = &q->rule };
}

/* Adds what a solve did; false if further refinements are useless. */
static bool count(const probe_spinors *q, probe_solution *s, const dirac_solved *solved)
{
    s->iterations += solved->iterations;
    s->updates += solved->record.updates;
    s->restarts += solved->restarts;
    if (solved->fallback && !s->fallback) {
        s->fallback = solved->fallback;
        s->fallback_at = s->iterations - solved->iterations + solved->fallback_at;
    }
    s->solves++;
    return solved->converged && s->iterations < q->base.options->max_iterations;
}

/* SOLUTION <- (C^+C)^-1 b; SOLUTION <- C^-1 b or (C^+)^-1 b.  False if further refinements are useless. */
static bool solve(probe_spinors *q, probe_solution *s, const vec *b, double residual)
{
    const dirac_goal goal = goal_of(q, s, residual);
    vec_zero(odd(q, SOLUTION));
    const dirac_solved solved = dirac_solve(q->solver, q->m, odd(q, SOLUTION), b, &goal);
    return count(q, s, &solved);
}

static bool solve_square(probe_spinors *q, probe_solution *s, bool dagger, const vec *b, double residual)
{
    const dirac_goal goal = goal_of(q, s, residual);
    vec_zero(odd(q, SOLUTION));
    const dirac_solved solved = dirac_solve_square(q->solver, q->m, dagger,
                                                   (dirac_task){ .x = odd(q, SOLUTION), .b = b }, &goal);
    return count(q, s, &solved);
}

static bool is_square(const probe_spinors *q)
{
    return solver_kinds[q->base.options->method]->square;
}

/* SOLUTION for the right-hand side RIGHT, which belongs to a residual r of M x = v. */
static bool solve_for_residual(probe_spinors *q, probe_solution *s, double r)
{
    const double wanted = q->base.options->residual / s->residual, rhs = sqrt(vec_norm2(odd(q, RIGHT)));
    if (is_square(q)) {
        const double margin = s->solves > 0 ? MARGIN : FIRST_MARGIN_OF_BICG;
        return rhs == 0 || solve_square(q, s, false, odd(q, RIGHT), fmin(margin * wanted * r / rhs, 1));
    }
    dirac_solver_apply(odd(q, SECOND), q->solver, q->m, true, odd(q, RIGHT));
    return solve(q, s, odd(q, SECOND), MARGIN * wanted);
}

/* One refinement: x <- x + M^-1 r approximately, then r <- v - M x. */
static bool improve(probe_spinors *q, probe_solution *s, spinor_field x, spinor_field v, spinor_field r,
                    spinor_field step)
{
    const dirac_kind *kind = q->d->kind;
    kind->prepare(odd(q, RIGHT), q->d, q->m, r, even(q));
    bool fine = solve_for_residual(q, s, sqrt(spinor_field_norm2(r)));
    kind->reconstruct(step, q->d, q->m, r, odd(q, SOLUTION), even(q));
    spinor_field_axpy(x, 1, step);
    kind->apply_all(r, q->d, q->m, false, x, scratch_of(q));
    vec_xpay(r.even, v.even, -1);
    vec_xpay(r.odd, v.odd, -1);
    return fine;
}

static void solve_all_sites(probe_spinors *q, probe_solution *s, spinor_field x, spinor_field v)
{
    const double norm2 = spinor_field_norm2(v);
    spinor_field r = { vec_create_like(v.even), vec_create_like(v.odd) };
    spinor_field step = { vec_create_like(v.even), vec_create_like(v.odd) };
    bool fine = true;
    vec_copy(r.even, v.even);
    vec_copy(r.odd, v.odd);
    s->residual = norm2 > 0 ? 1 : 0;
    while (fine && s->residual > q->base.options->residual && s->solves < ROUNDS) {
        fine = improve(q, s, x, v, r, step);
        s->residual = sqrt(spinor_field_norm2(r) / norm2);
    }
    spinor_field_free(step);
    spinor_field_free(r);
}

/* SOLUTION <- A^-1 r approximately, A = C^+C: by conjugate gradients, or as C^-1 (C^+)^-1 r by BiCGstab. */
static bool solve_normal_once(probe_spinors *q, probe_solution *s, const vec *r, double residual)
{
    if (!is_square(q))
        return solve(q, s, r, residual);
    const bool fine = solve_square(q, s, true, r, MARGIN * residual);
    vec_copy(odd(q, SECOND), odd(q, SOLUTION));
    return solve_square(q, s, false, odd(q, SECOND), MARGIN * residual) && fine;
}

/* Solve A x = v; the residual is computed from x, not taken from the solver. */
static void solve_normal(probe_spinors *q, probe_solution *s, vec *x, const vec *v)
{
    const double norm2 = vec_norm2(v);
    const int rounds = is_square(q) ? ROUNDS : 1;
    bool fine = true;
    s->residual = norm2 > 0 ? 1 : 0;
    if (norm2 == 0)
        return;
    vec_copy(odd(q, RIGHT), v);
    for (int i = 0; i < rounds && fine && s->residual > q->base.options->residual; i++) {
        fine = solve_normal_once(q, s, odd(q, RIGHT), q->base.options->residual / s->residual);
        vec_axpy(x, 1, odd(q, SOLUTION));
        apply_normal(odd(q, RIGHT), q, x);
        vec_xpay(odd(q, RIGHT), v, -1);
        s->residual = sqrt(vec_norm2(odd(q, RIGHT)) / norm2);
    }
}

probe_solution probe_spinors_solve(probe_quarks *base, probe_vector x, probe_vector b)
{
    probe_spinors *q = spinors_of(base);
    probe_solution s = { .converged = false };
    if (q->part.kind == PART_NORMAL)
        solve_normal(q, &s, x.piece[0], b.piece[0]);
    else
        solve_all_sites(q, &s, field_of(x), field_of(b));
    s.converged = s.residual <= SAME_RESIDUAL * base->options->residual;
    return s;
}
