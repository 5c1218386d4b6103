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
    int reals;               /* per site */
    int slabs;               /* equal parts, one after the other; more than 1: on one parity, in groups of SLAB_GROUP */
    parity_set on;           /* the sites that have memory */
    ghost_level ghosts;      /* the ghosts that have memory */
    int record_words;        /* words of 32 bits of a site that lie together (site/words.h); 0: those of one number */
    void *data;
    size_t bytes;
} field;

/* Zeroed; between workspace_begin and workspace_end in the workspace (workspace.h), else in memory of its own.  `what`
 * is its name in the message if memory runs out.  field_create: on all sites.  field_create_slabs: like `kind`, whose
 * data and bytes are not read.  The others have GHOSTS_LOOPS; fields of several slabs those of vectors. */
field field_create(lattice *l, place where, precision p, int reals, const char *what);
field field_create_on(lattice *l, parity_set on, place where, precision p, int reals, const char *what);
field field_create_slabs(const field *kind, const char *what);
/* On all sites, with chosen ghosts. */
field field_create_ghosts(lattice *l, ghost_level ghosts, place where, precision p, int reals, const char *what);
void  field_free(field *f);
site_range field_sites(const field *f);              /* of all slabs */
int field_record_words(const field *f);              /* of a site: words of 32 bits that lie together */
field_view field_view_of(const field *f);
int field_place_of(const field *f, int slab, int x); /* where site x (site/view.h) lies, counted in sites */
matrix_view matrix_view_of(const field *f);          /* of a field with one matrix per site */
field field_slab(const field *f, int slab);          /* one slab as a field; owns no memory */

/* A field in the memory of another one, from byte `begin` on.  It overwrites `memory`, and owns no memory. */
field field_within(const field *memory, size_t begin, parity_set on, ghost_level ghosts, precision p, int reals);

/* Bytes of one slab, for memory estimates; field_bytes: on all sites, with GHOSTS_LOOPS. */
size_t field_bytes(const lattice_shape *shape, precision p, int reals);
size_t field_bytes_on(const lattice_shape *shape, parity_set on, ghost_level ghosts, precision p, int reals);

void field_zero(field *f);
void field_copy(field *to, const field *from);       /* same lattice, sites, reals and precision; any places */
void field_convert(field *to, const field *from);    /* same lattice, sites, reals and place; any precisions */

#endif
