/* field.h - numbers at the sites of a lattice: `reals` per site, at one place (CPU or GPU memory), in one precision.
 *
 * site/view.h has the order in memory.  It is the same on CPU and GPU, so that a transfer of a field is one copy. */
#ifndef KILN_LATTICE_FIELD_H
#define KILN_LATTICE_FIELD_H

#include "src/lattice/lattice.h"

typedef struct {
    lattice *lattice;        /* borrowed; outlives the field */
    place where;
    precision precision;
    int reals;               /* per site and slab */
    int slabs;               /* equal parts, one after the other; more than 1: on one parity, in groups of SLAB_GROUP */
    parity_set on;           /* the sites that have memory */
    ghost_level ghosts;      /* the ghosts that have memory */
    int record_words;        /* words of 32 bits of a record (site/words.h); 0: a record is one number */
    void *data;
    size_t bytes;            /* of all slabs */
} field;

/* Create a zeroed field; field_free frees it.  Its memory is in the workspace (workspace.h) between workspace_begin and
 * workspace_end, if it fits there.  Fatal if memory runs out: `what` names the field in the message.
 * field_create: on all sites, with GHOSTS_LOOPS.  field_create_on: on the sites `on`, with GHOSTS_LOOPS.
 * field_create_slabs: like `kind`, whose data and bytes are not read; several slabs need the ghosts of vectors
 * (lattice_vector_ghosts). */
field field_create(lattice *l, place where, precision p, int reals, const char *what);
field field_create_on(lattice *l, parity_set on, place where, precision p, int reals, const char *what);
field field_create_slabs(const field *kind, const char *what);
/* On all sites, with chosen ghosts. */
field field_create_ghosts(lattice *l, ghost_level ghosts, place where, precision p, int reals, const char *what);
void  field_free(field *f);
site_range field_sites(const field *f);              /* the sites of all slabs */
int field_record_words(const field *f);              /* words of 32 bits of a record (site/words.h) */
field_view field_view_of(const field *f);
int field_place_of(const field *f, int slab, int x); /* memory position of site x (site/view.h), counted in sites */
matrix_view matrix_view_of(const field *f);          /* of a field with one matrix per site */
field field_slab(const field *f, int slab);          /* one slab as a field; owns no memory */

/* A field of one slab in the memory of another field, from byte `begin` on.  It owns no memory; writing to it
 * overwrites the numbers of `memory`. */
field field_within(const field *memory, size_t begin, parity_set on, ghost_level ghosts, precision p, int reals);

/* Bytes of one slab on one process, for memory estimates; field_bytes: on all sites, with GHOSTS_LOOPS. */
size_t field_bytes(const lattice_shape *shape, precision p, int reals);
size_t field_bytes_on(const lattice_shape *shape, parity_set on, ghost_level ghosts, precision p, int reals);

void field_zero(field *f);
void field_copy(field *to, const field *from);       /* same lattice, sites, reals and precision; any places */
void field_convert(field *to, const field *from);    /* same lattice, sites, reals and place; any precisions */

#endif
