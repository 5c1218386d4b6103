/* failure_report.c - save a trajectory that failed, in the group of ranks that has its fields. */
#include "src/ensemble/failure_report.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/hmc/replica_groups.h"

#include <stdio.h>

/* Signs of an unstable integration: the kinetic energy is UNSTABLE times its mean for Gaussian momenta (their relative
 * standard deviation is 1 / sqrt(16 volume)); or links are further from SU(3) than rounding explains. */
#define UNSTABLE 10.0
#define OFF_SU3 1e-6

/* Finds out whether the integration is unstable: with too large steps the momenta grow, until the links are no matrices
 * of SU(3) any more, and then any step of any term fails. */
static void find_cause(failure_report *r, const failure_scene *s)
{
    const hmc_step step = s->failure->step;
    const momentum *p = hmc_momenta(s->h);
    const double drawn = 16 * (double)lattice_volume(s->u->links.lattice);     /* 1/2 for each of 4 * 8 numbers */
    const double kinetic = p ? momentum_kinetic(p) : drawn, off = gauge_link_quality(s->u).unitarity;
    if ((step == STEP_FORCE || step == STEP_ACTION) && !(kinetic <= UNSTABLE * drawn && off <= OFF_SU3))
        snprintf(r->cause, sizeof r->cause,
                 "the integration became unstable: the kinetic energy is %.3g, at the start of a trajectory "
                 "about %.3g, and links are off SU(3) by %.2g; reduce the step size: raise steps in hmc.levels "
                 "or lower hmc.trajectory_length; what failed first: ", kinetic, drawn, off);
}

failure_report failure_report_make(const failure_scene *scene)
{
    int group;
    failure_report r = { .replica = hmc_failed_replica(scene->h, &group) };
    text folder = { 0 };
    if (comm_group() == group) {
        find_cause(&r, scene);
        r.saved = failure_folder_write(&folder, scene, &r.why);
        snprintf(r.folder, sizeof r.folder, "%s", text_string(&folder));
        text_free(&folder);
    }
    if (comm_groups() == 1)
        return r;
    failure_report *all = replica_groups_gather(&r, sizeof r);
    r = all[group];
    memory_free(all);
    return r;
}
