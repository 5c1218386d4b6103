/* baryons.c - two-point functions of baryons: products of gamma matrices, terms of Wick's theorem, sums in time. */
#include "src/measure/baryons.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(baryon_sites);

/* ---- spin matrices */

enum { SPINS = 4, SPACE = 3, GAMMA5 = 4 };

/* gamma_x, gamma_y, gamma_z, gamma_t, gamma5 of site/spinor.h */
static const spin_matrix gammas[] = {
    { { 3, 2, 1, 0 }, { 1, 1, 3, 3 } }, { { 3, 2, 1, 0 }, { 2, 0, 0, 2 } }, { { 2, 3, 0, 1 }, { 1, 3, 3, 1 } },
    { { 2, 3, 0, 1 }, { 0, 0, 0, 0 } }, { { 0, 1, 2, 3 }, { 0, 0, 2, 2 } },
};

static spin_matrix unit(void)
{
    return (spin_matrix){ { 0, 1, 2, 3 }, { 0, 0, 0, 0 } };
}

static spin_matrix times(spin_matrix a, spin_matrix b)
{
    spin_matrix c;
    for (int r = 0; r < SPINS; r++) {
        c.to[r] = b.to[(int)a.to[r]];
        c.power[r] = (signed char)((a.power[r] + b.power[(int)a.to[r]]) % 4);
    }
    return c;
}

static spin_matrix transposed(spin_matrix a)
{
    spin_matrix c;
    for (int r = 0; r < SPINS; r++) {
        c.to[(int)a.to[r]] = (signed char)r;
        c.power[(int)a.to[r]] = a.power[r];
    }
    return c;
}

static spin_matrix dagger(spin_matrix a)
{
    spin_matrix c = transposed(a);
    for (int r = 0; r < SPINS; r++)
        c.power[r] = (signed char)((4 - c.power[r]) % 4);
    return c;
}

/* C g and gamma_t (C g)^+ gamma_t^T */
static spin_matrix diquark_of(spin_matrix g)
{
    return times(times(gammas[1], gammas[3]), g);
}

static spin_matrix diquark_bar(spin_matrix g)
{
    return times(times(gammas[3], dagger(diquark_of(g))), transposed(gammas[3]));
}

/* ---- terms */

enum { NUCLEON, DELTA };

/* weight: of the projection, which is `project` and project gamma_t */
static baryon_term term_of(int channel, spin_matrix left, spin_matrix right, spin_matrix project, double weight)
{
    const double direct = channel == NUCLEON ? 1 : 2, exchange = channel == NUCLEON ? 1 : 4;
    return (baryon_term){ diquark_of(left), diquark_bar(right), { project, times(project, gammas[3]) }, direct * weight,
                          exchange * weight, channel };
}

int baryon_terms(baryon_term term[BARYON_TERMS_MAX])
{
    int count = 0;
    term[count++] = term_of(NUCLEON, gammas[GAMMA5], gammas[GAMMA5], unit(), 1);
    for (int i = 0; i < SPACE; i++)
        for (int k = 0; k < SPACE; k++)                          /* P_ki <D_i Dbar_k> */
            term[count++] = i == k ? term_of(DELTA, gammas[i], gammas[i], unit(), 1 - 1.0 / SPACE)
                                   : term_of(DELTA, gammas[i], gammas[k], times(gammas[k], gammas[i]), -1.0 / SPACE);
    return count;
}

/* ---- contractions */

struct baryons {
    spinor_field column[BARYON_COLUMNS];
    field density;
};

baryons *baryons_create(const gauge *u)
{
    baryons *b = memory_alloc(sizeof *b, "baryons");
    for (int c = 0; c < BARYON_COLUMNS; c++)
        b->column[c] = spinor_field_create(u, 1);
    b->density = field_create(u->links.lattice, u->links.where, PRECISION_DOUBLE, BARYON_REALS, "densities of baryons");
    return b;
}

void baryons_free(baryons *b)
{
    if (!b)
        return;
    field_free(&b->density);
    for (int c = 0; c < BARYON_COLUMNS; c++)
        spinor_field_free(b->column[c]);
    memory_free(b);
}

memory_need baryons_bytes(const lattice_shape *shape)
{
    const size_t column = 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    return (memory_need){ .lasting = BARYON_COLUMNS * column + field_bytes(shape, PRECISION_DOUBLE, BARYON_REALS) };
}

void baryons_set_column(baryons *b, int column, spinor_field quark)
{
    assert(column >= 0 && column < BARYON_COLUMNS);
    vec_copy(b->column[column].even, quark.even);
    vec_copy(b->column[column].odd, quark.odd);
}

void baryons_smear(baryons *b, quark_smearing *s)
{
    for (int c = 0; c < BARYON_COLUMNS; c++)
        quark_smearing_apply(s, b->column[c]);
}

void baryons_contract(baryons *b)
{
    baryon_args args = { .out = field_view_of(&b->density).data };
    args.terms = baryon_terms(args.term);
    for (int parity = 0; parity < 2; parity++) {
        for (int c = 0; c < BARYON_COLUMNS; c++)
            args.column[c] = vec_view(spinor_field_part(b->column[c], parity ? ON_ODD : ON_EVEN));
        const field *f = &b->column[0].even->f;
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

static const char *const names[BARYON_CHANNELS][2] = {
    { "nucleon", "nucleon_negative" }, { "delta", "delta_negative" },
};

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
static void sum_channel(double *const sums[2], const baryons *b, int channel, const baryon_sink *sink, bool zero)
{
    const int times = lattice_global(b->density.lattice)[3], lists = zero ? 1 : sink->momenta->count;
    for (int k = 0; k < 2; k++)
        if (zero)
            zero_momentum_in_time(sums[k], &b->density, 2 * channel + k, sink->origin);
        else
            momentum_sums_in_time(sums[k], &b->density, 2 * channel + k, sink->momenta, sink->origin);
    for (int i = 0; i < lists; i++)
        project_parities(sums[0] + i * times, sums[1] + i * times, times, sink->origin[3], sink->boundary);
}

void baryons_to_json(json *j, const baryons *b, const baryon_sink *sink)
{
    const int times = lattice_global(b->density.lattice)[3];
    const size_t size = (size_t)(times * (sink->momenta->count + 1)) * sizeof(double);
    double *sums[2] = { memory_alloc(size, "correlators"), memory_alloc(size, "correlators") };
    for (int channel = 0; channel < BARYON_CHANNELS; channel++) {
        sum_channel(sums, b, channel, sink, true);
        if (channel == NUCLEON)
            json_real(j, "nucleon_mass", baryon_mass(sums[0], times));
        for (int k = 0; k < 2; k++)
            json_reals(j, names[channel][k], sums[k], times);
        sum_channel(sums, b, channel, sink, false);
        for (int k = 0; k < 2; k++) {
            text key = { 0 };
            text_add(&key, "%s_momenta", names[channel][k]);
            momentum_lists_to_json(j, text_string(&key), sums[k], sink->momenta, times);
            text_free(&key);
        }
    }
    memory_free(sums[0]);
    memory_free(sums[1]);
}
