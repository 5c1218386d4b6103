/* quark_columns.c - the columns of a propagator. */
#include "src/measure/quark_columns.h"

#include "src/base/memory.h"

#include <assert.h>

quark_columns *quark_columns_create(const gauge *u, int count)
{
    quark_columns *q = memory_alloc(sizeof *q, "the columns of a propagator");
    assert(count <= QUARK_COLUMNS_MAX);
    q->count = count;
    for (int c = 0; c < count; c++)
        q->column[c] = spinor_field_create(u, 1);
    return q;
}

void quark_columns_free(quark_columns *q)
{
    for (int c = 0; q && c < q->count; c++)
        spinor_field_free(q->column[c]);
    memory_free(q);
}

size_t quark_columns_bytes(const lattice_shape *shape, int count)
{
    return (size_t)count * 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
}

void quark_columns_set(quark_columns *q, int column, spinor_field quark)
{
    assert(column >= 0 && column < q->count);
    vec_copy(q->column[column].even, quark.even);
    vec_copy(q->column[column].odd, quark.odd);
}

void quark_columns_copy(quark_columns *to, const quark_columns *from)
{
    for (int c = 0; c < from->count; c++)
        quark_columns_set(to, c, from->column[c]);
}

void quark_columns_smear(quark_columns *q, quark_smearing *s)
{
    for (int c = 0; c < q->count; c++)
        quark_smearing_apply(s, q->column[c]);
}

void quark_columns_view(vector_view *view, const quark_columns *q, parity_set on)
{
    for (int c = 0; c < q->count; c++)
        view[c] = vec_view(spinor_field_part(q->column[c], on));
}
