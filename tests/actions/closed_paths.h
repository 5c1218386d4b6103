/* closed_paths.h - all closed paths of a lattice that gauge actions are made of, walked link by link in plain complex
 * arithmetic: plaquettes, 2x1 rectangles and bent loops (mu, nu, rho, -mu, -nu, -rho). */
#ifndef KILN_TESTS_ACTIONS_CLOSED_PATHS_H
#define KILN_TESTS_ACTIONS_CLOSED_PATHS_H

#include "src/base/memory.h"
#include "src/gauge/gauge.h"

#include <complex.h>
#include <stdbool.h>
#include <string.h>

enum { PATH_BACK = 4 };

/* kind: 0 to 2 as above; trace: Re Tr / 3; wraps: through the links from slice T - 1 to 0; at_end: within the first or
 * the last slice */
typedef struct { int kind, steps_in_t; bool wraps, at_end; double trace; } closed_path;
typedef void path_listener(void *out, const closed_path *p);

/* Links [t][z][y][x][mu][3][3] on a lattice of extents n. */
typedef struct { const int *n; const double complex *links; path_listener *emit; void *out; } path_walk;

static inline const double complex *path_link(const path_walk *u, const int x[4], int mu)
{
    const int *n = u->n;
    return u->links + (size_t)((((x[3] * n[2] + x[2]) * n[1] + x[1]) * n[0] + x[0]) * 4 + mu) * 9;
}

static inline void walk_path(const path_walk *u, const int from[4], int kind, const int *steps, int length)
{
    double complex w[3][3] = { { 1 }, { 0, 1 }, { 0, 0, 1 } };
    closed_path p = { .kind = kind };
    int x[4];
    memcpy(x, from, sizeof x);
    for (int s = 0; s < length; s++) {
        const int mu = steps[s] % PATH_BACK;
        const bool back = steps[s] >= PATH_BACK;
        double complex product[3][3] = { { 0 } };
        if (back)
            x[mu] = (x[mu] + u->n[mu] - 1) % u->n[mu];
        const double complex *m = path_link(u, x, mu);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    product[i][j] += w[i][k] * (back ? conj(m[3 * j + k]) : m[3 * k + j]);
        memcpy(w, product, sizeof w);
        p.steps_in_t += mu == 3;
        p.wraps |= mu == 3 && x[3] == u->n[3] - 1;
        if (!back)
            x[mu] = (x[mu] + 1) % u->n[mu];
    }
    p.steps_in_t /= 2;                          /* there and back */
    p.at_end = p.steps_in_t == 0 && (x[3] == 0 || x[3] == u->n[3] - 1);
    p.trace = creal(w[0][0] + w[1][1] + w[2][2]) / 3;
    u->emit(u->out, &p);
}

static inline void walk_paths_from(const path_walk *u, const int x[4])
{
    enum { B = PATH_BACK };
    for (int mu = 0; mu < 4; mu++)
        for (int nu = 0; nu < 4; nu++) {
            if (mu < nu)
                walk_path(u, x, 0, (int[]){ mu, nu, mu + B, nu + B }, 4);
            if (mu != nu)
                walk_path(u, x, 1, (int[]){ mu, mu, nu, mu + B, mu + B, nu + B }, 6);
            for (int rho = nu + 1; mu < nu && rho < 4; rho++)
                for (int signs = 0; signs < 4; signs++) {
                    const int b = signs & 1 ? nu + B : nu, c = signs & 2 ? rho + B : rho;
                    walk_path(u, x, 2, (int[]){ mu, b, c, mu + B, (b + B) % 8, (c + B) % 8 }, 6);
                }
        }
}

/* Reports every path of these links (path_walk) once. */
static inline void walk_paths_of(const int n[4], const double *links, path_listener *emit, void *out)
{
    const path_walk all = { n, (const double complex *)links, emit, out };
    int x[4];
    for (x[3] = 0; x[3] < n[3]; x[3]++)
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++)
                    walk_paths_from(&all, x);
}

static inline void walk_closed_paths(const gauge *u, path_listener *emit, void *out)
{
    double *links = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *links, "links");
    gauge_export(links, u);
    walk_paths_of(lattice_global(u->links.lattice), links, emit, out);
    memory_free(links);
}

#endif
