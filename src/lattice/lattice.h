/* lattice.h - the geometry: shape, order of sites, neighbors; on the CPU and on the GPU.
 *
 * site/view.h has the order of sites, ghosts.h that of the sites of other ranks.  Global and local extents are
 * distinguished (shape.h). */
#ifndef KILN_LATTICE_LATTICE_H
#define KILN_LATTICE_LATTICE_H

#include "src/comm/comm.h"
#include "src/lattice/ghosts.h"
#include "src/lattice/place.h"
#include "src/lattice/shape.h"
#include "src/lattice/workspace.h"
#include "src/site/view.h"

#include <stddef.h>
#include <stdint.h>

/* The sites a field lives on. */
typedef enum { ON_EVEN, ON_ODD, ON_ALL } parity_set;

typedef struct lattice lattice;

/* The shape, which is copied, must be possible: callers check the input with lattice_shape_is_possible.  The ranks of a
 * lattice with several blocks are the world of the calling thread (comm.h).  lattice_free frees the lattice; NULL is
 * allowed. */
lattice *lattice_create(const lattice_shape *shape);
lattice *lattice_create_single(const int extents[4]);    /* of lattice_shape_single(extents) */
void     lattice_free(lattice *l);

/* The ghosts of vectors: those that the hops of the operators on this lattice read. */
ghost_level lattice_vector_ghosts(const lattice_shape *shape);

/* Whether the indices of `slabs` slabs of a parity (field.h) fit into an int on each process; false with the reason. */
bool lattice_slabs_are_possible(const lattice_shape *shape, int slabs, failure *f);

const lattice_shape *lattice_shape_of(const lattice *l); /* borrowed */
const int *lattice_global(const lattice *l);             /* extents of the whole lattice, x y z t; borrowed */
const int *lattice_local(const lattice *l);              /* extents of this process; borrowed */
int64_t lattice_volume(const lattice *l);                /* sites of the whole lattice */
bool lattice_is_open(const lattice *l);                  /* open boundaries in t (shape.h) */
bool lattice_is_whole(const lattice *l);                 /* whether this process holds the whole lattice */
int lattice_sites_with_padding(const lattice *l);        /* of this process; their indices are below this number */
const comm *lattice_comm(const lattice *l);              /* the ranks of the lattice; borrowed */
const ghost_boxes *lattice_ghosts(const lattice *l);     /* borrowed */
site_range lattice_all(const lattice *l);
site_range lattice_parity(const lattice *l, int parity); /* 0 even, 1 odd */
site_range lattice_range(const lattice *l, parity_set on);
site_range lattice_first_times(const lattice *l, int count);   /* the first time slices of this process */
site_range lattice_slabs(const lattice *l, parity_set on, int slabs);   /* sites of the first `slabs` slabs (field.h) */

/* The view for kernels at a place; the GPU's tables are made on first use.  lattice_view_of: without tables. */
lattice_view lattice_on(lattice *l, place where);
lattice_view lattice_view_of(const lattice_shape *shape);

/* The index of the site with these coordinates, counted from the first site of this process. */
int lattice_site(const lattice *l, const int coordinate[4]);

/* The sites of this rank that are ghosts of other ranks, as indices [SENT_LISTS][ghost_sites(shape, GHOSTS_EVERY)]
 * (neighbors.h): the even sites, box after box; the odd sites; and the even sites again with the last box first, which
 * is the order of even ghosts in memory (ghosts.h).  Padding of a box repeats its last site.  Borrowed; made on first
 * use. */
const int *lattice_sent_sites(lattice *l, place where);

/* Memory of at least `bytes` bytes at a place for one exchange, owned by the lattice.  The next call returns the same
 * memory, or frees it if it is too small. */
void *lattice_staging(lattice *l, place where, size_t bytes);

/* Data that one module (halo/connection.h) stores with a lattice; lattice_free calls `release` if it is not NULL. */
typedef struct { bool made; void *data; void (*release)(void *data); } lattice_extra;
lattice_extra *lattice_extra_of(lattice *l);

/* Memory for the cells of a sum at a place (SUM_SCRATCH cells), owned by the lattice. */
enum { SUM_SCRATCH = 128 };
void *lattice_sum_scratch(lattice *l, place where);

/* The workspace at a place, owned by the lattice. */
workspace *lattice_workspace(lattice *l, place where);

/* A number that this lattice has not returned before, from 1 on.  It identifies the content of a field. */
uint64_t lattice_new_version(lattice *l);

/* Bytes of the tables at each place, for memory estimates. */
size_t lattice_table_bytes(const lattice_shape *shape);

#endif
