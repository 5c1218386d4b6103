/* solver_choice.c - the precisions that `adaptive` selects: constant tables, measured on one NVIDIA H200
 * (docs/performance.md, "The table of adaptive"). */
#include "src/solvers/solver_choice.h"

#include <assert.h>
#include <stddef.h>

const char *const solver_names[] = { "double", "double-single", "double-single-half", "double-single-int20",
                                     "double-int30-int20", "double-int20", "double-half", "adaptive", NULL };
_Static_assert(sizeof solver_names / sizeof *solver_names == SOLVER_ADAPTIVE + 2, "a name for each");

const vec_storage solver_storages[SOLVER_STORAGES] = {
    [STORED_DOUBLE] = { VECTOR_NATIVE, PRECISION_DOUBLE }, [STORED_SINGLE] = { VECTOR_NATIVE, PRECISION_SINGLE },
    [STORED_INT30] = { VECTOR_INT30, PRECISION_DOUBLE },   [STORED_INT20] = { VECTOR_INT20, PRECISION_SINGLE },
    [STORED_HALF] = { VECTOR_HALF, PRECISION_SINGLE },
};

const char *const stored_names[SOLVER_STORAGES] = { "double", "single", "int30", "int20", "half" };

const solver_stores solver_precisions[SOLVER_ADAPTIVE] = {
    [SOLVER_DOUBLE] = { STORED_DOUBLE, STORED_DOUBLE },
    [SOLVER_DOUBLE_SINGLE] = { STORED_SINGLE, STORED_SINGLE },
    [SOLVER_DOUBLE_SINGLE_HALF] = { STORED_SINGLE, STORED_HALF },
    [SOLVER_DOUBLE_SINGLE_INT20] = { STORED_SINGLE, STORED_INT20 },
    [SOLVER_DOUBLE_INT30_INT20] = { STORED_INT30, STORED_INT20 },
    [SOLVER_DOUBLE_INT20] = { STORED_INT20, STORED_INT20 },
    [SOLVER_DOUBLE_HALF] = { STORED_HALF, STORED_HALF },
};

#define TABLE(rows, least_work) { sizeof rows / sizeof *rows, rows, least_work }

/* Residuals above this one are loose, as in forces: 20 bits and single precision almost reach them without refinement.
 * For tighter residuals, 30 bits in the common Krylov space need much less refinement than single precision. */
#define LOOSE 1e-6

/* On small lattices, launches and sums that the host waits for take the time.  Double needs the fewest of them and is
 * fastest there.  The measured lattices have 8192, 131072 and 663552 sites; at the boundaries between rows, the times,
 * interpolated in the logarithms of time and volume, are equal. */
static const solver_row staggered_rows[] = {
    { 262144, LOOSE, SOLVER_DOUBLE_INT20 },
    { 32768, LOOSE, SOLVER_DOUBLE_SINGLE },
    { 65536, 0, SOLVER_DOUBLE_INT30_INT20 },
    { 0, 0, SOLVER_DOUBLE },
};
/* least_work is 1145 iterations on 131072 sites and 227 on 663552 sites.  Measured on one H100 (docs/performance.md,
 * "Short solves"): on 131072 sites the row and double take the same time at about 900 iterations of a refresh
 * (interpolated between two starts); on 663552 sites a cold start is near this point. */
const solver_table staggered_solver_table = TABLE(staggered_rows, 1.5e8);

/* On 131072 sites the refresh is in double.  In equilibrium that costs 3 % of a trajectory (0.188 s in place of 0.145 s
 * of 1.5 s; docs/performance.md, "The table of adaptive"); from a cold start, a refresh in mixed precision would make
 * `adaptive` 9 % slower than double. */
static const solver_row staggered_refresh_rows[] = {
    { 262144, LOOSE, SOLVER_DOUBLE_INT20 },
    { 262144, 0, SOLVER_DOUBLE_INT30_INT20 },
    { 0, 0, SOLVER_DOUBLE },
};
const solver_table staggered_refresh_table = TABLE(staggered_refresh_rows, 0);

/* Sites times Ls, measured at 65536, 131072 and 1048576.  Double and mixed precision take the same time at the first
 * boundary for single systems, at the second one for systems with many shifts (interpolated: at 1016000). */
static const solver_row dwf_rows[] = {
    { 65536, 0, SOLVER_DOUBLE_SINGLE_HALF },
    { 0, 0, SOLVER_DOUBLE },
};
static const solver_row dwf_shifted_rows[] = {
    { 1048576, 0, SOLVER_DOUBLE_SINGLE_HALF },
    { 0, 0, SOLVER_DOUBLE },
};
const solver_table dwf_solver_table = TABLE(dwf_rows, 0), dwf_shifted_solver_table = TABLE(dwf_shifted_rows, 0);

solver_precision solver_choose(solver_precision given, const solver_table *table, solver_request request)
{
    if (given != SOLVER_ADAPTIVE)
        return given;
    const solver_row *row = table->row;
    while (request.sites < row->sites || request.residual < row->residual) {
        row++;
        assert(row < table->row + table->count);
    }
    return row->precision;
}

/* No refresh takes fewer iterations than this.  Where least_work asks for fewer, double is never used, and large
 * lattices need no memory for it. */
#define SHORTEST_REFRESH 75

double solver_least_iterations(solver_precision given, const solver_table *table, double sites)
{
    const double iterations = given == SOLVER_ADAPTIVE ? table->least_work / sites : 0;
    return iterations < SHORTEST_REFRESH ? 0 : iterations;
}

double solver_sites(const lattice_shape *shape)
{
    return (double)lattice_global_sites(shape);
}

solver_precision dwf_solver_choose(solver_precision given, bool shifted, const lattice_shape *shape, int Ls,
                                   double residual)
{
    return solver_choose(given, shifted ? &dwf_shifted_solver_table : &dwf_solver_table,
                         (solver_request){ solver_sites(shape) * Ls, residual });
}
