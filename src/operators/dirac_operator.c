/* dirac_operator.c - any Dirac operator on thin or stout links, and vectors for it. */
#include "src/operators/dirac_operator.h"

#include <assert.h>

static size_t kind_force_end_bytes(const dirac_plan *plan, const lattice_shape *shape)
{
    return plan->kind->force_end_bytes ? plan->kind->force_end_bytes(plan, shape) : 0;
}

dirac_operator *dirac_create(const dirac_plan *plan, const gauge *u, bool with_force)
{
    dirac_operator *d = plan->kind->create(plan, u, with_force);
    d->stout = stout_create(&plan->stout, u);
    d->thin_blocks = d->stout && plan->thin_blocks;
    assert(!d->thin_blocks || plan->kind->update_with);
    if (with_force)
        stout_force_reserve(d->stout, kind_force_end_bytes(plan, lattice_shape_of(u->links.lattice)));
    return d;
}

void dirac_free(dirac_operator *d)
{
    if (!d)
        return;
    stout_free(d->stout);
    d->kind->free(d);
}

const gauge *dirac_links(dirac_operator *d, const gauge *u)
{
    return stout_links(d->stout, u);
}

/* Smeared links that are computed again get another version, the thin links keep theirs. */
bool dirac_update(dirac_operator *d, const gauge *u, failure *why)
{
    const gauge *links = dirac_links(d, u);
    if (!(d->thin_blocks ? d->kind->update_with(d, links, u, why) : d->kind->update(d, links, why)))
        return false;
    d->version = u->version;
    return true;
}

void dirac_force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    if (!d->stout) {
        d->kind->force_finish(d, u, p, weight, size);
        return;
    }
    const dirac_kind *kind = d->kind;
    const stout_smeared_force smeared = stout_force_begin(d->stout);
    (d->thin_blocks ? kind->force_finish_hops : kind->force_finish)(d, dirac_links(d, u), smeared.force, 1,
                                                                    smeared.size);
    const stout_smeared_force thin = stout_force_chain(d->stout, u);
    if (d->thin_blocks)
        kind->force_finish_blocks(d, u, thin.force, 1, thin.size);
    stout_force_add(d->stout, p, weight, size);
}

/* ---- plans */

memory_need dirac_bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    return memory_need_add(plan->kind->bytes(plan, shape, in, count),
                           stout_bytes(&plan->stout, shape, PRECISION_DOUBLE, false));
}

/* The forces without the smeared links, which belong to dirac_bytes. */
static memory_need stout_force_need(const dirac_plan *plan, const lattice_shape *shape)
{
    memory_need need = stout_bytes(&plan->stout, shape, PRECISION_DOUBLE, true);
    need.lasting = 0;
    return need;
}

memory_need dirac_force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    memory_need need = plan->kind->force_bytes(plan, shape, pairs);
    need.cells += stout_force_need(plan, shape).cells;
    return need;
}

size_t dirac_force_end_bytes(const dirac_plan *plan, const lattice_shape *shape)
{
    return kind_force_end_bytes(plan, shape) + stout_force_need(plan, shape).shared;
}

work_count dirac_force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const work_count of_kind = plan->kind->force_work(plan, shape, pairs);
    const work_count chain = stout_force_work(&plan->stout, shape);
    return (work_count){ of_kind.flops + chain.flops, of_kind.bytes + chain.bytes };
}

vec *dirac_vec_create(const dirac_operator *d, parity_set on, vec_storage in)
{
    return vec_create_stored(d->lattice, on, d->where, in, d->slabs);
}

size_t dirac_vec_bytes(const dirac_plan *plan, const lattice_shape *shape, vec_storage in)
{
    return (size_t)plan->slabs * vec_stored_bytes(shape, in, plan->kind->home);
}

vec_storage dirac_full_storage(const dirac_operator *d)
{
    return (vec_storage){ VECTOR_NATIVE, d->precision };
}
