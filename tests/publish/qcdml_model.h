/* qcdml_model.h - check a document against QCDml 2.0: names, order, number and kind of its elements. */
#ifndef KILN_TESTS_PUBLISH_QCDML_MODEL_H
#define KILN_TESTS_PUBLISH_QCDML_MODEL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_element xml_element;
struct xml_element {
    char name[64], *text;           /* text: of an element without elements in it, escapes undone */
    char name_space[128];
    int count;
    xml_element **child;
};

/* The root, to be released with xml_tree_free; NULL if the document is not well formed or has attributes other than
 * xmlns. */
xml_element *xml_tree_read(const char *document);
void xml_tree_free(xml_element *root);

/* The first element at a path such as "physics/action/gluon"; NULL if there is none. */
const xml_element *xml_at(const xml_element *root, const char *path);
const char *xml_text_at(const xml_element *root, const char *path);         /* "" if there is none */

double xml_number_at(const xml_element *root, const char *path);             /* NaN if there is none */

/* Whether the root is a valid markovChain or gaugeConfiguration of version 2.0; if not, `why` gets the reason. */
bool qcdml_holds(const xml_element *root, char *why, size_t size);

#endif
