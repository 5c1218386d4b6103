/* probe.c - fields between NumPy files and a device. */
#include "src/cli/probe.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/npy.h"

enum { DIMENSIONS = 8 };
typedef struct { size_t n[DIMENSIONS]; } array_shape;

/* [t][z][y][x][mu][row][col][re,im] */
static array_shape shape_of(const lattice *l)
{
    const int *n = lattice_extents(l);
    return (array_shape){ { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 } };
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
                 configuration_reunitarize(u));
    return u;
}

/* Of an antihermitian traceless matrix that another code has written. */
#define MOMENTA_TOLERANCE 1e-10

momentum *probe_momenta(const char *path, const gauge *u)
{
    failure f;
    array_shape shape = shape_of(u->links.lattice);
    double *matrices = npy_read(path, DIMENSIONS, shape.n, &f);
    if (!matrices) {
        log_line(LOG_ERROR, "%s", f.why);
        return NULL;
    }
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

/* Writes `matrices` and frees them. */
static int write_matrices(const char *path, double *matrices, const lattice *l)
{
    failure f;
    array_shape shape = shape_of(l);
    bool ok = npy_write(path, matrices, DIMENSIONS, shape.n, &f);
    memory_free(matrices);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static double *matrices_for(const lattice *l)
{
    return memory_alloc(links_count(lattice_extents(l)) * sizeof(double), "matrices on their way to a file");
}

int probe_write_links(const char *path, const gauge *u)
{
    double *matrices = matrices_for(u->links.lattice);
    gauge_export(matrices, u);
    return write_matrices(path, matrices, u->links.lattice);
}

int probe_write_momenta(const char *path, const momentum *p)
{
    double *matrices = matrices_for(p->f.lattice);
    momentum_export(matrices, p);
    return write_matrices(path, matrices, p->f.lattice);
}
