/* smearing.c - the order of launches of one level of smearing, and of its chain rule. */
#include "src/operators/smearing.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(fat_ahead_behind);
MAP_KERNEL(fat_inner);
MAP_KERNEL(fat_outer);
MAP_KERNEL(fat_force_outer);
MAP_KERNEL(fat_force_inner);
MAP_KERNEL(fat_force_middle);
MAP_KERNEL(fat_force_sides);
MAP_KERNEL(naik_force);
MAP_KERNEL(link_phases);
MAP_KERNEL(long_links);

enum { SIDES = 3, STAPLE_FIELDS = 3 * SIDES };         /* ahead, behind, inner */

struct smearing {
    field staples[STAPLE_FIELDS], h[STAPLE_FIELDS];
    bool with_reverse;
};

size_t smearing_bytes(const lattice_shape *shape, precision p, bool with_reverse)
{
    return (with_reverse ? 2 : 1) * STAPLE_FIELDS * field_bytes_on(shape, ON_ALL, GHOSTS_SIDES, p, MATRIX_REALS);
}

smearing *smearing_create(const gauge *like, precision p, bool with_reverse)
{
    const field *f = &like->links;
    smearing *w = memory_alloc(sizeof *w, "smearing");
    w->with_reverse = with_reverse;
    for (int i = 0; i < STAPLE_FIELDS; i++) {
        w->staples[i] = field_create_ghosts(f->lattice, GHOSTS_SIDES, f->where, p, MATRIX_REALS,
                                            "staples of smeared links");
        if (with_reverse)
            w->h[i] = field_create_ghosts(f->lattice, GHOSTS_SIDES, f->where, p, MATRIX_REALS, "staples of the force");
    }
    return w;
}

smearing *smearing_create_in_workspace(const gauge *like, precision p, bool with_reverse)
{
    workspace *memory = lattice_workspace(like->links.lattice, like->links.where);
    const bool was = workspace_begin(memory);
    smearing *w = smearing_create(like, p, with_reverse);
    workspace_end(memory, was);
    return w;
}

void smearing_free(smearing *w)
{
    for (int i = 0; w && i < STAPLE_FIELDS; i++) {
        field_free(&w->staples[i]);
        if (w->with_reverse)
            field_free(&w->h[i]);
    }
    memory_free(w);
}

static staple_views views_of(const field f[STAPLE_FIELDS])
{
    staple_views v;
    for (int s = 0; s < SIDES; s++) {
        v.ahead[s] = matrix_view_of(&f[s]);
        v.behind[s] = matrix_view_of(&f[SIDES + s]);
        v.inner[s] = matrix_view_of(&f[2 * SIDES + s]);
    }
    return v;
}

static void run_on(const map_kernel *k, const field *f, const void *args)
{
    run_map(k, f->where, f->precision, args, lattice_all(f->lattice));
}

/* The ghosts of staples. */
static void exchange(const field *staple, int first, int count)
{
    for (int i = first; i < first + count; i++)
        field_exchange(&staple[i], GHOSTS_SIDES);
}

static void changed(gauge *u)
{
    u->version = lattice_new_version(u->links.lattice);
}

static bool alike(const gauge *a, const gauge *b)
{
    return a->links.lattice == b->links.lattice && a->links.where == b->links.where &&
           a->links.precision == b->links.precision;
}

void smearing_apply(smearing *w, gauge *out, const gauge *in, const path_table *c)
{
    assert(out != in && alike(out, in) && in->links.precision == w->staples[0].precision);
    fat_args args = { lattice_on(in->links.lattice, in->links.where), gauge_view_of(in), gauge_view_of(out),
                      views_of(w->staples), *c, 0 };
    gauge_exchange(in, GHOSTS_SIDES);
    for (args.mu = 0; args.mu < 4; args.mu++) {
        run_on(&fat_ahead_behind, &in->links, &args);
        exchange(w->staples, 0, 2 * SIDES);
        run_on(&fat_inner, &in->links, &args);
        exchange(w->staples, 2 * SIDES, SIDES);
        run_on(&fat_outer, &in->links, &args);
    }
    changed(out);
}

void smearing_reverse(smearing *w, gauge *thin_h, const gauge *smeared_h, const gauge *in, const path_table *c)
{
    assert(w->with_reverse && thin_h != smeared_h && alike(thin_h, in) && alike(smeared_h, in));
    assert(in->links.precision == w->staples[0].precision);
    lattice_view l = lattice_on(in->links.lattice, in->links.where);
    gauge_view u = gauge_view_of(in);
    fat_args forward = { l, u, { 0 }, views_of(w->staples), *c, 0 };
    fat_force_args args = { l, u, gauge_view_of(smeared_h), gauge_view_of(thin_h), forward.t, views_of(w->h), *c, 0 };
    gauge_exchange(in, GHOSTS_SIDES);
    field_exchange(&smeared_h->links, GHOSTS_SIDES);
    for (int mu = 0; mu < 4; mu++) {
        forward.mu = args.mu = mu;
        run_on(&fat_ahead_behind, &in->links, &forward);
        exchange(w->staples, 0, 2 * SIDES);
        run_on(&fat_inner, &in->links, &forward);
        exchange(w->staples, 2 * SIDES, SIDES);
        run_on(&fat_force_outer, &in->links, &args);
        exchange(w->h, 0, 2 * SIDES);
        run_on(&fat_force_inner, &in->links, &args);
        exchange(w->h, 2 * SIDES, SIDES);
        run_on(&fat_force_middle, &in->links, &args);
        run_on(&fat_force_sides, &in->links, &args);
    }
    changed(thin_h);
}

void smearing_naik_reverse(gauge *thin_h, const gauge *h3, const gauge *in)
{
    assert(thin_h != h3 && alike(thin_h, in) && alike(h3, in));
    naik_force_args args = { lattice_on(in->links.lattice, in->links.where), gauge_view_of(in), gauge_view_of(h3),
                             gauge_view_of(thin_h) };
    gauge_exchange(in, GHOSTS_LOOPS);
    field_exchange(&h3->links, GHOSTS_LOOPS);
    run_on(&naik_force, &in->links, &args);
    changed(thin_h);
}

/* exp(i pi boundary), exact for quarter turns; else as rank 0 rounds it. */
static void boundary_factor(double factor[2], double boundary, const comm *c)
{
    static const double quarter_turns[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
    double quarters = 2 * boundary - 4 * floor(boundary / 2);
    bool whole = quarters == floor(quarters);
    factor[0] = whole ? quarter_turns[(int)quarters % 4][0] : cos(M_PI / 2 * quarters);
    factor[1] = whole ? quarter_turns[(int)quarters % 4][1] : sin(M_PI / 2 * quarters);
    if (!whole)
        comm_broadcast(c, factor, 2 * sizeof *factor);
}

static void run_with_phases(const map_kernel *k, gauge *to, const gauge *from, double boundary, int hop)
{
    assert(alike(to, from));
    phase_args args = { lattice_on(from->links.lattice, from->links.where), gauge_view_of(from), gauge_view_of(to),
                        { 0, 0 }, hop };
    boundary_factor(args.boundary, boundary, lattice_comm(from->links.lattice));
    if (from != to)
        gauge_exchange(from, GHOSTS_LOOPS);
    run_on(k, &from->links, &args);
    changed(to);
}

void smearing_put_phases(gauge *to, const gauge *from, double boundary, int hop)
{
    run_with_phases(&link_phases, to, from, boundary, hop);
}

void smearing_remove_phases(gauge *h, double boundary, int hop)
{
    run_with_phases(&link_phases, h, h, -boundary, hop);
}

void smearing_three_hops(gauge *n, const gauge *in, double boundary)
{
    assert(n != in);
    run_with_phases(&long_links, n, in, boundary, 3);
}
