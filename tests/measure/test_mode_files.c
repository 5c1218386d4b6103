/* test_mode_files.c - files of eigenvectors: measurements of the same links read them; those of other links, as of a
 * run with another seed, keep them and write their own. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <inttypes.h>
#include <string.h>

/* The last record of a file: header, and 16 digits. */
enum { LINKS_RECORD_BYTES = 144 + 16 };

static gauge *links_at_random(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(11, 0, 0, RNG_TEST));
    return u;
}

static char *text_of_modes(const yaml_node *tree)
{
    text t = { 0 };
    static const char *const lists[] = { "eigenvalues", "residuals" };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < measured_modes_count(tree); i++)
            text_add(&t, "%s ", yaml_get(measured_modes(tree), lists[k])->item[i]->scalar);
    static const char *const numbers[] = { "smallest", "upper", "cut", "degree", "restarts", "applications" };
    for (int k = 0; k < 6; k++)
        text_add(&t, "%s ", yaml_get(measured_modes(tree), numbers[k])->scalar);
    char *words = memory_alloc(t.length + 1, "modes");
    memcpy(words, text_string(&t), t.length + 1);
    text_free(&t);
    return words;
}

/* Measure; the modes as text, the iterations of the solves. */
static char *modes_by(const gauge *u, const char *folder, const char *kind, double *iterations)
{
    char keys[1024];
    snprintf(keys, sizeof keys, "%s, modes: { count: 4, residual: 1e-9, deflate: true, directory: \"%s\" }", kind,
             folder);
    yaml_node *tree = measured(u, keys);
    *iterations = measured_number(measured_member(tree, "iterations"));
    char *words = text_of_modes(tree);
    yaml_tree_free(tree);
    return words;
}

static bool same_file(const char *path, blob b)
{
    blob there = blob_read(path);
    const bool same = there.n == b.n && memcmp(there.bytes, b.bytes, b.n) == 0;
    free(there.bytes);
    return same;
}

/* NAME.000003.linksDIGEST.0.lime of links that came later; tests/measure/measured.h: trajectory 3. */
static text later_file(const gauge *u, const char *name)
{
    text file = { 0 };
    text_add(&file, "%s.000003.links%016" PRIx64 ".0.lime", name, configuration_digest(u, 64));
    return file;
}

/* A fact: Kiln logs, since log_open_file on this log, why the file `first` is kept. */
static void fact_logged(scratch *log, const char *name, const char *first, const char *why)
{
    failure f = { .why = "" };
    text lines = { 0 }, words = { 0 };
    log_close_file();
    text_add(&words, "%s: %s", first, why);
    fact(text_add_file(&lines, scratch_path(log, "log"), &f) && strstr(text_string(&lines), text_string(&words)),
         "%s: Kiln says that the first file %s%s", name, why, f.why);
    text_free(&words);
    text_free(&lines);
    remove(scratch_path(log, "log"));
}

/* A file that does not say whose links it has, of too few vectors: kept, the new one is beside it. */
static void unknown_links(gauge *u, scratch *s, scratch *log, const char *kind, const char *name)
{
    char keys[1024], first[300];
    snprintf(first, sizeof first, "%s.000003.0.lime", name);
    blob written = blob_read(scratch_path(s, first));
    text second = later_file(u, name);
    failure f;
    blob_write(scratch_path(s, first), written.bytes, written.n - LINKS_RECORD_BYTES);
    snprintf(keys, sizeof keys, "%s, modes: { count: 5, residual: 1e-9, directory: \"%s\" }", kind, s->folder);
    require(log_open_file(scratch_path(log, "log"), &f), "%s", f.why);
    yaml_tree_free(measured(u, keys));
    fact_logged(log, name, scratch_path(s, first), "does not say of which links it is, and is kept");
    blob kept = blob_read(scratch_path(s, first)), beside = blob_read(scratch_path(s, text_string(&second)));
    fact(kept.n == written.n - LINKS_RECORD_BYTES && beside.n > written.n, "%s: and the new one is beside it", name);
    remove(scratch_path(s, text_string(&second)));
    free(kept.bytes);
    free(beside.bytes);
    free(written.bytes);
    text_free(&second);
}

/* Modes of other links with the same stream and trajectory, as those of another seed: in a file beside the first one,
 * which stays. */
static void other_links(gauge *u, scratch *s, scratch *log, const char *kind, const char *name)
{
    failure f;
    double iterations;
    char first[300];
    snprintf(first, sizeof first, "%s.000003.0.lime", name);
    blob written = blob_read(scratch_path(s, first));
    gauge_set_random(u, rng_key_for(99, 0, 0, RNG_TEST));
    text second = later_file(u, name);
    require(log_open_file(scratch_path(log, "log"), &f), "%s", f.why);
    char *words = modes_by(u, s->folder, kind, &iterations);
    fact_logged(log, name, scratch_path(s, first), "has eigenvectors of other links and is kept");
    char *fresh = modes_by(u, "", kind, &iterations);
    blob beside = blob_read(scratch_path(s, text_string(&second)));
    fact(strcmp(words, fresh) == 0, "%s: a file of other links is not used", name);
    fact(same_file(scratch_path(s, first), written), "%s: and not changed", name);
    fact(beside.n > 0 && scratch_count(s) == 2, "%s: there is a second file, %s", name, text_string(&second));
    char *again = modes_by(u, s->folder, kind, &iterations);
    fact(strcmp(again, words) == 0 && same_file(scratch_path(s, text_string(&second)), beside)
         && scratch_count(s) == 2, "%s: which is read", name);
    /* The first one now also of these links, but of too few vectors: replaced. */
    char keys[1024];
    blob_write(scratch_path(s, first), beside.bytes, beside.n);
    snprintf(keys, sizeof keys, "%s, modes: { count: 5, residual: 1e-9, directory: \"%s\" }", kind, s->folder);
    yaml_tree_free(measured(u, keys));
    blob renewed = blob_read(scratch_path(s, first));
    fact(renewed.n > beside.n && scratch_count(s) == 2, "%s: a file of the same links is replaced by one of more "
         "vectors", name);
    free(renewed.bytes);
    free(beside.bytes);
    free(written.bytes);
    memory_free(words);
    memory_free(fresh);
    memory_free(again);
    text_free(&second);
}

/* A second measurement has the numbers of the first; other files are kept. */
static void kept_in_files(place where, const char *kind, const char *name)
{
    lattice *l = lattice_create_single((const int[]){ 4, 2, 2, 4 });
    gauge *u = links_at_random(l, where);
    scratch s = scratch_create(), log = scratch_create();
    double iterations[2];
    char file[300], *first = modes_by(u, s.folder, kind, &iterations[0]);
    snprintf(file, sizeof file, "%s.000003.0.lime", name);
    blob written = blob_read(scratch_path(&s, file));
    char *second = modes_by(u, s.folder, kind, &iterations[1]);
    fact(written.n > 0 && scratch_count(&s) == 1, "%s: the file %s", name, file);
    fact(strcmp(first, second) == 0 && iterations[0] == iterations[1], "%s: modes and solves of the file are the same",
         name);
    blob_write(scratch_path(&s, file), written.bytes, written.n - LINKS_RECORD_BYTES);
    char *earlier = modes_by(u, s.folder, kind, &iterations[1]);
    fact(strcmp(first, earlier) == 0 && scratch_count(&s) == 1, "%s: so they are from a file that does not say whose "
         "links it has, as earlier versions wrote it", name);
    memory_free(earlier);
    blob_write(scratch_path(&s, file), written.bytes, written.n);
    unknown_links(u, &s, &log, kind, name);
    blob_write(scratch_path(&s, file), written.bytes, written.n);
    other_links(u, &s, &log, kind, name);
    blob_write(scratch_path(&s, file), "my own text", 11);
    char keys[1024];
    snprintf(keys, sizeof keys, "%s, modes: { count: 4, directory: \"%s\" }", kind, s.folder);
    yaml_node *tree = measured(u, keys);
    blob kept = blob_read(scratch_path(&s, file));
    fact(strcmp(measured_member(tree, "converged")->scalar, "false") == 0 && kept.n == 11,
         "%s: a file that is not one of modes is kept, and reported: %s", name, measured_member(tree, "why")->scalar);
    yaml_tree_free(tree);
    free(kept.bytes);
    free(written.bytes);
    memory_free(first);
    memory_free(second);
    scratch_remove(&log);
    scratch_remove(&s);
    gauge_free(u);
    lattice_free(l);
}

/* Modes of two masses are in two files. */
static void file_of_each_mass(place where)
{
    lattice *l = lattice_create_single((const int[]){ 4, 2, 2, 4 });
    gauge *u = links_at_random(l, where);
    scratch s = scratch_create();
    double iterations;
    memory_free(modes_by(u, s.folder, "kind: wilson, correlators: false, spectrum: false, random_sources: 1, "
                                      "masses: [ { mass: 0.1 }, { mass: 0.4 } ]", &iterations));
    blob one = blob_read(scratch_path(&s, "wilson.000003.0.lime"));
    blob two = blob_read(scratch_path(&s, "wilson.000003.1.lime"));
    fact(scratch_count(&s) == 2 && one.n > 0 && two.n == one.n && memcmp(one.bytes, two.bytes, one.n) != 0,
         "two masses have two files of modes");
    free(two.bytes);
    free(one.bytes);
    scratch_remove(&s);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        kept_in_files(where, "kind: condensate, sources: 1, masses: [ { mass: 0.1 } ]", "condensate");
        kept_in_files(where, "kind: wilson, correlators: false, spectrum: false, random_sources: 1, "
                             "masses: [ { mass: 0.1 } ]", "wilson");
        file_of_each_mass(where);
    }
    return facts_end();
}
