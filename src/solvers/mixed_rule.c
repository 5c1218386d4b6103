/* mixed_rule.c - the default rule, and sums of records. */
#include "src/solvers/mixed_rule.h"

const char *const mixed_method_names[MIXED_METHODS] = { "reliable updates", "defect correction", "high precision" };
const char *const mixed_failure_names[MIXED_FAILURES] = {
    "none", "the true residual does not fall", "the operator is not positive", "not a number",
    "the recurrence breaks down"
};

mixed_rule mixed_rule_default(void)
{
    return (mixed_rule){ .delta = 0.1, .inner = 0.1, .refinements = MIXED_STABILIZED, .increases = 2, .fruitless = 10,
                         .patience = 1000 };
}

void mixed_record_add(mixed_record *sum, const mixed_record *one)
{
    sum->low_iterations += one->low_iterations;
    sum->high_iterations += one->high_iterations;
    sum->residuals += one->residuals;
    sum->updates += one->updates;
    sum->reprojections += one->reprojections;
    sum->cycles += one->cycles;
    sum->switches += one->switches;
    sum->escalations += one->escalations;
    sum->fallbacks += one->fallbacks;
    if (one->last > sum->last)
        sum->last = one->last;
    for (int m = 0; m < MIXED_METHODS; m++)
        if (one->why[m] && !sum->why[m]) {
            sum->why[m] = one->why[m];
            sum->switched_at[m] = one->switched_at[m];
        }
}
