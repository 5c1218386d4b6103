/* staggered_qcdml.c - the QCDml of staggered quarks. */
#include "actions/staggered_params.h"

#include <string.h>

static void put_paths(xml_document *x, const path_table *c, bool asqtad, double u0)
{
    if (asqtad)
        xml_put_real(x, "cNaik", c->naik);
    xml_put_real(x, "c1Link", c->one);
    xml_put_real(x, "c3Link", c->three);
    xml_put_real(x, "c5LinkChair", c->five);
    xml_put_real(x, "c7LinkTwist", c->seven);
    if (asqtad)
        xml_put_real(x, "cLepage", c->lepage);
    xml_put_real(x, "u0", u0);
}

static void put_hisq_links(xml_document *x, const staggered_links_params *links, const quark_count *q)
{
    path_table first = staggered_first_table(links), second = staggered_second_table(links);
    xml_open(x, "LinkTreatment");
    xml_open(x, "fat7QuarkLinkTreatment");
    qcdml_put_glossary(x, "fat7QuarkLinkTreatment");
    put_paths(x, &first, false, 1);
    xml_close(x);
    xml_open(x, "projectGroupLinkTreatment");
    qcdml_put_glossary(x, "projectGroupLinkTreatment");
    xml_put_text(x, "group", links->projection == PROJECTION_U3 ? "U(3)" : "SU(3)");
    xml_close(x);
    xml_open(x, "asqTadQuarkLinkTreatment");
    qcdml_put_glossary(x, "asqTadQuarkLinkTreatment");
    if (q->epsilon != 0) {
        xml_open(x, "epsilon");
        xml_put_text(x, "method", q->auto_epsilon ? "series in the mass, hep-lat/0610092" : "given");
        xml_put_real(x, "value", q->epsilon);
        xml_close(x);
    }
    put_paths(x, &second, true, 1);
    xml_close(x);
    xml_close(x);
}

static bool put_quark(xml_document *x, const void *params, const quark_count *q, bool open_in_time, failure *f)
{
    (void)open_in_time;
    (void)f;
    const staggered_params *p = params;
    const staggered_links_params links = { .kind = (staggered_kind)p->of.action, .u0 = p->of.u0,
                                           .projection = (projection_group)p->of.projection };
    const char *element = p->of.action == STAGGERED_HISQ ? "hisqQuarkAction" : "asqTadQuarkAction";
    xml_open(x, element);
    stout_params_annotate(x, p->of.action == STAGGERED_NAIVE
                             ? "unimproved staggered quarks, a single link: no element of their own in QCDml" : NULL,
                          &p->of.stout);
    qcdml_put_glossary(x, element);
    qcdml_put_quark_field(x, "sqrt(2)", p->of.boundary + p->of.imaginary_mu);
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "mass", q->mass);
    path_table second = staggered_second_table(&links);
    if (p->of.action == STAGGERED_HISQ)
        put_hisq_links(x, &links, q);
    else
        put_paths(x, &second, true, p->of.action == STAGGERED_ASQTAD ? p->of.u0 : 1);
    xml_close(x);
    return true;
}

static bool add_quarks(quark_list *l, const void *params, failure *f)
{
    const staggered_params *p = params;
    bool ok = true;
    for (int d = 0; ok && d < p->determinants.count; d++) {
        const determinant_params *determinant = (const determinant_params *)p->determinants.item + d;
        for (int i = 0; ok && i < determinant->quarks.count; i++) {
            const quark_params *q = (const quark_params *)determinant->quarks.item + i;
            quark_count quark = { .mass = q->mass, .flavors = q->flavors,
                                  .auto_epsilon = strcmp(determinant->naik_epsilon, "auto") == 0 };
            ok = naik_epsilon_read(&quark.epsilon, determinant->naik_epsilon, q->mass)
                 && quark_list_add(l, &quark, f);
        }
    }
    return ok;
}

static bool same_action(const void *one, const void *other)
{
    return staggered_parameters.same(&((const staggered_params *)one)->of, &((const staggered_params *)other)->of);
}

static bool is_rational(const void *params)
{
    (void)params;
    return true;
}

const qcdml_term staggered_qcdml = {
    .same_action = same_action, .add_quarks = add_quarks, .put_quark = put_quark, .is_rational = is_rational,
};
