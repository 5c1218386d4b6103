/* hyperons.c - two-point functions of baryons with quarks of two masses. */
#include "src/measure/hyperons.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/measure/gamma_products.h"

#include <assert.h>

MAP_KERNEL(hyperon_sites);

enum { SIGMA, XI, LAMBDA };
enum { LIGHT, STRANGE };

struct hyperons { field density; };

hyperons *hyperons_create(const gauge *u)
{
    hyperons *h = memory_alloc(sizeof *h, "baryons of two masses");
    h->density = field_create(u->links.lattice, u->links.where, PRECISION_DOUBLE, HYPERON_REALS,
                              "densities of baryons");
    return h;
}

void hyperons_free(hyperons *h)
{
    if (!h)
        return;
    field_free(&h->density);
    memory_free(h);
}

size_t hyperons_bytes(const lattice_shape *shape)
{
    return field_bytes(shape, PRECISION_DOUBLE, HYPERON_REALS);
}

/* direct D(x, y; z) + exchange E(x, y; z) */
typedef struct { int channel; double direct, exchange; signed char flavor[3]; } flavor_term;
static const flavor_term flavors[] = {
    { SIGMA, 1, 1, { LIGHT, STRANGE, LIGHT } },
    { XI, 1, 1, { STRANGE, LIGHT, STRANGE } },
    { LAMBDA, 4.0 / 6, 4.0 / 6, { LIGHT, LIGHT, STRANGE } },
    { LAMBDA, 2.0 / 6, -2.0 / 6, { LIGHT, STRANGE, LIGHT } },
    { LAMBDA, 0, 4.0 / 6, { STRANGE, LIGHT, LIGHT } },
};

static int terms_of(baryon_term term[HYPERON_TERMS_MAX])
{
    const spin_matrix five = gamma_matrix(GAMMA_FIVE);
    const int count = sizeof flavors / sizeof *flavors;
    for (int n = 0; n < count; n++)
        term[n] = (baryon_term){ baryon_diquark(five), baryon_diquark_bar(five), { gamma_unit(), gamma_matrix(3) },
                                 flavors[n].direct, flavors[n].exchange, flavors[n].channel,
                                 { flavors[n].flavor[0], flavors[n].flavor[1], flavors[n].flavor[2] } };
    return count;
}

void hyperons_contract(hyperons *h, const quark_columns *light, const quark_columns *strange)
{
    hyperon_args args = { .out = field_view_of(&h->density).data };
    assert(light->count == BARYON_COLUMNS && strange->count == BARYON_COLUMNS);
    args.terms = terms_of(args.term);
    for (int parity = 0; parity < 2; parity++) {
        const parity_set on = parity ? ON_ODD : ON_EVEN;
        quark_columns_view(args.column[LIGHT], light, on);
        quark_columns_view(args.column[STRANGE], strange, on);
        run_map(&hyperon_sites, h->density.where, h->density.precision, &args, lattice_range(h->density.lattice, on));
    }
}

void hyperons_to_json(json *j, const hyperons *h, const baryon_sink *sink)
{
    static const baryon_channel channels[] = { [SIGMA] = { "sigma", true }, [XI] = { "xi", true },
                                               [LAMBDA] = { "lambda", true }, { NULL, false } };
    baryon_channels_to_json(j, &h->density, channels, sink);
}

const field *hyperons_density(const hyperons *h)
{
    return &h->density;
}
