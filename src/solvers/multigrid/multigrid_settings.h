/* multigrid_settings.h - what a user chooses of multigrid (multigrid.h). */
#ifndef KILN_SOLVERS_MULTIGRID_MULTIGRID_SETTINGS_H
#define KILN_SOLVERS_MULTIGRID_MULTIGRID_SETTINGS_H

enum { MG_VECTORS_STEP = 6, MG_VECTORS_LARGEST = 48 };      /* `vectors` is a multiple of the step */
enum { MG_SMOOTH_LARGEST = 20 };                            /* steps of smoothing */

/* Storages in which smoothing works; the rest of a cycle is in single precision. */
typedef enum { SMOOTHED_SINGLE, SMOOTHED_HALF } smoothed_in;

typedef struct {
    int block[4];                          /* extents of aggregates; 0: chosen by the lattice */
    int vectors;                           /* near-null vectors */
    int setup_iterations;                  /* of GCR for each vector */
    int setup_passes;                      /* how often each vector then passes through the cycle */
    int pre_smooth, post_smooth;           /* steps: degrees of polynomials */
    smoothed_in smoothed;
    double coarse_residual;
    int coarse_iterations;                 /* at most, of GCR for M_c; each has four products */
} multigrid_settings;

/* The defaults, as rows of tables have them; all extents of blocks are 0. */
#define MULTIGRID_VECTORS           24
#define MULTIGRID_SETUP_ITERATIONS  40
#define MULTIGRID_SETUP_PASSES      1
#define MULTIGRID_PRE_SMOOTH        0
#define MULTIGRID_POST_SMOOTH       16
#define MULTIGRID_COARSE_RESIDUAL   0.1
#define MULTIGRID_COARSE_ITERATIONS 50
multigrid_settings multigrid_defaults(void);

/* Settings for a lattice.  All zero: the defaults.  For an extent 0 of a block: the largest of 4, 3, 2 and 1 that
 * leaves an even number of blocks. */
multigrid_settings multigrid_settings_for(const multigrid_settings *wanted, const int global[4]);

#endif
