/* ghosts.h - the ghosts of a rank: copies of sites of other ranks that kernels read, in boxes around its block.
 *
 * A box has the sites at one distance beyond the ends of the block: a face (beyond the end in one direction), an edge
 * (in two), or a corner (in three).  Its sites belong to one rank.  Boxes have levels; a field has memory for those up
 * to its own level and is then one contiguous range of memory:
 *
 *     index -n1-n2 .. -n1-1, -n1 .. -1 | 0 .. even sites .. odd sites | n1 sites of odd ghosts, n2, ...
 *     even ghosts: second level, first   sites of the rank (site/view.h)  odd ghosts: first level, second
 *
 * where n1, n2 ... are whole tiles.  Even and odd ghosts are equally many. */
#ifndef KILN_LATTICE_GHOSTS_H
#define KILN_LATTICE_GHOSTS_H

#include "src/lattice/shape.h"

/* What kernels read.  NEAR: neighbors.  SIDES: sites of plaquettes, one hop in each of two directions.  LOOPS: sites of
 * larger loops, up to GHOST_HOPS hops, at most two of them in a direction.  STRAIGHT: up to shape.ghosts hops in one
 * direction.  A field of one level has memory for all levels before it, too. */
typedef enum {
    GHOSTS_NONE, GHOSTS_NEAR, GHOSTS_SIDES, GHOSTS_LOOPS, GHOSTS_STRAIGHT, GHOST_LEVELS,
    GHOSTS_EVERY = GHOSTS_STRAIGHT
} ghost_level;
enum { GHOST_HOPS = 3 };

typedef struct {
    ghost_level level;           /* the first level that has this box */
    int owner[4];                /* the rank that owns the sites, relative to this one: -1, 0 or 1 in each direction */
    int distance[4];             /* -3 .. 3: sites beyond the last one (> 0), before the first one (< 0), or 0 */
    int sites, padded;           /* of one parity: without and with padding */
    int at;                      /* sites of one parity in all boxes before this one, with padding */
} ghost_box;

enum { GHOST_BOXES = 128 };
typedef struct { int count; ghost_box box[GHOST_BOXES]; int sites[GHOST_LEVELS]; } ghost_boxes;

/* All boxes of a shape, in the order of levels; sites[level]: ghosts of one parity up to a level, with padding. */
ghost_boxes ghost_boxes_of(const lattice_shape *shape);

/* Whether an exchange of a level fills the box.  An exchange of GHOSTS_STRAIGHT fills faces only: it serves hops in one
 * direction. */
bool ghost_is_read(const ghost_box *b, ghost_level level);

/* The rank that owns the sites of a box, and the rank whose box with the same distances has sites of this rank. */
int ghost_owner(const lattice_shape *shape, const ghost_box *b);
int ghost_receiver(const lattice_shape *shape, const ghost_box *b);

/* ghost_boxes.sites[level] of a shape */
int ghost_sites(const lattice_shape *shape, ghost_level level);

/* The i-th site of a parity (0, 1) in a box: coordinates counted from the first site of this rank. */
void ghost_coordinate(int c[4], const lattice_shape *shape, const ghost_box *b, int parity, int i);

/* The inverse of ghost_coordinate: i from the coordinates. */
int ghost_number(const lattice_shape *shape, const ghost_box *b, const int c[4]);

/* The index (site/view.h) of the i-th site of a parity. */
int ghost_index(const lattice_shape *shape, const ghost_box *b, int parity, int i);

#endif
