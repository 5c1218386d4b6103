/* shifted_systems.c - the systems of one Krylov space. */
#include "src/solvers/shifted_systems.h"

#include <assert.h>
#include <math.h>

shifted_systems shifted_systems_of(vec *const *x, vec *const *p, const shifted *system, int count)
{
    shifted_systems s = { .count = count };
    int base = 0;
    assert(count > 0 && count <= SHIFTS_MAX);
    for (int k = 1; k < count; k++)
        if (system[k].shift < system[base].shift)
            base = k;
    for (int i = 0; i < count; i++) {
        int k = i == 0 ? base : i <= base ? i - 1 : i;
        s.number[i] = k;
        s.x[i] = x[k];
        s.p[i] = p[k];
    }
    return s;
}

krylov_system *shifted_systems_begin(krylov *k, int number, const shifted_systems *s, const shifted *system, double bb,
                                     double rr)
{
    const shifted *base = &system[s->number[0]];
    krylov_system *state = krylov_begin(k, number, base->shift, bb, rr, base->tolerance * base->tolerance * bb);
    for (int i = 1; i < s->count; i++)
        krylov_add_shift(state, system[s->number[i]].shift, system[s->number[i]].tolerance);
    return state;
}

void shifted_systems_report(multishift_result *result, const shifted_systems *s, const krylov_system *state)
{
    result->iterations = state->steps;
    result->residual[s->number[0]] = sqrt(state->rr / state->bb);
    result->frozen_at[s->number[0]] = state->reached_at > 0 ? state->reached_at : 0;
    for (int i = 1; i < s->count; i++) {
        const krylov_shift *o = &state->other[i - 1];
        result->residual[s->number[i]] = o->residual;
        result->frozen_at[s->number[i]] = o->frozen_at > 0 ? o->frozen_at : 0;
    }
}

int shifted_systems_left(const krylov_system *state)
{
    int left = 0;
    for (int k = 0; k < state->shifts; k++)
        left += state->other[k].frozen_at < 0;
    return left;
}
