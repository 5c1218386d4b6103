/* format_facts.h - the normal operator of spinors in a vector format: as in double but for rounding, on several systems
 * at once as on each alone, on the GPU as on the CPU. */
#ifndef KILN_TESTS_OPERATORS_FORMAT_FACTS_H
#define KILN_TESTS_OPERATORS_FORMAT_FACTS_H

#include "src/operators/linop.h"
#include "tests/halo/batch_state.h"
#include "tests/lattice/vec_sums.h"

/* Zero vectors of spinors in the format of `kind`. */
vec *format_vec_create(const batch_kind *kind, lattice *l, parity_set on, place where, int Ls);

/* An operator in the format of `kind` on odd sites, for BATCH_MAX_RHS systems at once, and the same in double; all
 * borrowed. */
typedef struct {
    const linop *op, *exact;
    const batch_kind *kind;
    lattice *lattice;
    place where;
    int Ls;
} format_task;

/* States facts about it.  *on_cpu keeps numbers of the CPU for the GPU; release with memory_free. */
void format_facts(const format_task *t, double **on_cpu);

/* On the CPU keeps the numbers of v in *on_cpu; on the GPU, whether v has these. */
bool same_as_on_cpu(const vec *v, double **on_cpu);

#endif
