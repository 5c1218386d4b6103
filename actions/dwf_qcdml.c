/* dwf_qcdml.c - the QCDml of domain-wall quarks. */
#include "actions/dwf_params.h"
#include "src/config/number.h"

static void annotate_weights(xml_document *x, const dwf_params *p, const dwf_weights *w)
{
    text words = { 0 };
    text_add(&words, "optimal weights b_s = c_s = omega_s (%s, |gamma5 Dw| in [%g, %g]): no element of their own in "
             "QCDml; omega_s =", dwf_kind_names[p->of.action], p->of.lambda_min, p->of.lambda_max);
    for (int s = 0; s < w->Ls; s++) {
        text_add(&words, " ");
        number_add_real(&words, w->b[s]);
    }
    stout_params_annotate(x, text_string(&words), &p->of.stout);
    text_free(&words);
}

static void put_element(xml_document *x, const dwf_params *p, const dwf_weights *w, const quark_count *q)
{
    const char *element = p->of.action == DWF_SHAMIR ? "domainWallQuarkAction" : "moebiusDomainWallQuarkAction";
    bool optimal = p->of.action == DWF_OPTIMAL || p->of.action == DWF_OPTIMAL_SYMMETRIC;
    xml_open(x, element);
    if (optimal)
        annotate_weights(x, p, w);
    else
        stout_params_annotate(x, NULL, &p->of.stout);
    qcdml_put_glossary(x, element);
    qcdml_put_quark_field(x, "1", (double)p->of.boundary);
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "mass", q->mass);
    xml_put_real(x, "kernelMass", p->of.M5);
    xml_put_int(x, "N5", p->of.Ls);
    if (p->of.action != DWF_SHAMIR) {
        xml_put_real(x, "b5", optimal ? 1 : w->b[0]);
        xml_put_real(x, "c5", optimal ? 1 : w->c[0]);
    }
    xml_close(x);
}

static bool put_quark(xml_document *x, const void *params, const quark_count *q, bool open_in_time, failure *f)
{
    const dwf_params *p = params;
    dwf_operator_params op;
    failure why;
    (void)open_in_time;
    if (!dwf_parameters.read(&op, &p->of, &why))
        return fail(f, "%s: %s", p->name, why.why);
    put_element(x, p, &op.weights, q);
    return true;
}

static bool add_quarks(quark_list *l, const void *params, failure *f)
{
    const dwf_params *p = params;
    bool ok = true;
    for (int d = 0; ok && d < p->determinants.count; d++) {
        const dwf_determinant_params *determinant = (const dwf_determinant_params *)p->determinants.item + d;
        const quark_count light = { .mass = dwf_mass_of(determinant->mass, &p->of), .flavors = determinant->flavors };
        const quark_count heavy = { .mass = dwf_mass_of(determinant->heavy, &p->of), .flavors = -determinant->flavors };
        ok = quark_list_add(l, &light, f) && (!determinant->given.heavy || quark_list_add(l, &heavy, f));
    }
    return ok;
}

/* A monomial may have only a part of a chain of masses: chains of the same action are combined. */
static bool same_action(const void *one, const void *other)
{
    return dwf_parameters.same(&((const dwf_params *)one)->of, &((const dwf_params *)other)->of);
}

static bool is_rational(const void *params)
{
    const param_list *determinants = &((const dwf_params *)params)->determinants;
    for (int d = 0; d < determinants->count; d++)
        if (((const dwf_determinant_params *)determinants->item)[d].flavors == 1)
            return true;
    return false;
}

static const quark_count pauli_villars = { .mass = 1 };

const qcdml_term dwf_qcdml = {
    .same_action = same_action, .add_quarks = add_quarks, .put_quark = put_quark, .is_rational = is_rational,
    .regulator = &pauli_villars,
};
