/* analytic_field.h - SU(3) links from a formula, so that golden numbers need no file.
 *
 *     n = (site*4 + mu)*8 + a,  site lexicographic, a = 0..7
 *     z = (n+1) * 0x9E3779B97F4A7C15, then the finalizer of splitmix64
 *     theta_a = w (2 (z >> 11) / 2^53 - 1),   U_mu(x) = exp(i sum_a theta_a lambda_a / 2) */
#ifndef KILN_TESTS_ANALYTIC_FIELD_H
#define KILN_TESTS_ANALYTIC_FIELD_H

/* [t][z][y][x][mu][row][col][re,im]; release with memory_free. */
double *analytic_links(const int extents[4], double w);

/* Random antihermitian traceless matrices of size about 1, in the same order, from the same hash. */
double *analytic_momenta(const int extents[4]);

#endif
