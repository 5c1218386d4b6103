/* wilson_qcdml.c - Wilson quarks without and with a clover term as elements of QCDml. */
#include "actions/wilson_params.h"

/* An annotation with the parameters that QCDml has no elements for. */
static void annotate(xml_document *x, const wilson_params *p, const quark_count *q, bool open_in_time)
{
    const char *rest = "";
    text words = { 0 };
    if (wilson_has_clover(&p->of) && p->of.clover == CLOVER_EXPONENTIAL) {
        text_add(&words, p->of.given.xi_0 ? "exponential clover term: the diagonal part T of M is D exp(B/D), with D "
                                            "without a clover term, where the linear one is D + B"
                                          : "exponential clover term (4 + m) exp(cSW A / (4 + m))");
        rest = "; ";
    }
    if (p->of.given.c_s) {
        text_add(&words, "%sclover term (c_s/xi_0) A_s + c_t A_t of planes in space and with t, A = A_s + A_t on "
                         "isotropic lattices (arXiv:0803.3960): c_s = %.17g, c_t = %.17g; cSW is c_s",
                 rest, p->of.c_s, p->of.c_t);
        rest = "; ";
    }
    if (p->of.clover_links == CLOVER_THIN_LINKS) {
        text_add(&words, "%sclover term of the thin links, without the smearing of the hops", rest);
        rest = "; ";
    }
    if (q->mu != 0) {
        text_add(&words, "%stwisted mass of a degenerate doublet, M + i mu gamma5 tau3: mu = %.17g, 2 kappa mu = %.17g",
                 rest, q->mu, 2 * wilson_kappa(q->mass) * q->mu);
        rest = "; ";
    }
    if (q->rho != 0) {
        text_add(&words, "%stwist of the odd sites, Mhat + i rho gamma5: rho = %.17g", rest, q->rho);
        rest = "; ";
    }
    if (p->of.given.xi_0) {
        text_add(&words, "%sanisotropic: hops in space have the factor nu/xi_0, the diagonal of M is m + 1 + 3 "
                         "nu/xi_0, m = 1/(2 kappa) - 4: xi_0 = %.17g, nu = %.17g",
                 rest, p->of.xi_0, wilson_operator_nu(&p->of));
        rest = "; ";
    }
    if (open_in_time)
        text_add(&words, "%squark fields are 0 in the first and the last time slice, c_F = %.17g (arXiv:1206.2809)",
                 rest, p->of.given.c_F ? p->of.c_F : 1);
    if (words.length > 0)
        text_add(&words, ": no element of its own in QCDml");
    stout_params_annotate(x, words.length > 0 ? text_string(&words) : NULL, &p->of.stout);
    text_free(&words);
}

static bool put_quark(xml_document *x, const void *params, const quark_count *q, bool open_in_time, failure *f)
{
    const wilson_params *p = params;
    const char *element = wilson_has_clover(&p->of) ? "cloverQuarkAction" : "wilsonQuarkAction";
    (void)f;
    xml_open(x, element);
    annotate(x, p, q, open_in_time);
    qcdml_put_glossary(x, element);
    qcdml_put_quark_field_phases(x, "1", (quark_phases){ (double)p->of.boundary, p->of.theta, open_in_time });
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "kappa", wilson_kappa(q->mass));
    if (wilson_has_clover(&p->of))
        xml_put_real(x, "cSW", p->of.given.c_s ? p->of.c_s : p->of.c_sw);
    xml_close(x);
    return true;
}

static bool add_quarks(quark_list *l, const void *params, failure *f)
{
    const wilson_params *p = params;
    bool ok = true;
    for (int n = 0; ok && n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        const quark_count light = { .mass = wilson_mass_of(d), .mu = d->mu, .rho = d->rho, .flavors = d->flavors };
        const quark_count heavy = { .mass = wilson_heavy_of(d), .mu = wilson_heavy_mu_of(d), .rho = d->heavy_rho,
                                    .flavors = -d->flavors };
        ok = quark_list_add(l, &light, f) && (!wilson_has_heavy(d) || quark_list_add(l, &heavy, f));
    }
    return ok;
}

/* A monomial may have only a part of a chain of masses: chains of the same action are combined. */
static bool same_action(const void *one, const void *other)
{
    return wilson_operator_same(&((const wilson_params *)one)->of, &((const wilson_params *)other)->of);
}

static bool is_rational(const void *params)
{
    const param_list *determinants = &((const wilson_params *)params)->determinants;
    for (int n = 0; n < determinants->count; n++)
        if (((const wilson_determinant_params *)determinants->item)[n].flavors == 1)
            return true;
    return false;
}

const qcdml_term wilson_qcdml = {
    .same_action = same_action, .add_quarks = add_quarks, .put_quark = put_quark, .is_rational = is_rational,
};
