/* action_quarks.c - gathers the quarks of the action, and reports what differs from them. */
#include "src/measure/action_quarks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

quark_list action_quarks(const param_list *monomials, const char *kind)
{
    quark_list all = { 0 };
    for (int m = 0; m < monomials->count; m++) {
        const kind_item *item = (const kind_item *)monomials->item + m;
        const monomial_kind *of = monomial_kind_at(item->kind);
        failure f;
        if (strcmp(of->input.name, kind) == 0 && of->qcdml && of->qcdml->add_quarks)
            of->qcdml->add_quarks(&all, item->params, &f);           /* as many as the list can hold */
    }
    return all;
}

#define SAME_MASS 2e-9

bool action_same_mass(double a, double b)
{
    return fabs(a - b) <= SAME_MASS * fmax(fabs(a), fabs(b));
}

bool action_same_bare_mass(double a, double b)
{
    return fabs(a - b) <= SAME_MASS * (4 + fmax(a, b));
}

void action_quark_describe(text *out, const quark_count *quark)
{
    enum { DIGITS = 10 };
    text_add(out, "mass ");
    quark_count_describe(out, quark, DIGITS);
}

void action_report(action_listener *emit, void *out, action_mismatch where, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    where.sentence = sentence;
    emit(out, &where);
}
