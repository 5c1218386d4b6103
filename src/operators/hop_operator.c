/* hop_operator.c - what dirac_operators made of the Wilson hop share: links, and a force. */
#include "src/operators/hop_operator.h"

#include "src/base/memory.h"

static hop_operator *hop_of(dirac_operator *d)
{
    return (hop_operator *)d;
}

static int slices_of(const dirac_plan *plan)
{
    return plan->slabs / SLAB_GROUP;
}

/* For each set of links, a storage of vectors whose operator reads it. */
static const vec_storage storage_of[HOP_LINK_SETS] = {
    [HOP_LINKS_DOUBLE] = { VECTOR_NATIVE, PRECISION_DOUBLE }, [HOP_LINKS_SINGLE] = { VECTOR_NATIVE, PRECISION_SINGLE },
    [HOP_LINKS_FIXED16] = { VECTOR_HALF, PRECISION_SINGLE }, [HOP_LINKS_FIXED32] = { VECTOR_INT30, PRECISION_DOUBLE },
};

static hop_link_set links_for(int slabs, vec_storage in)
{
    if (slabs == SLAB_GROUP && in.format != VECTOR_NATIVE)
        return in.format == VECTOR_INT30 ? HOP_LINKS_FIXED32 : HOP_LINKS_FIXED16;
    return in.precision == PRECISION_SINGLE ? HOP_LINKS_SINGLE : HOP_LINKS_DOUBLE;
}

static size_t bytes_of(hop_link_set which, const lattice_shape *shape)
{
    return hop_links_bytes_for(shape, storage_of[which]);
}

void hop_operator_begin(hop_operator *d, const dirac_plan *plan, const gauge *u, quark_boundary boundary,
                        bool with_force)
{
    const field *f = &u->links;
    d->base = (dirac_operator){ .kind = plan->kind, .lattice = f->lattice, .where = f->where,
                                .precision = PRECISION_DOUBLE, .slabs = plan->slabs };
    d->boundary = boundary;
    d->links[HOP_LINKS_DOUBLE] = hop_links_create_for(f->lattice, f->where, storage_of[HOP_LINKS_DOUBLE], boundary);
    if (with_force)
        d->force = hop_force_create(u, slices_of(plan));
}

void hop_operator_free(dirac_operator *base)
{
    hop_operator *d = hop_of(base);
    hop_force_free(d->force);
    for (int k = 0; k < HOP_LINK_SETS; k++)
        hop_links_free(d->links[k]);
    memory_free(d);
}

const hop_links *hop_operator_links(const dirac_operator *d)
{
    return ((const hop_operator *)d)->links[HOP_LINKS_DOUBLE];
}

const hop_links *hop_operator_links_for(const dirac_operator *d, vec_storage in)
{
    return ((const hop_operator *)d)->links[links_for(d->slabs, in)];
}

hop_force *hop_operator_force(dirac_operator *d)
{
    return hop_of(d)->force;
}

void hop_operator_open(dirac_operator *base, vec_storage in)
{
    hop_operator *d = hop_of(base);
    const hop_link_set which = links_for(base->slabs, in);
    if (!d->links[which])
        d->links[which] = hop_links_create_for(base->lattice, base->where, storage_of[which], d->boundary);
}

bool hop_operator_update(dirac_operator *base, const gauge *u, failure *why)
{
    hop_operator *d = hop_of(base);
    bool done = true;
    for (int k = 0; k < HOP_LINK_SETS && done; k++)
        done = !d->links[k] || hop_links_update(d->links[k], u, why);
    return done;
}

void hop_operator_force_reserve(dirac_operator *d, int pairs)
{
    hop_force_reserve(hop_of(d)->force, pairs);
}

void hop_operator_force_begin(dirac_operator *d)
{
    hop_force_begin(hop_of(d)->force);
}

void hop_operator_force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size)
{
    hop_force_finish(hop_of(d)->force, u, p, weight, size);
}

/* ---- plans */

memory_need hop_operator_bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    bool needed[HOP_LINK_SETS] = { [HOP_LINKS_DOUBLE] = true };
    memory_need need = { 0 };
    for (int i = 0; i < count; i++)
        needed[links_for(plan->slabs, in[i])] = true;
    for (int k = 0; k < HOP_LINK_SETS; k++)
        need.lasting += needed[k] ? bytes_of(k, shape) : 0;
    return need;
}

memory_need hop_operator_force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    return hop_force_bytes(shape, PRECISION_DOUBLE, slices_of(plan), pairs);
}

/* A pair takes an application of C^+C, the most of it for its two inner vectors, and on each link and slice outer
 * products of two half spinors at either end, 72 flops each (hop_force.c). */
enum { PRODUCT_FLOPS = 2 * 2 * 72 };

work_count hop_operator_force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const vec_storage high = { VECTOR_NATIVE, PRECISION_DOUBLE };
    const work_count apply = plan->kind->normal_work(plan, shape);
    const double links = 4 * (double)lattice_local_sites(shape);
    const double h_bytes = 2 * links * MATRIX_REALS * sizeof(double);                /* read and written */
    const double vector = (double)dirac_vec_bytes(plan, shape, high);
    return (work_count){ pairs * (apply.flops + links * slices_of(plan) * PRODUCT_FLOPS),
                         pairs * (apply.bytes + 4 * vector + h_bytes) };
}
