/* meson_sources.h - sources on one time slice, for propagators of staggered quarks and of quarks with spin.
 *
 *     point      1 at one site
 *     wall       1 at all sites of the time slice
 *     corner_wall   1 at sites of the time slice whose distances from the point are even in x, in y and in z
 *     even_wall     1 at sites of the time slice with an even sum of these distances
 *     z2_wall, z2_corners   random numbers (+-1 +- i)/2^1/2 at the sites of wall and of corner_wall
 *
 * A kind without random numbers has a column for each spin and color.  Its walls are in Coulomb gauge: with the
 * rotation g into this gauge, column c at site y is g(y)^+ e_c, so the links need not be rotated.  A column of a random
 * kind has all spins and colors; its numbers depend only on the site of the whole lattice and on the column, not on
 * ranks and place.
 *
 * A random source of n sites estimates the sum over these sites of the correlators of point sources (P. A. Boyle,
 * A. Juettner, C. Kelly, R. D. Kenway, arXiv:0804.1501). */
#ifndef KILN_MEASURE_MESON_SOURCES_H
#define KILN_MEASURE_MESON_SOURCES_H

#include "src/base/json.h"
#include "src/config/schema.h"
#include "src/gauge/gauge.h"
#include "src/gauge/gauge_fixing.h"
#include "src/lattice/vec.h"

typedef enum {
    SOURCE_POINT, SOURCE_WALL, SOURCE_Z2_WALL,
    SOURCE_CORNER_WALL, SOURCE_EVEN_WALL, SOURCE_Z2_CORNERS         /* of staggered quarks only */
} meson_source_kind;
extern const char *const meson_source_names[];          /* ends with NULL */
extern const char *const spin_source_names[];           /* the kinds of quarks with spin: the first ones */

/* Parameters of a measurement. */
typedef struct {
    int kind;                               /* meson_source_kind */
    int point[4];                           /* x, y, z, t */
    int64_t count;                          /* of random sources */
    double quality;                         /* of the fixing of Coulomb gauge: the bound of theta */
} meson_source_params;

enum { MESON_SOURCES_MAX = 256 };           /* random ones */

/* Rows of a table; at(sources.member): an offset; names: the kinds; walls: the kinds with a fixed gauge; random: the
 * kinds with random numbers. */
#define MESON_SOURCE_SPECS(at, names, walls, random)                                                                   \
    { .key = "source", .type = PARAM_INT4, .offset = at(sources.point), .fallback = "[0, 0, 0, 0]", .min = 0,          \
      .max = 1023, .doc = "site [x, y, z, t] of the point source, or the origin of another source in its time slice" },\
    { .key = "source_type", .type = PARAM_CHOICE, .offset = at(sources.kind), .fallback = "point", .choices = names,   \
      .doc = "source of the correlators; walls without random numbers are those of Coulomb's gauge" },                 \
    { .key = "source_count", .type = PARAM_INT, .offset = at(sources.count), .fallback = "1", .min = 1,                \
      .max = MESON_SOURCES_MAX, .choice = "source_type", .chosen = random, .doc = "number of random sources" },        \
    { .key = "gauge_quality", .type = PARAM_REAL, .offset = at(sources.quality), .fallback = "1e-14", .min = 0,        \
      .max = 1, .flags = PARAM_ABOVE_MIN | PARAM_NUMERICAL, .choice = "source_type", .chosen = walls,                  \
      .doc = "the search for Coulomb's gauge ends where the largest theta of a time slice is below this" }

#define SPIN_SOURCE_SPECS(at) MESON_SOURCE_SPECS(at, spin_source_names, "wall", "z2_wall")

/* Whether the point is a site; else the reason, with the name of the measurement. */
bool meson_source_check(const meson_source_params *p, const lattice_shape *shape, const char *name, failure *f);

/* The same for lattices with open boundaries in t, where quarks are 0 in the first and the last slice; sources with a
 * fixed gauge are not implemented for them. */
bool meson_source_check_open(const meson_source_params *p, const lattice_shape *shape, const char *name, failure *f);

bool meson_source_is_random(const meson_source_params *p);
bool meson_source_needs_gauge(const meson_source_params *p);

/* Number of columns of quarks with `spins` spins: 1, or SLAB_GROUP. */
int meson_source_columns(const meson_source_params *p, int spins);

/* The divisor of the correlators of all columns that gives the correlators of a single point source: sites of the
 * source times columns for random kinds; 1 for the other kinds, whose walls have no such normalization. */
double meson_source_norm(const meson_source_params *p, const lattice_shape *shape);

/* The rotation of links like u into Coulomb gauge; NULL for sources without one.  All functions accept NULL. */
gauge_rotation *meson_gauge_create(const meson_source_params *p, const gauge *u);
memory_need meson_gauge_bytes(const meson_source_params *p, const lattice_shape *shape);

/* Fixes the gauge, with the result as member "gauge_fixing" of the open object; false with the reason if this fails. */
bool meson_gauge_find(json *j, gauge_rotation *g, const meson_source_params *p, const gauge *u, failure *f);

/* source <- column number `column`: vectors on even and on odd sites, with 1 or SLAB_GROUP slabs.  Random numbers are
 * draw MESON_SOURCE_DRAW + column of the key; other uses of the key have draws below MESON_SOURCE_DRAW. */
enum { MESON_SOURCE_DRAW = 1 << 23 };
void meson_source_set(vec *even, vec *odd, const meson_source_params *p, const gauge_rotation *g, int column,
                      rng_key key);

#endif
