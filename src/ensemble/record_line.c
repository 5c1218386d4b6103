/* record_line.c - read a line of run.jsonl. */
#include "src/ensemble/record_line.h"

#include "src/base/json_members.h"

static bool read_loops(chain_link *link, const members *line)
{
    members plaquette, polyakov;
    return json_members_object(&plaquette, line, "plaquette") && json_members_object(&polyakov, line, "polyakov")
           && json_members_real(&link->plaquette.average, &plaquette, "average")
           && json_members_real(&link->plaquette.spatial, &plaquette, "spatial")
           && json_members_real(&link->plaquette.temporal, &plaquette, "temporal")
           && json_members_real(&link->rectangle, line, "rectangle")
           && json_members_real(&link->parallelogram, line, "parallelogram")
           && json_members_real(&link->polyakov.re, &polyakov, "re")
               && json_members_real(&link->polyakov.im, &polyakov, "im");
}

bool record_line_read(record_line *l, yyjson_val *object, failure *f)
{
    *l = (record_line){ 0 };
    const members line = { object, NULL, f };
    chain_link *link = &l->link;
    bool ok = json_members_integer(&link->trajectory, &line, "trajectory")
              && json_members_bool(&link->accepted, &line, "accepted")
              && json_members_bool(&link->thermalization, &line, "thermalization")
              && json_members_real(&link->random, &line, "random") && json_members_real(&link->dh, &line, "dH")
              && read_loops(link, &line);
    if (!ok || !yyjson_obj_get(object, "chain"))
        return ok;
    l->chain.begun = json_members_count(&l->chain.value, UINT64_MAX, &line, "chain")
                     && json_members_count(&link->input_digest, UINT64_MAX, &line, "input_digest")
                     && json_members_bool(&l->configuration, &line, "configuration");
    return l->chain.begun;
}
