/* quark_columns.h - the columns of a propagator, kept for contractions. */
#ifndef KILN_MEASURE_QUARK_COLUMNS_H
#define KILN_MEASURE_QUARK_COLUMNS_H

#include "src/measure/quark_smearing.h"

enum { QUARK_COLUMNS_MAX = 12 };

/* In the order of meson_source_set: 3 spin + color of the source, or all in one column. */
typedef struct { int count; spinor_field column[QUARK_COLUMNS_MAX]; } quark_columns;

quark_columns *quark_columns_create(const gauge *u, int count);
void quark_columns_free(quark_columns *q);                          /* NULL is allowed */
size_t quark_columns_bytes(const lattice_shape *shape, int count);

void quark_columns_set(quark_columns *q, int column, spinor_field quark);
void quark_columns_copy(quark_columns *to, const quark_columns *from);

/* Smears all columns at the sink. */
void quark_columns_smear(quark_columns *q, quark_smearing *s);

/* The parts on one parity of all columns. */
void quark_columns_view(vector_view *view, const quark_columns *q, parity_set on);

#endif
