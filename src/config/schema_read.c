/* schema_read.c - checks a YAML tree against tables of parameters and fills structs.
 *
 * A mapping is read in the order of the file, so that faults are reported in the order in which people read
 * them; missing keys are reported after the others.  Reading continues after a fault. */
#include "src/config/schema.h"

#include "src/base/memory.h"
#include "src/config/schema_describe.h"
#include "src/config/schema_hint.h"
#include "src/config/schema_value.h"
#include "src/config/suggest.h"

#include <string.h>
#include <sys/stat.h>

typedef struct {
    fault_list *faults;
    text path;                     /* "hmc.levels.0": the path of the value that is read; "" at the top */
    const yaml_place *instead;     /* replaces the place of a node, for values that come from a default; or NULL */
    const char *input;             /* path of the input */
    bool former;                   /* an earlier version wrote the input (param_spec.formerly) */
    const schema_scope *scope;     /* the innermost mapping */
} context;

typedef void value_reader(context *c, const yaml_node *node, const param_spec *spec, void *field);
static value_reader *const readers[PARAM_KINDS + 1];

/* `mapping` NULL: all of `specs` is missing at `place`.  `of_kind`: the key "kind" belongs to it as well. */
static void read_mapping(context *c, const yaml_node *mapping, yaml_place place, const param_spec *specs, void *values,
                         bool of_kind);

static void fault(context *c, yaml_place place, const char *sentence)
{
    fault_add(c->faults, place, "%s%s%s", text_string(&c->path), c->path.length ? ": " : "", sentence);
}

static void fault_text(context *c, yaml_place place, text *sentence)      /* releases the sentence */
{
    fault(c, place, text_string(sentence));
    text_free(sentence);
}

static size_t enter(context *c, const char *key)
{
    size_t outside = c->path.length;
    text_add(&c->path, "%s%s", outside ? "." : "", key);
    return outside;
}

static size_t enter_item(context *c, int index)
{
    size_t outside = c->path.length;
    text_add(&c->path, "%s%d", outside ? "." : "", index);
    return outside;
}

static void leave(context *c, size_t outside)
{
    c->path.length = outside;
    c->path.s[outside] = '\0';
}

static yaml_place place_of(const context *c, const yaml_node *node)
{
    return c->instead ? *c->instead : node->place;
}

static void fault_wrong_type(context *c, const yaml_node *node, const param_spec *spec)
{
    text why = { 0 };
    describe_mismatch(&why, spec, node);
    fault_text(c, node->place, &why);
}

/* Scalars. */

static void read_one(context *c, const yaml_node *node, const param_spec *spec, void *field, scalar_reader *read)
{
    text why = { 0 };
    if (!read(node, spec, field, &why)) {
        schema_hint_choice(&why, c->scope, spec, node);
        fault(c, node->place, text_string(&why));
    }
    text_free(&why);
}

/* A relative path is relative to the working directory if given by --set, to the folder of the input if in the input;
 * an input from a pipe has no folder. */
static void read_path(context *c, const yaml_node *node, char **path)
{
    const bool from_set = !c->instead && strcmp(node->place.file, c->input) != 0;
    struct stat input;
    if (!from_set && **path && **path != '/' && stat(c->input, &input) == 0 && !S_ISREG(input.st_mode))
        fault(c, node->place, "a relative path is relative to the folder of the input, but this input is not a regular "
                              "file; write an absolute path, or give the key with --set");
    const char *why = schema_make_absolute(path, from_set ? NULL : c->input);
    if (why)
        fault(c, node->place, why);
}

static void read_scalar(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    static scalar_reader *const scalar_readers[] = {
        [PARAM_INT] = read_int, [PARAM_REAL] = read_real, [PARAM_BOOL] = read_bool, [PARAM_TEXT] = read_text,
        [PARAM_CHOICE] = read_choice,
    };
    read_one(c, node, spec, field, scalar_readers[spec->type]);
    if ((spec->flags & PARAM_PATH) && *(char **)field)
        read_path(c, node, field);
}

/* Lists. */

static bool is_list(context *c, const yaml_node *node, const param_spec *spec)
{
    if (node->type == YAML_SEQUENCE && (node->count > 0 || !(spec->flags & PARAM_NOT_EMPTY)))
        return true;
    fault_wrong_type(c, node, spec);
    return false;
}

/* `count` numbers of `bytes` each */
static void read_numbers(context *c, const yaml_node *node, const param_spec *spec, void *field, int count,
                         size_t bytes, scalar_reader *reader)
{
    if (!is_list(c, node, spec))
        return;
    if (node->count != count) {
        text why = { 0 };
        text_add(&why, "expected ");
        describe_allowed(&why, spec);
        text_add(&why, ", found a list of %d", node->count);
        fault_text(c, node->place, &why);
        return;
    }
    for (int i = 0; i < count; i++) {
        size_t outside = enter_item(c, i);
        read_one(c, node->item[i], spec, (char *)field + (size_t)i * bytes, reader);
        leave(c, outside);
    }
}

static void read_int4(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    read_numbers(c, node, spec, field, 4, sizeof(int), read_int32);
}

static void read_real3(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    read_numbers(c, node, spec, field, 3, sizeof(double), read_real);
}

static void read_texts(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    static const param_spec element = { .key = "item", .type = PARAM_TEXT, .flags = PARAM_NOT_EMPTY };
    if (!is_list(c, node, spec))
        return;
    text_list *list = field;
    list->count = node->count;
    list->item = memory_alloc(sizeof *list->item * (size_t)node->count, "a list of the input");
    for (int i = 0; i < node->count; i++) {
        size_t outside = enter_item(c, i);
        read_one(c, node->item[i], &element, &list->item[i], read_text);
        leave(c, outside);
    }
}

static const param_spec group_spec = { .key = "item", .type = PARAM_GROUP };       /* an item of a list of mappings */

static void read_group(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    if (node->type == YAML_MAPPING)
        read_mapping(c, node, place_of(c, node), spec->group, field, false);
    else
        fault_wrong_type(c, node, spec);
}

static void read_list(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    if (!is_list(c, node, spec))
        return;
    param_spec element = group_spec;
    element.group = spec->group;
    param_list *list = field;
    list->count = node->count;
    list->item = memory_alloc(spec->element_size * (size_t)node->count, "a list of the input");
    for (int i = 0; i < node->count; i++) {
        size_t outside = enter_item(c, i);
        read_group(c, node->item[i], &element, (char *)list->item + spec->element_size * (size_t)i);
        leave(c, outside);
    }
}

/* Lists of kinds: the key "kind" of an item picks the table for its other keys. */

static const char kind_key[] = "kind";

/* The index of the kind that an item names, or -1 after reporting the fault. */
static int find_kind(context *c, const yaml_node *item, const param_kind *const *kinds)
{
    const yaml_node *name = yaml_get(item, kind_key);
    const int known = param_kind_of(kinds, item);
    if (known >= 0)
        return known;
    text why = { 0 };
    if (!name) {
        text_add(&why, "missing required key \"%s\" (one of ", kind_key);
        describe_kinds(&why, kinds);
        text_add(&why, ")");
    } else {
        text_add(&why, "unknown kind ");
        describe_found(&why, name);
        text_add(&why, "; allowed: ");
        describe_kinds(&why, kinds);
        near_miss near = { .word = name->type == YAML_SCALAR ? name->scalar : "" };
        for (const param_kind *const *kind = kinds; *kind; kind++)
            suggest_try(&near, (*kind)->name);
        suggest_report(&why, &near);
    }
    fault_text(c, name ? name->place : item->place, &why);
    return -1;
}

static void read_kinds(context *c, const yaml_node *node, const param_spec *spec, void *field)
{
    static const param_spec nothing[] = { { 0 } };
    if (!is_list(c, node, spec))
        return;
    param_list *list = field;
    list->count = node->count;
    kind_item *items = list->item = memory_alloc(sizeof *items * (size_t)node->count, "a list of the input");
    for (int i = 0; i < node->count; i++) {
        const yaml_node *item = node->item[i];
        size_t outside = enter_item(c, i);
        items[i] = (kind_item){ -1, NULL, place_of(c, item) };
        if (item->type != YAML_MAPPING)
            fault_wrong_type(c, item, &group_spec);
        else if ((items[i].kind = find_kind(c, item, spec->kinds)) >= 0) {
            const param_kind *kind = spec->kinds[items[i].kind];
            items[i].params = memory_alloc(kind->size, kind->name);
            read_mapping(c, item, items[i].place, kind->params ? kind->params : nothing, items[i].params, true);
        }
        leave(c, outside);
    }
}

static value_reader *const readers[PARAM_KINDS + 1] = {
    [PARAM_INT] = read_scalar,   [PARAM_REAL] = read_scalar, [PARAM_BOOL] = read_scalar, [PARAM_TEXT] = read_scalar,
    [PARAM_CHOICE] = read_scalar, [PARAM_INT4] = read_int4,  [PARAM_REAL3] = read_real3, [PARAM_TEXTS] = read_texts,
    [PARAM_GROUP] = read_group,  [PARAM_LIST] = read_list,   [PARAM_KINDS] = read_kinds,
};

/* Mappings. */

static void fault_unknown(context *c, const yaml_node *key, const param_spec *specs, bool of_kind)
{
    text why = { 0 };
    schema_hint_unknown(&why, c->scope, key, specs, of_kind ? kind_key : NULL, text_string(&c->path));
    fault_text(c, key->place, &why);
}

static void fault_duplicate(context *c, const yaml_node *key, const yaml_node *first)
{
    text why = { 0 };
    const yaml_place at = first->place;
    text_add(&why, "duplicate key \"%s\"; the first is at %s:%d:%d", key->scalar, at.file, at.line, at.column);
    schema_hint_duplicate(&why, c->scope, text_string(&c->path));
    fault_text(c, key->place, &why);
}

static void fault_missing(context *c, yaml_place place, const param_spec *spec)
{
    text why = { 0 };
    text_add(&why, "missing required key \"%s\" (", spec->key);
    describe_allowed(&why, spec);
    text_add(&why, ")");
    fault_text(c, place, &why);
}

/* A key that does not apply with the values of other keys is an error of the user, even if it has its default. */
static void fault_not_chosen(context *c, const yaml_node *key, const param_spec *specs, const param_spec *spec,
                             const void *values)
{
    text why = { 0 };
    describe_not_chosen(&why, specs, spec, values);
    fault_text(c, key->place, &why);
}

/* The default is read like a value of the user; an invalid default is an error in the table. */
static void read_fallback(yaml_place place, const param_spec *spec, void *field)
{
    fault_list faults = { 0 };
    failure f;
    context c = { .faults = &faults, .instead = &place, .input = place.file };
    bool empty_text = spec->type == PARAM_TEXT && !*spec->fallback;
    yaml_node *tree = yaml_read_string(empty_text ? "\"\"" : spec->fallback, "default", &f);
    require(tree != NULL, "the default of the parameter %s is not YAML: %s", spec->key, f.why);
    readers[spec->type](&c, tree, spec, field);
    require(faults.count == 0, "the default of the parameter %s is not allowed: %s", spec->key,
            text_string(&faults.lines));
    yaml_tree_free(tree);
    text_free(&c.path);
    fault_list_free(&faults);
}

void schema_read_default(const param_spec *spec, void *field)
{
    read_fallback((yaml_place){ .file = "default", .line = 1, .column = 1 }, spec, field);
}

static void read_missing(context *c, yaml_place place, const param_spec *spec, void *field)
{
    if (!spec->fallback) {
        if (!(spec->flags & PARAM_OPTIONAL))
            fault_missing(c, place, spec);
    } else if (spec->type == PARAM_GROUP && strcmp(spec->fallback, "{}") == 0) {
        /* Not read_fallback: the user must give members that have no default. */
        size_t outside = enter(c, spec->key);
        read_mapping(c, NULL, place, spec->group, field, false);
        leave(c, outside);
    } else {
        read_fallback(place, spec, field);
    }
}

static int find_key(const param_spec *specs, int count, bool of_kind, const char *key)
{
    for (int s = 0; s < count; s++)
        if (strcmp(specs[s].key, key) == 0)
            return s;
    return of_kind && strcmp(key, kind_key) == 0 ? count : -1;
}

static void read_mapping(context *c, const yaml_node *mapping, yaml_place place, const param_spec *specs, void *values,
                         bool of_kind)
{
    int count = 0;
    while (specs[count].key)
        count++;
    /* The key node by which each parameter was given, "kind" last, and whether its value was refused. */
    const yaml_node **given = memory_alloc(sizeof *given * ((size_t)count + 1), "the keys of a mapping");
    bool *refused = memory_alloc(sizeof *refused * ((size_t)count + 1), "the keys of a mapping");
    const schema_scope *outer = c->scope, scope = { outer, mapping, specs, c->path.length };
    c->scope = &scope;
    for (int i = 0; mapping && i < mapping->count; i++) {
        const yaml_node *key = mapping->key[i];
        int s = find_key(specs, count, of_kind, key->scalar);
        if (s < 0) {
            fault_unknown(c, key, specs, of_kind);
        } else if (given[s]) {
            fault_duplicate(c, key, given[s]);
        } else {
            given[s] = key;
            const char *absent = c->former ? specs[s].formerly : NULL, *value = mapping->item[i]->scalar;
            if (s == count || (absent && value && strcmp(value, absent) == 0))
                continue;
            const int faults = c->faults->count;
            size_t outside = enter(c, key->scalar);
            readers[specs[s].type](c, mapping->item[i], &specs[s], (char *)values + specs[s].offset);
            leave(c, outside);
            refused[s] = c->faults->count > faults;
            param_set_given(&specs[s], values, !refused[s]);
        }
    }
    for (int s = 0; s < count; s++)
        if (!given[s])
            read_missing(c, place, &specs[s], (char *)values + specs[s].offset);
    for (int s = 0; s < count; s++) {
        const param_spec *choice = param_choice_of(specs, &specs[s]);
        const bool chosen = choice && !refused[choice - specs] && !c->former
                            && (!specs[s].chosen || given[choice - specs] || choice->fallback);
        if (given[s] && chosen && !param_applies(specs, &specs[s], values))
            fault_not_chosen(c, given[s], specs, &specs[s], values);
    }
    c->scope = outer;
    memory_free(refused);
    memory_free(given);
}

static void read_tree(const yaml_node *tree, const param_spec *specs, void *values, bool former, fault_list *faults)
{
    context c = { .faults = faults, .input = tree->place.file, .former = former };
    param_spec root = group_spec;
    root.group = specs;
    read_group(&c, tree, &root, values);
    text_free(&c.path);
}

void schema_read(const yaml_node *tree, const param_spec *specs, void *values, fault_list *faults)
{
    read_tree(tree, specs, values, false, faults);
}

void schema_read_former(const yaml_node *tree, const param_spec *specs, void *values, fault_list *faults)
{
    read_tree(tree, specs, values, true, faults);
}
