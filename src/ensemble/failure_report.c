/* failure_report.c - save a trajectory that failed, in the group of ranks that has its fields. */
#include "src/ensemble/failure_report.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/hmc/replica_groups.h"

#include <stdio.h>

/* Where an integration is unstable: the kinetic energy is so many times the mean of drawn momenta, whose relative
 * deviation is 1 / sqrt(16 volume); or links are further off SU(3) than rounding takes them in a trajectory. */
#define UNSTABLE 10.0
#define OFF_SU3 1e-6

/* Why a step failed that has nothing to do with the step, if so: an integration whose step is too large heats the
 * momenta up, until the links are no matrices of SU(3) any more. */
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
