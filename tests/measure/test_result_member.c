/* test_result_member.c - every number that a measurement writes is declared, as a list or a number as it is; and
 * docs/observables.md has the tables of the declarations.  No member is declared that none of these inputs writes.
 *
 *     tests/measure/test_result_member --write       writes the tables into docs/observables.md of $srcdir */
#include "src/lattice/rng.h"
#include "src/measure/measurement.h"
#include "src/measure/result_unit.h"
#include "tests/facts.h"
#include "tests/measure/measured.h"

#include <stdlib.h>
#include <string.h>

/* ---- results */

/* Members that all measurements have. */
static bool is_common(const char *key)
{
    static const char *const keys[] = { "kind", "settings", "converged", "why" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Which declared members were written, by their addresses. */
enum { MEMBERS_MAX = 512 };
typedef struct { int count; const result_member *member[MEMBERS_MAX]; } written_members;

static bool was_written(const written_members *w, const result_member *m)
{
    for (int i = 0; i < w->count; i++)
        if (w->member[i] == m)
            return true;
    return false;
}

static void note_written(written_members *w, const result_member *m)
{
    if (m && !was_written(w, m) && w->count < MEMBERS_MAX)
        w->member[w->count++] = m;
}

/* Whether some result had every declared member. */
static bool all_written(const written_members *w, const result_group *results)
{
    bool all = true;
    for (const result_group *g = results; g->members; g++)
        for (const result_member *m = g->members; m->key; m++)
            if (!was_written(w, m)) {
                note("%s%s%s is declared, but was not written", g->list ? g->list : "", g->list ? ".N." : "", m->key);
                all = false;
            }
    return all;
}

/* Whether all values below a node at `path` are declared. */
static bool is_declared(written_members *w, const result_group *results, const yaml_node *node, const char *path)
{
    const bool numbers = node->type == YAML_SEQUENCE && (node->count == 0 || node->item[0]->type == YAML_SCALAR);
    bool all = true;
    for (int i = 0; node->type != YAML_SCALAR && !numbers && i < node->count; i++) {
        text below = { 0 };
        text_add(&below, "%s%s", path, *path ? "." : "");
        if (node->type == YAML_MAPPING)
            text_add(&below, "%s", node->key[i]->scalar);
        else
            text_add(&below, "%d", i);
        all = is_declared(w, results, node->item[i], text_string(&below)) && all;
        text_free(&below);
    }
    if ((node->type != YAML_SCALAR && !numbers) || is_common(path))
        return all;
    const result_member *m = result_member_find(results, path);
    note_written(w, m);
    const bool right = m && (m->shape != NULL) == (node->type == YAML_SEQUENCE);
    if (!right)
        note("%s is not declared%s", path, m ? " so" : "");
    return right;
}

/* Measures on u, and states whether all results are declared. */
static void declare(written_members *written, const gauge *u, const char *keys)
{
    char name[32];
    sscanf(keys, "kind: %31[a-z_]", name);
    yaml_node *tree = measured(u, keys);
    fact(tree && is_declared(written, measurement_kind_named(name)->results, tree->item[0], ""), "%s%s", keys,
         lattice_is_open(u->links.lattice) ? ", open" : "");
    yaml_tree_free(tree);
}

/* The results of a lattice with open boundaries in time. */
static void open_lattice(written_members *written)
{
    static const char *const keys[] = {
        "kind: flow, t_max: 0.1, eps: 0.05, plateau_first: 1, plateau_last: 2",
        "kind: wilson, masses: [ { mass: 0.5 } ], source: [0, 0, 0, 1], random_sources: 0, residual: 1e-4, spectrum: "
        "false, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ], bilinears: all, plateau_first: 4, "
        "plateau_last: 5",
        "kind: wilson_doublet, mass: 0.5, mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.5, mu: 0.1 } ], heavy: "
        "true, source: [0, 0, 0, 1], residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ]",
    };
    lattice_shape shape = lattice_shape_single((const int[4]){ 4, 4, 4, 8 });
    shape.open_in_time = true;
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        declare(written, u, keys[i]);
    gauge_free(u);
    lattice_free(l);
}

static void declared_results(void)
{
    static const char *const keys[] = {
        "kind: flow, t_max: 0.2, eps: 0.05", "kind: flow, t_max: 0.2, eps: 0.05, xi: 2",
        "kind: flow, t_max: 0.2, tolerance: 1e-2",
        "kind: gauge, observables: [plaquette, rectangle, parallelogram, polyakov, polyakov_directions, energy, "
        "charge, link_trace, unitarity]",
        "kind: wilson_loops, off_axis: true, r_max: 2, xi: 2", "kind: polyakov", "kind: schwinger_dyson",
        "kind: gauge_fixing, gauge: coulomb, quality: 1e-4",
        "kind: condensate, masses: [ { mass: 0.5 }, { mass: 1 } ], sources: 2, strange: 1, number_density: true, "
        "modes: { count: 2 }",
        "kind: staggered_mesons, masses: [ { mass: 0.5 }, { mass: 1 } ], pairs: [ { quark: 0, antiquark: 1 } ]",
        "kind: domain_wall, action: shamir, Ls: 4, masses: [ { mass: 0.5 }, { mass: 0.8 } ], pairs: [ { quark: 0, "
        "antiquark: 1 } ], random_sources: 1, residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ], "
        "baryons: true, bilinears: all, hyperons: true",
        "kind: wilson, masses: [ { mass: 0.5, mu: 0.1 }, { mass: 1 } ], pairs: [ { quark: 0, antiquark: 1 } ], "
        "random_sources: 1, residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ], bilinears: all",
        "kind: wilson, masses: [ { mass: 0.5 }, { mass: 1 } ], pairs: [ { quark: 0, antiquark: 1 } ], hyperons: true, "
        "residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ], spectrum: false",
        "kind: overlap, modes: 1, kernel_modes: 2, residual: 1e-2, accuracy: 1e-3",
        "kind: overlap, modes: 1, kernel_modes: 2, residual: 1e-2, accuracy: 1e-3, sign: chebyshev",
        "kind: wilson, masses: [ { mass: 0.5 } ], residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 "
        "} ], baryons: true, bilinears: all",
        "kind: wilson_reweighting, masses: [ { mass: 0.5, rho: 0.1 } ]",
        "kind: wilson_reweighting, masses: [ { mass: 0.5, rho: 0.1 } ], xi_0: 2",
        "kind: wilson, masses: [ { mass: 0.5 } ], residual: 1e-4, spectrum: false, xi_0: 2",
        "kind: wilson_doublet, mass: 0.5, mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.5, mu: 0.1 } ], heavy: "
        "true, residual: 1e-4, smearing: { steps: 2, width: 1 }, momenta: [ { x: 1 } ]",
        "kind: wilson_doublet, mass: 0.5, mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.5, mu: 0.1 } ], "
        "source_type: wall, gauge_quality: 1e-4, residual: 1e-4",
        "kind: staggered_mesons, masses: [ { mass: 0.5 } ], source_type: wall, gauge_quality: 1e-4",
        "kind: domain_wall, action: shamir, Ls: 4, masses: [ { mass: 0.5 } ], source_type: wall, gauge_quality: 1e-4, "
        "residual: 1e-4, modes: { count: 2 }",
        "kind: wilson, masses: [ { mass: 0.5 } ], source_type: wall, gauge_quality: 1e-4, residual: 1e-4, modes: { "
        "count: 2 }",
    };
    const lattice_shape shape = lattice_shape_single((const int[4]){ 4, 4, 4, 4 });
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    written_members written = { 0 };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        declare(&written, u, keys[i]);
    gauge_free(u);
    lattice_free(l);
    open_lattice(&written);
    for (int i = 0; measurement_kinds[i]; i++)
        fact(all_written(&written, ((const measurement_kind *)measurement_kinds[i])->results),
             "%s: every declared member was written", measurement_kinds[i]->name);
}

/* ---- the document */

#define HEADER "| member | unit | definition |\n"

static void document_member(text *out, const result_member *m, const char *list)
{
    text row = { 0 };
    text_add(&row, "| `%s%s%s`%s%s | ", list ? list : "", list ? ".N." : "", m->key, m->shape ? " " : "",
             m->shape ? m->shape : "");
    if (!strstr(text_string(out), text_string(&row)))                      /* kinds may share members */
        text_add(out, "%s%s | %s |\n", text_string(&row), result_unit_on(m->unit, false).s, m->doc);
    text_free(&row);
}

/* The rows of a section, without the header.  Members of a list have its name if others of the table are in none. */
static void document_page(text *out, const char *page)
{
    for (int i = 0; measurement_kinds[i]; i++) {
        const result_group *first = NULL;
        for (const result_group *g = ((const measurement_kind *)measurement_kinds[i])->results; g->members; g++) {
            first = g->page ? g : first;
            for (const result_member *m = g->members; strcmp(first->page, page) == 0 && m->key; m++)
                document_member(out, m, first->list ? NULL : g->list);
        }
    }
}

/* "Pion" of "### Pion\n"; false if the line is no heading. */
static bool read_heading(char heading[128], const char *line)
{
    const size_t marks = strspn(line, "#");
    return marks > 0 && sscanf(line + marks, " %127[^\n]", heading) == 1;
}

/* Append the document with the table of each section that has one.  Returns how many there are. */
static int renew(text *out, const char *at)
{
    int tables = 0;
    char page[128] = "";
    while (*at) {
        const char *end = strchr(at, '\n');
        const size_t length = end ? (size_t)(end + 1 - at) : strlen(at);
        read_heading(page, at);
        text_add_bytes(out, at, length);
        const bool table = strncmp(at, HEADER, strlen(HEADER)) == 0;
        at += length;
        if (!table)
            continue;
        text rows = { 0 };
        document_page(&rows, page);
        text_add(out, "|---|---|---|\n%s", text_string(&rows));
        text_free(&rows);
        tables++;
        while (*at == '|')
            at += strcspn(at, "\n") + 1;
    }
    return tables;
}

/* Whether the document has the rows of each section of a kind. */
static bool has_pages(const measurement_kind *kind, const char *document)
{
    bool all = true;
    for (const result_group *g = kind->results; g->members; g++) {
        text rows = { 0 };
        if (g->page && *g->page)
            document_page(&rows, g->page);
        if (!strstr(document, text_string(&rows))) {
            note("docs/observables.md lacks the table of %s", g->page);
            all = false;
        }
        text_free(&rows);
    }
    return all;
}

static void document(bool write)
{
    const char *root = getenv("srcdir");
    failure f = { .why = "" };
    text path = path_in_folder(root ? root : ".", "docs/observables.md"), now = { 0 }, renewed = { 0 };
    fact(text_add_file(&now, text_string(&path), &f), "docs/observables.md can be read %s", f.why);
    const int tables = renew(&renewed, text_string(&now));
    fact(tables > 0, "it has %d tables of results", tables);
    FILE *file = write && tables > 0 ? fopen(text_string(&path), "w") : NULL;
    if (file) {
        fputs(text_string(&renewed), file);
        fclose(file);
    }
    fact(file || strcmp(text_string(&now), text_string(&renewed)) == 0,
         "they are those of the declarations (tests/measure/test_result_member --write)");
    for (int i = 0; measurement_kinds[i]; i++)
        fact(has_pages((const measurement_kind *)measurement_kinds[i], text_string(&now)), "all of %s",
             measurement_kinds[i]->name);
    text_free(&path);
    text_free(&now);
    text_free(&renewed);
}

int main(int argc, char **argv)
{
    document(argc > 1 && strcmp(argv[1], "--write") == 0);
    declared_results();
    return facts_end();
}
