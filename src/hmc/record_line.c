/* record_line.c - a line of run.jsonl, read back. */
#include "src/hmc/record_line.h"

#include "src/hmc/sealed_line.h"

static bool read_loops(chain_link *link, const yaml_node *line, failure *f)
{
    const yaml_node *plaquette = line_object(line, "plaquette", f), *polyakov = line_object(line, "polyakov", f);
    return plaquette && polyakov && line_real(&link->plaquette.average, plaquette, "average", f)
           && line_real(&link->plaquette.spatial, plaquette, "spatial", f)
           && line_real(&link->plaquette.temporal, plaquette, "temporal", f)
           && line_real(&link->rectangle, line, "rectangle", f)
           && line_real(&link->parallelogram, line, "parallelogram", f)
           && line_real(&link->polyakov.re, polyakov, "re", f) && line_real(&link->polyakov.im, polyakov, "im", f);
}

bool record_line_read(record_line *l, const char *content, failure *f)
{
    *l = (record_line){ 0 };
    yaml_node *line = yaml_read_string(content, "line", f);
    if (!line)
        return false;
    chain_link *link = &l->link;
    bool ok = line_integer(&link->trajectory, line, "trajectory", f) && line_bool(&link->accepted, line, "accepted", f)
              && line_bool(&link->thermalization, line, "thermalization", f)
              && line_real(&link->random, line, "random", f) && line_real(&link->dh, line, "dH", f)
              && read_loops(link, line, f);
    l->chain.begun = ok && yaml_get(line, "chain") != NULL;
    if (l->chain.begun)
        ok = line_word(&l->chain.value, line, "chain", f) && line_word(&link->input_digest, line, "input_digest", f)
             && line_bool(&l->configuration, line, "configuration", f);
    yaml_tree_free(line);
    return ok;
}
