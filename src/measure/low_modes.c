/* low_modes.c - the lowest eigenpairs of C^+C, as part of a measurement of quarks. */
#include "src/measure/low_modes.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"
#include "src/io/vectors_file.h"
#include "src/measure/numbered_file.h"

#include <errno.h>
#include <string.h>

struct low_modes {
    const low_modes_params *params;
    deflation *pairs;
};

static eigen_goal goal_of(const low_modes_params *p)
{
    return (eigen_goal){ .count = (int)p->count, .basis = p->given.basis ? (int)p->basis : 0, .residual = p->residual,
                         .cut = p->cut, .degree = (int)p->degree, .max_restarts = (int)p->max_restarts };
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
    const eigen_goal goal = goal_of(p);
    m->pairs = deflation_create(&like, &goal);
    return m;
}

void low_modes_free(low_modes *m)
{
    if (!m)
        return;
    deflation_free(m->pairs);
    memory_free(m);
}

memory_need low_modes_bytes(const low_modes_params *p, const lattice_shape *shape, low_modes_sites of)
{
    if (p->count == 0)
        return (memory_need){ 0 };
    const eigen_goal goal = goal_of(p);
    const size_t vectors = (size_t)deflation_vectors(&goal) * (size_t)of.slabs;
    return (memory_need){ .lasting = vectors * vec_bytes(shape, PRECISION_DOUBLE, of.on) };
}

/* ---- files */

/* Numbers of a file after eigenvalues and residuals. */
enum { AT_UPPER, AT_CUT, AT_DEGREE, AT_RESTARTS, AT_APPLICATIONS, RESULT_NUMBERS };

/* The names of the file of links with this digest: `other` if the first one is taken by other links. */
typedef struct { text first, other; bool taken; uint64_t links; } file_names;

/* The vectors of the pairs, and memory for their numbers; release with free_file. */
static vectors_of_file file_of(const low_modes *m)
{
    const int count = (int)m->params->count, numbers = 2 * count + RESULT_NUMBERS;
    vec **x = memory_alloc((size_t)count * sizeof *x, "vectors of a file");
    for (int i = 0; i < count; i++)
        x[i] = deflation_vector(m->pairs, i);
    return (vectors_of_file){ .what = "eigenvectors", .x = x, .count = count, .numbers = numbers,
                              .number = memory_alloc((size_t)numbers * sizeof(double), "numbers of a file") };
}

static void free_file(vectors_of_file *v)
{
    memory_free((void *)v->x);
    memory_free(v->number);
}

static bool write_file(const low_modes *m, const file_names *names, bool replace, failure *f)
{
    vectors_of_file v = file_of(m);
    v.links = names->links;
    v.other_name = text_string(&names->other);
    const eigen_result *result = deflation_result(m->pairs);
    double *rest = v.number + 2 * v.count;
    for (int i = 0; i < v.count; i++) {
        v.number[i] = deflation_pairs(m->pairs)[i].value;
        v.number[v.count + i] = deflation_pairs(m->pairs)[i].residual;
    }
    rest[AT_UPPER] = result->upper;
    rest[AT_CUT] = result->cut;
    rest[AT_DEGREE] = result->degree;
    rest[AT_RESTARTS] = result->restarts;
    rest[AT_APPLICATIONS] = (double)result->applications;
    const bool ok = vectors_file_write(text_string(names->taken ? &names->other : &names->first), &v, replace, f);
    free_file(&v);
    return ok;
}

/* VECTORS_READ: the pairs come from the file. */
static vectors_state read_file(low_modes *m, const char *path, const linop *a, failure *f)
{
    vectors_of_file v = file_of(m);
    vectors_state state = vectors_file_read(path, &v, f);
    const double *rest = v.number + 2 * v.count;
    if (state == VECTORS_READ) {
        const eigen_result from = { .upper = rest[AT_UPPER], .cut = rest[AT_CUT], .degree = (int)rest[AT_DEGREE],
                                    .restarts = (int)rest[AT_RESTARTS],
                                    .applications = (int64_t)rest[AT_APPLICATIONS] };
        if (!deflation_accept(m->pairs, a, &from)) {
            fail(f, "%s: the eigenvectors are not those of these links, or not good enough", path);
            state = VECTORS_OTHER;
        }
    }
    free_file(&v);
    return state;
}

static bool compute(low_modes *m, const low_modes_task *task, failure *f)
{
    failure why;
    return deflation_compute(m->pairs, task->a, task->key, task->first_draw, &why) || fail(f, "modes: %s", why.why);
}

static void set_names(file_names *n, const low_modes *m, const low_modes_task *task)
{
    n->links = configuration_digest(task->u, 64);
    text_add(&n->first, "%s/%s", m->params->directory, task->name);
    text_add(&n->other, "%s", text_string(&n->first));
    numbered_file_add(&n->first, task->key, task->number);
    numbered_file_add_of_links(&n->other, task->key, n->links, task->number);
}

/* Read the pairs from the file under the first name, unless it is one of other links, or else under the other name. */
static vectors_state read_files(low_modes *m, file_names *n, const linop *a, failure *f)
{
    const file_links of = vectors_file_links(text_string(&n->first), n->links);
    vectors_state state = VECTORS_OTHER;
    if (of != LINKS_OTHER)
        state = read_file(m, text_string(&n->first), a, f);
    n->taken = state == VECTORS_OTHER && of != LINKS_SAME;
    return n->taken ? read_file(m, text_string(&n->other), a, f) : state;
}

/* A second run may have written the file under the first name while this one computed. */
static void log_names(const file_names *n)
{
    const char *first = text_string(&n->first), *other = text_string(&n->other);
    const file_links of = vectors_file_links(first, n->links);
    if (of == LINKS_OTHER)
        log_line(LOG_INFO, "%s: has eigenvectors of other links and is kept; those of the present links are in %s",
                 first, other);
    else if (of == LINKS_UNKNOWN)
        log_line(LOG_INFO, "%s: does not say of which links it is, and is kept; the eigenvectors of the present links "
                           "are in %s", first, other);
}

static bool compute_with_file(low_modes *m, const low_modes_task *task, failure *f)
{
    file_names n = { .taken = false };
    set_names(&n, m, task);
    const vectors_state state = read_files(m, &n, task->a, f);
    if (state == VECTORS_OTHER)
        log_line(LOG_WARNING, "%s; Kiln computes them again", f->why);
    bool ok = state == VECTORS_READ;
    if (state == VECTORS_ABSENT || state == VECTORS_OTHER) {
        ok = compute(m, task, f) && write_file(m, &n, state == VECTORS_OTHER, f);
        if (ok)
            log_names(&n);
    }
    text_free(&n.first);
    text_free(&n.other);
    return ok;
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
        ok = fail_system(f, errno, "modes: the folder %s cannot be created: %s", folder, strerror(errno));
    } else {
        ok = compute_with_file(m, task, f);
    }
    clock_end(clock);
    return ok;
}

void low_modes_to_json(json *j, const low_modes *m)
{
    if (!m)
        return;
    const eigen_result *result = deflation_result(m->pairs);
    const eigen_pair *pair = deflation_pairs(m->pairs);
    const int count = result->found;
    double *numbers = memory_alloc((size_t)count * sizeof *numbers, "eigenvalues");
    json_open(j, "modes", '{');
    json_real(j, "smallest", pair[0].value);
    for (int i = 0; i < count; i++)
        numbers[i] = pair[i].value;
    json_reals(j, "eigenvalues", numbers, count);
    for (int i = 0; i < count; i++)
        numbers[i] = pair[i].residual;
    json_reals(j, "residuals", numbers, count);
    json_real(j, "upper", result->upper);
    json_real(j, "cut", result->cut);
    json_int(j, "degree", result->degree);
    json_int(j, "restarts", result->restarts);
    json_int(j, "applications", result->applications);
    json_close(j);
    memory_free(numbers);
}

const deflation *low_modes_deflation(const low_modes *m)
{
    return m && m->params->deflate ? m->pairs : NULL;
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
      .doc = "lower end of the interval that the Chebyshev filter suppresses, above the requested eigenvalues; without "
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
      .doc = "folder for files of eigenvectors, NAME.TRAJECTORY.NUMBER.lime (of stream S, if it is not 0: "
             "NAME.streamS.TRAJECTORY.NUMBER.lime; if that file has other links: .linksDIGEST before .NUMBER), which "
             "later measurements of the same links read; empty: none" },
    { 0 }
};
