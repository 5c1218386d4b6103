/* gauge_lines.h - Wilson loops, on the axes of the lattice and off them, and correlators of Polyakov loops.
 *
 *     W(r, t) = mean over x and i = x, y, z of Re Tr [S T(x+ri) S(x+t)^+ T^+] / 3,   S, T: lines of r links in i and of
 *               t links in time
 *     C(r)    = mean over x and i of Re [L(x) L(x+ri)^*],   L(x) = Tr / 3 of the line around the lattice in t
 *
 * Lines are built by steps to the next neighbor (kernels/line_steps.c), so a rank reads only nearest neighbors.
 * Results have the same bits on any grid, and on CPU and GPU.  All functions are collective. */
#ifndef KILN_MEASURE_GAUGE_LINES_H
#define KILN_MEASURE_GAUGE_LINES_H

#include "src/gauge/gauge.h"

/* Memory of the lines; one user at a time. */
typedef struct gauge_lines gauge_lines;
gauge_lines *gauge_lines_create(const gauge *u);
void gauge_lines_free(gauge_lines *g);
size_t gauge_lines_bytes(const lattice_shape *shape, precision p);

/* loop[(r - 1) t_max + t - 1] = W(r, t) for r = 1 ... r_max, t = 1 ... t_max, with lines in space from the links
 * `space`, and lines in time from the links `time` (may be the same field). */
void gauge_lines_loops(double *loop, gauge_lines *g, const gauge *space, const gauge *time, int r_max, int t_max);

/* Loops whose lines in space go from x to x + n v, for the direction v on all axes and with all signs.  Each line is n
 * times the same path of `steps` steps on the axes of the components `step`: along (1,1,0) and (1,1,1) the shortest
 * paths in all orders, along (2,1,0) the path with the short side in the middle.  W is the mean over x and these 12, 24
 * and 12 paths; a path and its reverse are counted once. */
typedef struct { const char *name; int vector[3], steps, step[3]; } line_direction;
enum { LINE_DIRECTIONS = 3 };
extern const line_direction line_directions[LINE_DIRECTIONS];           /* "110", "111", "210" */

/* loop[(n - 1) t_max + t - 1] = W(n v, t) for n = 1 ... n_max, t = 1 ... t_max. */
void gauge_lines_loops_along(double *loop, gauge_lines *g, const gauge *space, const gauge *time,
                             const line_direction *along, int n_max, int t_max);

/* correlator[r] = C(r) for r = 0 ... r_max. */
void gauge_lines_polyakov(double *correlator, gauge_lines *g, const gauge *u, int r_max);

#endif
