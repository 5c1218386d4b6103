/* wilson_qcdml.c - Wilson quarks in the words of QCDml. */
#include "actions/wilson_params.h"

static bool put_quark(xml_document *x, const void *params, const quark_count *q, failure *f)
{
    static const char element[] = "wilsonQuarkAction";
    (void)f;
    xml_open(x, element);
    qcdml_put_glossary(x, element);
    qcdml_put_quark_field(x, "1", (double)((const wilson_params *)params)->boundary);
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "kappa", wilson_kappa(q->mass));
    xml_close(x);
    return true;
}

static bool add_quarks(quark_list *l, const void *params, failure *f)
{
    const wilson_params *p = params;
    bool ok = true;
    for (int n = 0; ok && n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        const quark_count light = { .mass = d->mass, .flavors = d->flavors };
        const quark_count heavy = { .mass = d->heavy, .flavors = -d->flavors };
        ok = quark_list_add(l, &light, f) && (!wilson_has_denominator(d) || quark_list_add(l, &heavy, f));
    }
    return ok;
}

/* A monomial may hold a part of a chain of masses only: chains are taken together. */
static bool same_action(const void *one, const void *other)
{
    return ((const wilson_params *)one)->boundary == ((const wilson_params *)other)->boundary;
}

static bool is_rational(const void *params)
{
    (void)params;
    return false;
}

const qcdml_term wilson_qcdml = {
    .same_action = same_action, .add_quarks = add_quarks, .put_quark = put_quark, .is_rational = is_rational,
};
