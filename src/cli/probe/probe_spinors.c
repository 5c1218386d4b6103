/* probe_spinors.c - domain-wall, Wilson and clover quarks in kiln probe apply and kiln probe solve. */
#include "src/cli/probe/probe_spinors.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

/* Scratch vectors of the solver: FIRST on each parity, the others on odd sites. */
enum { FIRST, SECOND, SOLUTION, RIGHT };

/* ROUNDS: largest number of refinements.  A refinement solves with C^+C to the residual IN_UNITS_OF_MISSING times
 * (requested / present residual of x). */
enum { ROUNDS = 10 };
#define IN_UNITS_OF_MISSING 0.1
#define SMALLEST_RESIDUAL 1e-15

/* Tolerance between the residual of conjugate gradients and the true residual, which is summed differently. */
#define SAME_RESIDUAL 1.01

static probe_spinors *spinors_of(probe_quarks *q)
{
    return (probe_spinors *)q;
}

void probe_spinors_begin(probe_spinors *q, const probe_family *family, const probe_options *o, spinor_part part)
{
    const bool on_odd = part.kind == PART_C || part.kind == PART_NORMAL;
    q->base = (probe_quarks){ family, o, q->plan.slabs, on_odd ? 1 : 2, { on_odd ? ON_ODD : ON_EVEN, ON_ODD } };
    q->part = part;
}

void probe_spinors_free(probe_quarks *base)
{
    probe_spinors *q = spinors_of(base);
    dirac_solver_free(q->solver);
    memory_free(q->m);
    if (q->d)
        q->d->kind->free(q->d);
    memory_free(q);
}

bool probe_spinors_open(probe_quarks *base, const gauge *u, failure *f)
{
    probe_spinors *q = spinors_of(base);
    q->kind = dwf_solver_choose((solver_kind)base->options->solver, false, lattice_shape_of(u->links.lattice),
                                 q->plan.slabs / SLAB_GROUP, base->options->residual);
    q->d = q->plan.kind->create(&q->plan, u, false);
    q->m = q->d->kind->matrix(q->d, q->mass);
    q->solver = dirac_solver_create(q->d, dirac_solver_size_of(q->kind, 1));
    return q->d->kind->update(q->d, u, f);
}

const char *probe_spinors_solver(const probe_quarks *q)
{
    return solver_names[((const probe_spinors *)q)->kind];
}

static vec *odd(probe_spinors *q, int i)
{
    return dirac_solver_scratch(q->solver, ON_ODD, i);
}

static vec *even(probe_spinors *q)
{
    return dirac_solver_scratch(q->solver, ON_EVEN, FIRST);
}

static dwf_field field_of(probe_vector v)
{
    return (dwf_field){ v.piece[0], v.piece[1] };
}

static dwf_field room_of(probe_spinors *q)
{
    return (dwf_field){ even(q), odd(q, FIRST) };
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
        q->on_all_sites->apply(field_of(out), q->d, q->m, q->part.dagger, field_of(in), room_of(q));
        break;
    case PART_C:
        dirac_solver_apply(out.piece[0], q->solver, q->m, q->part.dagger, in.piece[0]);
        break;
    case PART_NORMAL:
        apply_normal(out.piece[0], q, in.piece[0]);
        break;
    case PART_HOP:
        q->on_all_sites->hop(field_of(out), q->d, field_of(in));
        break;
    case PART_TERM:
        q->on_all_sites->term(field_of(out), q->d, q->m, field_of(in));
        break;
    }
}

/* ---- solutions */

/* SOLUTION <- (C^+C)^-1 b; false if further refinements are useless. */
static bool solve(probe_spinors *q, probe_solution *s, const vec *b, double residual)
{
    const probe_options *o = q->base.options;
    const dirac_goal goal = { .kind = q->kind, .residual = fmax(residual, SMALLEST_RESIDUAL),
                              .max_iterations = (int)(o->max_iterations - s->iterations) };
    vec_zero(odd(q, SOLUTION));
    dirac_solved solved = dirac_solve(q->solver, q->m, odd(q, SOLUTION), b, &goal);
    s->iterations += solved.iterations;
    s->solves++;
    return solved.converged && s->iterations < o->max_iterations;
}

/* One refinement: x <- x + M^-1 r approximately, then r <- v - M x. */
static bool improve(probe_spinors *q, probe_solution *s, dwf_field x, dwf_field v, dwf_field r, dwf_field step)
{
    const spinor_operator *all = q->on_all_sites;
    all->prepare(odd(q, RIGHT), q->d, q->m, r, even(q));
    dirac_solver_apply(odd(q, SECOND), q->solver, q->m, true, odd(q, RIGHT));
    bool fine = solve(q, s, odd(q, SECOND), IN_UNITS_OF_MISSING * q->base.options->residual / s->residual);
    all->reconstruct(step, q->d, q->m, r, odd(q, SOLUTION), even(q));
    dwf_field_axpy(x, 1, step);
    all->apply(r, q->d, q->m, false, x, room_of(q));
    vec_xpay(r.even, v.even, -1);
    vec_xpay(r.odd, v.odd, -1);
    return fine;
}

static void solve_all_sites(probe_spinors *q, probe_solution *s, dwf_field x, dwf_field v)
{
    const double norm2 = dwf_field_norm2(v);
    dwf_field r = { vec_create_like(v.even), vec_create_like(v.odd) };
    dwf_field step = { vec_create_like(v.even), vec_create_like(v.odd) };
    bool fine = true;
    vec_copy(r.even, v.even);
    vec_copy(r.odd, v.odd);
    s->residual = norm2 > 0 ? 1 : 0;
    while (fine && s->residual > q->base.options->residual && s->solves < ROUNDS) {
        fine = improve(q, s, x, v, r, step);
        s->residual = sqrt(dwf_field_norm2(r) / norm2);
    }
    dwf_field_free(step);
    dwf_field_free(r);
}

/* Solve A x = v; the residual is computed from x, not taken from the solver. */
static void solve_normal(probe_spinors *q, probe_solution *s, vec *x, const vec *v)
{
    const double norm2 = vec_norm2(v);
    s->residual = norm2 > 0 ? 1 : 0;
    if (norm2 == 0)
        return;
    solve(q, s, v, q->base.options->residual);
    vec_copy(x, odd(q, SOLUTION));
    apply_normal(odd(q, RIGHT), q, x);
    vec_axpy(odd(q, RIGHT), -1, v);
    s->residual = sqrt(vec_norm2(odd(q, RIGHT)) / norm2);
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
