/* bicg_system.h - the scalars of BiCGstab(l) for a system of a batch (src/solvers/bicg.h has the algorithm). */
#ifndef KILN_KERNELS_BICG_SYSTEM_H
#define KILN_KERNELS_BICG_SYSTEM_H

enum {
    BICG_ORDER_MAX = 4,                  /* l */
    BICG_POWERS = BICG_ORDER_MAX + 1,    /* vectors r_0 .. r_l, and u_0 .. u_l */
    BICG_PRODUCTS = 3                    /* inner products in one launch */
};

typedef struct { double re, im; } krylov_complex;

typedef struct {
    int order;                           /* l */
    double shadow2;                      /* |s|^2, s the shadow residual */
    krylov_complex rho, alpha, beta;     /* of the latest step */
    krylov_complex former;               /* alpha / (- omega rho) of the latest cycle: beta = former (s, r_0) */
    krylov_complex g[BICG_ORDER_MAX];    /* coefficients of r_1 .. r_l in the minimal residual; omega is the last */
    krylov_complex gram[BICG_POWERS][BICG_POWERS];           /* (r_i, r_j), j <= i */
    double size2[BICG_POWERS];           /* the latest known |r_j|^2 */
    double first2, latest2;              /* |u_1|^2, and |u_(j+1)|^2 of the latest step */
    double moved;                        /* the sum of |alpha u_(j+1)| in this cycle */
    double weight;                       /* the factor of products with s in the next sums */
} bicg_system;

#endif
