/* baryons.c - two-point functions of baryons: products of gamma matrices, terms of Wick's theorem, sums in time. */
#include "src/measure/baryons.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/measure/gamma_products.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(baryon_sites);

/* ---- terms */

enum { SPACE = 3 };
enum { NUCLEON, DELTA };

/* C g and gamma_t (C g)^+ gamma_t^T */
spin_matrix baryon_diquark(spin_matrix g)
{
    return gamma_product(gamma_product(gamma_matrix(1), gamma_matrix(3)), g);
}

spin_matrix baryon_diquark_bar(spin_matrix g)
{
    const spin_matrix t = gamma_matrix(3);
    return gamma_product(gamma_product(t, gamma_dagger(baryon_diquark(g))), gamma_transposed(t));
}

/* weight: of the projection, which is `project` and project gamma_t */
static baryon_term term_of(int channel, spin_matrix left, spin_matrix right, spin_matrix project, double weight)
{
    const double direct = channel == NUCLEON ? 1 : 2, exchange = channel == NUCLEON ? 1 : 4;
    const spin_matrix turned = gamma_product(project, gamma_matrix(3));
    return (baryon_term){ baryon_diquark(left), baryon_diquark_bar(right), { project, turned }, direct * weight,
                          exchange * weight, channel, { 0, 0, 0 } };
}

int baryon_terms(baryon_term term[BARYON_TERMS_MAX])
{
    int count = 0;
    term[count++] = term_of(NUCLEON, gamma_matrix(GAMMA_FIVE), gamma_matrix(GAMMA_FIVE), gamma_unit(), 1);
    for (int i = 0; i < SPACE; i++)
        for (int k = 0; k < SPACE; k++)                          /* P_ki <D_i Dbar_k> */
            term[count++] = i == k ? term_of(DELTA, gamma_matrix(i), gamma_matrix(i), gamma_unit(), 1 - 1.0 / SPACE)
                                   : term_of(DELTA, gamma_matrix(i), gamma_matrix(k),
                                             gamma_product(gamma_matrix(k), gamma_matrix(i)), -1.0 / SPACE);
    return count;
}

/* ---- contractions */

struct baryons { field density; };

baryons *baryons_create(const gauge *u)
{
    baryons *b = memory_alloc(sizeof *b, "baryons");
    b->density = field_create(u->links.lattice, u->links.where, PRECISION_DOUBLE, BARYON_REALS, "densities of baryons");
    return b;
}

void baryons_free(baryons *b)
{
    if (!b)
        return;
    field_free(&b->density);
    memory_free(b);
}

memory_need baryons_bytes(const lattice_shape *shape)
{
    return (memory_need){ .lasting = field_bytes(shape, PRECISION_DOUBLE, BARYON_REALS) };
}

void baryons_contract(baryons *b, const quark_columns *q)
{
    baryon_args args = { .out = field_view_of(&b->density).data };
    assert(q->count == BARYON_COLUMNS);
    args.terms = baryon_terms(args.term);
    for (int parity = 0; parity < 2; parity++) {
        quark_columns_view(args.column, q, parity ? ON_ODD : ON_EVEN);
        const field *f = &q->column[0].even->f;
        run_map(&baryon_sites, f->where, f->precision, &args,
                lattice_range(f->lattice, parity ? ON_ODD : ON_EVEN));
    }
}

const field *baryons_density(const baryons *b)
{
    return &b->density;
}

/* ---- results */

void baryon_mass_times(int *first, int *last, int times)
{
    *first = times / 8 > 1 ? times / 8 : 1;
    *last = times / 4 > *first ? times / 4 : *first + 1;
}

double baryon_mass(const double *c, int times)
{
    int first, last;
    baryon_mass_times(&first, &last, times);
    return last < times && c[first] > 0 && c[last] > 0 ? log(c[first] / c[last]) / (last - first) : NAN;
}

/* one[t], turned[t]: the traces with 1 and gamma_t.  one <- (turned + one)/2, turned <- (turned - one)/2, with the sign
 * of the boundary. */
static void project_parities(double *one, double *turned, int times, int start, double boundary)
{
    for (int t = 0; t < times; t++) {
        const double a = one[t], b = turned[t], sign = start + t >= times ? boundary : 1;
        one[t] = sign * (b + a) / 2;
        turned[t] = sign * (b - a) / 2;
    }
}

/* The lists of all momenta (none: of momentum 0) of a channel, into `sums` of both parities. */
static void sum_channel(double *const sums[2], const field *density, int channel, const baryon_sink *sink, bool zero)
{
    const int times = lattice_global(density->lattice)[3], lists = zero ? 1 : sink->momenta->count;
    for (int k = 0; k < 2; k++)
        if (zero)
            zero_momentum_in_time(sums[k], density, 2 * channel + k, sink->origin);
        else
            momentum_sums_in_time(sums[k], density, 2 * channel + k, sink->momenta, sink->origin);
    for (int i = 0; i < lists; i++)
        project_parities(sums[0] + i * times, sums[1] + i * times, times, sink->origin[3], sink->boundary);
}

/* "NAMEafter" as a key. */
static text key_of(const char *name, const char *after)
{
    text key = { 0 };
    text_add(&key, "%s%s", name, after);
    return key;
}

void baryon_channels_to_json(json *j, const field *density, const baryon_channel *channels, const baryon_sink *sink)
{
    static const char *const after[2] = { "", "_negative" }, *const moving[2] = { "_momenta", "_negative_momenta" };
    const int times = lattice_global(density->lattice)[3];
    const size_t size = (size_t)(times * (sink->momenta->count + 1)) * sizeof(double);
    double *sums[2] = { memory_alloc(size, "correlators"), memory_alloc(size, "correlators") };
    for (int channel = 0; channels[channel].name; channel++) {
        const baryon_channel *of = &channels[channel];
        text mass = key_of(of->name, "_mass");
        sum_channel(sums, density, channel, sink, true);
        if (of->has_mass)
            json_real(j, text_string(&mass), baryon_mass(sums[0], times));
        text_free(&mass);
        for (int k = 0; k < 2; k++) {
            text key = key_of(of->name, after[k]);
            json_reals(j, text_string(&key), sums[k], times);
            text_free(&key);
        }
        sum_channel(sums, density, channel, sink, false);
        for (int k = 0; k < 2; k++) {
            text key = key_of(of->name, moving[k]);
            momentum_lists_to_json(j, text_string(&key), sums[k], sink->momenta, times);
            text_free(&key);
        }
    }
    memory_free(sums[0]);
    memory_free(sums[1]);
}

void baryons_to_json(json *j, const baryons *b, const baryon_sink *sink)
{
    static const baryon_channel channels[] = { { "nucleon", true }, { "delta", false }, { NULL, false } };
    baryon_channels_to_json(j, &b->density, channels, sink);
}
