/* connection.c - tries one transport after another. */
#include "src/halo/connection.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/text.h"

static void free_connection(void *of)
{
    connection *c = of;
    c->by->disconnect(c->state);
    memory_free(c);
}

/* False if this transport does not work: appends the reason to `reasons`.  Fatal if the user demands it. */
static bool try_transport(connection *c, lattice *l, const transport *t, bool is_demanded, text *reasons)
{
    failure f;
    if (t->connect(&c->state, l, is_demanded, &f)) {
        c->by = t;
        return true;
    }
    require(!is_demanded, "--transport or KILN_TRANSPORT is %s, but %s: %s", transport_name(t), t->cannot, f.why);
    text_add(reasons, "%s%s%s", *text_string(reasons) ? "; " : "", t->lacks, f.why);
    return false;
}

static void log_transport(const transport *t, const char *why)
{
    log_line(LOG_INFO, "transport: ghosts and sums travel between GPUs %s%s%s (%s)", t->by, t->version ? " " : "",
             t->version ? t->version() : "", why);
}

static connection *connect_ranks(lattice *l)
{
    const transport *demanded = transport_here();
    const int number = transport_number(demanded);
    connection *c = memory_alloc(sizeof *c, "the connection of ranks");
    text reasons = { 0 };
    failure f;
    require(comm_same(lattice_comm(l), &number, sizeof number, "KILN_TRANSPORT", &f), "%s", f.why);
    for (int i = 0; !c->by && transports[i]; i++)
        if (!demanded || transports[i] == demanded)
            try_transport(c, l, transports[i], demanded != NULL, &reasons);
    require(c->by != NULL, "no transport connects the ranks: %s", text_string(&reasons));
    log_transport(c->by, demanded ? "as --transport or KILN_TRANSPORT says"
                         : *text_string(&reasons) ? text_string(&reasons) : c->by->works);
    text_free(&reasons);
    return c;
}

const connection *connection_of_host(void)
{
    static const connection host = { &transport_host, NULL };
    return &host;
}

const connection *connection_of(lattice *l, place where)
{
    lattice_extra *extra = lattice_extra_of(l);
    if (where == PLACE_CPU)
        return connection_of_host();
    if (!extra->made)
        *extra = (lattice_extra){ .made = true, .data = connect_ranks(l), .release = free_connection };
    return extra->data;
}
