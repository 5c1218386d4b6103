/* probe.c - copy fields between NumPy files and a device, slice by slice. */
#include "src/probe/probe.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/field_array.h"

#include <stdio.h>
#include <string.h>

/* False after a message. */
static bool read_slices(const slice_sink *to, const char *path, array_shape shape)
{
    failure f;
    const bool ok = npy_read_slices(to, path, shape.dimensions, shape.n, &f);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    return ok;
}

static int write_slices(const char *path, const slice_source *from, array_shape shape)
{
    failure f;
    if (npy_write_slices(path, from, shape.dimensions, shape.n, &f))
        return EXIT_OK;
    log_line(LOG_ERROR, "%s", f.why);
    return EXIT_FAILED;
}

gauge *probe_open(const probe_options *o, configuration_request request, const char *path, configuration_facts *facts)
{
    failure f;
    place where;
    gauge *u = NULL;
    request.use = o->reunitarize ? LINKS_TO_PROJECT : LINKS_AS_STORED;
    if (device_choice_open(&o->device, &where, &f))
        u = configuration_open_for(where, request, facts, path, &f);
    if (!u)
        log_line(LOG_ERROR, "%s", f.why);
    else if (o->reunitarize)
        log_line(LOG_INFO, "%s: reunitarized; largest change of a real number: %.3g", path,
                 gauge_reunitarize_change(u));
    return u;
}

int probe_gauge_action_check(const usage *words, const gauge_params *action, const char *path, const gauge *u)
{
    if (lattice_is_open(u->links.lattice))
        log_line(LOG_INFO, "%s: boundaries in t are open; c_G = %g%s", path, gauge_action_end_weight(action),
                 action->given.c_G ? "" : ", the default of --c-G");
    else if (action->given.c_G)
        return usage_error(words, "%s: --c-G: the weight of boundary loops is given, but the file does not say that "
                           "its boundaries in t are open; leave out --c-G", path);
    return EXIT_OK;
}

void probe_print(json *j)
{
    fprintf(result_stream(), "%s\n", json_string(j));
    json_free(j);
}

/* ---- links and momenta */

/* Largest deviation of another code's momenta from antihermitian traceless matrices. */
#define MOMENTA_TOLERANCE 1e-10

momentum *probe_momenta(const char *path, const gauge *u)
{
    momentum_intake in = { .p = momentum_create(u->links.lattice, u->links.where, u->links.precision) };
    const slice_sink matrices = momentum_matrix_sink(&in);
    bool ok = read_slices(&matrices, path, array_shape_of_links(u->links.lattice));
    if (ok && !(in.rest <= MOMENTA_TOLERANCE)) {
        log_line(LOG_ERROR, "%s: not momenta: the matrices deviate from antihermitian and traceless by %.3g (at most "
                            "%g is allowed)", path, in.rest, MOMENTA_TOLERANCE);
        ok = false;
    }
    if (ok)
        return in.p;
    momentum_free(in.p);
    return NULL;
}

int probe_write_momenta(const char *path, const momentum *p)
{
    const slice_source matrices = momentum_matrix_slices(p);
    return write_slices(path, &matrices, array_shape_of_links(p->f.lattice));
}

typedef struct { const gauge *u; double factor; } scaled_links;

static void get_scaled(double *slice, const void *from, int t)
{
    const scaled_links *links = from;
    field_get_slice(slice, &links->u->links, t);
    for (size_t i = 0; i < field_slice_reals(&links->u->links); i++)
        slice[i] *= links->factor;
}

int probe_write_links(const char *path, const gauge *u, double factor)
{
    const scaled_links links = { u, factor };
    const slice_source slices = { get_scaled, &links, field_slice_count(&u->links), field_slice_reals(&u->links) };
    return write_slices(path, &slices, array_shape_of_links(u->links.lattice));
}

/* ---- vectors of quarks */

const char *const gamma_basis_names[] = { "degrand-rossi", "nonrelativistic", NULL };

/* Apply S of probe.h, which is its own inverse. */
static void change_basis(double *numbers, size_t count, int basis)
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

/* The fields that make up one vector; each holds the numbers of its own sites.  `work` is scratch for one slice. */
typedef struct { field *const *piece; int pieces; bool has_spins; int basis; double *work; } quark_pieces;

static quark_pieces pieces_of(field *const *piece, int pieces, probe_array array, int basis)
{
    return (quark_pieces){ piece, pieces, array != ARRAY_COLORS, basis, slice_alloc(field_slice_reals(piece[0])) };
}

static void get_sum(double *slice, const void *from, int number)
{
    const quark_pieces *q = from;
    const size_t reals = field_slice_reals(q->piece[0]);
    memset(slice, 0, reals * sizeof *slice);
    for (int i = 0; i < q->pieces; i++) {
        field_get_slice(q->work, q->piece[i], number);
        for (size_t n = 0; n < reals; n++)
            slice[n] += q->work[n];
    }
    if (q->has_spins)
        change_basis(slice, reals, q->basis);
}

static void set_each(void *to, int number, const double *slice)
{
    const quark_pieces *q = to;
    const size_t reals = field_slice_reals(q->piece[0]);
    memcpy(q->work, slice, reals * sizeof *slice);
    if (q->has_spins)
        change_basis(q->work, reals, q->basis);
    for (int i = 0; i < q->pieces; i++)
        field_set_slice(q->piece[i], number, q->work);
}

static array_shape quarks_shape(const field *f, probe_array array)
{
    const int *n = lattice_global(f->lattice);
    array_shape s = { 0, { 0 } };
    if (array == ARRAY_SLICES)
        s.n[s.dimensions++] = (size_t)(f->slabs / SLAB_GROUP);
    for (int mu = 3; mu >= 0; mu--)
        s.n[s.dimensions++] = (size_t)n[mu];
    if (array != ARRAY_COLORS)
        s.n[s.dimensions++] = SLAB_GROUP;
    s.n[s.dimensions++] = 3;
    s.n[s.dimensions++] = 2;
    return s;
}

bool probe_read_quarks(field *const *piece, int pieces, const char *path, probe_array array, int basis)
{
    quark_pieces q = pieces_of(piece, pieces, array, basis);
    const slice_sink sink = { set_each, &q, field_slice_count(piece[0]), field_slice_reals(piece[0]) };
    bool ok = read_slices(&sink, path, quarks_shape(piece[0], array));
    memory_free(q.work);
    return ok;
}

int probe_write_quarks(const char *path, field *const *piece, int pieces, probe_array array, int basis)
{
    const quark_pieces q = pieces_of(piece, pieces, array, basis);
    const slice_source source = { get_sum, &q, field_slice_count(piece[0]), field_slice_reals(piece[0]) };
    int status = write_slices(path, &source, quarks_shape(piece[0], array));
    memory_free(q.work);
    return status;
}
