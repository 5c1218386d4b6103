/* defect.c - multiply links by the factors of a defect, and divide by them. */
#include "src/gauge/defect.h"

#include "src/lattice/kernels.h"

MAP_KERNEL(scale_defect);
MAP_KERNEL(random_defect);

bool defect_is_possible(const defect_box *box, const int extents[4], failure *f)
{
    for (int nu = 0; nu < 4; nu++)
        if (nu != box->direction && box->size > extents[nu])
            return fail(f, "a cube of %d^3 sites does not fit: the lattice has %d sites in %c", box->size, extents[nu],
                        "xyzt"[nu]);
    return true;
}

static void run_on_links(const map_kernel *k, gauge *u, const void *args)
{
    const field *f = &u->links;
    run_map(k, f->where, f->precision, args, lattice_all(f->lattice));
    u->version = lattice_new_version(f->lattice);
}

static gauge_args args_of(const gauge *u)
{
    return (gauge_args){ lattice_on(u->links.lattice, u->links.where), gauge_view_of(u) };
}

static void scale(gauge *u, const defect_box *box, double factor)
{
    const defect_args args = { args_of(u), *box, factor };
    run_on_links(&scale_defect, u, &args);
}

void defect_weight_links(gauge *u, const link_defect *d)
{
    if (d->factor != 1)
        scale(u, &d->box, d->factor);
}

void defect_restore_links(gauge *u, const link_defect *d, rng_key key)
{
    const random_defect_args draw = { args_of(u), d->box, key };
    if (d->factor == 0)
        run_on_links(&random_defect, u, &draw);
    else if (d->factor != 1)
        scale(u, &d->box, 1 / d->factor);
}
