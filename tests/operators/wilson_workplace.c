/* wilson_workplace.c - Wilson quarks on a test field, for tests of their operator. */
#include "tests/operators/wilson_workplace.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/analytic_field.h"
#include "tests/operators/format_facts.h"

enum { SPINOR = 12 };

wilson_workplace wilson_begin(place where, const int extents[4], double width, double boundary)
{
    return wilson_begin_theta(where, extents, width, (quark_boundary){ .t = boundary });
}

wilson_workplace wilson_begin_theta(place where, const int extents[4], double width, quark_boundary boundary)
{
    wilson_workplace w = { .where = where, .l = lattice_create_single(extents) };
    failure f;
    double *links = analytic_links(extents, width);
    w.u = gauge_create(w.l, where, PRECISION_DOUBLE);
    gauge_import(w.u, links);
    memory_free(links);
    w.links = hop_links_create_for(w.l, where, (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE }, boundary);
    require(hop_links_update(w.links, w.u, &f), "%s", f.why);
    w.v = spinor_field_create(w.u, 1);
    w.out = spinor_field_create(w.u, 1);
    w.even = spinor_vec_create(w.l, ON_EVEN, where, PRECISION_DOUBLE, 1);
    w.odd = spinor_vec_create(w.l, ON_ODD, where, PRECISION_DOUBLE, 1);
    return w;
}

void wilson_end(wilson_workplace *w)
{
    vec_free(w->even);
    vec_free(w->odd);
    spinor_field_free(w->v);
    spinor_field_free(w->out);
    hop_links_free(w->links);
    gauge_free(w->u);
    lattice_free(w->l);
}

void wilson_set_random(spinor_field f, unsigned key)
{
    vec_set_gaussian(f.even, rng_key_for(79, 0, key, RNG_TEST), 0);
    vec_set_gaussian(f.odd, rng_key_for(79, 0, key, RNG_TEST), 0);
}

void wilson_gamma5(spinor_field f)
{
    vec *parts[2] = { f.even, f.odd };
    for (int p = 0; p < 2; p++) {
        if (!parts[p])
            continue;
        double *x = vec_numbers(parts[p]);
        for (size_t i = 0; i < vec_count(parts[p]); i++)
            x[i] *= i / 2 % SPINOR >= SPINOR / 2 ? -1 : 1;
        vec_import(parts[p], x);
        memory_free(x);
    }
}

double complex *wilson_numbers(spinor_field f)
{
    double *even = vec_numbers(f.even), *odd = vec_numbers(f.odd);
    for (size_t i = 0; i < vec_count(f.even); i++)
        even[i] += odd[i];
    memory_free(odd);
    return (double complex *)even;
}
