/* study_plan.c - the Dirac operator of a study of solvers. */
#include "src/bench/study_plan.h"

#include "src/operators/dwf_weights.h"

#include <assert.h>

#define HEIGHT 1.8                           /* M5 */

const char *const study_quarks_names[] = { "staggered", "domain-wall", "wilson", NULL };

void study_plan_make(study_plan *p, const study_operator *of)
{
    const dwf_weights_params shamir = { .kind = DWF_SHAMIR, .Ls = of->Ls, .M5 = HEIGHT };
    failure why;
    assert(of->quarks != STUDY_STAGGERED);
    if (of->quarks == STUDY_DOMAIN_WALL) {
        p->dwf = (dwf_operator_params){ .boundary = -1 };
        require(dwf_weights_make(&p->dwf.weights, &shamir, &why), "%s", why.why);
        dwf_operator_add_mass(&p->dwf, of->mass);
        p->plan = dwf_operator_plan(&p->dwf);
    } else {
        p->clover = wilson_operator_of(&of->wilson);
        p->clover.plain = !clover_params_have_blocks(&p->clover) && !of->with_terms;
        clover_operator_add_mass(&p->clover, of->mass);
        p->plan = wilson_operator_plan(&p->clover, &of->wilson);
    }
}
