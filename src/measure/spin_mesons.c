/* spin_mesons.c - mesons and baryons of domain-wall and Wilson quarks. */
#include "src/measure/spin_mesons.h"

#include "src/base/memory.h"
#include "src/operators/quark_density.h"

#include <assert.h>
#include <string.h>

struct spin_mesons {
    spin_mesons_task task;
    int columns;
    gauge_rotation *coulomb;                 /* NULL if the source needs none */
    quark_smearing *smearing;                /* NULL: none */
    field pion, axial, smeared;              /* densities; smeared: of the pion with smeared sinks */
    spinor_field sink[2];                    /* smeared antiquark and quark */
    int origin[4];                           /* of positions and times: the source; open boundaries: t = 0 */
    double *in_time;                         /* correlators: of momentum 0, or of each of the list */
    baryons *baryons;                        /* NULL: none */
    bilinears *bilinears;                    /* NULL: none */
    hyperons *hyperons;                      /* NULL: none */
    quark_columns *quark, *antiquark;        /* of this mass, or of a pair with smeared sinks; NULL: not needed */
    int pair;                                /* what was added last; -1: a mass */
    quark_columns *kept[SPIN_MASSES_MAX];    /* NULL: of no pair */
};

static bool check_hadrons(const spin_mesons_task *task, const lattice_shape *shape, const char *name, failure *f)
{
    const hadron_params *p = task->hadrons;
    if (p->smearing.steps > 0 && task->masses == 0)
        return fail(f, "%s: smearing needs correlators: true", name);
    if (p->baryons && task->masses == 0)
        return fail(f, "%s: baryons need correlators: true", name);
    if (p->baryons && meson_source_is_random(task->sources))
        return fail(f, "%s: baryons need a source without random numbers: point or wall", name);
    if (p->hyperons && (task->masses == 0 || task->pairs->count == 0))
        return fail(f, "%s: hyperons need correlators: true and pairs; in each pair `quark` is the light mass and "
                       "`antiquark` the strange one", name);
    if (p->hyperons && meson_source_is_random(task->sources))
        return fail(f, "%s: hyperons need a source without random numbers: point or wall", name);
    if (p->bilinears != BILINEARS_NONE && task->masses == 0)
        return fail(f, "%s: bilinears need correlators: true", name);
    if (p->bilinears != BILINEARS_NONE && meson_source_is_random(task->sources))
        return fail(f, "%s: bilinears need a source without random numbers: point or wall", name);
    if (p->momenta.count > 0 && task->masses == 0)
        return fail(f, "%s: momenta need correlators: true", name);
    return quark_smearing_check(&p->smearing, task->sources, name, f)
           && momenta_check(&p->momenta, task->sources, shape, name, f);
}

/* Baryons are not implemented for open boundaries. */
static bool check_open(const spin_mesons_task *task, const lattice_shape *shape, const char *name, failure *f)
{
    if (!shape->open_in_time || task->masses == 0)
        return true;
    if (task->hadrons->baryons || task->hadrons->hyperons)
        return fail(f, "%s: baryons and hyperons need periodic boundaries in time, but boundary.time is open", name);
    return meson_source_check_open(task->sources, shape, name, f);
}

bool spin_mesons_check(spin_mesons_task task, const lattice_shape *shape, const char *name, failure *f)
{
    if (task.masses == 0 && task.pairs->count > 0)
        return fail(f, "%s: pairs need correlators: true", name);
    return check_hadrons(&task, shape, name, f) && meson_source_check(task.sources, shape, name, f)
           && check_open(&task, shape, name, f)
           && (task.masses == 0 || meson_pairs_check(task.pairs, task.masses, name, f));
}

static int sinks_of(const spin_mesons_task *task)
{
    return !quark_smearing_at_sink(&task->hadrons->smearing) ? 0 : task->pairs->count > 0 ? 2 : 1;
}

/* Whether columns of pairs are contracted, and whether m->quark and m->antiquark are needed. */
static bool contracts_pairs(const spin_mesons_task *task)
{
    return task->pairs->count > 0 && (task->hadrons->hyperons || task->hadrons->bilinears != BILINEARS_NONE);
}

static bool needs_antiquark(const spin_mesons_task *task)
{
    return contracts_pairs(task) && sinks_of(task) > 0;
}

static bool needs_quark(const spin_mesons_task *task)
{
    return task->hadrons->baryons || task->hadrons->bilinears != BILINEARS_NONE || needs_antiquark(task);
}

spin_mesons *spin_mesons_create(spin_mesons_task task, const gauge *u)
{
    spin_mesons *m = memory_alloc(sizeof *m, "mesons");
    lattice *l = u->links.lattice;
    assert(task.masses <= SPIN_MASSES_MAX);
    m->task = task;
    m->columns = meson_source_columns(task.sources, SLAB_GROUP);
    memcpy(m->origin, task.sources->point, sizeof m->origin);
    if (lattice_is_open(l))
        m->origin[3] = 0;
    m->coulomb = meson_gauge_create(task.sources, u);
    m->pion = quark_density_create(l, u->links.where);
    if (task.axial)
        m->axial = quark_density_create(l, u->links.where);
    m->smearing = quark_smearing_create(&task.hadrons->smearing, u);
    m->in_time = memory_alloc((size_t)(lattice_global(l)[3] * (task.hadrons->momenta.count + 1)) * sizeof *m->in_time,
                              "correlators");
    if (sinks_of(&task) > 0)
        m->smeared = quark_density_create(l, u->links.where);
    for (int i = 0; i < sinks_of(&task); i++)
        m->sink[i] = spinor_field_create(u, 1);
    m->baryons = task.hadrons->baryons ? baryons_create(u) : NULL;
    m->bilinears = bilinears_create((bilinears_choice)task.hadrons->bilinears, u);
    m->hyperons = task.hadrons->hyperons ? hyperons_create(u) : NULL;
    m->quark = needs_quark(&task) ? quark_columns_create(u, m->columns) : NULL;
    m->antiquark = needs_antiquark(&task) ? quark_columns_create(u, m->columns) : NULL;
    for (int k = 0; k < task.masses; k++)
        m->kept[k] = meson_pairs_have(task.pairs, k) ? quark_columns_create(u, m->columns) : NULL;
    return m;
}

void spin_mesons_free(spin_mesons *m)
{
    if (!m)
        return;
    for (int k = 0; k < SPIN_MASSES_MAX; k++)
        quark_columns_free(m->kept[k]);
    quark_columns_free(m->antiquark);
    quark_columns_free(m->quark);
    hyperons_free(m->hyperons);
    bilinears_free(m->bilinears);
    baryons_free(m->baryons);
    for (int i = 0; i < sinks_of(&m->task); i++)
        spinor_field_free(m->sink[i]);
    if (sinks_of(&m->task) > 0)
        field_free(&m->smeared);
    memory_free(m->in_time);
    quark_smearing_free(m->smearing);
    if (m->task.axial)
        field_free(&m->axial);
    field_free(&m->pion);
    gauge_rotation_free(m->coulomb);
    memory_free(m);
}

memory_need spin_mesons_bytes(spin_mesons_task task, const lattice_shape *shape)
{
    memory_need need = memory_need_add(meson_gauge_bytes(task.sources, shape),
                                       quark_smearing_bytes(&task.hadrons->smearing, shape));
    if (task.hadrons->baryons)
        need = memory_need_add(need, baryons_bytes(shape));
    const int columns = meson_source_columns(task.sources, SLAB_GROUP);
    const size_t densities = 1 + (size_t)task.axial + (size_t)(sinks_of(&task) > 0);
    need.lasting += densities * field_bytes(shape, PRECISION_DOUBLE, 1) + quark_columns_bytes(shape, sinks_of(&task))
                    + (task.hadrons->hyperons ? hyperons_bytes(shape) : 0)
                    + bilinears_bytes((bilinears_choice)task.hadrons->bilinears, shape)
                    + quark_columns_bytes(shape, columns * (needs_quark(&task) + needs_antiquark(&task)));
    for (int k = 0; k < task.masses; k++)
        if (meson_pairs_have(task.pairs, k))
            need.lasting += quark_columns_bytes(shape, columns);
    return need;
}

bool spin_mesons_update(json *j, spin_mesons *m, const gauge *u, failure *f)
{
    quark_smearing_update(m->smearing, u);
    return meson_gauge_find(j, m->coulomb, m->task.sources, u, f);
}

void spin_mesons_set_source(spinor_field source, const spin_mesons *m, int column, rng_key key)
{
    meson_source_set(source.even, source.odd, m->task.sources, m->coulomb, column, key);
    if (quark_smearing_at_source(&m->task.hadrons->smearing))
        quark_smearing_apply(m->smearing, source);
}

void spin_mesons_begin(spin_mesons *m)
{
    m->pair = -1;
    field_zero(&m->pion);
    if (m->task.axial)
        field_zero(&m->axial);
    if (sinks_of(&m->task) > 0)
        field_zero(&m->smeared);
}

/* Returns the smeared quark, in the scratch field of this number. */
static spinor_field smeared_sink(const spin_mesons *m, int number, spinor_field quark)
{
    const spinor_field sink = m->sink[number];
    vec_copy(sink.even, quark.even);
    vec_copy(sink.odd, quark.odd);
    quark_smearing_apply(m->smearing, sink);
    return sink;
}

static void add_smeared(spin_mesons *m, spinor_field antiquark, spinor_field quark)
{
    const spinor_field right = smeared_sink(m, 0, quark);
    const spinor_field left = antiquark.even == quark.even ? right : smeared_sink(m, 1, antiquark);
    quark_density_add(&m->smeared, left.even, right.even);
    quark_density_add(&m->smeared, left.odd, right.odd);
}

static void add(spin_mesons *m, spinor_field antiquark, spinor_field quark)
{
    quark_density_add(&m->pion, antiquark.even, quark.even);
    quark_density_add(&m->pion, antiquark.odd, quark.odd);
    if (m->task.axial) {
        quark_axial_add(&m->axial, antiquark.even, quark.even);
        quark_axial_add(&m->axial, antiquark.odd, quark.odd);
    }
    if (sinks_of(&m->task) > 0)
        add_smeared(m, antiquark, quark);
}

void spin_mesons_add_column(spin_mesons *m, int mass, int column, spinor_field quark)
{
    add(m, quark, quark);
    if (m->quark)
        quark_columns_set(m->quark, column, quark);
    if (m->kept[mass])
        quark_columns_set(m->kept[mass], column, quark);
}

/* Adds all columns of a pair, from the kept quarks. */
static void contract_pair(spin_mesons *m, int pair)
{
    const meson_pair *of = meson_pair_at(m->task.pairs, pair);
    spin_mesons_begin(m);
    m->pair = pair;
    for (int column = 0; column < m->columns; column++)
        add(m, m->kept[of->antiquark]->column[column], m->kept[of->quark]->column[column]);
}

void spin_mesons_in_time(double *pion, double *axial, const spin_mesons *m)
{
    const lattice *l = m->pion.lattice;
    const double norm = meson_source_norm(m->task.sources, lattice_shape_of(l));
    quark_density_in_time(pion, &m->pion, m->origin[3]);
    if (m->task.axial)
        quark_density_in_time(axial, &m->axial, m->origin[3]);
    for (int t = 0; t < lattice_global(l)[3]; t++) {
        pion[t] /= norm;
        if (m->task.axial)
            axial[t] /= -norm;
    }
}

/* A point source, which all momenta need, has norm 1. */
static void momenta_to_json(json *j, const spin_mesons *m, const field *density)
{
    const param_list *momenta = &m->task.hadrons->momenta;
    momentum_sums_in_time(m->in_time, density, 0, momenta, m->origin);
    momentum_lists_to_json(j, "pion_momenta", m->in_time, momenta, lattice_global(m->pion.lattice)[3]);
}

static void smeared_to_json(json *j, const spin_mesons *m)
{
    const lattice *l = m->pion.lattice;
    const int times = lattice_global(l)[3];
    const double norm = meson_source_norm(m->task.sources, lattice_shape_of(l));
    quark_density_in_time(m->in_time, &m->smeared, m->origin[3]);
    for (int t = 0; t < times; t++)
        m->in_time[t] /= norm;
    json_reals(j, "pion", m->in_time, times);
    momenta_to_json(j, m, &m->smeared);
}

/* Smears all columns that the functions below contract. */
static void smear_columns(spin_mesons *m)
{
    if (m->pair < 0 && (m->baryons || m->bilinears))
        quark_columns_smear(m->quark, m->smearing);
    if (m->pair < 0 || !m->antiquark)
        return;
    const meson_pair *of = meson_pair_at(m->task.pairs, m->pair);
    quark_columns_copy(m->quark, m->kept[of->quark]);
    quark_columns_copy(m->antiquark, m->kept[of->antiquark]);
    quark_columns_smear(m->quark, m->smearing);
    quark_columns_smear(m->antiquark, m->smearing);
}

/* Baryons and bilinears of the mass or the pair. */
static void contract_columns(json *j, const spin_mesons *m, bool smeared_sinks)
{
    const baryon_sink sink = { &m->task.hadrons->momenta, m->origin, m->task.boundary };
    const quark_columns *quark = m->quark, *antiquark = m->pair < 0 ? m->quark : m->antiquark;
    if (m->pair >= 0 && !smeared_sinks) {
        const meson_pair *of = meson_pair_at(m->task.pairs, m->pair);
        quark = m->kept[of->quark];
        antiquark = m->kept[of->antiquark];
    }
    if (m->baryons && m->pair < 0) {
        baryons_contract(m->baryons, quark);
        baryons_to_json(j, m->baryons, &sink);
    }
    if (m->hyperons && m->pair >= 0) {
        hyperons_contract(m->hyperons, quark, antiquark);
        hyperons_to_json(j, m->hyperons, &sink);
    }
    bilinears_contract(m->bilinears, quark, antiquark);
    bilinears_to_json(j, m->bilinears, sink.momenta, sink.origin);
}

void spin_mesons_more_to_json(json *j, spin_mesons *m)
{
    momenta_to_json(j, m, &m->pion);
    contract_columns(j, m, false);
    if (sinks_of(&m->task) == 0)
        return;
    json_open(j, "smeared", '{');
    smeared_to_json(j, m);
    smear_columns(m);
    contract_columns(j, m, true);
    json_close(j);
}

void spin_mesons_pairs_to_json(json *j, spin_mesons *m, spin_mesons_writer *write, void *of)
{
    const param_list *pairs = m->task.pairs;
    if (pairs->count == 0)
        return;
    json_open(j, "pairs", '[');
    for (int i = 0; i < pairs->count; i++) {
        contract_pair(m, i);
        json_open(j, NULL, '{');
        meson_pair_to_json(j, meson_pair_at(pairs, i));
        write(j, of);
        json_close(j);
    }
    json_close(j);
}
