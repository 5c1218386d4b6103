/* free_wilson.h - hadrons of free Wilson quarks in closed form, antiperiodic in t, with smeared sources and sinks. */
#ifndef KILN_TESTS_MEASURE_FREE_WILSON_H
#define KILN_TESTS_MEASURE_FREE_WILSON_H

#include <complex.h>
#include <stdbool.h>

/* Of quarks (src/measure/quark_smearing.h); steps 0: none. */
typedef struct { int steps; double width; bool source, sink; } free_smearing;

/* S(p, t), p = 2 pi wave / L, as parts of the matrices 1, -i gamma_x .. -i gamma_t, with the factors of smearing; t is
 * not taken back into the lattice. */
enum { FREE_PARTS = 5 };
void free_wilson_quark(double complex part[FREE_PARTS], double mass, const free_smearing *s, const int wave[3],
                       const int extents[4], int t);

/* sum over x of exp(-iP.x) Tr G'(x)^+ G(x) at time t from the source, P = 2 pi n / L; real */
double free_pion(double mass, double other, const free_smearing *s, const int n[3], const int extents[4], int t);

#endif
