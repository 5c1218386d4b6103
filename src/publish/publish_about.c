/* publish_about.c - the table of the facts about an ensemble that a user adds for publication. */
#include "src/publish/publish_about.h"

#include <ctype.h>
#include <string.h>

#define AT(member) offsetof(publish_about, member)
#define IN(group, member) (AT(group.member) - AT(group))

static const param_spec license_specs[] = {
    { .key = "uri", .type = PARAM_TEXT, .offset = IN(license, uri), .flags = PARAM_NOT_EMPTY,
      .doc = "address of the license: https://creativecommons.org/licenses/by/4.0/" },
    { .key = "name", .type = PARAM_TEXT, .offset = IN(license, name), .fallback = "\"\"", .doc = "CC BY 4.0" },
    { 0 }
};

static const param_spec participant_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = IN(participant, name), .flags = PARAM_NOT_EMPTY,
      .doc = "who made the configurations" },
    { .key = "institution", .type = PARAM_TEXT, .offset = IN(participant, institution), .flags = PARAM_NOT_EMPTY,
      .doc = "institution of this person" },
    { .key = "orcid", .type = PARAM_TEXT, .offset = IN(participant, orcid), .fallback = "\"\"",
      .doc = "0000-0000-0000-0000" },
    { 0 }
};

static const param_spec machine_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = IN(machine, name), .flags = PARAM_NOT_EMPTY,
      .doc = "name of the computer" },
    { .key = "institution", .type = PARAM_TEXT, .offset = IN(machine, institution), .flags = PARAM_NOT_EMPTY,
      .doc = "institution of the computer" },
    { .key = "type", .type = PARAM_TEXT, .offset = IN(machine, type), .flags = PARAM_NOT_EMPTY,
      .doc = "type of the computer: NVIDIA DGX H200" },
    { 0 }
};

static const param_spec code_specs[] = {
    { .key = "date", .type = PARAM_TEXT, .offset = IN(code, date), .flags = PARAM_NOT_EMPTY,
      .doc = "date of the program version: 2026-01-31T00:00:00Z" },
    { 0 }
};

static const param_spec algorithm_specs[] = {
    { .key = "glossary", .type = PARAM_TEXT, .offset = IN(algorithm, glossary), .fallback = "\"\"",
      .doc = "address of a description of the algorithm (default: the ILDG glossary)" },
    { .key = "reference", .type = PARAM_TEXT, .offset = IN(algorithm, reference), .fallback = "\"\"",
      .doc = "paper on the algorithm (default: the paper on HMC or RHMC)" },
    { 0 }
};

const param_spec publish_about_specs[] = {
    { .key = "collaboration", .type = PARAM_TEXT, .offset = AT(collaboration), .flags = PARAM_NOT_EMPTY,
      .doc = "collaboration that owns the ensemble" },
    { .key = "project", .type = PARAM_TEXT, .offset = AT(project), .flags = PARAM_NOT_EMPTY,
      .doc = "project of the collaboration" },
    { .key = "ensemble", .type = PARAM_TEXT, .offset = AT(ensemble), .flags = PARAM_NOT_EMPTY,
      .doc = "label of the ensemble: l64128f211b700" },
    { .key = "alias", .type = PARAM_TEXT, .offset = AT(alias), .fallback = "\"\"",
      .doc = "name of the ensemble in publications" },
    { .key = "reference", .type = PARAM_TEXT, .offset = AT(reference), .fallback = "\"\"",
      .doc = "publication that describes the ensemble" },
    { .key = "grid", .type = PARAM_TEXT, .offset = AT(grid), .flags = PARAM_NOT_EMPTY,
      .doc = "regional grid of the ILDG: ldg, jldg, usqcd, ..." },
    { .key = "path", .type = PARAM_TEXT, .offset = AT(path), .fallback = "\"\"",
      .doc = "in mc://GRID/PATH and lfn://GRID/PATH/FILE (default: COLLABORATION/PROJECT/ENSEMBLE)" },
    { .key = "series", .type = PARAM_TEXT, .offset = AT(series), .fallback = "\"0\"",
      .doc = "distinguishes runs of the same ensemble" },
    { .key = "archived", .type = PARAM_TEXT, .offset = AT(archived), .fallback = "\"\"",
      .doc = "date of entry into the catalog, 2026-01-31T12:00:00Z: adds an event \"add\" (default: none)" },
    { .key = "license", .type = PARAM_GROUP, .offset = AT(license), .group = license_specs, .doc = "terms of use" },
    { .key = "participant", .type = PARAM_GROUP, .offset = AT(participant), .group = participant_specs,
      .doc = "the person who made the configurations" },
    { .key = "machine", .type = PARAM_GROUP, .offset = AT(machine), .group = machine_specs, .doc = "the computer" },
    { .key = "code", .type = PARAM_GROUP, .offset = AT(code), .group = code_specs, .doc = "the program" },
    { .key = "algorithm", .type = PARAM_GROUP, .offset = AT(algorithm), .fallback = "{}", .group = algorithm_specs,
      .doc = "description of the algorithm" },
    { 0 }
};

/* Add the keys to the template; optional ones are comments. */
static void add_template(text *out, const param_spec *specs, int depth, bool optional)
{
    for (const param_spec *s = specs; s->key; s++) {
        bool silent = optional || s->fallback != NULL || (s->flags & PARAM_OPTIONAL);
        size_t start = out->length;
        text_add(out, "%s%*s%s:", silent ? "# " : "", 2 * depth, "", s->key);
        if (s->type == PARAM_GROUP) {
            text_add(out, "\n");
            add_template(out, s->group, depth + 1, silent);
        } else {
            text_add(out, " %s", s->fallback ? s->fallback : "");
            text_add(out, "%*s# %s\n", (int)(out->length - start < 26 ? 26 - (out->length - start) : 1), "", s->doc);
        }
    }
}

void publish_about_template(text *out)
{
    text_add(out, "# Facts for kiln publish --about.  Lines that begin with # are optional.\n");
    add_template(out, publish_about_specs, 0, false);
}

/* "2026-01-31T12:00:00Z", or with +hh:mm or -hh:mm for Z. */
static bool is_date(const char *s)
{
    static const char pattern[] = "dddd-dd-ddTdd:dd:dd", zone[] = "dd:dd";
    size_t i;
    for (i = 0; pattern[i]; i++)
        if (pattern[i] == 'd' ? !isdigit((unsigned char)s[i]) : s[i] != pattern[i])
            return false;
    s += i;
    if (strcmp(s, "Z") == 0)
        return true;
    if (*s != '+' && *s != '-')
        return false;
    for (i = 0, s++; zone[i]; i++)
        if (zone[i] == 'd' ? !isdigit((unsigned char)s[i]) : s[i] != zone[i])
            return false;
    return s[i] == '\0';
}

/* The schema of QCDml allows digits only, although the last character of an ORCID may be an X. */
static bool is_orcid(const char *s)
{
    for (int i = 0; i < 19; i++)
        if (i % 5 == 4 ? s[i] != '-' : !isdigit((unsigned char)s[i]))
            return false;
    return s[19] == '\0';
}

/* Whether all characters are allowed in a URI without quoting. */
static bool is_uri(const char *s, const char *others)
{
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr(others, *s))
            return false;
    return true;
}

/* The place of a wrong value in the file. */
static yaml_place place_of(const yaml_node *tree, const char *outer, const char *key)
{
    const yaml_node *node = outer ? yaml_get(tree, outer) : tree;
    const yaml_node *value = node && node->type == YAML_MAPPING ? yaml_get(node, key) : NULL;
    return value ? value->place : tree->place;
}

static void check_uri_part(const char *key, const char *value, const yaml_node *tree, fault_list *faults)
{
    if (value && !is_uri(value, "._-+"))
        fault_add(faults, place_of(tree, NULL, key), "%s: \"%s\" cannot be part of an address (allowed: letters, "
                  "digits and . _ - +)%s", key, value, strcmp(key, "grid") == 0 ? "" : "; give the key path instead");
}

static void check_about(const publish_about *about, const yaml_node *tree, fault_list *faults)
{
    check_uri_part("grid", about->grid, tree, faults);
    if (about->path && about->path[0]) {
        if (!is_uri(about->path, "._-+/") || about->path[0] == '/' || about->path[strlen(about->path) - 1] == '/')
            fault_add(faults, place_of(tree, NULL, "path"), "path: \"%s\" cannot be part of an address (allowed: "
                      "letters, digits and . _ - + between single slashes)", about->path);
    } else {
        check_uri_part("collaboration", about->collaboration, tree, faults);
        check_uri_part("project", about->project, tree, faults);
        check_uri_part("ensemble", about->ensemble, tree, faults);
    }
    if (about->code.date && about->code.date[0] && !is_date(about->code.date))
        fault_add(faults, place_of(tree, "code", "date"), "code.date: \"%s\" is not of the form "
                  "2026-01-31T12:00:00Z", about->code.date);
    if (about->archived && about->archived[0] && !is_date(about->archived))
        fault_add(faults, place_of(tree, NULL, "archived"), "archived: \"%s\" is not of the form "
                  "2026-01-31T12:00:00Z", about->archived);
    const char *orcid = about->participant.orcid;
    if (orcid && orcid[0] && !is_orcid(orcid))
        fault_add(faults, place_of(tree, "participant", "orcid"), "participant.orcid: \"%s\" is not of the form "
                  "0000-0000-0000-0000", orcid);
}

bool publish_about_read(publish_about *about, const char *path, fault_list *faults)
{
    failure f;
    *about = (publish_about){ 0 };
    yaml_node *tree = yaml_read_file(path, &f);
    if (!tree) {
        fault_add_line(faults, f.why);
        return false;
    }
    schema_read(tree, publish_about_specs, about, faults);
    check_about(about, tree, faults);
    yaml_tree_free(tree);
    return faults->count == 0;
}

void publish_about_free(publish_about *about)
{
    schema_free_values(publish_about_specs, about);
}

static void add_path(text *out, const publish_about *about)
{
    if (about->path[0])
        text_add(out, "%s/%s", about->grid, about->path);
    else
        text_add(out, "%s/%s/%s/%s", about->grid, about->collaboration, about->project, about->ensemble);
}

void publish_chain_uri(text *out, const publish_about *about)
{
    text_add(out, "mc://");
    add_path(out, about);
}

void publish_lfn(text *out, const publish_about *about, const char *file)
{
    text_add(out, "lfn://");
    add_path(out, about);
    text_add(out, "/%s", file);
}
