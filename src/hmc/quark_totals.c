/* quark_totals.c - multiply the determinants of monomials. */
#include "src/hmc/quark_totals.h"

#include <inttypes.h>

static const qcdml_term *term_of(const run_params *p, int m)
{
    return run_monomial_kind(p, m)->qcdml;
}

static bool has_quarks(const run_params *p, int m)
{
    return term_of(p, m) && term_of(p, m)->add_quarks;
}

bool quark_total_shares(const run_params *p, int one, int other)
{
    return run_monomial_kind(p, one) == run_monomial_kind(p, other) && has_quarks(p, one)
           && term_of(p, one)->same_action(run_monomial_params(p, one), run_monomial_params(p, other));
}

bool quark_total_begins(const run_params *p, int m)
{
    int first = 0;
    while (first < m && !quark_total_shares(p, first, m))
        first++;
    return first == m && has_quarks(p, m);
}

bool quark_total(quark_list *l, const run_params *p, int first, failure *f)
{
    bool ok = true;
    *l = (quark_list){ 0 };
    for (int m = first; ok && m < run_monomial_count(p); m++)
        if (quark_total_shares(p, first, m))
            ok = term_of(p, m)->add_quarks(l, run_monomial_params(p, m), f);
    return ok;
}

/* ---- as text and as JSON */

static int64_t flavors_of(const quark_list *l)
{
    int64_t flavors = 0;
    for (int i = 0; i < l->count; i++)
        flavors += l->quark[i].flavors;
    return flavors;
}

/* The product of `first`, with Pauli-Villars fields, and its flavors without them.  False: no product begins there. */
static bool find_product(quark_list *l, int64_t *flavors, const run_params *p, int first)
{
    failure f;
    if (!quark_total_begins(p, first) || !quark_total(l, p, first, &f))
        return false;
    *flavors = flavors_of(l);
    if (!term_of(p, first)->regulator)
        return true;
    quark_count regulator = *term_of(p, first)->regulator;
    regulator.flavors = -*flavors;
    return quark_list_add(l, &regulator, &f);
}

enum { DIGITS = 6 };

static void add_matrix(text *out, const run_params *p, int first, const quark_count *q)
{
    if (term_of(p, first)->describe_quark)
        term_of(p, first)->describe_quark(out, run_monomial_params(p, first), q);
    else
        quark_count_describe(out, q, DIGITS);
}

/* The power of a determinant, which has `flavors_together` flavors per power of 1. */
static int64_t power_of(const qcdml_term *term, const quark_count *q)
{
    return q->flavors / (term->flavors_together > 0 ? term->flavors_together : 1);
}

static void add_names(text *out, const run_params *p, int first)
{
    for (int m = first; m < run_monomial_count(p); m++)
        if (quark_total_shares(p, first, m))
            text_add(out, "%s%s", m > first ? ", " : "", run_monomial_name(p, m));
}

static void add_product(text *out, const run_params *p, int first, const quark_list *l)
{
    bool any = false;
    for (int i = 0; i < l->count; i++) {
        if (l->quark[i].flavors == 0)
            continue;
        text_add(out, any ? " (" : "(");
        add_matrix(out, p, first, &l->quark[i]);
        text_add(out, ")^%" PRId64, power_of(term_of(p, first), &l->quark[i]));
        any = true;
    }
    text_add(out, any ? " of " : "1 of ");
    add_names(out, p, first);
}

void quark_totals_add(text *out, const run_params *p)
{
    int64_t flavors = 0, some;
    bool any = false;
    for (int m = 0; m < run_monomial_count(p); m++) {
        quark_list l;
        if (!find_product(&l, &some, p, m))
            continue;
        text_add(out, any ? "; " : "");
        add_product(out, p, m, &l);
        flavors += some;
        any = true;
    }
    if (any)
        text_add(out, "; %s", count_to_text(flavors, "flavor").s);
}

static void list_quarks(json *j, const run_params *p, int first, const quark_list *l)
{
    json_open(j, "quarks", '[');
    for (int i = 0; i < l->count; i++) {
        if (l->quark[i].flavors == 0)
            continue;
        text matrix = { 0 };
        add_matrix(&matrix, p, first, &l->quark[i]);
        json_open(j, NULL, '{');
        json_text(j, "matrix", text_string(&matrix));
        json_int(j, "flavors", l->quark[i].flavors);
        json_close(j);
        text_free(&matrix);
    }
    json_close(j);
}

void quark_totals_to_json(json *j, const run_params *p)
{
    int64_t flavors = 0, some;
    json_open(j, "determinants", '[');
    for (int first = 0; first < run_monomial_count(p); first++) {
        quark_list l;
        if (!find_product(&l, &some, p, first))
            continue;
        json_open(j, NULL, '{');
        json_open(j, "monomials", '[');
        for (int m = first; m < run_monomial_count(p); m++)
            if (quark_total_shares(p, first, m))
                json_text(j, NULL, run_monomial_name(p, m));
        json_close(j);
        list_quarks(j, p, first, &l);
        json_close(j);
        flavors += some;
    }
    json_close(j);
    json_int(j, "flavors", flavors);
}
