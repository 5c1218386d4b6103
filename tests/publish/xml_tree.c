/* xml_tree.c - a document as a tree: what the check of QCDml reads. */
#include "tests/publish/qcdml_model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *unescaped(const char *s, size_t n)
{
    static const struct { const char *escape; char is; } escapes[] = {
        { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
    };
    char *out = calloc(n + 1, 1), *to = out;
    for (const char *end = s + n; s < end;) {
        int known = -1;
        for (int i = 0; i < 3; i++)
            if (strncmp(s, escapes[i].escape, strlen(escapes[i].escape)) == 0)
                known = i;
        *to++ = known < 0 ? *s : escapes[known].is;
        s += known < 0 ? 1 : strlen(escapes[known].escape);
    }
    return out;
}

/* The element that begins at *at, which moves behind it. */
static xml_element *read_element(const char **at)
{
    xml_element *e = calloc(1, sizeof *e);
    int used = 0;
    bool opened = sscanf(*at, "<%63[A-Za-z0-9]%n", e->name, &used) == 1;
    *at += used;
    if (opened && sscanf(*at, " xmlns=\"%127[^\"]\"%n", e->name_space, &used) == 1)
        *at += used;
    if (!opened || **at != '>') {
        xml_tree_free(e);
        return NULL;
    }
    const char *text = ++*at;
    e->text = unescaped(text, strcspn(text, "<"));
    for (;;) {
        *at += strcspn(*at, "<");
        if ((*at)[0] == '<' && (*at)[1] == '/')
            break;
        xml_element *child = read_element(at);
        if (!child) {
            xml_tree_free(e);
            return NULL;
        }
        e->child = realloc(e->child, (size_t)(e->count + 1) * sizeof *e->child);
        e->child[e->count++] = child;
    }
    char end[70];
    snprintf(end, sizeof end, "</%s>", e->name);
    if (strncmp(*at, end, strlen(end)) != 0) {
        xml_tree_free(e);
        return NULL;
    }
    *at += strlen(end);
    return e;
}

xml_element *xml_tree_read(const char *document)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(document, declaration, strlen(declaration)) != 0)
        return NULL;
    document += strlen(declaration);
    xml_element *root = read_element(&document);
    while (isspace((unsigned char)*document))
        document++;
    if (root && *document) {
        xml_tree_free(root);
        return NULL;
    }
    return root;
}

void xml_tree_free(xml_element *root)
{
    if (!root)
        return;
    for (int i = 0; i < root->count; i++)
        xml_tree_free(root->child[i]);
    free(root->child);
    free(root->text);
    free(root);
}

const xml_element *xml_at(const xml_element *root, const char *path)
{
    while (root && *path) {
        size_t n = strcspn(path, "/");
        const xml_element *found = NULL;
        for (int i = 0; i < root->count && !found; i++)
            if (strlen(root->child[i]->name) == n && strncmp(root->child[i]->name, path, n) == 0)
                found = root->child[i];
        root = found;
        path += n + (path[n] == '/');
    }
    return root;
}

const char *xml_text_at(const xml_element *root, const char *path)
{
    const xml_element *e = xml_at(root, path);
    return e && e->count == 0 ? e->text : "";
}

double xml_number_at(const xml_element *root, const char *path)
{
    const char *words = xml_text_at(root, path);
    return *words ? strtod(words, NULL) : NAN;
}
