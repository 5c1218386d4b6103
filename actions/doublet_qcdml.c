/* doublet_qcdml.c - a non-degenerate doublet of twisted-mass quarks as elements of QCDml. */
#include "actions/doublet_params.h"

/* An annotation with the parameters that QCDml has no elements for. */
static void annotate(xml_document *x, const doublet_input *in, double mu_sigma)
{
    const double kappa = wilson_kappa(wilson_bare_mass(&in->light));
    text words = { 0 };
    if (in->of.c_sw != 0 && in->of.clover == CLOVER_EXPONENTIAL)
        text_add(&words, "exponential clover term (4 + m) exp(cSW A / (4 + m)); ");
    text_add(&words, "non-degenerate twisted-mass doublet, M + i mu_sigma gamma5 tau3 + mu_delta tau1: "
             "mu_sigma = %.17g, mu_delta = %.17g, 2 kappa mu_sigma = %.17g, 2 kappa mu_delta = %.17g: "
             "no element of its own in QCDml",
             mu_sigma, in->mu_delta, 2 * kappa * mu_sigma, 2 * kappa * in->mu_delta);
    stout_params_annotate(x, text_string(&words), &in->of.stout);
    text_free(&words);
}

static bool put_quark(xml_document *x, const void *params, const quark_count *q, bool open_in_time, failure *f)
{
    const doublet_input *in = &((const doublet_params *)params)->doublet;
    const char *element = in->of.c_sw != 0 ? "cloverQuarkAction" : "wilsonQuarkAction";
    (void)f;
    xml_open(x, element);
    annotate(x, in, q->mu);
    qcdml_put_glossary(x, element);
    qcdml_put_quark_field_phases(x, "1", (quark_phases){ (double)in->of.boundary, in->of.theta, open_in_time });
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "kappa", wilson_kappa(q->mass));
    if (in->of.c_sw != 0)
        xml_put_real(x, "cSW", in->of.c_sw);
    xml_close(x);
    return true;
}

/* The mu of a quark_count is mu_sigma. */
static bool add_quarks(quark_list *l, const void *params, failure *f)
{
    const doublet_params *p = params;
    const double mass = wilson_bare_mass(&p->doublet.light);
    const quark_count light = { .mass = mass, .mu = p->doublet.mu_sigma, .flavors = 2 };
    const quark_count heavy = { .mass = mass, .mu = p->heavy_mu_sigma, .flavors = -2 };
    return quark_list_add(l, &light, f) && (!p->given.heavy_mu_sigma || quark_list_add(l, &heavy, f));
}

/* A monomial may have only a part of a chain: doublets that differ only in mu_sigma are combined. */
static bool same_action(const void *one, const void *other)
{
    const doublet_input *a = &((const doublet_params *)one)->doublet, *b = &((const doublet_params *)other)->doublet;
    return wilson_operator_same(&a->of, &b->of) && wilson_bare_mass(&a->light) == wilson_bare_mass(&b->light)
           && a->mu_delta == b->mu_delta;
}

static void describe_quark(text *out, const void *params, const quark_count *q)
{
    text_add(out, "%g, mu_sigma %g, mu_delta %g", q->mass, q->mu, ((const doublet_params *)params)->doublet.mu_delta);
}

static bool is_rational(const void *params)
{
    (void)params;
    return true;
}

const qcdml_term doublet_qcdml = {
    .same_action = same_action, .add_quarks = add_quarks, .put_quark = put_quark, .is_rational = is_rational,
    .describe_quark = describe_quark, .flavors_together = 2,
};
