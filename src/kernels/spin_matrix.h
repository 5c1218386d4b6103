/* spin_matrix.h - matrices of spins with one number in each row: products of gamma matrices. */
#ifndef KILN_KERNELS_SPIN_MATRIX_H
#define KILN_KERNELS_SPIN_MATRIX_H

/* i^power[r] in row r and column to[r], else 0. */
typedef struct { signed char to[4], power[4]; } spin_matrix;

#endif
