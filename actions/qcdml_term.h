/* qcdml_term.h - the QCDml of a term of the action, and elements that several kinds share.
 *
 * Where QCDml has no element, the nearest one is used with an annotation. */
#ifndef KILN_ACTIONS_QCDML_TERM_H
#define KILN_ACTIONS_QCDML_TERM_H

#include "src/base/error.h"
#include "src/io/xml_write.h"

/* The number of flavors of quarks with the same matrix: mass, Naik epsilon, twists mu and rho. */
enum { QUARKS_MAX = 64 };
typedef struct { double mass, epsilon, mu, rho; bool auto_epsilon; int64_t flavors; } quark_count;
typedef struct { int count; quark_count quark[QUARKS_MAX]; } quark_list;

/* Whether both have the same matrix: all but the flavors. */
bool quark_count_same(const quark_count *a, const quark_count *b);

/* Appends "0.01, mu 0.2, rho 0.1, epsilon -0.17" with this number of digits, without the flavors; twists and epsilon
 * only if they are not 0. */
void quark_count_describe(text *out, const quark_count *q, int digits);

/* Add quarks; numerators and denominators of the same mass cancel.  False with the reason if the list is full. */
bool quark_list_add(quark_list *l, const quark_count *quark, failure *f);

/* The functions of a kind of monomial: gauge actions have only put_gluons, quarks the others. */
typedef struct {
    /* Appends an element of "gluon".  terms: number of gauge actions in the whole action. */
    void (*put_gluons)(xml_document *x, const void *params, int terms, bool open_in_time);

    /* Whether two monomials of the kind have the same action, so that their determinants belong together. */
    bool (*same_action)(const void *a, const void *b);
    /* Adds the masses and flavors of all determinants; intermediate masses cancel. */
    bool (*add_quarks)(quark_list *l, const void *params, failure *f);
    /* An element of "quark". */
    bool (*put_quark)(xml_document *x, const void *params, const quark_count *quark, bool open_in_time, failure *f);
    /* Whether the algorithm uses rational functions (RHMC). */
    bool (*is_rational)(const void *params);
    /* For kiln check: describes a matrix in place of quark_count_describe; NULL: quark_count_describe is used. */
    void (*describe_quark)(text *out, const void *params, const quark_count *q);
    /* The number of flavors that one determinant describes (a doublet: 2); 0: one. */
    int flavors_together;
    /* The matrix of the Pauli-Villars fields.  The determinant of each flavor is divided by its determinant, which
     * add_quarks leaves out.  NULL: there are no Pauli-Villars fields. */
    const quark_count *regulator;
} qcdml_term;

/* Append the element "glossary" with the address of QCDml's page about `element`. */
void qcdml_put_glossary(xml_document *x, const char *element);

/* Append the boundary conditions of x, y, z and t, each "periodic", "antiperiodic" or "open". */
void qcdml_put_boundary(xml_document *x, const char *const condition[4]);

/* Append the elements of a quark field: `normalisation` and the boundary condition of each direction.  Phases are in
 * units of pi: `in_t`, and `theta` in x, y and z (qcdml_put_quark_field: 0).  QCDml has elements for 0 and 1; other
 * phases are written into an annotation.  With open_in_time, the condition in t is "dirichlet" and in_t has no
 * effect. */
void qcdml_put_quark_field(xml_document *x, const char *normalisation, double in_t);
typedef struct { double in_t; const double *theta; bool open_in_time; } quark_phases;
void qcdml_put_quark_field_phases(xml_document *x, const char *normalisation, quark_phases phases);

#endif
