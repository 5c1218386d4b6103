/* deflation.c - eigenpairs of an operator, and start vectors of solves from them. */
#include "src/solvers/deflation.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

struct deflation {
    eigen_goal goal;
    eigen_space *space;
    eigen_result result;
};

static int basis_of(const eigen_goal *goal)
{
    return goal->basis > 0 ? goal->basis : eigen_basis(goal->count);
}

deflation *deflation_create(const vec *like, const eigen_goal *goal)
{
    deflation *d = memory_alloc(sizeof *d, "eigenpairs for deflation");
    d->goal = *goal;
    d->goal.basis = basis_of(goal);
    d->space = eigen_space_create(like, goal->count, d->goal.basis);
    return d;
}

void deflation_free(deflation *d)
{
    if (!d)
        return;
    eigen_space_free(d->space);
    memory_free(d);
}

int deflation_vectors(const eigen_goal *goal)
{
    return eigen_space_vectors(goal->count, basis_of(goal));
}

bool deflation_compute(deflation *d, const linop *a, rng_key key, uint32_t first_draw, failure *f)
{
    d->result = eigen_lowest(a, d->space, &d->goal, key, first_draw);
    return d->result.converged || fail(f, "%s", d->result.why.why);
}

vec *deflation_vector(deflation *d, int i)
{
    return d->space->pair[i].x;
}

bool deflation_accept(deflation *d, const linop *a, const eigen_result *from)
{
    if (!(from->upper > 0 && eigen_accept(a, d->space, &d->goal, from->upper)))
        return false;
    d->result = *from;
    d->result.converged = true;
    d->result.found = d->goal.count;
    return true;
}

const eigen_result *deflation_result(const deflation *d)
{
    return &d->result;
}

const eigen_pair *deflation_pairs(const deflation *d)
{
    return eigen_pairs(d->space);
}

double deflation_zero(const deflation *d)
{
    return d->goal.residual * d->result.upper;
}

void deflation_row(deflation *d, number_row *row)
{
    eigen_result *r = &d->result;
    number_row_bool(row, &r->converged);
    number_row_int(row, &r->found);
    number_row_int(row, &r->restarts);
    number_row_int(row, &r->degree);
    number_row_real(row, &r->cut);
    number_row_real(row, &r->upper);
    number_row_int64(row, &r->applications);
    for (int i = 0; i < d->goal.count; i++) {
        number_row_real(row, &d->space->pair[i].value);
        number_row_real(row, &d->space->pair[i].residual);
    }
    r->found = r->found < 0 || r->found > d->goal.count ? 0 : r->found;
    d->space->found = r->found;
}

void deflation_combine(vec *x, const deflation *d, const double *weight, const vec *b)
{
    const eigen_pair *pair = deflation_pairs(d);
    vec_zero(x);
    for (int i = 0; i < d->result.found; i++) {
        const complex_number dot = vec_dot(pair[i].x, b);
        vec_direction(x, (complex_number){ weight[i] * dot.re, weight[i] * dot.im }, pair[i].x, 1, x);
    }
}

void deflation_start(vec *x, const deflation *d, double shift, const vec *b)
{
    if (!d) {
        vec_zero(x);
        return;
    }
    double weight[DEFLATION_PAIRS_MAX];
    for (int i = 0; i < d->result.found; i++) {
        const double value = deflation_pairs(d)[i].value + shift;
        weight[i] = value > deflation_zero(d) ? 1 / value : 0;
    }
    deflation_combine(x, d, weight, b);
}
