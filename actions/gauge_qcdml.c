/* gauge_qcdml.c - the QCDml of pure-gauge actions.
 *
 * QCDml defines  S = beta sum { c0 plaquettes + c1 rectangles + c2 chairs + c3 bent six-link loops }  with
 * c0 + 8 c1 + 16 c2 + 8 c3 = 1 (cs_sum_to_one), or with c0 = 1 as in MILC (c0_is_one): docs/conventions.md. */
#include "actions/gauge_action.h"

/* In the order of gauge_action_names. */
static const struct { const char *element, *annotation; bool six_links, c0_is_one, has_u0; } gluon_rows[] = {
    { .element = "plaquetteGluonAction" },
    { .element = "treelevelSymanzikGluonAction", .six_links = true },
    { .element = "iwasakiRGGluonAction", .six_links = true },
    { .element = "DBW2GluonAction", .six_links = true },
    { .element = "LuescherWeiszGluonAction", .six_links = true,
      .annotation = "plaquettes and rectangles with free c1: no element of its own in QCDml" },
    { .element = "tpLuescherWeiszGluonAction", .six_links = true, .c0_is_one = true, .has_u0 = true,
      .annotation = "one-loop coefficients with u0, as MILC has them: beta = 10/g^2" },
    { .element = "treelevelSymanzikGluonAction", .six_links = true },
};

/* An annotation with the parameters that the elements do not contain; "" if there are none. */
static void annotate(text *t, const gauge_params *g, int terms, bool open_in_time)
{
    const char *annotation = gluon_rows[g->action].annotation;
    if (annotation)
        text_add(t, "%s", annotation);
    if (terms > 1)
        text_add(t, "%sone of several terms: the action is their sum", t->length > 0 ? "; " : "");
    if (g->given.u_s)
        text_add(t, "%sanisotropic with tadpole factors: S = beta sum { 5/(3 xi_0 u_s^4) P_ij "
                    "+ 4 xi_0/(3 u_s^2 u_t^2) P_it - 1/(12 xi_0 u_s^6) R_ij - xi_0/(12 u_s^4 u_t^2) R_it }, R_it with "
                    "one step in t, xi_0 = %.17g, u_s = %.17g, u_t = %.17g",
                 t->length > 0 ? "; " : "", g->xi_0, g->u_s, g->u_t);
    else if (g->given.xi_0)
        text_add(t, "%sanisotropic: loops with links in t have the factor xi_0, others 1/xi_0, xi_0 = %.17g",
                 t->length > 0 ? "; " : "", g->xi_0);
    if (open_in_time)
        text_add(t, "%sloops in space in the first and the last time slice have the weight c_G/2, c_G = %.17g",
                 t->length > 0 ? "; " : "", gauge_action_end_weight(g));
}

static void put_gluons(xml_document *x, const void *params, int terms, bool open_in_time)
{
    const gauge_params *g = params;
    loop_coefficients c = gauge_action_coefficients(g);
    const char *element = gluon_rows[g->action].element;
    text annotation = { 0 };
    annotate(&annotation, g, terms, open_in_time);
    xml_open(x, element);
    if (annotation.length > 0)
        xml_put_text(x, "annotation", text_string(&annotation));
    text_free(&annotation);
    qcdml_put_glossary(x, element);
    xml_open(x, "gluonField");
    xml_put_text(x, "gaugeGroup", "SU(3)");
    xml_put_text(x, "representation", "fundamental");
    qcdml_put_boundary(x, (const char *const[4]){ "periodic", "periodic", "periodic",
                                                  open_in_time ? "open" : "periodic" });
    xml_close(x);
    xml_put_real(x, "beta", g->beta);
    if (gluon_rows[g->action].six_links) {
        xml_put_text(x, "normalisation", gluon_rows[g->action].c0_is_one ? "c0_is_one" : "cs_sum_to_one");
        xml_put_real(x, "c0", c.plaquette);
        xml_put_real(x, "c1", c.rectangle);
        xml_put_real(x, "c2", 0);
        xml_put_real(x, "c3", c.parallelogram);
        if (gluon_rows[g->action].has_u0)
            xml_put_real(x, "u0", g->u0);
    }
    xml_close(x);
}

const qcdml_term gauge_qcdml = { .put_gluons = put_gluons };
