/* spinor_pair.c - a spinor on all sites as one vector, and its chiralities. */
#include "src/operators/spinor_pair.h"

#include "src/operators/dwf_embed.h"

#include <assert.h>
#include <string.h>

enum { CHIRAL_SPINS = SLAB_GROUP / 2, PARITIES = 2 };

static vec *create_vector(const gauge *u, int slabs)
{
    return vec_create_slabs(u->links.lattice, ON_ODD, u->links.where, PRECISION_DOUBLE, slabs);
}

vec *spinor_pair_create(const gauge *u)
{
    return create_vector(u, PAIR_SLABS);
}

vec *spinor_half_create(const gauge *u)
{
    return create_vector(u, HALF_SLABS);
}

size_t spinor_pair_bytes(const lattice_shape *shape)
{
    return PAIR_SLABS * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
}

size_t spinor_half_bytes(const lattice_shape *shape)
{
    return HALF_SLABS * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
}

/* Slabs first .. first + slabs - 1 of v.  Bytes between members are copied too: loops compare them (halo/loop.h). */
static void slabs_of(vec *part, const vec *v, int first, int slabs)
{
    const size_t slab = v->f.bytes / (size_t)v->f.slabs;
    memcpy(part, v, sizeof *part);
    part->f.data = (char *)v->f.data + (size_t)first * slab;
    part->f.bytes = (size_t)slabs * slab;
    part->f.slabs = slabs;
}

static int group_of(parity_set on)
{
    return on == ON_ODD ? 0 : 1;
}

/* Ghosts of even sites lie before the sites (lattice/ghosts.h). */
static size_t ghost_bytes(const field *f)
{
    return f->bytes / (size_t)f->slabs
           - field_bytes_on(lattice_shape_of(f->lattice), f->on, GHOSTS_NONE, f->precision, f->reals);
}

void spinor_pair_part(vec *part, const vec *pair, parity_set on)
{
    assert(pair->f.slabs == PAIR_SLABS && pair->f.on == ON_ODD && on != ON_ALL);
    slabs_of(part, pair, group_of(on) * SLAB_GROUP, SLAB_GROUP);
    part->f.on = on;
    if (on == ON_EVEN)
        part->f.data = (char *)part->f.data - ghost_bytes(&pair->f);
}

void spinor_pair_set(vec *pair, spinor_field v)
{
    vec part;
    spinor_pair_part(&part, pair, ON_EVEN);
    vec_copy(&part, v.even);
    spinor_pair_part(&part, pair, ON_ODD);
    vec_copy(&part, v.odd);
}

void spinor_pair_get(spinor_field v, const vec *pair)
{
    vec part;
    spinor_pair_part(&part, pair, ON_EVEN);
    vec_copy(v.even, &part);
    spinor_pair_part(&part, pair, ON_ODD);
    vec_copy(v.odd, &part);
}

/* Where the spins of one chirality lie in a pair and in a half; group: of one parity. */
static void chiral_slabs(vec *in_pair, vec *in_half, const vec *pair, const vec *half, int group, int chirality)
{
    assert(pair->f.slabs == PAIR_SLABS && half->f.slabs == HALF_SLABS);
    slabs_of(in_pair, pair, group * SLAB_GROUP + chirality * CHIRAL_SPINS, CHIRAL_SPINS);
    slabs_of(in_half, half, group * CHIRAL_SPINS, CHIRAL_SPINS);
}

void spinor_half_get(vec *half, const vec *pair, int chirality)
{
    for (int group = 0; group < PARITIES; group++) {
        vec from, to;
        chiral_slabs(&from, &to, pair, half, group, chirality);
        vec_copy(&to, &from);
    }
}

void spinor_half_put(vec *pair, const vec *half, int chirality)
{
    for (int group = 0; group < PARITIES; group++) {
        vec from, to;
        chiral_slabs(&to, &from, pair, half, group, chirality);
        vec_copy(&to, &from);
    }
}

void spinor_half_embed(vec *pair, const vec *half, int chirality)
{
    vec_zero(pair);
    spinor_half_put(pair, half, chirality);
}

void spinor_pair_gamma5(vec *out, const vec *in)
{
    for (int parity = 0; parity < PARITIES; parity++) {
        vec to, from;
        spinor_pair_part(&to, out, parity ? ON_ODD : ON_EVEN);
        spinor_pair_part(&from, in, parity ? ON_ODD : ON_EVEN);
        dwf_reflect(&to, &from);
    }
}
