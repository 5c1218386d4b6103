/* batch_state.h - the state of conjugate gradients of a batch at the place where it runs, and the formats that tests
 * of batches go through. */
#ifndef KILN_TESTS_HALO_BATCH_STATE_H
#define KILN_TESTS_HALO_BATCH_STATE_H

#include "src/halo/vec_batch.h"

krylov_state *batch_state_create(place where, const krylov_state *host);
void batch_state_free(krylov_state *at, place where);
void batch_state_put(krylov_state *at, place where, const krylov_state *host);
void batch_state_get(krylov_state *host, const krylov_state *at, place where);

/* `count` systems, all going and stepped, numbered 0 .. count - 1, that are spent after their next step. */
void batch_state_begin(krylov_state *host, int count);

/* Systems first .. first + count - 1 of a state, as one launch. */
krylov_batch batch_of(krylov_state *at, int first, int count, bool last);

typedef struct { const char *name; vector_format format; precision precision; } batch_kind;
enum { BATCH_KINDS = 5 };
extern const batch_kind batch_kinds[BATCH_KINDS];

vec *batch_kind_vec(const batch_kind *kind, lattice *l, parity_set on, place where);

#endif
