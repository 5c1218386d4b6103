/* qcdml_term.c - elements of QCDml for several kinds of terms. */
#include "actions/qcdml_term.h"

#include <math.h>

bool quark_count_same(const quark_count *a, const quark_count *b)
{
    return a->mass == b->mass && a->epsilon == b->epsilon && a->mu == b->mu && a->rho == b->rho;
}

void quark_count_describe(text *out, const quark_count *q, int digits)
{
    text_add(out, "%.*g", digits, q->mass);
    if (q->mu != 0)
        text_add(out, ", mu %.*g", digits, q->mu);
    if (q->rho != 0)
        text_add(out, ", rho %.*g", digits, q->rho);
    if (q->epsilon != 0)
        text_add(out, ", epsilon %.*g", digits, q->epsilon);
}

bool quark_list_add(quark_list *l, const quark_count *quark, failure *f)
{
    for (int i = 0; i < l->count; i++)
        if (quark_count_same(&l->quark[i], quark)) {
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

static const char *const directions[4] = { "x", "y", "z", "t" };

void qcdml_put_boundary(xml_document *x, const char *const condition[4])
{
    xml_open(x, "boundaryCondition");
    for (int mu = 0; mu < 4; mu++)
        xml_put_text(x, directions[mu], condition[mu]);
    xml_close(x);
}

/* An annotation with the phases that are neither periodic nor antiperiodic. */
static void annotate_phases(xml_document *x, const double phase[4])
{
    text words = { 0 };
    for (int mu = 0; mu < 4; mu++)
        if (phase[mu] != round(phase[mu]))
            text_add(&words, "%sthe boundary in %s has the phase exp(i pi %.17g)", words.length > 0 ? "; " : "",
                     directions[mu], phase[mu]);
    if (words.length > 0)
        xml_put_text(x, "annotation", text_string(&words));
    text_free(&words);
}

void qcdml_put_quark_field_phases(xml_document *x, const char *normalisation, quark_phases b)
{
    const double phase[4] = { b.theta[0], b.theta[1], b.theta[2], b.open_in_time ? 0 : b.in_t };
    const char *nearest[4];
    for (int mu = 0; mu < 4; mu++)
        nearest[mu] = fabs(phase[mu] - 2 * round(phase[mu] / 2)) >= 0.5 ? "antiperiodic" : "periodic";
    if (b.open_in_time)
        nearest[3] = "dirichlet";
    xml_open(x, "quarkField");
    annotate_phases(x, phase);
    xml_put_text(x, "normalisation", normalisation);
    qcdml_put_boundary(x, nearest);
    xml_close(x);
}

void qcdml_put_quark_field(xml_document *x, const char *normalisation, double in_t)
{
    qcdml_put_quark_field_phases(x, normalisation, (quark_phases){ in_t, (const double[3]){ 0, 0, 0 }, false });
}
