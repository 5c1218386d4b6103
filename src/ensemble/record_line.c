/* record_line.c - read a line of run.jsonl. */
#include "src/ensemble/record_line.h"

#include "src/config/yaml_members.h"

static bool read_loops(chain_link *link, const members *line)
{
    members plaquette, polyakov;
    return yaml_members_object(&plaquette, line, "plaquette") && yaml_members_object(&polyakov, line, "polyakov")
           && yaml_members_real(&link->plaquette.average, &plaquette, "average")
           && yaml_members_real(&link->plaquette.spatial, &plaquette, "spatial")
           && yaml_members_real(&link->plaquette.temporal, &plaquette, "temporal")
           && yaml_members_real(&link->rectangle, line, "rectangle")
           && yaml_members_real(&link->parallelogram, line, "parallelogram")
           && yaml_members_real(&link->polyakov.re, &polyakov, "re")
               && yaml_members_real(&link->polyakov.im, &polyakov, "im");
}

bool record_line_read(record_line *l, const yaml_node *tree, failure *f)
{
    *l = (record_line){ 0 };
    const members line = { tree, NULL, f };
    chain_link *link = &l->link;
    bool ok = yaml_members_integer(&link->trajectory, &line, "trajectory")
              && yaml_members_bool(&link->accepted, &line, "accepted")
              && yaml_members_bool(&link->thermalization, &line, "thermalization")
              && yaml_members_real(&link->random, &line, "random") && yaml_members_real(&link->dh, &line, "dH")
              && read_loops(link, &line);
    l->chain.begun = ok && yaml_get(tree, "chain") != NULL;
    if (l->chain.begun)
        ok = yaml_members_count(&l->chain.value, UINT64_MAX, &line, "chain")
             && yaml_members_count(&link->input_digest, UINT64_MAX, &line, "input_digest")
             && yaml_members_bool(&l->configuration, &line, "configuration");
    return ok;
}
