/* gauge_lines.c - lines step by step: E_r(x) goes from x by r links in space to x+ri, on to x+ri+t, and back to x+t.
 *
 *     E_0(x) = U_t(x),   E_r(x) = S_i(x) E_(r-1)(x+i) S_i(x+t)^+
 *     M_1 = E_r,   M_t(x) = E_r(x) M_(t-1)(x+t)                 lines in space cancel between neighbors in time
 *     W(r, t) = Re Tr M_t(x) T_t(x)^+,   T_t(x) = U_t(x) T_(t-1)(x+t) */
#include "src/measure/gauge_lines.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/line_args.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(line_begin);
MAP_KERNEL(line_extend);
MAP_KERNEL(line_shift);
MAP_KERNEL(line_move);
MAP_KERNEL(line_move_back);
SUM_KERNEL(wilson_loop_step, 1, 0);
SUM_KERNEL(line_closed, 1, 0);
SUM_KERNEL(line_correlation, 1, 0);

enum { SPACE = 3, TIME = 3, COLORS = 3 };

/* Two fields in turns: the newest line, and memory for the next one. */
typedef struct { field f[2]; int newest; } line_pair;
struct gauge_lines { lattice *l; place where; precision p; line_pair detour, joined, straight; };

static line_pair pair_create(lattice *l, place where, precision p)
{
    line_pair pair = { .newest = 0 };
    for (int n = 0; n < 2; n++)
        pair.f[n] = field_create_ghosts(l, GHOSTS_NEAR, where, p, MATRIX_REALS, "lines of links");
    return pair;
}

static void pair_free(line_pair *pair)
{
    for (int n = 1; n >= 0; n--)
        field_free(&pair->f[n]);
}

static const field *newest(const line_pair *pair)
{
    return &pair->f[pair->newest];
}

gauge_lines *gauge_lines_create(const gauge *u)
{
    gauge_lines *g = memory_alloc(sizeof *g, "lines of links");
    g->l = u->links.lattice;
    g->where = u->links.where;
    g->p = u->links.precision;
    g->detour = pair_create(g->l, g->where, g->p);
    g->joined = pair_create(g->l, g->where, g->p);
    g->straight = pair_create(g->l, g->where, g->p);
    return g;
}

void gauge_lines_free(gauge_lines *g)
{
    if (!g)
        return;
    pair_free(&g->straight);
    pair_free(&g->joined);
    pair_free(&g->detour);
    memory_free(g);
}

size_t gauge_lines_bytes(const lattice_shape *shape, precision p)
{
    return 6 * field_bytes_on(shape, ON_ALL, GHOSTS_NEAR, p, MATRIX_REALS);
}

static line_args args_of(const gauge_lines *g, const gauge *u, int mu)
{
    return (line_args){ .l = lattice_on(g->l, g->where), .u = gauge_view_of(u), .mu = mu };
}

/* Runs a kernel that reads the newest line of a pair at neighbors and writes the other one, then the newest. */
static void advance(gauge_lines *g, const map_kernel *k, line_pair *pair, line_args args)
{
    const int next = 1 - pair->newest;
    field_exchange(newest(pair), GHOSTS_NEAR);
    args.in = matrix_view_of(newest(pair));
    args.out = matrix_view_of(&pair->f[next]);
    run_map(k, g->where, g->p, &args, lattice_all(g->l));
    pair->newest = next;
}

/* The line of one link from every site. */
static void begin(gauge_lines *g, line_pair *pair, const gauge *u, int mu)
{
    line_args args = args_of(g, u, mu);
    args.out = matrix_view_of(newest(pair));
    run_map(&line_begin, g->where, g->p, &args, lattice_all(g->l));
}

static double sum_of(const gauge_lines *g, const sum_kernel *k, const line_args *args)
{
    const sum_launch sum = { .where = g->where, .precision = g->p, .args = args, .range = lattice_all(g->l) };
    double s;
    run_sum(k, g->l, &sum, &s);
    return s;
}

/* M_t of the newest detour E_r, closed by T_t: the sum over all sites. */
static double join(gauge_lines *g, const gauge *time)
{
    const int next = 1 - g->joined.newest;
    field_exchange(newest(&g->joined), GHOSTS_NEAR);
    line_args args = args_of(g, time, TIME);
    args.a = matrix_view_of(newest(&g->detour));
    args.b = matrix_view_of(newest(&g->straight));
    args.in = matrix_view_of(newest(&g->joined));
    args.out = matrix_view_of(&g->joined.f[next]);
    const double s = sum_of(g, &wilson_loop_step, &args);
    g->joined.newest = next;
    return s;
}

/* Adds the sums of W(r, t), for r of the newest detour, to loop[t - 1]. */
static void add_loops(double *loop, gauge_lines *g, const gauge *time, int t_max, double weight)
{
    line_args args = args_of(g, time, TIME);
    begin(g, &g->straight, time, TIME);
    field_copy(&g->joined.f[g->joined.newest], newest(&g->detour));
    args.a = matrix_view_of(newest(&g->joined));
    args.b = matrix_view_of(newest(&g->straight));
    loop[0] += weight * sum_of(g, &line_closed, &args);
    for (int t = 2; t <= t_max; t++) {
        advance(g, &line_extend, &g->straight, args_of(g, time, TIME));
        loop[t - 1] += weight * join(g, time);
    }
}

void gauge_lines_loops(double *loop, gauge_lines *g, const gauge *space, const gauge *time, int r_max, int t_max)
{
    const double weight = 1 / (COLORS * SPACE * (double)lattice_volume(g->l));
    for (int n = 0; n < r_max * t_max; n++)
        loop[n] = 0;
    gauge_exchange(space, GHOSTS_NEAR);
    for (int i = 0; i < SPACE; i++) {
        begin(g, &g->detour, time, TIME);
        for (int r = 1; r <= r_max; r++) {
            advance(g, &line_move, &g->detour, args_of(g, space, i));
            add_loops(loop + (r - 1) * t_max, g, time, t_max, weight);
        }
    }
}

const line_direction line_directions[LINE_DIRECTIONS] = {
    { "110", { 1, 1, 0 }, 2, { 0, 1 } }, { "111", { 1, 1, 1 }, 3, { 0, 1, 2 } }, { "210", { 2, 1, 0 }, 3, { 0, 1, 0 } }
};

/* A path of one direction: component c on axis[c]; forward[axis]. */
typedef struct {
    const line_direction *along;
    const int *axis;
    bool forward[SPACE];
    int n_max, t_max;
    double weight;
} line_path;

/* Put a step before the newest detour. */
static void put_before(gauge_lines *g, const gauge *space, int axis, bool forward)
{
    advance(g, forward ? &line_move : &line_move_back, &g->detour, args_of(g, space, axis));
}

/* Add the loops along one path: its axes in the order of the pattern, with signs by axis. */
static void add_path(double *loop, gauge_lines *g, const gauge *space, const gauge *time, const line_path *path)
{
    begin(g, &g->detour, time, TIME);
    for (int n = 1; n <= path->n_max; n++) {
        for (int s = path->along->steps - 1; s >= 0; s--) {
            const int axis = path->axis[path->along->step[s]];
            put_before(g, space, axis, path->forward[axis]);
        }
        add_loops(loop + (n - 1) * path->t_max, g, time, path->t_max, path->weight);
    }
}

/* Whether a direction, with its components on the axes of `path`, has a nonzero component on axis `number`. */
static bool has_component(const line_path *path, int number)
{
    for (int c = 0; c < SPACE; c++)
        if (path->axis[c] == number)
            return path->along->vector[c] != 0;
    return false;
}

void gauge_lines_loops_along(double *loop, gauge_lines *g, const gauge *space, const gauge *time,
                             const line_direction *along, int n_max, int t_max)
{
    enum { ORDERS = 6, SIGNS = 1 << SPACE };
    static const int order[ORDERS][SPACE] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                              { 2, 1, 0 } };
    for (int n = 0; n < n_max * t_max; n++)
        loop[n] = 0;
    gauge_exchange(space, GHOSTS_SIDES);
    int paths = 0;
    for (int counting = 1; counting >= 0; counting--)
        for (int o = 0; o < ORDERS; o++)
            for (int signs = 0; signs < SIGNS; signs++) {
                line_path path = { along, order[o], { true, true, true }, n_max, t_max, 0 };
                bool first = true, wanted = true;
                for (int i = 0; i < SPACE; i++) {
                    const bool back = signs >> i & 1, there = has_component(&path, i);
                    wanted = wanted && !(back && (first || !there));
                    first = first && !there;
                    path.forward[i] = !back;
                }
                paths += wanted && counting;
                path.weight = 1 / (COLORS * paths * (double)lattice_volume(g->l));
                if (wanted && !counting)
                    add_path(loop, g, space, time, &path);
            }
}

void gauge_lines_polyakov(double *correlator, gauge_lines *g, const gauge *u, int r_max)
{
    const double weight = 1 / (COLORS * COLORS * SPACE * (double)lattice_volume(g->l));
    line_args args = args_of(g, u, TIME);
    begin(g, &g->straight, u, TIME);
    for (int n = 1; n < lattice_global(g->l)[TIME]; n++)
        advance(g, &line_extend, &g->straight, args_of(g, u, TIME));
    args.a = args.b = matrix_view_of(newest(&g->straight));
    correlator[0] = SPACE * weight * sum_of(g, &line_correlation, &args);
    for (int r = 1; r <= r_max; r++)
        correlator[r] = 0;
    for (int i = 0; i < SPACE; i++) {
        field_copy(&g->joined.f[g->joined.newest], newest(&g->straight));
        for (int r = 1; r <= r_max; r++) {
            advance(g, &line_shift, &g->joined, args_of(g, u, i));
            args.b = matrix_view_of(newest(&g->joined));
            correlator[r] += weight * sum_of(g, &line_correlation, &args);
        }
    }
}
