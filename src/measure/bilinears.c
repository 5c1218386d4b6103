/* bilinears.c - two-point functions of mesons for all products of gamma matrices. */
#include "src/measure/bilinears.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/measure/gamma_products.h"
#include "src/measure/meson_mass.h"

#include <assert.h>

MAP_KERNEL(meson_sites);

const char *const bilinears_choices[] = { "none", "vector", "all", NULL };

/* Vectors in space come first: they are those of BILINEARS_VECTOR. */
enum { SPACE = 3, DIRECTIONS = 4, TIME = 3, MINUS = 2 };
const char *const bilinear_names[] = {
    "vector_x", "vector_y", "vector_z", "vector_t", "scalar", "pseudoscalar", "axial_x", "axial_y", "axial_z",
    "axial_t", "tensor_xy", "tensor_xz", "tensor_xt", "tensor_yz", "tensor_yt", "tensor_zt", NULL,
};

/* - gamma5 Gamma, and Gammabar gamma5 by its columns */
static meson_term term_of(spin_matrix gamma)
{
    const spin_matrix five = gamma_matrix(GAMMA_FIVE), time = gamma_matrix(TIME);
    const spin_matrix bar = gamma_product(gamma_product(time, gamma_dagger(gamma)), time);
    return (meson_term){ gamma_times_i_power(gamma_product(five, gamma), MINUS),
                         gamma_transposed(gamma_product(bar, five)) };
}

static int terms_of(meson_term term[MESON_TERMS_MAX], bilinears_choice choice)
{
    int count = 0;
    for (int i = 0; i < (choice == BILINEARS_ALL ? DIRECTIONS : SPACE); i++)
        term[count++] = term_of(gamma_matrix(i));
    if (choice != BILINEARS_ALL)
        return count;
    term[count++] = term_of(gamma_unit());
    term[count++] = term_of(gamma_matrix(GAMMA_FIVE));
    for (int i = 0; i < DIRECTIONS; i++)
        term[count++] = term_of(gamma_product(gamma_matrix(i), gamma_matrix(GAMMA_FIVE)));
    for (int i = 0; i < DIRECTIONS; i++)
        for (int k = i + 1; k < DIRECTIONS; k++)
            term[count++] = term_of(gamma_product(gamma_matrix(i), gamma_matrix(k)));
    return count;
}

struct bilinears {
    bilinears_choice choice;
    int terms;
    field density;
};

static int count_of(bilinears_choice choice)
{
    return choice == BILINEARS_ALL ? MESON_TERMS_MAX : choice == BILINEARS_VECTOR ? SPACE : 0;
}

bilinears *bilinears_create(bilinears_choice choice, const gauge *u)
{
    if (choice == BILINEARS_NONE)
        return NULL;
    bilinears *b = memory_alloc(sizeof *b, "bilinears");
    b->choice = choice;
    b->terms = count_of(choice);
    b->density = field_create(u->links.lattice, u->links.where, PRECISION_DOUBLE, b->terms, "densities of mesons");
    return b;
}

void bilinears_free(bilinears *b)
{
    if (!b)
        return;
    field_free(&b->density);
    memory_free(b);
}

size_t bilinears_bytes(bilinears_choice choice, const lattice_shape *shape)
{
    return choice == BILINEARS_NONE ? 0 : field_bytes(shape, PRECISION_DOUBLE, count_of(choice));
}

void bilinears_contract(bilinears *b, const quark_columns *quark, const quark_columns *antiquark)
{
    if (!b)
        return;
    meson_args args = { .out = field_view_of(&b->density).data };
    assert(quark->count == MESON_COLUMNS && antiquark->count == MESON_COLUMNS);
    args.terms = terms_of(args.term, b->choice);
    assert(args.terms == b->terms);
    for (int parity = 0; parity < 2; parity++) {
        const parity_set on = parity ? ON_ODD : ON_EVEN;
        quark_columns_view(args.quark, quark, on);
        quark_columns_view(args.antiquark, antiquark, on);
        run_map(&meson_sites, b->density.where, b->density.precision, &args, lattice_range(b->density.lattice, on));
    }
}

const field *bilinears_density(const bilinears *b)
{
    return &b->density;
}

/* ---- results */

/* The lists of all momenta (or of momentum 0) of a term; returns how many numbers. */
static int sum_term(double *sums, const bilinears *b, int term, const param_list *momenta, const int origin[4],
                    bool zero)
{
    if (zero)
        zero_momentum_in_time(sums, &b->density, term, origin);
    else
        momentum_sums_in_time(sums, &b->density, term, momenta, origin);
    return lattice_global(b->density.lattice)[3] * (zero ? 1 : momenta->count);
}

/* The mean of the vectors in space. */
static void mean_vector(double *mean, double *scratch, const bilinears *b, const param_list *momenta,
                        const int origin[4], bool zero)
{
    const int count = sum_term(mean, b, 0, momenta, origin, zero);
    for (int term = 1; term < SPACE; term++) {
        sum_term(scratch, b, term, momenta, origin, zero);
        for (int i = 0; i < count; i++)
            mean[i] += scratch[i];
    }
    for (int i = 0; i < count; i++)
        mean[i] /= SPACE;
}

static void terms_to_json(json *j, const bilinears *b, double *sums, const param_list *momenta, const int origin[4])
{
    const int times = lattice_global(b->density.lattice)[3];
    json_open(j, "bilinears", '{');
    for (int n = 0; n < b->terms; n++) {
        text key = { 0 };
        sum_term(sums, b, n, momenta, origin, true);
        json_reals(j, bilinear_names[n], sums, times);
        sum_term(sums, b, n, momenta, origin, false);
        text_add(&key, "%s_momenta", bilinear_names[n]);
        momentum_lists_to_json(j, text_string(&key), sums, momenta, times);
        text_free(&key);
    }
    json_close(j);
}

void bilinears_to_json(json *j, const bilinears *b, const param_list *momenta, const int origin[4])
{
    if (!b)
        return;
    const int times = lattice_global(b->density.lattice)[3];
    const size_t size = (size_t)(times * (momenta->count + 1)) * sizeof(double);
    double *sums = memory_alloc(size, "correlators"), *scratch = memory_alloc(size, "correlators");
    mean_vector(sums, scratch, b, momenta, origin, true);
    if (!lattice_is_open(b->density.lattice))              /* its formula needs images around the lattice */
        json_real(j, "vector_mass", meson_mass(sums, times));
    json_reals(j, "vector", sums, times);
    mean_vector(sums, scratch, b, momenta, origin, false);
    momentum_lists_to_json(j, "vector_momenta", sums, momenta, times);
    if (b->choice == BILINEARS_ALL)
        terms_to_json(j, b, sums, momenta, origin);
    memory_free(scratch);
    memory_free(sums);
}
