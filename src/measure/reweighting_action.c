/* reweighting_action.c - the regulators of the action, and the factors W that remove them.
 *
 * With A = A(rho) of one mass and mu (wilson_reweighting.c), the product of all determinants of the action has A(rho)
 * to the power n(rho); chains of intermediate rho cancel.  W times this product must not depend on any rho:
 *
 *     type 2    A(rho)^2 / A(sqrt2 rho), mu = 0    n(rho) >= 2, n(sqrt2 rho) <= -1
 *     type 1    A(rho), of what is left            n(rho) >= 1 */
#include "src/measure/reweighting_action.h"

#include <math.h>

/* heavy_rho of type 2 is an irrational multiple of rho, which the input has as a decimal number. */
#define ROOT_TOLERANCE 1e-6
#define RHO_TOLERANCE 1e-9

/* A regulator of the action: W of `type` is needed for it `count` times. */
typedef struct { quark_count quark; int64_t type, count; } regulator;
typedef struct { int count; regulator of[2 * QUARKS_MAX]; } regulator_list;

static bool are_close(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* The sign of mu does not change the weight. */
static bool same_quark(const quark_count *a, const quark_count *b)
{
    return action_same_bare_mass(a->mass, b->mass) && are_close(fabs(a->mu), fabs(b->mu), RHO_TOLERANCE);
}

static void add_regulator(regulator_list *l, const quark_count *quark, int64_t type, int64_t count)
{
    if (count > 0)
        l->of[l->count++] = (regulator){ *quark, type, count };
}

/* Powers of A are half the numbers of flavors. */
static regulator_list regulators_of(quark_list *action)
{
    regulator_list l = { 0 };
    for (int i = 0; i < action->count; i++) {
        quark_count *light = &action->quark[i];
        for (int k = 0; k < action->count && light->rho != 0 && light->mu == 0; k++) {
            quark_count *heavy = &action->quark[k];
            const int64_t n = light->flavors / 4 < -heavy->flavors / 2 ? light->flavors / 4 : -heavy->flavors / 2;
            if (n <= 0 || !same_quark(light, heavy) || !are_close(heavy->rho, sqrt(2) * light->rho, ROOT_TOLERANCE))
                continue;
            add_regulator(&l, light, 2, n);
            light->flavors -= 4 * n;
            heavy->flavors += 2 * n;
        }
    }
    for (int i = 0; i < action->count; i++)
        if (action->quark[i].rho != 0)
            add_regulator(&l, &action->quark[i], 1, action->quark[i].flavors / 2);
    return l;
}

static void describe(text *out, const regulator *r)
{
    action_quark_describe(out, &r->quark);
    text_add(out, ", type %d", (int)r->type);
}

static text describe_all(const regulator_list *l)
{
    text all = { 0 };
    for (int i = 0; i < l->count; i++)
        if (l->of[i].count > 0) {
            text_add(&all, "%s", all.length ? "; " : "");
            describe(&all, &l->of[i]);
        }
    return all;
}

static bool claim_regulator(regulator_list *l, const regulated_mass *m)
{
    const quark_count wanted = { .mass = wilson_bare_mass(&m->of.bare), .mu = m->of.mu };
    for (int i = 0; i < l->count; i++) {
        regulator *r = &l->of[i];
        if (r->count == 0 || r->type != m->type || !same_quark(&r->quark, &wanted)
            || !are_close(r->quark.rho, m->rho, RHO_TOLERANCE))
            continue;
        r->count--;
        return true;
    }
    return false;
}

void reweighting_compare(const param_list *masses, const param_list *monomials, action_listener *emit, void *out)
{
    quark_list action = action_quarks(monomials, "wilson");
    if (action.count == 0)
        return;
    regulator_list left = regulators_of(&action);
    text all = describe_all(&left);
    for (int k = 0; k < masses->count; k++) {
        const regulated_mass *m = (const regulated_mass *)masses->item + k;
        if (claim_regulator(&left, m))
            continue;
        const quark_count wanted = { .mass = wilson_bare_mass(&m->of.bare), .mu = m->of.mu, .rho = m->rho };
        const regulator asked = { wanted, m->type, 1 };
        text words = { 0 };
        describe(&words, &asked);
        action_report(emit, out, (action_mismatch){ .is_fault = true, .list = "masses", .index = k },
                      "the action has no determinants for which this W (%s) is the weight; it needs W of: %s",
                      text_string(&words), all.length ? text_string(&all) : "none, because it has no regulator rho");
        text_free(&words);
    }
    text_free(&all);
    all = describe_all(&left);
    if (all.length)
        action_report(emit, out, (action_mismatch){ .list = "masses", .index = -1 },
                      "the action has further regulators (%s), so that the total weight of this measurement is not "
                      "that of the action; add them, or multiply by the weights of another measurement",
                      text_string(&all));
    text_free(&all);
}

bool reweighting_is_needed(const param_list *monomials)
{
    const quark_list action = action_quarks(monomials, "wilson");
    for (int i = 0; i < action.count; i++)
        if (action.quark[i].rho != 0 && action.quark[i].flavors != 0)
            return true;
    return false;
}
