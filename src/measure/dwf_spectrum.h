/* dwf_spectrum.h - the ends of |gamma5 Dw|, the kernel of domain-wall quarks.
 *
 * By Lanczos with H = gamma5 Dw on all sites, and with H^-1: interior eigenvalues of H are the outer ones of H^-1. */
#ifndef KILN_MEASURE_DWF_SPECTRUM_H
#define KILN_MEASURE_DWF_SPECTRUM_H

#include "src/operators/dwf.h"
#include "src/solvers/solver.h"

typedef struct dwf_spectrum dwf_spectrum;
dwf_spectrum *dwf_spectrum_create(const gauge *u, double M5);
void dwf_spectrum_free(dwf_spectrum *s);
memory_need dwf_spectrum_bytes(const lattice_shape *shape);

/* The links (borrowed), and the start vector. */
typedef struct {
    const hop_links *links;
    rng_key key;
    uint32_t first_draw;               /* of the start vector, with the key */
    int max_iterations;                /* of each solve with H */
} dwf_spectrum_task;

/* Both eigenvalues have a relative error of about 1e-3; the smallest is an upper bound, the largest a lower bound.
 * False if a solve does not converge. */
typedef struct { double smallest, largest; int64_t iterations; } kernel_range;
bool dwf_spectrum_measure(kernel_range *r, dwf_spectrum *s, const dwf_spectrum_task *task, failure *f);

#endif
