/* lattice.h - the geometry: extents, order of sites, neighbours; on the CPU and on the GPU.
 *
 * Sites are ordered as site/view.h says.  Global and local extents are kept apart from the first day:
 * one process holds the whole lattice today, and nothing but this file may assume so. */
#ifndef KILN_LATTICE_LATTICE_H
#define KILN_LATTICE_LATTICE_H

#include "src/base/error.h"
#include "src/site/view.h"

#include <stddef.h>
#include <stdint.h>

typedef enum { PLACE_CPU, PLACE_GPU } place;
typedef enum { PRECISION_SINGLE, PRECISION_DOUBLE } precision;
enum { PLACES = 2, PRECISIONS = 2 };
const char *place_name(place where);                     /* "cpu", "cuda" */
size_t precision_bytes(precision p);                     /* of one real */

/* The sites a field lives on. */
typedef enum { ON_EVEN, ON_ODD, ON_ALL } parity_set;

typedef struct lattice lattice;

/* Extents x y z t, each even and at least 2, and at most LATTICE_MAX_SITES sites (the sums of one
 * process are exact up to there); anything else is a slip of the caller: inputs are checked before. */
#define LATTICE_MAX_SITES (1 << 27)
lattice *lattice_create(const int extents[4]);
void     lattice_free(lattice *l);

bool lattice_extents_are_possible(const int extents[4], failure *f);

/* Whether sums over `slabs` slabs of a parity (field.h) are exact. */
bool lattice_slabs_are_possible(const int extents[4], int slabs, failure *f);

int64_t lattice_volume(const lattice *l);                /* sites of the whole lattice */
const int *lattice_extents(const lattice *l);            /* of the whole lattice; borrowed */
int lattice_sites_with_padding(const lattice *l);        /* what a field allocates */
site_range lattice_all(const lattice *l);
site_range lattice_parity(const lattice *l, int parity); /* 0 even, 1 odd */
site_range lattice_range(const lattice *l, parity_set on);

/* The view for kernels at a place; the GPU's tables are made on first use. */
lattice_view lattice_on(lattice *l, place where);

/* The index of the site with these coordinates, counted from the first site of this process. */
int lattice_site(const lattice *l, const int coordinate[4]);

/* Memory for the cells of a sum at a place (SUM_SCRATCH cells), owned by the lattice. */
enum { SUM_SCRATCH = 128 };
void *lattice_sum_scratch(lattice *l, place where);

/* A number that was not given before, counted from 1: it names the content of a field. */
uint64_t lattice_new_version(lattice *l);

/* Bytes of tables at each place: for a plan of memory. */
size_t lattice_table_bytes(const int extents[4]);

#endif
