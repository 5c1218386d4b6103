/* wilson_launch.c - launches of the hop of Wilson quarks. */
#include "src/operators/wilson_launch.h"

#include "src/halo/exchange.h"
#include "src/kernels/wilson_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL_FORMATS_BESIDE(wilson_hop);
MAP_KERNEL(wilson_hop_links8);
MAP_KERNEL(wilson_hop_links18);
MAP_KERNEL_FORMATS_BESIDE(clover_inner);
MAP_KERNEL_FORMATS_BESIDE(clover_outer);
MAP_KERNEL_FORMATS_BESIDE(twisted_inner);
MAP_KERNEL_FORMATS_BESIDE(twisted_outer);
MAP_KERNEL_FORMATS_BESIDE(clover_symmetric);
MAP_KERNEL_FORMATS_BESIDE(twisted_symmetric);

bool clover_factor_is_twisted(const clover_factor *by)
{
    return !by->blocks.data || by->twisted.data || by->twist != 0;
}

/* The kernel of a sum with y or without, and with a factor of y or of the hop. */
static const map_kernel *kernel_for(const hop_links *l, const clover_factor *by, bool with_y, bool of_y,
                                    vector_format f)
{
    const link_format links = l->links->format;
    assert(with_y || !of_y);
    if (links != hop_links_format(f))
        return links == LINK_8 ? &wilson_hop_links8 : &wilson_hop_links18;
    if (!by)
        return &wilson_hop[f];
    if (clover_factor_is_twisted(by))
        return of_y ? &twisted_outer[f] : with_y ? &twisted_symmetric[f] : &twisted_inner[f];
    return of_y ? &clover_outer[f] : with_y ? &clover_symmetric[f] : &clover_inner[f];
}

/* Links must have the format that goes with the vectors (hop_links_format), or one that only studies use. */
static void assert_links(const hop_links *l, const clover_factor *by, vector_format f)
{
    const link_format links = l->links->format;
    assert(links == hop_links_format(f)
           || (!by && f == VECTOR_NATIVE && (links == LINK_8 || links == LINK_NATIVE)));
    (void)links, (void)by, (void)f;
}

static void assert_vectors(const vec *out, const hop_links *l, const vec *in, const vec *y, const vec *z)
{
    assert(out->f.on != ON_ALL && in->f.on != ON_ALL && out->f.on != in->f.on);
    assert(out->f.slabs == SLAB_GROUP && in->f.slabs == SLAB_GROUP);
    assert(out->f.precision == in->f.precision && out->format == in->format);
    assert(l->links->f.precision == in->f.precision && l->links->f.where == in->f.where);
    assert(!y || (vec_are_alike(y, out) && y->f.data != out->f.data));
    assert(!z || (vec_are_alike(z, out) && z->f.data != out->f.data));
    (void)out, (void)l, (void)in, (void)y, (void)z;
}

/* All but vectors and the batch; what is not set is zero. */
static void begin_args(wilson_hop_args *args, const field *f, const hop_links *l, const clover_factor *by)
{
    memset(args, 0, sizeof *args);
    args->l = lattice_on(f->lattice, f->where);
    args->u = packed_links_view(l->links);
    args->boundary = l->boundary;
    args->phases = l->phases;
    if (by)
        args->by = *by;
}

void wilson_hop_with(vec *out, const hop_links *l, const wilson_hop_terms *t)
{
    const field *f = &out->f;
    wilson_hop_args args;
    assert_vectors(out, l, t->in, t->y, t->z);
    assert_links(l, t->by, out->format);
    begin_args(&args, f, l, t->by);
    args.out[0] = vec_view(out);
    args.in[0] = vec_view(t->in);
    args.y[0] = vec_view(t->y ? t->y : out);
    args.z[0] = vec_view(t->z ? t->z : out);
    args.scale = t->scale * l->links->unit;
    args.a = t->y ? t->a : 0;
    args.shift = t->z ? t->shift : 0;
    args.dagger = t->dagger;
    field_exchange_hops(&t->in->f);
    run_map(kernel_for(l, t->by, t->y != NULL, t->of_y, out->format), f->where, f->precision, &args,
            lattice_range(f->lattice, f->on));
}

void wilson_add_batch_hop(loop *l, const krylov_batch *b, const hop_links *links, const wilson_batch_hops *h)
{
    const vec *first = h->out[0];
    const field *f = &first->f;
    wilson_hop_args args;
    assert_links(links, h->by, first->format);
    begin_args(&args, f, links, h->by);
    args.b = *b;
    args.scale = h->scale * links->links->unit;
    args.a = h->y ? h->a : 0;
    args.dagger = h->dagger;
    args.with_shift = h->shifted != NULL;
    for (int n = 0; n < b->count; n++) {
        assert_vectors(h->out[n], links, h->in[n], h->y ? h->y[n] : NULL, h->shifted ? h->shifted[n] : NULL);
        args.out[n] = vec_view(h->out[n]);
        args.in[n] = vec_view(h->in[n]);
        args.y[n] = vec_view(h->y ? h->y[n] : h->out[n]);
        args.z[n] = vec_view(h->shifted ? h->shifted[n] : h->out[n]);
    }
    const loop_hop hop = { kernel_for(links, h->by, h->y != NULL, h->of_y, first->format), first, h->in, b->count, 1 };
    loop_add_hop(l, &hop, &args, sizeof args);
}
