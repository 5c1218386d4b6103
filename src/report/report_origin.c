/* report_origin.c - the parts of a report on the origin of an ensemble: action, program, device, segments, files. */
#include "src/base/memory.h"
#include "src/report/report_html.h"
#include "src/report/report_sections.h"
#include "src/base/version.h"
#include "src/io/links_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_fact(report *r, const char *title, const char *words)
{
    if (!*words)
        return;
    text_add(&r->out, "<div>");
    html_element(&r->out, "b", title);
    html_text(&r->out, words);
    text_add(&r->out, "</div>\n");
}

/* Every "mass" below a node, in the order of the input: quark masses and Hasenbusch masses. */
typedef struct { text quarks, hasenbusch; } mass_lists;

static void add_masses(mass_lists *out, const yaml_node *node, bool hasenbusch)
{
    for (int i = 0; node->type != YAML_SCALAR && i < node->count; i++) {
        const yaml_node *item = node->item[i];
        const char *key = node->type == YAML_MAPPING ? node->key[i]->scalar : "";
        text *list = hasenbusch ? &out->hasenbusch : &out->quarks;
        if (strcmp(key, "mass") == 0 && item->type == YAML_SCALAR)
            text_add(list, "%s%s", list->length ? ", " : "", item->scalar);
        else
            add_masses(out, item, hasenbusch || strcmp(key, "hasenbusch") == 0);
    }
}

static bool has_many(const text *list)
{
    return strchr(text_string(list), ',') != NULL;
}

/* ", masses 0.05, 0.1 / Hasenbusch 0.4" */
static void add_mass_lists(text *words, const yaml_node *of)
{
    mass_lists m = { { 0 }, { 0 } };
    add_masses(&m, of, false);
    if (m.quarks.length > 0)
        text_add(words, ", %s %s", has_many(&m.quarks) ? "masses" : "mass", text_string(&m.quarks));
    if (m.hasenbusch.length > 0)
        text_add(words, "%s Hasenbusch %s", m.quarks.length > 0 ? " /" : ",", text_string(&m.hasenbusch));
    text_free(&m.quarks);
    text_free(&m.hasenbusch);
}

/* The parameters of a monomial: kind, action, couplings (except 0 and 1), masses. */
static void add_monomial(report *r, const yaml_node *m)
{
    static const char *const keys[] = { "action", "beta", "u0", "Ls", "M5", "mobius_scale" };
    const yaml_node *name = m->type == YAML_MAPPING ? yaml_get(m, "name") : NULL;
    const yaml_node *kind = m->type == YAML_MAPPING ? yaml_get(m, "kind") : NULL;
    text words = { 0 };
    if (!kind || kind->type != YAML_SCALAR)
        return;
    text_add(&words, "%s", kind->scalar);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const yaml_node *value = yaml_get(m, keys[k]);
        if (value && value->type == YAML_SCALAR && strcmp(value->scalar, "1") != 0
            && strcmp(value->scalar, "0") != 0)
            text_add(&words, k == 0 ? ", %s%s" : ", %s %s", k == 0 ? "" : keys[k], value->scalar);
    }
    add_mass_lists(&words, m);
    add_fact(r, name && name->type == YAML_SCALAR && *name->scalar ? name->scalar : kind->scalar, text_string(&words));
    text_free(&words);
}

/* The program that wrote the newest state; nothing if the state cannot be read. */
static void add_writer(report *r)
{
    for (int kind = 0; kind < 2; kind++) {
        const text *path = &r->v->folder.newest[kind];
        links_info info;
        failure why;
        if (path->length > 0 && links_read_info(text_string(path), &info, &why) && info.has_state) {
            add_fact(r, "made by", info.state.version);
            return;
        }
    }
}

static void add_run_facts(report *r)
{
    const run_view *v = r->v;
    const run_history *h = &v->history;
    const history_line *last = h->count > 0 ? &h->line[h->count - 1] : NULL;
    text words = { 0 };
    run_view_add_progress(&words, v);
    run_view_add_unsaved(&words, v);
    add_fact(r, "trajectories", text_string(&words));
    text_clear(&words);
    if (v->folder.known && !run_is_pure_gauge(&v->folder.in.p)) {
        text_add(&words, "%g", v->folder.in.p.hmc.length);
        add_fact(r, "length", text_string(&words));
    }
    if (last) {
        add_fact(r, "begun", h->line[0].time);
        add_fact(r, "last trajectory", last->time);
        add_fact(r, "device", last->on_device ? "GPU" : "CPU");
    }
    add_fact(r, "state", run_view_state(v));
    text_clear(&words);
    run_view_add_last_process(&words, v, "; ");
    add_fact(r, "last process", text_string(&words));
    text_clear(&words);
    run_view_add_restarts(&words, v);
    add_fact(r, "restarts", text_string(&words));
    text_free(&words);
}

void report_head(report *r)
{
    const run_folder *folder = &r->v->folder;
    html_element(&r->out, "h1", folder->known ? folder->in.p.output.name : r->v->directory);
    html_element(&r->out, "p class=\"soft\"", r->v->directory);
    text_add(&r->out, "<div class=\"facts\">\n");
    if (folder->known) {
        const yaml_node *monomials = yaml_get(folder->in.tree, "monomials");
        add_fact(r, "lattice", extents_to_text(folder->in.p.extents).s);
        for (int i = 0; monomials && monomials->type == YAML_SEQUENCE && i < monomials->count; i++)
            add_monomial(r, monomials->item[i]);
    }
    add_run_facts(r);
    add_writer(r);
    text_add(&r->out, "</div>\n");
}

void report_segments(report *r)
{
    static const char *const head[] = { "trajectories", "reason", "what changed", NULL };
    const segments *all = &r->v->folder.segments;
    if (all->count < 2)
        return;
    html_section(&r->out, "Segments: changes of parameters", false);
    html_table(&r->out, head);
    for (int i = 0; i < all->count; i++) {
        segment_texts words = segment_texts_of(r->v, i);
        char range[64];
        snprintf(range, sizeof range, "%" PRId64 " \u2013 %" PRId64, all->item[i].first, segment_end(r->v, i));
        text_add(&r->out, "<tr>");
        html_element(&r->out, "td", range);
        html_element(&r->out, "td class=\"words\"", text_string(&words.reason));
        html_element(&r->out, "td class=\"words lines\"", text_string(&words.changes));
        text_add(&r->out, "</tr>\n");
        segment_texts_free(&words);
    }
    html_table_end(&r->out);
    html_section_end(&r->out);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

void report_files(report *r)
{
    static const char *const head[] = { "file", "size", NULL };
    enum { MOST = 400 };
    struct dirent **entry;
    const int n = scandir(r->v->directory, &entry, is_shown, by_name);
    html_section(&r->out, "Files", false);
    text_add(&r->out, "<details><summary>%d files in this folder</summary>\n", n > 0 ? n : 0);
    html_table(&r->out, head);
    for (int i = 0; i < n; i++) {
        struct stat what;
        text path = path_in_folder(r->v->directory, entry[i]->d_name);
        const bool there = i < MOST && stat(text_string(&path), &what) == 0;
        if (there)
            html_row(&r->out, (const char *const[]){ entry[i]->d_name, S_ISDIR(what.st_mode) ? "folder" :
                                                     bytes_to_text((double)what.st_size).s }, 2);
        text_free(&path);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    html_table_end(&r->out);
    if (n > MOST)
        html_element(&r->out, "p", "and more");
    text_add(&r->out, "</details>\n");
    html_section_end(&r->out);
}

void report_parameters(report *r)
{
    text path = path_in_folder(r->v->directory, "parameters.yaml"), whole = { 0 };
    failure why;
    bool ok = text_add_file(&whole, text_string(&path), &why);
    html_section(&r->out, "Parameters", false);
    text_add(&r->out, "<details><summary>parameters.yaml</summary>");
    html_element(&r->out, "pre", ok ? text_string(&whole) : why.why);
    text_add(&r->out, "</details>\n");
    html_section_end(&r->out);
    text_free(&path);
    text_free(&whole);
}
