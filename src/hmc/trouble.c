/* trouble.c - a failing step into a folder, and back. */
#include "src/hmc/trouble.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/hmc/ensemble_parameters.h"
#include "src/io/npy.h"
#include "src/io/run_state.h"
#include "src/io/safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TROUBLE "trouble."

typedef struct { int dimensions; size_t n[8]; } array_shape;

/* [t][z][y][x][mu][row][col][re,im] */
static array_shape matrices_on(const lattice *l)
{
    const int *n = lattice_extents(l);
    return (array_shape){ 8, { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 } };
}

/* [t][z][y][x][reals], with slabs [slice][t][z][y][x][spin][reals] */
static array_shape shape_of(const field *f)
{
    const int *n = lattice_extents(f->lattice);
    const size_t t = (size_t)n[3], z = (size_t)n[2], y = (size_t)n[1], x = (size_t)n[0], reals = (size_t)f->reals;
    if (f->slabs == 1)
        return (array_shape){ 5, { t, z, y, x, reals } };
    return (array_shape){ 7, { (size_t)f->slabs / SLAB_GROUP, t, z, y, x, SLAB_GROUP, reals } };
}

static double *numbers_for(array_shape shape)
{
    size_t count = 1;
    for (int i = 0; i < shape.dimensions; i++)
        count *= shape.n[i];
    return memory_alloc(count * sizeof(double), "a field on its way to a file");
}

/* "FOLDER/NAME" */
static text path_in(const char *folder, const char *name)
{
    text path = { 0 };
    text_add(&path, "%s/%s", folder, name);
    return path;
}

/* "TERM.FIELD.npy", or with the number of the field; a slash in the name of a term is %2F there. */
static text field_path(const char *folder, const char *term, int index, const char *what)
{
    text path = { 0 };
    text_add(&path, "%s/", folder);
    for (const char *c = term; *c; c++)
        text_add(&path, *c == '/' || *c == '%' ? "%%%02X" : "%c", *c);
    if (what)
        text_add(&path, ".%s.npy", what);
    else
        text_add(&path, ".%d.npy", index);
    return path;
}

static bool write_numbers(text path, const double *numbers, array_shape shape, failure *f)
{
    bool ok = npy_write(text_string(&path), numbers, shape.dimensions, shape.n, f);
    text_free(&path);
    return ok;
}

static bool write_fields(const char *folder, hmc *h, failure *f)
{
    bool ok = true;
    for (int t = 0; ok && t < hmc_term_count(h); t++) {
        const evolve_term *term = &hmc_terms(h)[t];
        const char *name = NULL;
        field *of;
        for (int i = 0; ok && (of = monomial_field(term->m, i, &name)) != NULL; i++, name = NULL) {
            double *numbers = numbers_for(shape_of(of));
            field_export(numbers, of);
            ok = write_numbers(field_path(folder, term->name, i, name), numbers, shape_of(of), f);
            memory_free(numbers);
        }
    }
    return ok;
}

static bool write_matrices(const char *folder, hmc *h, const gauge *u, failure *f)
{
    lattice *l = u->links.lattice;
    double *numbers = numbers_for(matrices_on(l));
    gauge_export(numbers, u);
    bool ok = write_numbers(path_in(folder, "links.npy"), numbers, matrices_on(l), f);
    if (ok && hmc_momenta(h)) {
        momentum_export(numbers, hmc_momenta(h));
        ok = write_numbers(path_in(folder, "momenta.npy"), numbers, matrices_on(l), f);
    }
    memory_free(numbers);
    return ok;
}

static bool write_facts(const char *folder, const run_params *p, hmc *h, int64_t number, const hmc_trouble *t,
                        failure *f)
{
    json j = { 0 };
    char seed[32];
    state_memory memory;
    text path = path_in(folder, "trouble.json");
    const evolve_term *term = &hmc_terms(h)[t->term];
    hmc_recall(h, &memory);
    snprintf(seed, sizeof seed, "%" PRIu64, (uint64_t)p->random.seed);
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", number);
    json_text(&j, "step", hmc_step_names[t->step]);
    json_text(&j, "term", term->name);
    json_text(&j, "reason", t->why.why);
    json_text(&j, "seed", seed);
    json_int(&j, "stream", p->random.stream);
    json_bool(&j, "momenta", hmc_momenta(h) != NULL);
    state_memory_to_json(&j, &memory);
    json_open(&j, "report", '{');
    monomial_report(term->m, &j);
    json_close(&j);
    json_close(&j);
    bool ok = safe_file_write_text(text_string(&path), json_string(&j), false, f);
    json_free(&j);
    text_free(&path);
    return ok;
}

/* Remove a folder with the files in it. */
static bool remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    return rmdir(path) == 0;
}

static bool is_half_written(const char *name)
{
    return strncmp(name, TROUBLE, strlen(TROUBLE)) == 0 && strstr(name, SAFE_FILE_TEMPORARY);
}

void trouble_sweep(const char *directory)
{
    DIR *folder = opendir(directory);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!is_half_written(entry->d_name))
            continue;
        text path = path_in(directory, entry->d_name);
        if (!remove_folder(text_string(&path)))
            log_line(LOG_WARNING, "%s, left by a process that was killed, cannot be removed: %s", text_string(&path),
                     strerror(errno));
        text_free(&path);
    }
    if (folder)
        closedir(folder);
}

/* Give the folder its name, the first that is free: the lock is held. */
static bool take_name(text *folder, const char *partial, const run_params *p, int64_t number, failure *f)
{
    struct stat there;
    text_add(folder, "%s/" TROUBLE "%06" PRId64, p->output.directory, number);
    for (int n = 2; lstat(text_string(folder), &there) == 0; n++) {
        text_clear(folder);
        text_add(folder, "%s/" TROUBLE "%06" PRId64 ".%d", p->output.directory, number, n);
    }
    int above = open(p->output.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = above >= 0 && rename(partial, text_string(folder)) == 0;
    if (!ok)
        fail(f, "%s: cannot be renamed to %s: %s", partial, text_string(folder), strerror(errno));
    if (ok && fsync(above) != 0 && errno != EINVAL)
        log_line(LOG_WARNING, "%s: the folder cannot be synchronised: %s", p->output.directory, strerror(errno));
    if (above >= 0)
        close(above);
    return ok;
}

bool trouble_write(text *folder, const run_params *p, hmc *h, const gauge *u, int64_t number, const hmc_trouble *t,
                   failure *f)
{
    text partial = { 0 };
    text_add(&partial, "%s/" TROUBLE "%06" PRId64 SAFE_FILE_TEMPORARY "%ld", p->output.directory, number,
             (long)getpid());
    const char *path = text_string(&partial);
    *folder = (text){ 0 };
    bool made = mkdir(path, 0777) == 0;
    if (!made)
        fail(f, "%s: cannot be created: %s", path, strerror(errno));
    bool ok = made && ensemble_parameters_write(path, p, f) && write_matrices(path, h, u, f)
              && write_fields(path, h, f) && write_facts(path, p, h, number, t, f)
              && take_name(folder, path, p, number, f);
    if (made && !ok)
        remove_folder(path);
    text_free(&partial);
    return ok;
}

/* The text under `key`; NULL, and the reason, if it is not there. */
static const char *word(const yaml_node *tree, const char *key, const char *path, failure *f)
{
    const yaml_node *node = yaml_get(tree, key);
    if (node && node->type == YAML_SCALAR)
        return node->scalar;
    fail(f, "%s: \"%s\" is missing", path, key);
    return NULL;
}

static bool read_count(uint64_t *value, const yaml_node *tree, const char *key, const char *path, failure *f)
{
    const char *s = word(tree, key, path, f);
    char *end;
    errno = 0;
    if (!s)
        return false;
    *value = strtoull(s, &end, 10);
    return (end != s && !*end && *s != '-' && !errno) || fail(f, "%s: \"%s\" is \"%.40s\", no count", path, key, s);
}

static bool read_step(hmc_step *step, const yaml_node *tree, const char *path, failure *f)
{
    const char *s = word(tree, "step", path, f);
    for (int i = STEP_PREPARE; s && hmc_step_names[i]; i++)
        if (strcmp(hmc_step_names[i], s) == 0) {
            *step = (hmc_step)i;
            return true;
        }
    return s && fail(f, "%s: there is no step \"%.40s\"", path, s);
}

static bool read_facts(trouble_facts *facts, const yaml_node *tree, const char *path, failure *f)
{
    uint64_t trajectory = 0, stream = 0;
    const char *term = NULL, *reason = NULL, *momenta = NULL;
    bool ok = (tree->type == YAML_MAPPING || fail(f, "%s: not an object of JSON", path))
              && read_count(&trajectory, tree, "trajectory", path, f) && read_step(&facts->step, tree, path, f)
              && (term = word(tree, "term", path, f)) && (reason = word(tree, "reason", path, f))
              && (momenta = word(tree, "momenta", path, f)) && read_count(&facts->seed, tree, "seed", path, f)
              && read_count(&stream, tree, "stream", path, f)
              && state_memory_from_tree(&facts->memory, tree, path, f);
    if (!ok)
        return false;
    if (trajectory > INT64_MAX || stream > UINT32_MAX)
        return fail(f, "%s: trajectory or stream are out of bounds", path);
    facts->trajectory = (int64_t)trajectory;
    facts->stream = (uint32_t)stream;
    facts->has_momenta = strcmp(momenta, "true") == 0;
    snprintf(facts->term, sizeof facts->term, "%s", term);
    snprintf(facts->reason.why, sizeof facts->reason.why, "%s", reason);
    return true;
}

bool trouble_read(trouble_facts *facts, const char *folder, failure *f)
{
    text path = path_in(folder, "trouble.json");
    yaml_node *tree = yaml_read_file(text_string(&path), f);
    *facts = (trouble_facts){ .step = STEP_NONE };
    bool ok = tree && read_facts(facts, tree, text_string(&path), f);
    yaml_tree_free(tree);
    text_free(&path);
    return ok;
}

/* NULL with the reason. */
static double *read_numbers(text path, array_shape shape, failure *f)
{
    double *numbers = npy_read(text_string(&path), shape.dimensions, shape.n, f);
    text_free(&path);
    return numbers;
}

static bool read_links(gauge *u, const char *folder, failure *f)
{
    double *numbers = read_numbers(path_in(folder, "links.npy"), matrices_on(u->links.lattice), f);
    if (numbers)
        gauge_import(u, numbers);
    memory_free(numbers);
    return numbers != NULL;
}

/* Kiln wrote them: they are antihermitian and traceless to the last bit. */
static bool read_momenta(momentum *p, const char *folder, failure *f)
{
    double *numbers = read_numbers(path_in(folder, "momenta.npy"), matrices_on(p->f.lattice), f);
    bool ok = numbers && (momentum_import(p, numbers) == 0
                          || fail(f, "%s/momenta.npy: these are no momenta of Kiln's", folder));
    memory_free(numbers);
    return ok;
}

static bool read_fields(hmc *h, const char *folder, failure *f)
{
    for (int t = 0; t < hmc_term_count(h); t++) {
        const evolve_term *term = &hmc_terms(h)[t];
        const char *name = NULL;
        field *of;
        for (int i = 0; (of = monomial_field(term->m, i, &name)) != NULL; i++, name = NULL) {
            double *numbers = read_numbers(field_path(folder, term->name, i, name), shape_of(of), f);
            if (!numbers)
                return false;
            field_import(of, numbers);
            memory_free(numbers);
        }
    }
    return true;
}

static int find_term(const hmc *h, const char *name)
{
    for (int t = 0; t < hmc_term_count(h); t++)
        if (strcmp(hmc_terms(h)[t].name, name) == 0)
            return t;
    return -1;
}

bool trouble_load(gauge *u, momentum *p, hmc *h, int *term, const trouble_facts *facts, const char *folder, failure *f)
{
    bool needs_fields = facts->step == STEP_ACTION || facts->step == STEP_FORCE;
    *term = find_term(h, facts->term);
    if (*term < 0)
        return fail(f, "%s/trouble.json: the parameters have no monomial \"%s\"", folder, facts->term);
    hmc_remember(h, &facts->memory);
    return read_links(u, folder, f) && (!p || !facts->has_momenta || read_momenta(p, folder, f))
           && (!needs_fields || read_fields(h, folder, f));
}
