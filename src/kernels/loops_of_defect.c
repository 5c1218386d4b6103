/* loops_of_defect.c - sums over the loops of a gauge action that contain links of a defect (defect_args.h).
 *
 *     s0: sum of w_loop Re Tr W over loops with one link of the defect, s1: with two; no loop has more
 *
 * From a link in direction mu of the defect on, with p and q any direction of either sign,
 *     mu p -mu -p          is a plaquette if the axis of p is not mu,
 *     mu p q -mu -p -q     is a rectangle if p = q in another axis, if p = mu, or if q = -mu;
 *                          a parallelogram if mu, p and q have three axes.
 * These are all loops with that link, each once.  A loop with two links of the defect occurs at both of them, with half
 * its weight.  An entry of the list has one link and one p. */
#define ONE_LANE
#include "src/kernels/defect_box.h"
#include "src/site/site.h"

enum { LONGEST_LOOP = 6 };

/* The position of a link: its site, and the distance from the corner of the cube in each direction. */
typedef struct { site x; int from_corner[4]; } defect_link;

/* Link `number` of the cube.  False if its site belongs to another rank. */
SITE_FN bool find_link(defect_link *link, const defect_loops_args *a, int number)
{
    const lattice_view *l = &a->g.l;
    int here[4];
    bool inside = true;
    for (int nu = 0; nu < 4; nu++) {
        const int along = nu == a->box.direction ? 1 : a->box.size;
        link->from_corner[nu] = number % along;
        number /= along;
        here[nu] = (a->box.corner[nu] + link->from_corner[nu]) % l->global[nu] - l->origin[nu];
        inside = inside && here[nu] >= 0 && here[nu] < l->local[nu];
    }
    if (inside)
        link->x = site_of_coordinates(l, here);
    return inside;
}

/* Adds Re Tr of a closed path that begins with a link of the defect.  A path with n links in the defect is added to
 * s[n - 1] with weight / n, because it is found from each of these links. */
SITE_FN void add_loop(const defect_loops_args *a, const defect_link *from, const int *step, int steps, double weight,
                      real *s)
{
    const lattice_view *l = &a->g.l;
    int at[4] = { from->from_corner[0], from->from_corner[1], from->from_corner[2], from->from_corner[3] };
    int crossings = 1;
    su3 path = load_link(&a->g.u, from->x, step[0]);
    site x = site_up(l, from->x, step[0]);
    at[step[0]]++;
    KEEP_LOOP
    for (int i = 1; i < steps; i++) {
        const int mu = axis_of(step[i]);
        const site y = site_step(l, x, step[i]);
        at[mu] -= step[i] & BACKWARD ? 1 : 0;
        crossings += mu == a->box.direction && distance_is_in_defect(l, &a->box, at);
        at[mu] += step[i] & BACKWARD ? 0 : 1;
        path = su3_mul(path, load_between(&a->g.u, x, y, step[i]));
        x = y;
    }
    const real trace = path.e[0][0].re + path.e[1][1].re + path.e[2][2].re;
    s[crossings - 1] = mad((scalar)(weight / crossings), trace, s[crossings - 1]);
}

/* The weight of mu p q -mu -p -q; 0 if it is no loop of the action. */
SITE_FN double weight_of_six(const defect_loops_args *a, int mu, int p, int q)
{
    const time_weights *w = &a->by_time;
    const int first = axis_of(p), second = axis_of(q);
    const bool ahead = p == mu, behind = q == opposite(mu);
    if (q == opposite(p) || (first == mu && !ahead) || (second == mu && !behind))
        return 0;
    if (p == q)
        return a->rectangle * w->rectangle[first == 3 ? 2 : mu == 3];
    if (ahead || behind)
        return a->rectangle * w->rectangle[mu == 3 ? 2 : (ahead ? second : first) == 3];
    if (first == second)
        return 0;
    return a->parallelogram * w->parallelogram[mu == 3 || first == 3 || second == 3];
}

SITE_SUM(loops_of_defect, 2, 0, defect_loops_args, a, n, s)
{
    const int mu = a->box.direction, p = n.at[0] % DEFECT_PARTS;
    defect_link link;
    s[0] = s[1] = spread(0);
    if (!find_link(&link, a, n.at[0] / DEFECT_PARTS))
        return;
    if (axis_of(p) != mu) {
        const int step[] = { mu, p, opposite(mu), opposite(p) };
        add_loop(a, &link, step, 4, a->plaquette * a->by_time.plaquette[mu == 3 || axis_of(p) == 3], s);
    }
    KEEP_LOOP
    for (int q = 0; q < 8; q++) {
        const int step[LONGEST_LOOP] = { mu, p, q, opposite(mu), opposite(p), opposite(q) };
        const double weight = weight_of_six(a, mu, p, q);
        if (weight != 0)
            add_loop(a, &link, step, LONGEST_LOOP, weight, s);
    }
}
