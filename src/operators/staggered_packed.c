/* staggered_packed.c - the staggered Dirac operator on packed links and vectors. */
#include "src/operators/staggered_packed.h"

#include "src/base/memory.h"
#include "src/lattice/packed_links.h"
#include "src/operators/staggered_apply.h"

#include <assert.h>

struct staggered_packed {
    const staggered_links *links;
    vector_format format;
    packed_links *fat[EPSILONS_MAX];
    packed_links *naik;                  /* NULL: no Naik term */
};

staggered_packed *staggered_packed_create(const staggered_links *s, vector_format f)
{
    const field *like = &staggered_fat(s, 0)->links;
    const link_format format = link_format_with(f);
    staggered_packed *p = memory_alloc(sizeof *p, "packed links of staggered quarks");
    p->links = s;
    p->format = f;
    for (int set = 0; set < staggered_links_params_of(s)->epsilons; set++)
        p->fat[set] = packed_links_create(like->lattice, like->where, format);
    if (staggered_naik(s))
        p->naik = packed_links_create(like->lattice, like->where, format);
    return p;
}

void staggered_packed_free(staggered_packed *p)
{
    if (!p)
        return;
    for (int set = 0; set < EPSILONS_MAX; set++)
        packed_links_free(p->fat[set]);
    packed_links_free(p->naik);
    memory_free(p);
}

size_t staggered_packed_bytes(const staggered_links_params *params, const int extents[4], vector_format f)
{
    bool naik = staggered_second_table(params).naik != 0;
    return (size_t)(params->epsilons + naik) * packed_links_bytes(extents, link_format_with(f));
}

void staggered_packed_update(staggered_packed *p)
{
    for (int set = 0; set < staggered_links_params_of(p->links)->epsilons; set++)
        packed_links_update(p->fat[set], staggered_fat(p->links, set));
    if (p->naik)
        packed_links_update(p->naik, staggered_naik(p->links));
}

static hop_links links_of(const staggered_packed *p, int set)
{
    const packed_links *fat = p->fat[set], *naik = p->naik;
    double coefficient = naik ? staggered_naik_coefficient(p->links, set) : 0;
    assert(fat->version == staggered_fat(p->links, set)->version);
    return (hop_links){ .format = p->format, .precision = fat->f.precision, .fat = packed_links_view(fat),
                        .naik_links = packed_links_view(coefficient != 0 ? naik : fat), .unit = fat->unit,
                        .naik = coefficient != 0 ? coefficient * naik->unit : 0 };
}

void staggered_packed_hop(vec *out, const staggered_packed *p, int set, const vec *in)
{
    hop_links h = links_of(p, set);
    hop_with(out, &h, in);
}

static double apply_dot(const linop *op, vec *out, double shift, const vec *in, double guess)
{
    const staggered_packed_normal_op *k = (const staggered_packed_normal_op *)op;
    hop_links h = links_of(k->links, k->set);
    return normal_dot_with(out, &h, shift, in, k->between[0], guess);
}

static void apply(const linop *op, vec *out, double shift, const vec *in)
{
    const staggered_packed_normal_op *k = (const staggered_packed_normal_op *)op;
    hop_links h = links_of(k->links, k->set);
    normal_with(out, &h, shift, in, k->between[0]);
}

static void add_batch(const linop *op, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const staggered_packed_normal_op *k = (const staggered_packed_normal_op *)op;
    hop_links h = links_of(k->links, k->set);
    assert(b->count <= op->together);
    normal_add_batch(l, &h, b, q, p, k->between);
}

static double bytes_a_site(const field *f)
{
    return f->reals * (double)precision_bytes(f->precision);
}

staggered_packed_normal_op staggered_packed_normal_operator(const staggered_packed *p, int set, vec *between)
{
    const field *v = &between->f;
    work_count work = normal_work(p->naik != NULL, lattice_extents(v->lattice), bytes_a_site(&p->fat[set]->f),
                                  bytes_a_site(v));
    assert(v->on != ON_ALL && between->format == p->format);
    return (staggered_packed_normal_op){ .base = { apply_dot, apply, add_batch, 1, work }, .links = p,
                                         .set = set, .between = { between } };
}

void staggered_packed_normal_room(staggered_packed_normal_op *k, vec *const *between, int count)
{
    normal_take_room(&k->base, k->between, between, count);
}
