/* run_input.c - read an input: the parameters of a run, or a list of its faults. */
#include "src/hmc/run_input.h"

#include "src/base/memory.h"
#include "src/base/utf8.h"
#include "src/config/yaml_path.h"
#include "src/hmc/run_anisotropy.h"
#include "src/hmc/run_checks.h"
#include "src/hmc/start_su3.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"
#include "src/io/partial_file.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The position of a key, or of the whole input if the key is missing. */
static yaml_place place_of(const yaml_node *tree, const char *group, const char *key)
{
    const yaml_node *node = tree, *inner = yaml_get(tree, group);
    if (inner)
        node = inner;
    if (inner && key && inner->type == YAML_MAPPING && (inner = yaml_get(inner, key)))
        node = inner;
    return node->place;
}

static yaml_place place_of_monomial(const run_params *p, int index)
{
    return ((const kind_item *)p->monomials.item)[index].place;
}

/* Report faults of the item `index` of `list`, for example "monomials".  A sentence that begins with a path within the
 * item, or with the item's name and such a path, is reported at the line of that value. */
static void add_item_fault(fault_list *faults, const yaml_node *tree, const char *list, int index, const char *name,
                           const char *sentence)
{
    const yaml_node *item = yaml_get(tree, list)->item[index];
    const size_t length = strlen(name);
    const bool named = strncmp(sentence, name, length) == 0 && strncmp(sentence + length, ": ", 2) == 0;
    const char *within = named ? sentence + length + 2 : sentence;
    yaml_place where = item->place;
    text path = { 0 };
    const char *rest = yaml_path_of_sentence(&path, &where, item, within);
    if (path.length > 0)
        fault_add(faults, where, "%s.%d.%s: %s", list, index, path.s, rest);
    else
        fault_add(faults, where, "%s.%d: %s", list, index, sentence);
    text_free(&path);
}

/* The place of item `index` of the list `key` of a level. */
static yaml_place place_in_level(const yaml_node *tree, int level, const char *key, int index)
{
    const yaml_node *levels = yaml_get(yaml_get(tree, "hmc"), "levels"), *list = yaml_get(levels->item[level], key);
    return list->item[index]->place;
}

/* Sentences "hmc.levels.1 (omelyan): ...", separated by "; ", each at its level. */
static void add_level_faults(fault_list *faults, const yaml_node *tree, char *sentences)
{
    static const char begin[] = "hmc.levels.";
    const yaml_node *levels = yaml_get(yaml_get(tree, "hmc"), "levels");
    for (char *one = sentences, *next; one; one = next) {
        const bool of_level = strncmp(one, begin, strlen(begin)) == 0;
        const int level = of_level ? atoi(one + strlen(begin)) : -1;
        if ((next = strstr(one, "; hmc.levels"))) {
            *next = '\0';
            next += 2;
        }
        fault_add(faults, level >= 0 && level < levels->count ? levels->item[level]->place : levels->place, "%s", one);
    }
}

static bool names_monomial(const run_params *p, const char *name)
{
    for (int m = 0; m < run_monomial_count(p); m++)
        if (strcmp(run_monomial_name(p, m), name) == 0)
            return true;
    return false;
}

static bool has_name(const text_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i], name) == 0)
            return true;
    return false;
}

/* Keys of the record, the output of kiln probe and the timers, which also use names of monomials as keys. */
static const char *const reserved_names[] = { "total", "kinetic", "H", "dH", "plaquette", "force", "drift", NULL };
enum { NAME_LENGTH_MAX = 31 };          /* of a timer */

static bool is_reserved(const char *name)
{
    for (int i = 0; reserved_names[i]; i++)
        if (strcmp(name, reserved_names[i]) == 0)
            return true;
    return false;
}

/* Also true for line breaks and noncharacters of Unicode, and for invalid UTF-8. */
static bool has_control_characters(const char *name)
{
    uint32_t c;
    for (int n; *name; name += n)
        if ((n = utf8_character(&c, name)) == 0 || c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029
            || c == 0xfeff || c == 0xfffe || c == 0xffff)
            return true;
    return false;
}

static void check_name(const char *section, const char *name, yaml_place where, fault_list *faults)
{
    if (is_reserved(name))
        fault_add(faults, where, "%s: the name \"%s\" is reserved: the record has a value of that name", section, name);
    if (strlen(name) > NAME_LENGTH_MAX)
        fault_add(faults, where, "%s: the name \"%s\" has %zu characters; at most %d are allowed", section, name,
                  strlen(name), NAME_LENGTH_MAX);
    if (has_control_characters(name))
        fault_add(faults, where, "%s: a name contains a control character", section);
}

/* Every monomial is on exactly one level (schedule_check refuses a second one), every name is known. */
static void check_names(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const level_params *levels = p->hmc.levels.item;
    static const char *const keys[] = { "monomials", "gauge_monomials" };
    yaml_place where = place_of(tree, "hmc", "levels");
    for (int l = 0; l < p->hmc.levels.count; l++)
        for (int both = 0; both < 2; both++) {
            const text_list *list = both ? &levels[l].gauge_monomials : &levels[l].monomials;
            for (int i = 0; i < list->count; i++)
                if (!names_monomial(p, list->item[i]))
                    fault_add(faults, place_in_level(tree, l, keys[both], i), "hmc.levels.%d.%s.%d: there is no "
                              "monomial \"%s\"", l, keys[both], i, list->item[i]);
        }
    for (int m = 0; m < run_monomial_count(p); m++) {
        const char *name = run_monomial_name(p, m);
        check_name("monomials", name, place_of_monomial(p, m), faults);
        bool placed = false, twice = false;
        for (int l = 0; l < p->hmc.levels.count; l++)
            placed |= has_name(&levels[l].monomials, name) || has_name(&levels[l].gauge_monomials, name);
        for (int other = 0; other < m; other++)
            twice |= strcmp(run_monomial_name(p, other), name) == 0;
        if (!placed && !run_is_pure_gauge(p))
            fault_add(faults, where, "hmc.levels: monomial \"%s\" is on no level: add it to one", name);
        if (twice)
            fault_add(faults, place_of_monomial(p, m), "monomials: two of them have the name \"%s\"", name);
    }
}

/* A fault of a measurement, at the item of its list, or at the measurement if the list is not in its item. */
typedef struct { const yaml_node *tree; const kind_item *item; int number; fault_list *faults; } mismatch_faults;

static void add_mismatch(void *out, const action_mismatch *m)
{
    const mismatch_faults *to = out;
    const yaml_node *all = yaml_get(to->tree, "measurements");
    const yaml_node *one = all && all->type == YAML_SEQUENCE && to->number < all->count ? all->item[to->number] : NULL;
    const yaml_node *list = one && one->type == YAML_MAPPING ? yaml_get(one, m->list) : NULL;
    const bool has_item = list && list->type == YAML_SEQUENCE && m->index >= 0 && m->index < list->count;
    if (m->is_fault)
        fault_add(to->faults, has_item ? list->item[m->index]->place : to->item->place, "measurements.%d.%s.%d: %s",
                  to->number, m->list, m->index, m->sentence);
}

typedef struct { const char *name; int index; } indexed_name;

static int by_name(const void *a, const void *b)
{
    const indexed_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->index - y->index;
}

static int by_index(const void *a, const void *b)
{
    return ((const indexed_name *)a)->index - ((const indexed_name *)b)->index;
}

/* One fault for each name that several measurements have, at the second of them. */
static void check_measurement_names(const param_list *list, fault_list *faults)
{
    const size_t count = (size_t)list->count, size = sizeof(indexed_name);
    indexed_name *all = memory_alloc(count * size, "names of measurements"), *second = all;
    for (int m = 0; m < list->count; m++)
        all[m] = (indexed_name){ measurement_name(list, m), m };
    qsort(all, count, size, by_name);
    for (size_t first = 0, end; first < count; first = end) {
        const indexed_name again = first + 1 < count ? all[first + 1] : all[first];
        for (end = first + 1; end < count && strcmp(all[end].name, all[first].name) == 0;)
            end++;
        if (end - first > 1)
            *second++ = again;
    }
    qsort(all, (size_t)(second - all), size, by_index);
    for (const indexed_name *n = all; n < second; n++)
        fault_add(faults, ((const kind_item *)list->item)[n->index].place,
                  "measurements: two of them have the name \"%s\"", n->name);
    memory_free(all);
}

static void check_measurements(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const param_list *list = &p->measurements;
    const lattice_shape shape = run_shape(p);
    failure why;
    if (list->count > MEASUREMENTS_MAX)
        fault_add(faults, place_of(tree, "measurements", NULL), "measurements: %d of them, but at most %d are allowed; "
                  "measure the others later, with kiln measure --input", list->count, MEASUREMENTS_MAX);
    for (int m = 0; m < list->count; m++) {
        yaml_place where = ((const kind_item *)list->item)[m].place;
        check_name("measurements", measurement_name(list, m), where, faults);
        if (!run_check_measurement(p, m, &shape, &why))
            add_item_fault(faults, tree, "measurements", m, measurement_name(list, m), why.why);
        measurement_compare(list, m, &p->monomials, add_mismatch,
                            &(mismatch_faults){ tree, (const kind_item *)list->item + m, m, faults });
    }
    check_measurement_names(list, faults);
}

/* Names of files begin with the output name: "NAME.checkpoint.000012.lime.corrupt.2".  File systems allow 255 bytes. */
enum { OUTPUT_NAME_MAX = 180 };

static void check_output_name(const char *name, yaml_place where, fault_list *faults)
{
    static const struct { const char *mark, *meaning; } marks[] = {
        { ".checkpoint", "states between configurations" }, { SAFE_FILE_TEMPORARY, "files that are being written" },
        { ".corrupt", "damaged files" }, { ".fields.", "momenta and pseudofermions of checkpoints" },
    };
    if (has_control_characters(name))
        fault_add(faults, where, "output: name: contains a control character (line break, tab, escape character, ...)");
    if (strlen(name) > OUTPUT_NAME_MAX)
        fault_add(faults, where, "output: name: has %zu bytes; at most %d are allowed, since names of files are longer",
                  strlen(name), OUTPUT_NAME_MAX);
    if (strchr(name, '/'))
        fault_add(faults, where, "output: name: \"%s\" must not contain a slash", name);
    if (name[0] == '.')
        fault_add(faults, where, "output: name: \"%s\" begins with a dot: its files would be hidden", name);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(name, marks[i].mark))
            fault_add(faults, where, "output: name: \"%s\" contains \"%s\", which marks %s in names of files", name,
                      marks[i].mark, marks[i].meaning);
}

/* Check values that depend on each other. */
static void check_together(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const lattice_shape shape = run_shape(p);
    failure why;
    if (!lattice_shape_is_possible(&shape, &why))
        fault_add(faults, place_of(tree, "lattice", NULL), "%s", why.why);
    if (p->start.from == START_FILE && !*p->start.file)
        fault_add(faults, place_of(tree, "start", NULL), "start: from: file needs the key \"file\"");
    if (p->start.from != START_FILE && *p->start.file)
        fault_add(faults, place_of(tree, "start", "file"), "start: file is given, but from is \"%s\", not \"file\"",
                  start_names[p->start.from]);
    if (shape.open_in_time && p->extents[3] < 4)
        fault_add(faults, place_of(tree, "lattice", NULL), "lattice: open boundaries in time need T of 4 or more");
    if (shape.open_in_time && p->start.copies[3] > 1)
        fault_add(faults, place_of(tree, "start", "copies"), "start: copies: open boundaries in time allow 1 in t");
    if (run_last_trajectory(p) > RNG_TRAJECTORIES)
        fault_add(faults, place_of(tree, "start", "trajectory"),
                  "start: trajectory: %" PRId64 " plus hmc.trajectories (%" PRId64 ") is more than %" PRId64
                  ", the largest number of a trajectory", p->start.trajectory, p->hmc.trajectories,
                  (int64_t)RNG_TRAJECTORIES);
    if (p->output.bits != 32 && p->output.bits != 64)
        fault_add(faults, place_of(tree, "output", "bits"), "output: bits: %d is neither 32 nor 64",
                  (int)p->output.bits);
    check_output_name(p->output.name, place_of(tree, "output", "name"), faults);
    if (run_monomial_count(p) > HMC_TERMS)
        fault_add(faults, place_of(tree, "monomials", NULL), "monomials: %d of them, but at most %d are allowed",
                  run_monomial_count(p), HMC_TERMS);
    for (int m = 0; m < run_monomial_count(p); m++)
        if (!run_check_monomial(p, m, &shape, &why))
            add_item_fault(faults, tree, "monomials", m, run_monomial_name(p, m), why.why);
    if (p->hmc.levels.count > 0 && !schedule_check(p->hmc.levels.item, p->hmc.levels.count, &why))
        add_level_faults(faults, tree, why.why);
    for (const run_check *c = run_checks; c->holds; c++)
        if (!c->holds(p, &why))
            fault_add(faults, place_of(tree, c->group, c->key), "%s: %s", c->path, why.why);
    check_names(p, tree, faults);
    check_measurements(p, tree, faults);
}

/* Whether the ranks of this world can divide the lattice. */
static bool check_grid(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    failure why;
    const bool ok = grid_is_possible_here(p->extents, run_hops(p), &why);
    if (!ok)
        fault_add(faults, place_of(tree, "lattice", NULL), "lattice: %s", why.why);
    return ok;
}

/* hmc.levels is required, except with a heat bath.  A value that is not a list was reported before. */
static void check_levels(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const yaml_node *hmc = yaml_get(tree, "hmc"), *levels = hmc ? yaml_get(hmc, "levels") : NULL;
    bool given = levels && !(levels->type == YAML_SEQUENCE && levels->count == 0);
    if (hmc && !given && !run_is_pure_gauge(p))
        fault_add(faults, place_of(tree, "hmc", "levels"),
                  "hmc: missing required key \"levels\" (a list of one or more mappings)");
}

/* Whether Kiln wrote the file into the folder of an ensemble, or into a folder below. */
static bool is_of_ensemble(const yaml_node *tree)
{
    const yaml_node *output = yaml_get(tree, "output");
    const yaml_node *directory = output && output->type == YAML_MAPPING ? yaml_get(output, "directory") : NULL;
    return directory && directory->type == YAML_SCALAR
           && (strcmp(directory->scalar, ENSEMBLE_IN_ITS_FOLDER) == 0
               || strcmp(directory->scalar, ENSEMBLE_ONE_ABOVE) == 0);
}

static bool is_accepted(const yaml_node *tree)
{
    run_params p = { .file = tree->place.file };
    fault_list faults = { 0 };
    schema_read(tree, run_param_specs, &p, &faults);
    const bool accepted = faults.count == 0;
    schema_free_values(run_param_specs, &p);
    fault_list_free(&faults);
    return accepted;
}

/* Take over the tree of the input and apply `sets`; without a tree the reason is in `why`. */
static bool apply_sets(run_input *in, char *const *sets, int set_count, failure *why, fault_list *faults)
{
    if (!in->tree) {
        fault_add_line(faults, why->why);
        return false;
    }
    const bool of_ensemble = is_of_ensemble(in->tree);
    for (int i = 0; i < set_count; i++) {
        const char *equals = strchr(sets[i], '=');
        text key = { 0 };
        if (equals)
            text_add_bytes(&key, sets[i], (size_t)(equals - sets[i]));
        bool done = equals ? yaml_set(in->tree, text_string(&key), equals + 1, why)
                           : fail(why, "--set %s: expected key.path=value", sets[i]);
        if (!done)
            fault_add_line(faults, why->why);        /* names the option: a --set has no line */
        text_free(&key);
    }
    in->p.file = in->tree->place.file;
    /* Ensembles of an earlier version have heatbath.sweeps 0 without a heat bath, which is invalid in new inputs. */
    if (of_ensemble && !is_accepted(in->tree))
        schema_read_former(in->tree, run_param_specs, &in->p, faults);
    else
        schema_read(in->tree, run_param_specs, &in->p, faults);
    check_levels(&in->p, in->tree, faults);
    if (faults->count == 0 && check_grid(&in->p, in->tree, faults))
        check_together(&in->p, in->tree, faults);
    return faults->count == 0;
}

bool run_input_read(run_input *in, const char *path, char *const *sets, int set_count, fault_list *faults)
{
    failure why;
    *in = (run_input){ .tree = disk_read_yaml(path, &why) };
    return apply_sets(in, sets, set_count, &why, faults);
}

bool run_input_read_text(run_input *in, const char *yaml, const char *name, char *const *sets, int set_count,
                         fault_list *faults)
{
    failure why;
    *in = (run_input){ .tree = yaml_read_string(yaml, name, &why) };
    return apply_sets(in, sets, set_count, &why, faults);
}

bool run_start_check(const run_input *in, fault_list *faults)
{
    const run_params *p = &in->p;
    links_info info;
    failure why;
    if (p->start.from != START_FILE)
        return true;
    bool readable = true;
    const char *key = !links_read_info(p->start.file, &info, &why)
                      || !configuration_fills(info.extents, p->start.copies, p->extents, p->start.file, &why) ? "file"
                      : start_su3_check_file(p, &readable, &why) ? NULL : readable ? "reunitarize" : "file";
    if (key)
        fault_add(faults, place_of(in->tree, "start", key), "start: %s: %s", key, why.why);
    return !key;
}

void run_input_free(run_input *in)
{
    schema_free_values(run_param_specs, &in->p);
    yaml_tree_free(in->tree);
    *in = (run_input){ 0 };
}
