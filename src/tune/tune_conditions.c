/* tune_conditions.c - describe and compare the conditions of a tuning. */
#include "src/tune/tune_conditions.h"

#include "gpu/device.h"
#include "src/base/machine.h"
#include "src/base/version.h"
#include "src/comm/comm.h"
#include "src/tune/lab_params.h"

#include <inttypes.h>
#include <omp.h>
#include <string.h>

static void add_device(text *out, place where)
{
    device_description d;
    if (where == PLACE_GPU && device_describe(device_index(), &d, NULL)) {
        text_add(out, "%s", d.name);
        return;
    }
    machine_facts m = machine_describe();
    text_add(out, "%s with %s", m.cpu.length > 0 ? text_string(&m.cpu) : "CPU",
             count_to_text(omp_get_max_threads(), "thread").s);
    machine_free(&m);
}

void tune_conditions_add(text *out, const run_params *p, const gauge *u)
{
    text_add(out, "%s on %s, %s, input %016" PRIx64 ", ", version_program(),
             count_to_text(comm_size(comm_world()), "rank").s, place_name(u->links.where),
             lab_params_digest(p, u->links.lattice));
    add_device(out, u->links.where);
}

bool tune_conditions_are(const tuning *t, const char *then, failure *why)
{
    const char *now = text_string(&t->conditions);
    return comm_decide(comm_world(), strcmp(then, now) == 0)
           || fail(why, "they were made by %s, and this is %s", then, now);
}
