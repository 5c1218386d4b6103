/* smd.c - the fields that stochastic molecular dynamics keeps from trajectory to trajectory. */
#include "src/hmc/smd.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/lattice/vec.h"

#include <math.h>

struct smd {
    const hmc_term_list *terms;
    momentum *p;                       /* the current ones; borrowed */
    momentum *start;
    int count;                         /* pseudofermions of all terms */
    field *pseudofermion;              /* [count] those at the start */
    bool current_known, start_known;   /* the current fields, those at the start, are part of a state */
    double old, fresh;                 /* c1, c2 */
};

/* Pseudofermion `index` of all terms, NULL after the last. */
static field *pseudofermion_at(const hmc_term_list *terms, int index)
{
    for (int t = 0; t < terms->count; t++) {
        field *x;
        for (int i = 0; (x = monomial_pseudofermion(terms->of[t].m, i, NULL)); i++)
            if (index-- == 0)
                return x;
    }
    return NULL;
}

/* With a smaller gamma * length, c1 is practically 1. */
#define FRICTION_LEAST 1e-6

bool smd_check(const run_params *p, failure *f)
{
    const double friction = p->smd.gamma * p->hmc.length;
    return !run_is_smd(p) || friction >= FRICTION_LEAST
           || fail(f, "gamma * hmc.trajectory_length is %g; momenta are practically never refreshed; use %g or more",
                   friction, FRICTION_LEAST);
}

bool smd_start_check(const run_params *p, failure *f)
{
    return !run_is_smd(p) || p->hmc.start_action_every == 1
           || fail(f, "with smd, S of mixed pseudofermions is not |eta|^2 of random numbers: it is solved for in every "
                      "trajectory; leave out the key");
}

smd *smd_create(const run_params *p, const hmc_term_list *terms, momentum *current)
{
    if (!run_is_smd(p))
        return NULL;
    smd *s = memory_alloc(sizeof *s, "stochastic molecular dynamics");
    const field *f = &current->f;
    const double c1 = comm_number(comm_world(), exp(-p->smd.gamma * p->hmc.length));
    *s = (smd){ .terms = terms, .p = current, .old = c1, .fresh = sqrt((1 - c1) * (1 + c1)) };
    s->start = momentum_create(f->lattice, f->where, f->precision);
    while (pseudofermion_at(terms, s->count))
        s->count++;
    s->pseudofermion = memory_alloc((size_t)(s->count + 1) * sizeof *s->pseudofermion, "pseudofermions");
    for (int i = 0; i < s->count; i++)
        s->pseudofermion[i] = field_create_slabs(pseudofermion_at(terms, i), "a pseudofermion");
    return s;
}

void smd_free(smd *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        field_free(&s->pseudofermion[i]);
    memory_free(s->pseudofermion);
    momentum_free(s->start);
    memory_free(s);
}

size_t smd_bytes(const run_params *p, const lattice_shape *shape)
{
    size_t bytes = momentum_bytes(shape, PRECISION_DOUBLE);
    if (!run_is_smd(p))
        return 0;
    for (int t = 0; t < run_monomial_count(p); t++)
        bytes += monomial_pseudofermion_bytes(run_monomial_kind(p, t), run_monomial_params(p, t), shape);
    return bytes;
}

bool smd_has_fields(const smd *s, bool at_start)
{
    return s && (at_start ? s->start_known : s->current_known);
}

field *smd_field(const smd *s, bool at_start, int index)
{
    if (index == 0)
        return at_start ? &s->start->f : &s->p->f;
    return at_start ? &s->pseudofermion[index - 1] : pseudofermion_at(s->terms, index - 1);
}

static void copy_all(smd *s, bool to_start)
{
    for (int i = 0; i <= s->count; i++)
        field_copy(smd_field(s, to_start, i), smd_field(s, !to_start, i));
}

void smd_begin(smd *s)
{
    if (!s)
        return;
    s->start_known = s->current_known;
    if (s->start_known)
        copy_all(s, true);
}

void smd_return(smd *s)
{
    if (!s)
        return;
    s->current_known = s->start_known;
    if (s->start_known)
        copy_all(s, false);
}

bool smd_mixes(const smd *s)
{
    return s && s->start_known && s->old > 0;
}

void smd_mix_momenta(smd *s)
{
    if (smd_mixes(s))
        momentum_mix(s->p, s->old, s->start, s->fresh);
}

/* The index of the first pseudofermion of this term. */
static int first_of(const smd *s, int term)
{
    int first = 0;
    for (int t = 0; t < term; t++)
        for (int i = 0; monomial_pseudofermion(s->terms->of[t].m, i, NULL); i++)
            first++;
    return first;
}

void smd_mix_term(smd *s, int term)
{
    if (!smd_mixes(s))
        return;
    monomial *m = s->terms->of[term].m;
    const int first = first_of(s, term);
    field *x;
    for (int i = 0; (x = monomial_pseudofermion(m, i, NULL)); i++) {
        vec drawn = { *x, VECTOR_NATIVE }, start = { s->pseudofermion[first + i], VECTOR_NATIVE };
        vec *const before = &start;
        vec_combine(&drawn, s->fresh, &drawn, &s->old, &before, 1);
    }
    monomial_mixed(m);
}

void smd_end(smd *s, bool accepted, rng_key drawn)
{
    if (!s)
        return;
    if (!accepted) {
        momentum_set_gaussian(s->p, drawn);
        smd_mix_momenta(s);
        momentum_mix(s->p, 0, s->p, -1);
    }
    s->current_known = true;
}

void smd_set_fields(smd *s, bool of_state)
{
    if (s)
        s->current_known = of_state;
}
