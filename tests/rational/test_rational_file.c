/* test_rational_file.c - files of rational functions in MILC's format: what is written is read; damage is told. */
#include "src/rational/rational_file.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/rational/golden_rational.h"

#include <math.h>

static const rational_errors loose = { 1e-6, 1e-9, 1e-9 };

/* Two light quarks and a strange one over three heavier ones, and one of three fields for the heavier ones. */
static bool make(rational_set set[2])
{
    const mass_flavors light[] = { { 0.01, 2 }, { 0.05, 1 }, { 0.2, -3 } }, heavy[] = { { 0.2, 3 } };
    const rational_errors errors = { 1e-7, 1e-10, 1e-10 };
    failure why = { .why = "" };
    const rational_set_goal goals[] = {
        { .quark = light, .count = 3, .roots = 1, .upper = 24, .error = &errors },
        { .quark = heavy, .count = 1, .roots = 3, .upper = 24, .error = &errors },
    };
    bool made = rational_set_make(&set[0], &goals[0], &why) && rational_set_make(&set[1], &goals[1], &why);
    set[1].naik_epsilon = -0.16875;
    return fact(made, "the functions of two pseudofermions are made %s", why.why);
}

static bool same(const rational *a, const rational *b)
{
    bool equal = a->order == b->order && a->constant == b->constant && a->lower == b->lower && a->upper == b->upper
                 && power_products_cancel(&a->target, 1, &b->target, -1) && fabs(a->error / b->error - 1) < 1e-6;
    for (int k = 0; k < a->order; k++)
        equal = equal && a->pole[k] == b->pole[k] && a->residue[k] == b->residue[k];
    return equal;
}

static void powers(const rational_set set[2])
{
    const mass_power *f = set[1].force.target.factor, *h = set[1].refresh.target.factor;
    fact(set[1].force.target.count == 1 && f->y == -1 && f->z == 4 && h->y == 1 && h->z == 8,
         "three flavors in three fields are a flavor each: powers -1/4 and 1/8");
    for (int i = 0; i < 2; i++) {
        failure why = { .why = "" };
        fact(rational_set_check(&set[i], 0, 24, &loose, &why), "the functions of a field agree with each other %s",
             why.why);
        double worst = 0;
        for (int k = 0; k < 100; k++) {
            double x = rational_grid(&set[i].force.target, 0, 24, k, 100);
            double a = rational_value(&set[i].action, x), h2 = rational_value(&set[i].refresh, x);
            worst = worse(worst, worse(fabs(a * h2 - 1), fabs(a * a / rational_value(&set[i].force, x) - 1)));
        }
        fact_close(worst, 0, 1.1e-7, "action times refresh is 1, the action's square is the force");
    }
}

static void mismatches(const rational_set *set, const rational_set *strange)
{
    failure why;
    rational_set s = *set;
    s.force.target.factor[0].mass = 0.011;
    fact(!rational_set_check(&s, 0, 24, &loose, &why) && strstr(why.why, "do not belong to its masses"),
         "a mass that does not belong to the poles is told: %s", why.why);
    s = *set;
    s.action.pole[3] *= 1 + 1e-6;
    fact(!rational_set_check(&s, 0, 24, &loose, &why), "and a pole that does not belong to the mass: %s", why.why);
    s = *set;
    s.action = s.refresh;
    fact(!rational_set_check(&s, 0, 24, &loose, &why) && strstr(why.why, "not the negative powers"),
         "and functions that are right but not of one field: %s", why.why);
    s = *set;
    s.force = s.action;
    fact(!rational_set_check(&s, 0, 24, &loose, &why) && strstr(why.why, "not -2 times"), "such as %s", why.why);
    fact(!rational_set_check(strange, 0, 240, &loose, &why), "and a range beyond the one it was made for: %s", why.why);
}

static void round_trip(const char *path, const rational_set set[2])
{
    rational_sets read;
    failure why = { .why = "" };
    fact(rational_file_write(path, set, 2, false, &why), "a file is written %s", why.why);
    fact(!rational_file_write(path, set, 2, false, &why), "and not overwritten: %s", why.why);
    if (!fact(rational_file_read(&read, path, &why), "it is read %s", why.why))
        return;
    fact(read.count == 2, "with both pseudofermions");
    for (int i = 0; i < 2; i++)
        fact(read.set[i].naik_epsilon == set[i].naik_epsilon && same(&read.set[i].force, &set[i].force)
             && same(&read.set[i].refresh, &set[i].refresh) && same(&read.set[i].action, &set[i].action),
             "as it was, to the last bit");
    rational_sets_free(&read);
    rational_set five = *set;
    five.force.target.count = 5;
    fact(!rational_file_write(path, &five, 1, true, &why) && strstr(why.why, "at most 4"),
         "MILC's format has four masses: %s", why.why);
}

/* The file with the first `from` replaced by `to`. */
static void damage(const char *path, const blob *whole, const char *from, const char *to, const char *reported)
{
    rational_sets read;
    failure why = { .why = "" };
    char *all = (char *)whole->bytes, *at = strstr(all, from), *changed = malloc(whole->n + strlen(to) + 1);
    int n = sprintf(changed, "%.*s%s%s", (int)(at - all), all, to, at + strlen(from));
    blob_write(path, changed, (size_t)n);
    free(changed);
    bool read_it = rational_file_read(&read, path, &why);
    fact(!read_it && strstr(why.why, reported) && strncmp(why.why, path, strlen(path)) == 0, "told: %s", why.why);
}

static void damages(const char *path)
{
    blob whole = blob_read(path);
    whole.bytes[whole.n] = '\0';
    damage(path, &whole, "n_pseudo 2", "n_pseudo 3", "expected \"naik_term_epsilon\", but the file ends");
    damage(path, &whole, "n_pseudo 2", "n_pseudo 1", "expected the end of the file");
    damage(path, &whole, "n_pseudo 2", "n_pseudo -2", ":1: n_pseudo is -2");
    damage(path, &whole, "n_pseudo", "m_pseudo", ":1: expected \"n_pseudo\", found \"m_pseudo\"");
    damage(path, &whole, "naik_term_epsilon 0", "", ":7: expected \"naik_term_epsilon\", found \"y_MD\"");
    damage(path, &whole, "naik_term_epsilon 0", "naik_term_epsilon zero", ":3: expected a number, found \"zero\"");
    damage(path, &whole, "z_MD 4", "z_MD 0", "the denominator of a power is 0");
    damage(path, &whole, "z_MD 4", "z_MD", "have 4, 3 and 4 numbers");
    damage(path, &whole, "y_MD -2", "y_MD -2.5", "expected a whole number, found \"-2.5\"");
    damage(path, &whole, "m_MD 0.01", "m_MD -0.01", "is negative");
    damage(path, &whole, "m_MD 0.01", "m_MD nan", "expected a number, found \"nan\"");
    damage(path, &whole, "order_MD 7", "order_MD 6", "expected \"pole_MD\", found \"res_MD\"");
    damage(path, &whole, "order_MD 7", "order_MD 8", "expected \"res_MD\", found \"pole_MD\"");
    damage(path, &whole, "order_MD 7", "order_MD 41", "order_MD is 41");
    damage(path, &whole, "res_GR", "res_FA", "expected \"res_GR\", found \"res_FA\"");
    damage(path, &whole, "res_MD 1", "res_MD 1e999", "expected a number");
    damage(path, &whole, "res_MD 1", "res_MD 0x1", "expected a number");
    damage(path, &whole, "pole_MD 99.9\npole_MD ", "pole_MD 99.9\npole_MD -", "poles must be positive");
    damage(path, &whole, "order_MD", "order\001_MD", "which is not text");
    damage(path, &whole, "order_MD", "order_MDorder_MDorder_MDorder_MDorder_MDorder_MDorder_MDorder_MDorder_MD",
           "longer than");
    rational_sets read;
    int taken = 0;
    for (size_t n = 0; n + 1 < whole.n; n += 1 + n / 40) {       /* the last byte is a line end */
        blob_write(path, whole.bytes, n);
        taken += rational_file_read(&read, path, NULL) && read.count == 2;
        rational_sets_free(&read);
    }
    fact(taken == 0, "no beginning of a file is taken for the whole");
    fact(!rational_file_read(&read, "/nowhere/rationals", NULL), "a file that is not there cannot be read");
    free(whole.bytes);
}

static double relative_difference(double a, double b)
{
    return fabs(a - b) / fabs(b);
}

static void remade(const rational *milc, double *off, double *error_off)
{
    rational r;
    if (!rational_make_order(&r, &milc->target, milc->lower, milc->upper, milc->order, NULL)) {
        *off = INFINITY;
        return;
    }
    *off = worse(*off, relative_difference(r.constant, milc->constant));
    for (int k = 0; k < r.order; k++)
        *off = worse(*off, worse(relative_difference(r.pole[k], milc->pole[k]),
                                 relative_difference(r.residue[k], milc->residue[k])));
    *error_off = worse(*error_off, relative_difference(r.error, milc->error));
}

static void reference(void)
{
    const char *sentence = "MILC's sample file is read, and agrees with its masses";
    if (!reference_folder()) {
        skip(sentence, "there is no folder of reference data");
        return;
    }
    char path[1024];
    rational_sets milc;
    failure why = { .why = "" };
    snprintf(path, sizeof path, "%s/reference/milc/f211b670.l6666/rationals.sample.su3_rhmc_hisq_f211",
             reference_folder());
    if (!fact(rational_file_read(&milc, path, &why), "MILC's sample file is read %s", why.why))
        return;
    fact(milc.count == 5 && milc.set[4].naik_epsilon == -0.16875,
         "it has five pseudofermions, the last with charm's Naik term");
    double off = 0, error_off = 0;
    for (int i = 0; i < milc.count; i++) {
        const rational_set *s = &milc.set[i];
        const rational_errors tolerances = { 1.001 * s->force.error, 1.001 * s->refresh.error,
                                             1.001 * s->action.error };
        fact(rational_set_check(s, 1e-15, 90, &tolerances, &why), "pseudofermion %d agrees with its masses", i);
        fact(s->force.lower == 1e-15 && s->force.upper == 90 && s->action.upper == 90,
             "its range is that of the remark");
        remade(&s->force, &off, &error_off);
        remade(&s->refresh, &off, &error_off);
        remade(&s->action, &off, &error_off);
    }
    fact_close(off, 0, 1e-11, "all its functions, made here, have the same constants, residues and poles");
    fact_close(error_off, 0, 1e-6, "and the same errors");
    fact(same(&milc.set[0].force, &golden_force) && same(&milc.set[0].refresh, &golden_heatbath)
         && same(&milc.set[1].force, &golden_strange), "the numbers of these tests are the file's");
    rational_sets_free(&milc);
}

int main(void)
{
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "rationals");
    rational_set set[2];
    if (make(set)) {
        powers(set);
        mismatches(&set[0], &set[1]);
        round_trip(path, set);
        damages(path);
    }
    reference();
    scratch_remove(&s);
    return facts_end();
}
