/* qcdml_term.c - elements of QCDml for several kinds of terms. */
#include "actions/qcdml_term.h"

#include <math.h>

bool quark_list_add(quark_list *l, const quark_count *quark, failure *f)
{
    for (int i = 0; i < l->count; i++)
        if (l->quark[i].mass == quark->mass && l->quark[i].epsilon == quark->epsilon
            && l->quark[i].mu == quark->mu && l->quark[i].rho == quark->rho) {
            l->quark[i].flavors += quark->flavors;
            return true;
        }
    if (l->count == QUARKS_MAX)
        return fail(f, "more than %d masses", QUARKS_MAX);
    l->quark[l->count++] = *quark;
    return true;
}

void qcdml_put_glossary(xml_document *x, const char *element)
{
    xml_put_format(x, "glossary", "http://www.lqcd.org/ildg/actionGlossaries/%s.pdf", element);
}

void qcdml_put_boundary(xml_document *x, const char *in_t)
{
    xml_open(x, "boundaryCondition");
    xml_put_text(x, "x", "periodic");
    xml_put_text(x, "y", "periodic");
    xml_put_text(x, "z", "periodic");
    xml_put_text(x, "t", in_t);
    xml_close(x);
}

void qcdml_put_quark_field(xml_document *x, const char *normalisation, double boundary)
{
    xml_open(x, "quarkField");
    if (boundary != 0 && fabs(boundary) != 1)
        xml_put_format(x, "annotation", "the boundary in t has the phase exp(i pi %.17g)", boundary);
    xml_put_text(x, "normalisation", normalisation);
    qcdml_put_boundary(x, fabs(boundary) >= 0.5 ? "antiperiodic" : "periodic");
    xml_close(x);
}
