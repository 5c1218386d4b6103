/* qcdml_action.c - the terms of an action in the words of QCDml.
 *
 * Couplings of gluons are those of  S = beta sum { c0 plaquettes + c1 rectangles + c2 chairs + c3 bent six-link loops }
 * with c0 + 8 c1 + 16 c2 + 8 c3 = 1 (cs_sum_to_one), or c0 = 1 (c0_is_one, which is MILC's): docs/conventions.md.
 * What QCDml has no element for takes the nearest one, with an annotation that says what it is. */
#include "src/publish/qcdml.h"

#include "actions/gauge_action.h"
#include "actions/staggered_quarks.h"
#include "actions/wall_params.h"
#include "src/base/memory.h"
#include "src/config/number.h"

#include <math.h>
#include <string.h>

static void put_glossary(xml_document *x, const char *element)
{
    xml_put_format(x, "glossary", "http://www.lqcd.org/ildg/actionGlossaries/%s.pdf", element);
}

static void put_boundary(xml_document *x, const char *in_t)
{
    xml_open(x, "boundaryCondition");
    xml_put_text(x, "x", "periodic");
    xml_put_text(x, "y", "periodic");
    xml_put_text(x, "z", "periodic");
    xml_put_text(x, "t", in_t);
    xml_close(x);
}

/* In the order of gauge_action_names. */
static const struct { const char *element, *annotation; bool six_links, c0_is_one, has_u0; } gluon_rows[] = {
    { "plaquetteGluonAction", NULL, false, false, false },
    { "treelevelSymanzikGluonAction", NULL, true, false, false },
    { "iwasakiRGGluonAction", NULL, true, false, false },
    { "DBW2GluonAction", NULL, true, false, false },
    { "LuescherWeiszGluonAction", "plaquettes and rectangles with free c1: no element of its own in QCDml", true,
      false, false },
    { "tpLuescherWeiszGluonAction", "one-loop coefficients with u0, as MILC has them: beta = 10/g^2", true,
      true, true },
};

static void put_gluons(xml_document *x, const gauge_params *g, int terms)
{
    loop_coefficients c = gauge_action_coefficients(g);
    const char *element = gluon_rows[g->action].element, *annotation = gluon_rows[g->action].annotation;
    xml_open(x, element);
    if (annotation || terms > 1)
        xml_put_format(x, "annotation", "%s%s%s", annotation ? annotation : "", annotation && terms > 1 ? "; " : "",
                       terms > 1 ? "one of several terms: the action is their sum" : "");
    put_glossary(x, element);
    xml_open(x, "gluonField");
    xml_put_text(x, "gaugeGroup", "SU(3)");
    xml_put_text(x, "representation", "fundamental");
    put_boundary(x, "periodic");
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

/* Flavours of one mass, and what else tells quarks of the same monomial apart. */
enum { QUARKS_MAX = 64 };
typedef struct { double mass, epsilon; bool auto_epsilon; int64_t flavors; } quark_count;
typedef struct { int count; quark_count quark[QUARKS_MAX]; } quark_list;

/* Numerators and denominators of determinants that belong together cancel. */
static bool add_quark(quark_list *l, double mass, int64_t flavors, double epsilon, bool auto_epsilon, failure *f)
{
    for (int i = 0; i < l->count; i++)
        if (l->quark[i].mass == mass && l->quark[i].epsilon == epsilon) {
            l->quark[i].flavors += flavors;
            return true;
        }
    if (l->count == QUARKS_MAX)
        return fail(f, "more than %d masses", QUARKS_MAX);
    l->quark[l->count++] = (quark_count){ mass, epsilon, auto_epsilon, flavors };
    return true;
}

static bool no_ghosts(const quark_list *l, const char *name, failure *f)
{
    for (int i = 0; i < l->count; i++)
        if (l->quark[i].flavors < 0)
            return fail(f, "monomial %s: %lld flavours of mass %g are left: QCDml has no words for negative numbers of "
                        "flavours", name, (long long)l->quark[i].flavors, l->quark[i].mass);
    return true;
}

static void put_quark_field(xml_document *x, const char *normalisation, double boundary)
{
    xml_open(x, "quarkField");
    if (boundary != 0 && fabs(boundary) != 1)
        xml_put_format(x, "annotation", "the boundary in t has the phase exp(i pi %.17g)", boundary);
    xml_put_text(x, "normalisation", normalisation);
    put_boundary(x, fabs(boundary) >= 0.5 ? "antiperiodic" : "periodic");
    xml_close(x);
}

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
    put_glossary(x, "fat7QuarkLinkTreatment");
    put_paths(x, &first, false, 1);
    xml_close(x);
    xml_open(x, "projectGroupLinkTreatment");
    put_glossary(x, "projectGroupLinkTreatment");
    xml_put_text(x, "group", links->projection == PROJECTION_U3 ? "U(3)" : "SU(3)");
    xml_close(x);
    xml_open(x, "asqTadQuarkLinkTreatment");
    put_glossary(x, "asqTadQuarkLinkTreatment");
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

static void put_staggered(xml_document *x, const staggered_params *p, const quark_count *q)
{
    const staggered_links_params links = { .kind = (staggered_kind)p->action, .u0 = p->u0,
                                           .projection = (projection_group)p->projection };
    const char *element = p->action == STAGGERED_HISQ ? "hisqQuarkAction" : "asqTadQuarkAction";
    xml_open(x, element);
    if (p->action == STAGGERED_NAIVE)
        xml_put_text(x, "annotation", "unimproved staggered quarks, the thin link alone: no element of their own in "
                                      "QCDml");
    put_glossary(x, element);
    put_quark_field(x, "sqrt(2)", p->boundary);
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "mass", q->mass);
    path_table second = staggered_second_table(&links);
    if (p->action == STAGGERED_HISQ)
        put_hisq_links(x, &links, q);
    else
        put_paths(x, &second, true, p->action == STAGGERED_ASQTAD ? p->u0 : 1);
    xml_close(x);
}

static bool staggered_quarks(quark_list *l, const staggered_params *p, failure *f)
{
    bool ok = true;
    for (int d = 0; ok && d < p->determinants.count; d++) {
        const determinant_params *determinant = (const determinant_params *)p->determinants.item + d;
        for (int i = 0; ok && i < determinant->quarks.count; i++) {
            const quark_params *q = (const quark_params *)determinant->quarks.item + i;
            double epsilon = 0;
            ok = naik_epsilon_read(&epsilon, determinant->naik_epsilon, q->mass)
                 && add_quark(l, q->mass, q->flavors, epsilon, strcmp(determinant->naik_epsilon, "auto") == 0, f);
        }
    }
    return ok;
}

static bool wall_quarks(quark_list *l, const wall_params *p, failure *f)
{
    bool ok = true;
    for (int d = 0; ok && d < p->determinants.count; d++) {
        const wall_determinant_params *determinant = (const wall_determinant_params *)p->determinants.item + d;
        ok = add_quark(l, wall_mass_of(determinant->mass, p), determinant->flavors, 0, false, f);
        if (ok && determinant->heavy != 0)
            ok = add_quark(l, wall_mass_of(determinant->heavy, p), -determinant->flavors, 0, false, f);
    }
    return ok;
}

static void annotate_weights(xml_document *x, const wall_params *p, const wall_weights *w)
{
    text words = { 0 };
    text_add(&words, "optimal weights b_s = c_s = omega_s (%s, |gamma5 Dw| in [%g, %g]): no element of their own in "
             "QCDml; omega_s =", wall_kind_names[p->action], p->lambda_min, p->lambda_max);
    for (int s = 0; s < w->slices; s++) {
        text_add(&words, " ");
        number_add_real(&words, w->b[s]);
    }
    xml_put_text(x, "annotation", text_string(&words));
    text_free(&words);
}

static void put_wall(xml_document *x, const wall_params *p, const wall_weights *w, const quark_count *q)
{
    const char *element = p->action == WALL_SHAMIR ? "domainWallQuarkAction" : "moebiusDomainWallQuarkAction";
    bool optimal = p->action == WALL_OPTIMAL || p->action == WALL_OPTIMAL_SYMMETRIC;
    xml_open(x, element);
    if (optimal)
        annotate_weights(x, p, w);
    put_glossary(x, element);
    put_quark_field(x, "1", (double)p->boundary);
    xml_put_int(x, "numberOfFlavours", q->flavors);
    xml_put_real(x, "mass", q->mass);
    xml_put_real(x, "kernelMass", p->height);
    xml_put_int(x, "N5", p->slices);
    if (p->action != WALL_SHAMIR) {
        xml_put_real(x, "b5", optimal ? 1 : w->b[0]);
        xml_put_real(x, "c5", optimal ? 1 : w->c[0]);
    }
    xml_close(x);
}

/* A domain-wall monomial may hold a part of a chain of masses only: chains of one action are taken together. */
static bool same_wall(const wall_params *a, const wall_params *b)
{
    return a->action == b->action && a->slices == b->slices && a->height == b->height && a->b == b->b && a->c == b->c
           && a->scale == b->scale && a->lambda_min == b->lambda_min && a->lambda_max == b->lambda_max
           && a->boundary == b->boundary && a->mass_convention == b->mass_convention;
}

static bool same_staggered(const staggered_params *a, const staggered_params *b)
{
    return a->action == b->action && a->projection == b->projection && a->u0 == b->u0 && a->boundary == b->boundary;
}

static bool same_action(const run_params *p, int a, int b)
{
    const monomial_kind *kind = run_monomial_kind(p, a);
    const void *left = run_monomial_params(p, a), *right = run_monomial_params(p, b);
    return kind == run_monomial_kind(p, b)
           && (kind == &wall_monomial ? same_wall(left, right)
                                      : kind == &staggered_monomial && same_staggered(left, right));
}

static bool collect(quark_list *l, const run_params *p, int first, failure *f)
{
    bool ok = true;
    for (int m = first; ok && m < run_monomial_count(p); m++)
        if (same_action(p, first, m))
            ok = run_monomial_kind(p, m) == &wall_monomial ? wall_quarks(l, run_monomial_params(p, m), f)
                                                           : staggered_quarks(l, run_monomial_params(p, m), f);
    return ok && no_ghosts(l, run_monomial_name(p, first), f);
}

/* The quarks of monomial `first` and those of the same action behind it. */
static bool put_quarks(xml_document *x, const run_params *p, int first, failure *f)
{
    quark_list list = { 0 };
    wall_plan *plan = memory_alloc(sizeof *plan, "the plan of domain-wall quarks");
    bool is_wall = run_monomial_kind(p, first) == &wall_monomial;
    const void *params = run_monomial_params(p, first);
    bool ok = collect(&list, p, first, f) && (!is_wall || wall_plan_make(plan, params, f));
    for (int i = 0; ok && i < list.count; i++)
        if (list.quark[i].flavors > 0) {
            if (is_wall)
                put_wall(x, params, &plan->weights, &list.quark[i]);
            else
                put_staggered(x, params, &list.quark[i]);
        }
    memory_free(plan);
    return ok;
}

static bool is_first_of_its_action(const run_params *p, int m)
{
    for (int other = 0; other < m; other++)
        if (same_action(p, other, m))
            return false;
    return true;
}

bool qcdml_action(xml_document *x, const run_params *p, failure *f)
{
    int gluons = 0, quarks = 0, terms = run_monomial_count(p);
    bool ok = true;
    for (int m = 0; m < terms; m++) {
        gluons += run_monomial_kind(p, m) == &gauge_monomial;
        quarks += run_monomial_kind(p, m) == &staggered_monomial || run_monomial_kind(p, m) == &wall_monomial;
    }
    if (gluons == 0 || gluons + quarks != terms)
        return fail(f, gluons == 0 ? "the run has no gauge action, which QCDml demands"
                                   : "the run has a kind of monomial that QCDml has no words for");
    xml_open(x, "action");
    xml_open(x, "gluon");
    for (int m = 0; m < terms; m++)
        if (run_monomial_kind(p, m) == &gauge_monomial)
            put_gluons(x, run_monomial_params(p, m), gluons);
    xml_close(x);
    if (quarks > 0) {
        xml_open(x, "quark");
        for (int m = 0; ok && m < terms; m++)
            if (run_monomial_kind(p, m) != &gauge_monomial && is_first_of_its_action(p, m))
                ok = put_quarks(x, p, m, f);
        xml_close(x);
    }
    xml_close(x);
    return ok;
}
