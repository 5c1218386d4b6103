/* record_line.c - a line of run.jsonl, read back. */
#include "src/ensemble/record_line.h"

#include "src/config/yaml_members.h"

static bool read_loops(chain_link *link, const members *line)
{
    members plaquette, polyakov;
    return members_object(&plaquette, line, "plaquette") && members_object(&polyakov, line, "polyakov")
           && members_real(&link->plaquette.average, &plaquette, "average")
           && members_real(&link->plaquette.spatial, &plaquette, "spatial")
           && members_real(&link->plaquette.temporal, &plaquette, "temporal")
           && members_real(&link->rectangle, line, "rectangle")
           && members_real(&link->parallelogram, line, "parallelogram")
           && members_real(&link->polyakov.re, &polyakov, "re") && members_real(&link->polyakov.im, &polyakov, "im");
}

bool record_line_read(record_line *l, const char *content, failure *f)
{
    *l = (record_line){ 0 };
    yaml_node *tree = yaml_read_string(content, "line", f);
    if (!tree)
        return false;
    const members line = { tree, NULL, f };
    chain_link *link = &l->link;
    bool ok = members_integer(&link->trajectory, &line, "trajectory")
              && members_bool(&link->accepted, &line, "accepted")
              && members_bool(&link->thermalization, &line, "thermalization")
              && members_real(&link->random, &line, "random") && members_real(&link->dh, &line, "dH")
              && read_loops(link, &line);
    l->chain.begun = ok && yaml_get(tree, "chain") != NULL;
    if (l->chain.begun)
        ok = members_count(&l->chain.value, UINT64_MAX, &line, "chain")
             && members_count(&link->input_digest, UINT64_MAX, &line, "input_digest")
             && members_bool(&l->configuration, &line, "configuration");
    yaml_tree_free(tree);
    return ok;
}
