/* dwf_embed.c - embeddings, walls and the reflection: slices copied with factors. */
#include "src/operators/dwf_embed.h"

#include "src/kernels/dwf_slices_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(dwf_slices);

static int slices_of(const vec *v)
{
    return v->f.slabs / SLAB_GROUP;
}

/* Nothing yet: every factor is 0. */
static dwf_slices_args begin(const vec *out, const vec *in)
{
    const field *f = &out->f;
    assert(f->on == in->f.on && f->where == in->f.where && f->precision == in->f.precision && f->data != in->f.data);
    assert(out->format == VECTOR_NATIVE && in->format == VECTOR_NATIVE);
    return (dwf_slices_args){ .out = vec_view(out), .in = vec_view(in), .Ls = slices_of(out) };
}

static void run_kernel(const vec *out, const dwf_slices_args *args)
{
    const field *f = &out->f;
    run_map(&dwf_slices, f->where, f->precision, args, lattice_range(f->lattice, f->on));
}

void dwf_embed(vec *five, int chirality, double ratio, const vec *four)
{
    dwf_slices_args args = begin(five, four);
    double factor = 1;
    assert(slices_of(four) == 1);
    for (int i = 0; i < args.Ls; i++) {
        args.factor[chirality][chirality == 0 ? i : args.Ls - 1 - i] = factor;
        factor *= -ratio;
    }
    run_kernel(five, &args);
}

void dwf_at_wall(vec *four, int chirality, const vec *five)
{
    dwf_slices_args args = begin(four, five);
    assert(slices_of(four) == 1);
    args.from[chirality][0] = chirality == 0 ? slices_of(five) - 1 : 0;
    args.factor[chirality][0] = 1;
    run_kernel(four, &args);
}

void dwf_source(vec *five, const vec *four)
{
    dwf_slices_args args = begin(five, four);
    assert(slices_of(four) == 1);
    args.factor[0][0] = 1;
    args.factor[1][args.Ls - 1] = 1;
    run_kernel(five, &args);
}

/* four <- P+ five_upper + P- five_lower */
static void from_slices(vec *four, const vec *five, int upper, int lower)
{
    dwf_slices_args args = begin(four, five);
    assert(slices_of(four) == 1);
    args.from[0][0] = upper;
    args.from[1][0] = lower;
    args.factor[0][0] = args.factor[1][0] = 1;
    run_kernel(four, &args);
}

void dwf_quark(vec *four, const vec *five)
{
    from_slices(four, five, slices_of(five) - 1, 0);
}

void dwf_midpoint(vec *four, const vec *five)
{
    const int middle = slices_of(five) / 2;
    assert(slices_of(five) % 2 == 0);
    from_slices(four, five, middle - 1, middle);
}

void dwf_set_slice(vec *five, int slice, int chirality, const vec *four)
{
    dwf_slices_args args = begin(five, four);
    assert(slices_of(four) == 1 && slice >= 0 && slice < args.Ls);
    for (int c = 0; c < 2; c++)
        args.factor[c][slice] = chirality == BOTH_CHIRALITIES || chirality == c ? 1 : 0;
    run_kernel(five, &args);
}

void dwf_reflect(vec *out, const vec *in)
{
    dwf_slices_args args = begin(out, in);
    assert(slices_of(in) == args.Ls);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < args.Ls; s++) {
            args.from[c][s] = args.Ls - 1 - s;
            args.factor[c][s] = c == 0 ? 1 : -1;
        }
    run_kernel(out, &args);
}
