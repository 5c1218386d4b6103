/* low_modes.c - the lowest eigenpairs of C^+C, as part of a measurement of quarks. */
#include "src/measure/low_modes.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/io/vectors_file.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/eigensolver.h"

#include <errno.h>
#include <string.h>

struct low_modes {
    const low_modes_params *params;
    eigen_space *space;
    eigen_result result;
};

static int basis_of(const low_modes_params *p)
{
    return p->given.basis ? (int)p->basis : eigen_basis((int)p->count);
}

bool low_modes_check(const low_modes_params *p, const lattice_shape *shape, low_modes_sites of, const char *name,
                     failure *f)
{
    const int64_t sites = lattice_global_sites(shape) / (of.on == ON_ALL ? 1 : 2);
    const int64_t dimension = sites * of.slabs * (VEC_REALS / 2);
    if (p->count > dimension)
        return fail(f, "%s: modes: count is %lld, but there are only %lld eigenvalues", name, (long long)p->count,
                    (long long)dimension);
    if (p->count > 0 && p->given.basis && p->basis <= p->count)
        return fail(f, "%s: modes: basis is %lld, but it must be larger than count, which is %lld", name,
                    (long long)p->basis, (long long)p->count);
    return true;
}

low_modes *low_modes_create(const low_modes_params *p, lattice *l, place where, low_modes_sites of)
{
    if (p->count == 0)
        return NULL;
    low_modes *m = memory_alloc(sizeof *m, "low modes");
    const vec like = { .f = { .lattice = l, .where = where, .precision = PRECISION_DOUBLE, .on = of.on,
                              .slabs = of.slabs } };
    m->params = p;
    m->space = eigen_space_create(&like, (int)p->count, basis_of(p));
    return m;
}

void low_modes_free(low_modes *m)
{
    if (!m)
        return;
    eigen_space_free(m->space);
    memory_free(m);
}

memory_need low_modes_bytes(const low_modes_params *p, const lattice_shape *shape, low_modes_sites of)
{
    if (p->count == 0)
        return (memory_need){ 0 };
    const size_t vectors = (size_t)eigen_space_vectors((int)p->count, basis_of(p)) * (size_t)of.slabs;
    return (memory_need){ .lasting = vectors * vec_bytes(shape, PRECISION_DOUBLE, of.on) };
}

/* ---- files */

/* Numbers of a file after eigenvalues and residuals. */
enum { AT_UPPER, AT_CUT, AT_DEGREE, AT_RESTARTS, AT_APPLICATIONS, RESULT_NUMBERS };

/* The vectors of the pairs, and room for their numbers; release with free_file. */
static vectors_of_file file_of(const low_modes *m)
{
    const int count = (int)m->params->count, numbers = 2 * count + RESULT_NUMBERS;
    vec **x = memory_alloc((size_t)count * sizeof *x, "vectors of a file");
    for (int i = 0; i < count; i++)
        x[i] = eigen_pairs(m->space)[i].x;
    return (vectors_of_file){ .what = "eigenvectors", .x = x, .count = count, .numbers = numbers,
                              .number = memory_alloc((size_t)numbers * sizeof(double), "numbers of a file") };
}

static void free_file(vectors_of_file *v)
{
    memory_free((void *)v->x);
    memory_free(v->number);
}

static bool write_file(const low_modes *m, const char *path, bool replace, failure *f)
{
    vectors_of_file v = file_of(m);
    double *rest = v.number + 2 * v.count;
    for (int i = 0; i < v.count; i++) {
        v.number[i] = eigen_pairs(m->space)[i].value;
        v.number[v.count + i] = eigen_pairs(m->space)[i].residual;
    }
    rest[AT_UPPER] = m->result.upper;
    rest[AT_CUT] = m->result.cut;
    rest[AT_DEGREE] = m->result.degree;
    rest[AT_RESTARTS] = m->result.restarts;
    rest[AT_APPLICATIONS] = (double)m->result.applications;
    const bool ok = vectors_file_write(path, &v, replace, f);
    free_file(&v);
    return ok;
}

static eigen_goal goal_of(const low_modes_params *p)
{
    return (eigen_goal){ .count = (int)p->count, .basis = basis_of(p), .residual = p->residual, .cut = p->cut,
                         .degree = (int)p->degree, .max_restarts = (int)p->max_restarts };
}

/* VECTORS_READ: the pairs are those of the file.  A log line says why other files are not used. */
static vectors_state read_file(low_modes *m, const char *path, const linop *a, failure *f)
{
    vectors_of_file v = file_of(m);
    const eigen_goal goal = goal_of(m->params);
    vectors_state state = vectors_file_read(path, &v, f);
    const double *rest = v.number + 2 * v.count;
    if (state == VECTORS_READ && !(rest[AT_UPPER] > 0 && eigen_accept(a, m->space, &goal, rest[AT_UPPER]))) {
        fail(f, "%s: the eigenvectors are not those of these links, or not good enough", path);
        state = VECTORS_OTHER;
    }
    if (state == VECTORS_READ)
        m->result = (eigen_result){ .converged = true, .found = v.count, .upper = rest[AT_UPPER], .cut = rest[AT_CUT],
                                    .degree = (int)rest[AT_DEGREE], .restarts = (int)rest[AT_RESTARTS],
                                    .applications = (int64_t)rest[AT_APPLICATIONS] };
    if (state == VECTORS_OTHER)
        log_line(LOG_WARNING, "%s; Kiln computes them again", f->why);
    free_file(&v);
    return state;
}

static bool compute(low_modes *m, const low_modes_task *task, failure *f)
{
    const eigen_goal goal = goal_of(m->params);
    m->result = eigen_lowest(task->a, m->space, &goal, task->key, task->first_draw);
    return m->result.converged || fail(f, "modes: %s", m->result.why.why);
}

static bool compute_with_file(low_modes *m, const low_modes_task *task, const char *path, failure *f)
{
    const vectors_state state = read_file(m, path, task->a, f);
    if (state == VECTORS_READ)
        return true;
    return state != VECTORS_FOREIGN && compute(m, task, f) && write_file(m, path, state != VECTORS_ABSENT, f);
}

bool low_modes_compute(low_modes *m, const low_modes_task *task, clock_tree *clock, failure *f)
{
    if (!m)
        return true;
    const char *folder = m->params->directory;
    bool ok;
    clock_begin(clock, "modes");
    if (!folder || !folder[0]) {
        ok = compute(m, task, f);
    } else if (disk_make_folder(folder) != 0 && errno != EEXIST) {
        ok = fail(f, "modes: the folder %s cannot be created: %s", folder, strerror(errno));
    } else {
        text path = { 0 };
        text_add(&path, "%s/%s.%06lld.%d.lime", folder, task->name, (long long)rng_key_trajectory(task->key),
                 task->number);
        ok = compute_with_file(m, task, text_string(&path), f);
        text_free(&path);
    }
    clock_end(clock);
    return ok;
}

void low_modes_to_json(json *j, const low_modes *m)
{
    if (!m)
        return;
    const eigen_pair *pair = eigen_pairs(m->space);
    const int count = m->result.found;
    double *numbers = memory_alloc((size_t)count * sizeof *numbers, "eigenvalues");
    json_open(j, "modes", '{');
    json_real(j, "smallest", pair[0].value);
    for (int i = 0; i < count; i++)
        numbers[i] = pair[i].value;
    json_reals(j, "eigenvalues", numbers, count);
    for (int i = 0; i < count; i++)
        numbers[i] = pair[i].residual;
    json_reals(j, "residuals", numbers, count);
    json_real(j, "upper", m->result.upper);
    json_real(j, "cut", m->result.cut);
    json_int(j, "degree", m->result.degree);
    json_int(j, "restarts", m->result.restarts);
    json_int(j, "applications", m->result.applications);
    json_close(j);
    memory_free(numbers);
}

bool low_modes_deflate(const low_modes *m)
{
    return m && m->params->deflate;
}

int low_modes_count(const low_modes *m)
{
    return m->result.found;
}

double low_modes_value(const low_modes *m, int i)
{
    return eigen_pairs(m->space)[i].value;
}

double low_modes_zero(const low_modes *m)
{
    return m->params->residual * m->result.upper;
}

void low_modes_combine(vec *x, const low_modes *m, const double *weight, const vec *b)
{
    const eigen_pair *pair = eigen_pairs(m->space);
    vec_zero(x);
    for (int i = 0; i < m->result.found; i++) {
        const complex_number dot = vec_dot(pair[i].x, b);
        vec_direction(x, (complex_number){ weight[i] * dot.re, weight[i] * dot.im }, pair[i].x, 1, x);
    }
}

void low_modes_start(vec *x, const low_modes *m, double shift, const vec *b)
{
    if (!low_modes_deflate(m)) {
        vec_zero(x);
        return;
    }
    double weight[LOW_MODES_MAX];
    for (int i = 0; i < m->result.found; i++) {
        const double value = low_modes_value(m, i) + shift;
        weight[i] = value > low_modes_zero(m) ? 1 / value : 0;
    }
    low_modes_combine(x, m, weight, b);
}

#define AT(member) offsetof(low_modes_params, member)

const param_spec low_modes_specs[] = {
    { .key = "count", .type = PARAM_INT, .offset = AT(count), .fallback = "0", .min = 0, .max = LOW_MODES_MAX,
      .doc = "number of eigenvalues, from the smallest on; 0: none" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-10", .min = 1e-15, .max = 0.1,
      .flags = PARAM_NUMERICAL,
      .doc = "largest |A x - lambda x| of each eigenvector, |x| = 1, in units of the largest eigenvalue of A" },
    { .key = "basis", .type = PARAM_INT, .offset = AT(basis), .given = AT(given.basis), .formerly = "0", .min = 1,
      .max = 4 * LOW_MODES_MAX, .flags = PARAM_OPTIONAL | PARAM_NUMERICAL,
      .doc = "number of Lanczos vectors between restarts, larger than count; without it 2 count + 16" },
    { .key = "cut", .type = PARAM_REAL, .offset = AT(cut), .given = AT(given.cut), .formerly = "0",
      .min = 0, .max = 1000, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_NUMERICAL,
      .doc = "lower end of the window that the Chebyshev filter suppresses, above the requested eigenvalues; without "
             "it Kiln chooses one. The upper end is an upper bound of all eigenvalues" },
    { .key = "degree", .type = PARAM_INT, .offset = AT(degree), .given = AT(given.degree), .formerly = "0",
      .min = 1, .max = 10000, .flags = PARAM_OPTIONAL | PARAM_NUMERICAL,
      .doc = "degree of the Chebyshev filter; 1: Lanczos without filter; without it Kiln chooses one" },
    { .key = "max_restarts", .type = PARAM_INT, .offset = AT(max_restarts), .fallback = "100", .min = 0,
      .max = 1000000, .flags = PARAM_NUMERICAL,
      .doc = "largest number of restarts; if residuals are larger then, the record reports it; the run continues" },
    { .key = "deflate", .type = PARAM_BOOL, .offset = AT(deflate), .fallback = "false", .flags = PARAM_NUMERICAL,
      .doc = "begin the solves of this measurement with their part along the eigenvectors, which saves iterations" },
    { .key = "directory", .type = PARAM_TEXT, .offset = AT(directory), .fallback = "\"\"",
      .flags = PARAM_PATH | PARAM_FREE_TO_CHANGE,
      .doc = "folder for files of eigenvectors, NAME.TRAJECTORY.NUMBER.lime, which later measurements of the same "
             "links read; empty: none" },
    { 0 }
};
