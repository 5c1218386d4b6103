/* probe.c - fields between NumPy files and a device. */
#include "src/cli/probe/probe.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/npy.h"

typedef struct { int dimensions; size_t n[NPY_MAX_DIMENSIONS]; } array_shape;

static array_shape matrices_shape(const lattice *l)
{
    const int *n = lattice_global(l);
    return (array_shape){ 8, { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 } };
}

static array_shape quarks_shape(const lattice *l, probe_array array, int slices)
{
    const int *n = lattice_global(l);
    array_shape s = { 0, { 0 } };
    if (array == ARRAY_SLICES)
        s.n[s.dimensions++] = (size_t)slices;
    for (int mu = 3; mu >= 0; mu--)
        s.n[s.dimensions++] = (size_t)n[mu];
    if (array != ARRAY_COLORS)
        s.n[s.dimensions++] = 4;
    s.n[s.dimensions++] = 3;
    s.n[s.dimensions++] = 2;
    return s;
}

/* NULL after a message. */
static double *read_array(const char *path, array_shape shape)
{
    failure f;
    double *numbers = npy_read(path, shape.dimensions, shape.n, &f);
    if (!numbers)
        log_line(LOG_ERROR, "%s", f.why);
    return numbers;
}

static int write_borrowed(const char *path, const double *numbers, array_shape shape)
{
    failure f;
    bool ok = npy_write(path, numbers, shape.dimensions, shape.n, &f);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* Writes `numbers` and frees them. */
static int write_array(const char *path, double *numbers, array_shape shape)
{
    int status = write_borrowed(path, numbers, shape);
    memory_free(numbers);
    return status;
}

static size_t array_count(array_shape shape)
{
    size_t count = 1;
    for (int i = 0; i < shape.dimensions; i++)
        count *= shape.n[i];
    return count;
}

static double *numbers_for(array_shape shape)
{
    return memory_alloc(array_count(shape) * sizeof(double), "numbers on their way to a file");
}

gauge *probe_open(const probe_options *o, const char *path, configuration_facts *facts)
{
    failure f;
    place where;
    gauge *u = NULL;
    if (device_choice_open(&o->device, &where, &f))
        u = configuration_open(where, facts, path, &f);
    if (!u)
        log_line(LOG_ERROR, "%s", f.why);
    else if (o->reunitarize)
        log_line(LOG_INFO, "%s: reunitarised; the largest change of a number is %.3g", path,
                 gauge_reunitarize_change(u));
    return u;
}

/* Of an antihermitian traceless matrix that another code has written. */
#define MOMENTA_TOLERANCE 1e-10

momentum *probe_momenta(const char *path, const gauge *u)
{
    double *matrices = read_array(path, matrices_shape(u->links.lattice));
    if (!matrices)
        return NULL;
    momentum *p = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    double rest = momentum_import(p, matrices);
    memory_free(matrices);
    if (rest <= MOMENTA_TOLERANCE)
        return p;
    log_line(LOG_ERROR, "%s: these are no momenta: what is not antihermitian and traceless in them is as large as %.3g",
             path, rest);
    momentum_free(p);
    return NULL;
}

const char *const gamma_basis_names[] = { "degrand-rossi", "nonrelativistic", NULL };

/* S of probe.h, which is its own inverse. */
static void turn(double *numbers, size_t count, int basis)
{
    enum { HALF = 12 };                            /* reals of two spins */
    const double root = sqrt(0.5);
    if (basis == BASIS_DEGRAND_ROSSI)
        return;
    for (double *upper = numbers; upper < numbers + count; upper += 2 * HALF)
        for (int i = 0; i < HALF; i++) {
            const double a = upper[i], b = upper[HALF + i];
            upper[i] = root * (a + b);
            upper[HALF + i] = root * (a - b);
        }
}

double *probe_quark_numbers(const char *path, const lattice *l, probe_array array, int slices, int basis)
{
    array_shape shape = quarks_shape(l, array, slices);
    double *numbers = read_array(path, shape);
    if (numbers && array != ARRAY_COLORS)
        turn(numbers, array_count(shape), basis);
    return numbers;
}

int probe_write_quark_numbers(const char *path, double *numbers, const lattice *l, probe_array array, int slices,
                              int basis)
{
    array_shape shape = quarks_shape(l, array, slices);
    if (array != ARRAY_COLORS)
        turn(numbers, array_count(shape), basis);
    return write_borrowed(path, numbers, shape);
}

int probe_write_links(const char *path, const gauge *u, double factor)
{
    array_shape shape = matrices_shape(u->links.lattice);
    double *matrices = numbers_for(shape);
    gauge_export(matrices, u);
    for (size_t i = 0; i < array_count(shape); i++)
        matrices[i] *= factor;
    return write_array(path, matrices, shape);
}

int probe_write_momenta(const char *path, const momentum *p)
{
    array_shape shape = matrices_shape(p->f.lattice);
    double *matrices = numbers_for(shape);
    momentum_export(matrices, p);
    return write_array(path, matrices, shape);
}
