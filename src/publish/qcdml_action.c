/* qcdml_action.c - the action in QCDml; each kind of monomial describes itself (actions/qcdml_term.h). */
#include "src/publish/qcdml.h"

#include "src/hmc/quark_totals.h"

static const qcdml_term *term_of(const run_params *p, int index)
{
    return run_monomial_kind(p, index)->qcdml;
}

static bool is_gluons(const run_params *p, int index)
{
    return term_of(p, index) && term_of(p, index)->put_gluons;
}

static bool is_quarks(const run_params *p, int index)
{
    return term_of(p, index) && term_of(p, index)->put_quark;
}

static bool check_flavors(const quark_list *l, const char *name, failure *f)
{
    for (int i = 0; i < l->count; i++)
        if (l->quark[i].flavors < 0)
            return fail(f, "monomial %s: %lld flavors of mass %g remain: QCDml cannot describe negative numbers of "
                        "flavors", name, (long long)l->quark[i].flavors, l->quark[i].mass);
    return true;
}

/* The quarks of monomial `first` and of the later monomials with the same action. */
static bool put_quarks(xml_document *x, const run_params *p, int first, failure *f)
{
    const qcdml_term *term = term_of(p, first);
    quark_list list;
    bool ok = quark_total(&list, p, first, f) && check_flavors(&list, run_monomial_name(p, first), f);
    for (int i = 0; ok && i < list.count; i++)
        if (list.quark[i].flavors > 0)
            ok = term->put_quark(x, run_monomial_params(p, first), &list.quark[i],
                                 p->boundary.time == TIME_OPEN, f);
    return ok;
}

bool qcdml_action(xml_document *x, const run_params *p, failure *f)
{
    int gluons = 0, quarks = 0, terms = run_monomial_count(p);
    bool ok = true;
    for (int m = 0; m < terms; m++) {
        gluons += is_gluons(p, m);
        quarks += is_quarks(p, m);
    }
    if (gluons == 0 || gluons + quarks != terms)
        return fail(f, gluons == 0 ? "the run has no gauge action, which QCDml requires"
                                   : "the run has a kind of monomial that QCDml cannot describe");
    xml_open(x, "action");
    xml_open(x, "gluon");
    for (int m = 0; m < terms; m++)
        if (is_gluons(p, m))
            term_of(p, m)->put_gluons(x, run_monomial_params(p, m), gluons,
                                   p->boundary.time == TIME_OPEN);
    xml_close(x);
    if (quarks > 0) {
        xml_open(x, "quark");
        for (int m = 0; ok && m < terms; m++)
            if (quark_total_begins(p, m))
                ok = put_quarks(x, p, m, f);
        xml_close(x);
    }
    xml_close(x);
    return ok;
}
