/* staggered_rationals.c - compute the rational functions of the pseudofermions of a plan, or read and check them. */
#include "actions/staggered_rationals.h"

#include "src/rational/rational_file.h"

#include <math.h>
#include <string.h>

double staggered_expected_largest(const staggered_params *p)
{
    return p->largest_eigenvalue_given ? p->largest_eigenvalue : staggered_expected_range((staggered_kind)p->of.action);
}

static bool same_functions(const pseudofermion_plan *a, const pseudofermion_plan *b)
{
    return a->count == b->count && a->roots == b->roots
           && memcmp(a->quark, b->quark, (size_t)a->count * sizeof *a->quark) == 0;
}

static bool make_sets(rational_set *sets, const staggered_plan *plan, const staggered_params *p, double largest,
                      failure *f)
{
    const rational_errors errors = { .force = p->error.of[ROLE_FORCE], .refresh = p->error.of[ROLE_REFRESH],
                                     .action = p->error.of[ROLE_ACTION] };
    text cache = { 0 };
    const char *folder = rational_cache_folder(&cache) ? text_string(&cache) : NULL;
    bool ok = true;
    for (int n = 0; ok && n < plan->count; n++) {
        const pseudofermion_plan *pf = &plan->field[n];
        int like = 0;
        failure why;
        while (!same_functions(&plan->field[like], pf))
            like++;
        if (like < n)
            sets[n] = sets[like];
        else {
            const rational_set_goal goal = { .quark = pf->quark, .count = pf->count, .roots = pf->roots,
                                             .upper = largest, .error = &errors, .cache = folder };
            ok = rational_set_make(&sets[n], &goal, &why)
                 || fail(f, "%s: pseudofermion %d, %s", p->name, n, why.why);
        }
        sets[n].naik_epsilon = plan->op.links.epsilon[pf->set];
    }
    text_free(&cache);
    return ok;
}

/* Tolerances for functions of a file, relative to the products that they approximate. */
static const rational_errors file_tolerances = { .force = 1e-3, .refresh = 1e-6, .action = 1e-6 };

/* Check the functions of a field in a file against its determinant. */
static bool check_set(const rational_set *set, const staggered_plan *plan, int n, double largest, failure *f)
{
    const pseudofermion_plan *pf = &plan->field[n];
    double epsilon = plan->op.links.epsilon[pf->set];
    const rational_targets target = rational_set_targets(pf->quark, pf->count, pf->roots);
    const power_product *targets[ROLES] = { [ROLE_REFRESH] = &target.refresh, [ROLE_ACTION] = &target.action,
                                            [ROLE_FORCE] = &target.force };
    if (set->naik_epsilon != epsilon)
        return fail(f, "naik_term_epsilon is %g in rational_file, but %g in the input",
                    set->naik_epsilon, epsilon);
    for (int role = 0; role < ROLES; role++)
        if (!power_products_cancel(&rational_of(set, role)->target, 1, targets[role], -1))
            return fail(f, "%s: masses and powers differ from those of the determinant", role_names[role]);
    return rational_set_check(set, 0, set->force.upper > 0 ? fmin(set->force.upper, largest) : largest,
                              &file_tolerances, f);
}

static bool read_file(rational_set *sets, const staggered_plan *plan, const staggered_params *p, failure *f)
{
    rational_sets read;
    const char *path = p->rational_file;
    failure why;
    if (!rational_file_read(&read, path, &why))
        return fail_because(f, &why, "%s: rational_file: %s", p->name, why.why);
    bool ok = read.count == plan->count
              || fail(f, "%s: rational_file: %s: %d pseudofermions in the file, but %d in the input", p->name, path,
                      read.count, plan->count);
    for (int n = 0; ok && n < read.count; n++) {
        ok = check_set(&read.set[n], plan, n, staggered_expected_largest(p), &why)
             || fail(f, "%s: rational_file: %s: pseudofermion %d: %s", p->name, path, n, why.why);
        sets[n] = read.set[n];
        if (sets[n].force.upper == 0)
            sets[n].force.upper = staggered_expected_largest(p);
    }
    rational_sets_free(&read);
    return ok;
}

bool staggered_rationals(rational_set *sets, const staggered_plan *plan, const staggered_params *p, double largest,
                         failure *f)
{
    bool ok = *p->rational_file ? read_file(sets, plan, p, f) : make_sets(sets, plan, p, largest, f);
    for (int n = 0; ok && n < plan->count; n++)
        for (int role = 0; role < ROLES; role++)
            if (rational_of(&sets[n], role)->order == 0)
                return fail(f, "%s: pseudofermion %d, %s: a function without poles: its determinant is 1", p->name, n,
                            role_names[role]);
    return ok;
}
