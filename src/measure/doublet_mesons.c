/* doublet_mesons.c - two-point functions of mesons with quarks of a non-degenerate doublet. */
#include "src/measure/doublet_mesons.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/kernels/chiral_density_args.h"
#include "src/kernels/doublet_args.h"
#include "src/operators/quark_density.h"

#include <assert.h>
#include <complex.h>
#include <math.h>

enum { SLICES = DOUBLET_FLAVORS };
/* The numbers of a site, [chirality of the source][slice of the source][slice][chirality][re, im]; of the doublet
 * [chirality of the source][source of the antiquark][source of the quark][slice of the antiquark][slice of the quark]
 * [chirality][re, im]. */
enum { LIGHT_REALS = CHIRALITIES * SLICES * SLICES * CHIRAL_REALS, HEAVY_REALS = LIGHT_REALS * SLICES * SLICES };

struct doublet_mesons {
    const lattice *lattice;
    int masses;
    bool heavy;
    field *pion, *light, doublet;           /* densities, of each mass and of the doublet */
};

doublet_mesons *doublet_mesons_create(const gauge *u, int masses, bool heavy)
{
    doublet_mesons *m = memory_alloc(sizeof *m, "mesons of a doublet");
    lattice *l = u->links.lattice;
    m->lattice = l;
    m->masses = masses;
    m->heavy = heavy;
    m->pion = memory_alloc((size_t)masses * sizeof *m->pion, "densities of pions");
    m->light = memory_alloc((size_t)masses * sizeof *m->light, "densities of mesons");
    for (int k = 0; k < masses; k++)
        m->pion[k] = quark_density_create(l, u->links.where);
    for (int k = 0; k < masses; k++)
        m->light[k] = field_create(l, u->links.where, PRECISION_DOUBLE, LIGHT_REALS, "densities of mesons");
    if (heavy)
        m->doublet = field_create(l, u->links.where, PRECISION_DOUBLE, HEAVY_REALS, "densities of mesons");
    return m;
}

void doublet_mesons_free(doublet_mesons *m)
{
    if (!m)
        return;
    if (m->heavy)
        field_free(&m->doublet);
    for (int k = 0; k < m->masses; k++)
        field_free(&m->light[k]);
    for (int k = 0; k < m->masses; k++)
        field_free(&m->pion[k]);
    memory_free(m->light);
    memory_free(m->pion);
    memory_free(m);
}

size_t doublet_mesons_bytes(const lattice_shape *shape, int masses, bool heavy)
{
    const size_t of_mass = field_bytes(shape, PRECISION_DOUBLE, 1) + field_bytes(shape, PRECISION_DOUBLE, LIGHT_REALS);
    return (size_t)masses * of_mass
           + (heavy ? field_bytes(shape, PRECISION_DOUBLE, HEAVY_REALS) : 0);
}

void doublet_mesons_begin(doublet_mesons *m)
{
    for (int k = 0; k < m->masses; k++) {
        field_zero(&m->pion[k]);
        field_zero(&m->light[k]);
    }
    if (m->heavy)
        field_zero(&m->doublet);
}

static void add_both(field *density, int first, spinor_field left, spinor_field right)
{
    quark_chiral_add(density, first, left.even, right.even);
    quark_chiral_add(density, first, left.odd, right.odd);
}

void doublet_mesons_add_light(doublet_mesons *m, int mass, int chirality, const spinor_field quarks[HEAVY_FLAVORS],
                              spinor_field light)
{
    const int reals = SLICES * CHIRAL_REALS;
    quark_density_add(&m->pion[mass], light.even, light.even);
    quark_density_add(&m->pion[mass], light.odd, light.odd);
    for (int j = 0; j < SLICES; j++)
        add_both(&m->light[mass], reals * (SLICES * chirality + j), light, quarks[j]);
}

void doublet_mesons_add_heavy(doublet_mesons *m, int chirality, const spinor_field quarks[HEAVY_FLAVORS])
{
    const int reals = SLICES * SLICES * CHIRAL_REALS;
    for (int j = 0; m->heavy && j < SLICES * SLICES; j++)
        add_both(&m->doublet, reals * (SLICES * SLICES * chirality + j), quarks[j / SLICES], quarks[j % SLICES]);
}

/* ---- correlators */

/* R_fi */
static double rotation(int flavor, int slice)
{
    return flavor == STRANGE && slice == 1 ? -M_SQRT1_2 : M_SQRT1_2;
}

static double complex phase(int f, int g)
{
    return f == g ? 1 : f == STRANGE ? I : -I;
}

/* An operator qbar Gamma chi_f. */
typedef struct { bool scalar; int antiquark, flavor; } meson_operator;

static meson_operator operator_at(int index, int operators)
{
    const int flavors = operators / 2;
    return (meson_operator){ index >= flavors, index % flavors / HEAVY_FLAVORS, index % HEAVY_FLAVORS };
}

/* - g_j(a) h_k(b) */
static double complex weight(bool sink_is_scalar, bool source_is_scalar, int a, int b)
{
    const double complex g = sink_is_scalar ? (a == 0 ? I : -I) : 1, h = source_is_scalar ? (b == 0 ? -I : I) : -1;
    return -g * h;
}

/* The sums over a time slice with a momentum: at[component stride] */
typedef struct { const double *at; ptrdiff_t stride; bool heavy; } slice_sums;

static double complex number_at(const slice_sums *s, int index)
{
    const double *at = s->at + 2 * index * s->stride;
    return at[0] + I * at[s->stride];
}

/* N_ab of S_(f_j f_k), and of S_(g_j g_k) of the antiquark: a sum over the slices i of the quark and l of the antiquark
 * at the sink, and j and m at the source. */
static double complex turned(const slice_sums *s, meson_operator sink, meson_operator source, int a, int b)
{
    const int inner = s->heavy ? SLICES : 1;
    double complex sum = 0;
    for (int n = 0; n < inner * SLICES * inner * SLICES; n++) {             /* [m][j][l][i], as the numbers of a site */
        const int i = n % SLICES, l = n / SLICES % inner, j = n / SLICES / inner % SLICES,
                  m = n / SLICES / inner / SLICES;
        double r = rotation(sink.flavor, i) * rotation(source.flavor, j);
        if (s->heavy)
            r *= rotation(sink.antiquark, l) * rotation(source.antiquark, m);
        sum += r * number_at(s, (b * inner * SLICES * inner * SLICES + n) * CHIRALITIES + a);
    }
    sum *= phase(sink.flavor, source.flavor);
    return s->heavy ? sum * conj(phase(sink.antiquark, source.antiquark)) : sum;
}

/* s_g s_g' of the antiquark; 1 for a light one */
static double sign_of(const slice_sums *s, meson_operator sink, meson_operator source)
{
    return s->heavy && sink.antiquark != source.antiquark ? -1 : 1;
}

static double correlator_of(const slice_sums *s, meson_operator sink, meson_operator source)
{
    double sum = 0;
    for (int a = 0; a < CHIRALITIES; a++)
        for (int b = 0; b < CHIRALITIES; b++)
            sum += creal(weight(sink.scalar, source.scalar, a, b) * turned(s, sink, source, a, b));
    return sign_of(s, sink, source) * sum;
}

static int operators_of(int mass)
{
    return mass < 0 ? HEAVY_HEAVY : HEAVY_LIGHT;
}

/* C_jk(t) for several momenta, c[momentum][j][k][t]; of momentum 0 alone without momenta.  memory_free */
static double *correlators_create(const doublet_mesons *m, int mass, const doublet_mesons_request *of,
                                  const param_list *momenta)
{
    const field *density = mass < 0 ? &m->doublet : &m->light[mass];
    const int times = lattice_global(density->lattice)[3], operators = operators_of(mass);
    const int count = momenta ? momenta->count : 1, rows = count * times;
    double *sums = memory_alloc((size_t)(density->reals * rows) * sizeof *sums, "correlators");
    double *c = memory_alloc((size_t)(operators * operators * rows) * sizeof *c, "correlators");
    assert(mass >= 0 || m->heavy);
    if (momenta)
        momentum_sums_of_all(sums, density, momenta, of->origin);
    else
        all_components_in_time(sums, density, of->origin);
    for (int n = 0; n < operators * operators * rows; n++) {
        const int t = n % times, pair = n / times % (operators * operators), k = n / times / (operators * operators);
        const slice_sums slice = { sums + k * times + t, rows, mass < 0 };
        c[n] = correlator_of(&slice, operator_at(pair / operators, operators), operator_at(pair % operators, operators))
               / of->norm;
    }
    memory_free(sums);
    return c;
}

static void matrix_to_json(json *j, const char *key, const double *c, int operators, int times)
{
    json_open(j, key, '[');
    for (int row = 0; row < operators; row++) {
        json_open(j, NULL, '[');
        for (int column = 0; column < operators; column++)
            json_reals(j, NULL, c + (row * operators + column) * times, times);
        json_close(j);
    }
    json_close(j);
}

static void meson_to_json(json *j, const char *key, const double *c, const double *v, int operators, int times)
{
    double *meson = memory_alloc((size_t)times * sizeof *meson, "correlators");
    for (int n = 0; n < operators * operators * times; n++)
        meson[n % times] += v[n / times / operators] * v[n / times % operators] * c[n];
    json_reals(j, key, meson, times);
    memory_free(meson);
}

/* Opens the list `key`_momenta. */
static void open_momenta(json *j, const char *key)
{
    text name = { 0 };
    text_add(&name, "%s_momenta", key);
    json_open(j, text_string(&name), '[');
    text_free(&name);
}

static void momenta_to_json(json *j, const char *key, const doublet_mesons *m, int mass,
                            const doublet_mesons_request *of)
{
    const int times = lattice_global(m->lattice)[3], operators = operators_of(mass);
    double *c = correlators_create(m, mass, of, of->momenta);
    open_momenta(j, key);
    for (int k = 0; k < of->momenta->count; k++)
        matrix_to_json(j, NULL, c + k * operators * operators * times, operators, times);
    json_close(j);
    for (int i = 0; i < of->count; i++) {
        open_momenta(j, of->meson[i].key);
        for (int k = 0; k < of->momenta->count; k++)
            meson_to_json(j, NULL, c + k * operators * operators * times, of->meson[i].v, operators, times);
        json_close(j);
    }
    memory_free(c);
}

void doublet_mesons_to_json(json *j, const char *key, const doublet_mesons *m, int mass,
                            const doublet_mesons_request *of)
{
    const int times = lattice_global(m->lattice)[3], operators = operators_of(mass);
    double *c = correlators_create(m, mass, of, NULL);
    matrix_to_json(j, key, c, operators, times);
    for (int i = 0; i < of->count; i++)
        meson_to_json(j, of->meson[i].key, c, of->meson[i].v, operators, times);
    memory_free(c);
    if (of->momenta->count > 0)
        momenta_to_json(j, key, m, mass, of);
}

void doublet_mesons_pion(double *pion, const doublet_mesons *m, int mass, const doublet_mesons_request *of)
{
    quark_density_in_time(pion, &m->pion[mass], of->origin[3]);
    for (int t = 0; t < lattice_global(m->lattice)[3]; t++)
        pion[t] /= of->norm;
}

void doublet_mesons_pion_momenta(json *j, const doublet_mesons *m, int mass, const doublet_mesons_request *of)
{
    const int times = lattice_global(m->lattice)[3], count = of->momenta->count;
    double *pion = memory_alloc((size_t)(count * times) * sizeof *pion, "correlators");
    momentum_sums_in_time(pion, &m->pion[mass], 0, of->momenta, of->origin);
    for (int n = 0; n < count * times; n++)
        pion[n] /= of->norm;
    momentum_lists_to_json(j, "pion_momenta", pion, of->momenta, times);
    memory_free(pion);
}

/* ---- physical mesons */

/* psibar gamma5 psi_f of a light antiquark whose twisted mass has the sign s, with f' the other flavor:
 * (1/2) chibar (1 + i s gamma5) gamma5 (chi_f + i gamma5 chi_f')
 *     = (1/2) chibar [gamma5 chi_f - s gamma5 chi_f' + s i chi_f + i chi_f'] */
static doublet_meson light_meson(const char *key, int flavor, double mu)
{
    const double s = mu < 0 ? 1 : -1;
    const int other = HEAVY_FLAVORS - 1 - flavor;
    doublet_meson m = { .key = key };
    m.v[flavor] = 0.5;
    m.v[other] = -0.5 * s;
    m.v[HEAVY_FLAVORS + flavor] = 0.5 * s;
    m.v[HEAVY_FLAVORS + other] = 0.5;
    return m;
}

doublet_meson doublet_kaon(double mu)
{
    return light_meson("kaon", STRANGE, mu);
}

doublet_meson doublet_d_meson(double mu)
{
    return light_meson("d_meson", CHARM, mu);
}

/* (1/2) (chibar_c + i chibar_s gamma5) gamma5 (chi_s + i gamma5 chi_c)
 *     = (1/2) [chibar_c gamma5 chi_s - chibar_s gamma5 chi_c + i chibar_c chi_c + i chibar_s chi_s] */
doublet_meson doublet_d_s_meson(void)
{
    doublet_meson m = { .key = "d_s_meson" };
    for (int j = 0; j < HEAVY_HEAVY; j++) {
        const meson_operator o = operator_at(j, HEAVY_HEAVY);
        const bool same = o.antiquark == o.flavor;
        m.v[j] = same != o.scalar ? 0 : o.scalar || o.antiquark == CHARM ? 0.5 : -0.5;
    }
    return m;
}
