/* spin_mesons.c - mesons of domain-wall and Wilson quarks. */
#include "src/measure/spin_mesons.h"

#include "src/base/memory.h"
#include "src/operators/quark_density.h"

#include <assert.h>

struct spin_mesons {
    spin_mesons_task task;
    int columns;
    gauge_rotation *coulomb;                 /* NULL if the source needs none */
    field pion, axial;                       /* densities */
    spinor_field *kept[SPIN_MASSES_MAX];        /* [column]; NULL: of no pair */
};

bool spin_mesons_check(spin_mesons_task task, const lattice_shape *shape, const char *name, failure *f)
{
    if (task.masses == 0 && task.pairs->count > 0)
        return fail(f, "%s: pairs need correlators: true", name);
    return meson_source_check(task.sources, shape, name, f)
           && (task.masses == 0 || meson_pairs_check(task.pairs, task.masses, name, f));
}

spin_mesons *spin_mesons_create(spin_mesons_task task, const gauge *u)
{
    spin_mesons *m = memory_alloc(sizeof *m, "mesons");
    lattice *l = u->links.lattice;
    assert(task.masses <= SPIN_MASSES_MAX);
    m->task = task;
    m->columns = meson_source_columns(task.sources, SLAB_GROUP);
    m->coulomb = meson_gauge_create(task.sources, u);
    m->pion = quark_density_create(l, u->links.where);
    if (task.axial)
        m->axial = quark_density_create(l, u->links.where);
    for (int k = 0; k < task.masses; k++) {
        if (!meson_pairs_have(task.pairs, k))
            continue;
        m->kept[k] = memory_alloc((size_t)m->columns * sizeof *m->kept[k], "the quarks of pairs");
        for (int column = 0; column < m->columns; column++)
            m->kept[k][column] = spinor_field_create(u, 1);
    }
    return m;
}

void spin_mesons_free(spin_mesons *m)
{
    if (!m)
        return;
    for (int k = 0; k < SPIN_MASSES_MAX; k++) {
        for (int column = 0; m->kept[k] && column < m->columns; column++)
            spinor_field_free(m->kept[k][column]);
        memory_free(m->kept[k]);
    }
    if (m->task.axial)
        field_free(&m->axial);
    field_free(&m->pion);
    gauge_rotation_free(m->coulomb);
    memory_free(m);
}

memory_need spin_mesons_bytes(spin_mesons_task task, const lattice_shape *shape)
{
    memory_need need = meson_gauge_bytes(task.sources, shape);
    const size_t column = 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    need.lasting += (size_t)(task.axial ? 2 : 1) * field_bytes(shape, PRECISION_DOUBLE, 1);
    for (int k = 0; k < task.masses; k++)
        if (meson_pairs_have(task.pairs, k))
            need.lasting += (size_t)meson_source_columns(task.sources, SLAB_GROUP) * column;
    return need;
}

bool spin_mesons_find_gauge(json *j, spin_mesons *m, const gauge *u, failure *f)
{
    return meson_gauge_find(j, m->coulomb, m->task.sources, u, f);
}

void spin_mesons_set_source(spinor_field source, const spin_mesons *m, int column, rng_key key)
{
    meson_source_set(source.even, source.odd, m->task.sources, m->coulomb, column, key);
}

void spin_mesons_begin(spin_mesons *m)
{
    field_zero(&m->pion);
    if (m->task.axial)
        field_zero(&m->axial);
}

static void add(spin_mesons *m, spinor_field antiquark, spinor_field quark)
{
    quark_density_add(&m->pion, antiquark.even, quark.even);
    quark_density_add(&m->pion, antiquark.odd, quark.odd);
    if (m->task.axial) {
        quark_axial_add(&m->axial, antiquark.even, quark.even);
        quark_axial_add(&m->axial, antiquark.odd, quark.odd);
    }
}

void spin_mesons_add_column(spin_mesons *m, int mass, int column, spinor_field quark)
{
    add(m, quark, quark);
    if (m->kept[mass]) {
        vec_copy(m->kept[mass][column].even, quark.even);
        vec_copy(m->kept[mass][column].odd, quark.odd);
    }
}

/* Adds all columns of a pair, from the kept quarks. */
static void contract_pair(spin_mesons *m, int pair)
{
    const meson_pair *of = meson_pair_at(m->task.pairs, pair);
    spin_mesons_begin(m);
    for (int column = 0; column < m->columns; column++)
        add(m, m->kept[of->antiquark][column], m->kept[of->quark][column]);
}

void spin_mesons_in_time(double *pion, double *axial, const spin_mesons *m)
{
    const lattice *l = m->pion.lattice;
    const double norm = meson_source_norm(m->task.sources, lattice_shape_of(l));
    const int start = m->task.sources->point[3];
    quark_density_in_time(pion, &m->pion, start);
    if (m->task.axial)
        quark_density_in_time(axial, &m->axial, start);
    for (int t = 0; t < lattice_global(l)[3]; t++) {
        pion[t] /= norm;
        if (m->task.axial)
            axial[t] /= -norm;
    }
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
