/* moment_parts.h - what writing and reading a moment share: its arrays, its digests, its names. */
#ifndef KILN_ENSEMBLE_MOMENT_PARTS_H
#define KILN_ENSEMBLE_MOMENT_PARTS_H

#include "src/ensemble/moment_files.h"
#include "src/hmc/hmc.h"

#include <dirent.h>

#define MOMENT "moment."
#define MOMENT_FACTS "moment.json"

/* The digest of an array, of which numbers come in any pieces: digest64 of the digests of its blocks, so that
 * processors share the work. */
enum { ARRAY_BLOCK = 1 << 14 };
typedef struct { uint64_t of_blocks; size_t pending; double block[ARRAY_BLOCK]; } array_digest;
void array_digest_begin(array_digest *d);
void array_digest_add(array_digest *d, const double *x, size_t count);
uint64_t array_digest_end(array_digest *d);

uint64_t moment_digest_of_links(const gauge *u);
uint64_t moment_digest_of_schedule(const run_params *p);

/* Calls `visit` for every field of the trajectory but the links, until one is refused.  How many vectors a term keeps
 * its progress says. */
typedef bool moment_visit(void *with, const char *name, field *x);
bool moment_visit_fields(hmc *h, moment_visit *visit, void *with);

/* The sizes of forces so far as doubles (memory_free); and back, with the number of the next step: false if the
 * dynamics cannot stand there. */
array_shape moment_shape_of_cells(const hmc *h);
double *moment_cells(const hmc *h);
bool moment_put_cells(const hmc *h, int64_t step, const double *numbers);

/* "moment.000007.000123"; the next entry of a folder that is named so: false after the last. */
typedef struct { int64_t trajectory, step; char path[1024]; } moment_name;
text moment_name_of(int64_t trajectory, int64_t step);
bool moment_next(moment_name *found, DIR *folder, const char *directory);

#endif
