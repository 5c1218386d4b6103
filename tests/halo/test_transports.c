/* test_transports.c - the table of transports: names, and rows that are complete. */
#include "src/halo/connection.h"
#include "tests/facts.h"

#include <stdlib.h>
#include <string.h>

static void rows_are_complete(void)
{
    int rows = 0;
    bool is_last_for_all = false;
    for (; transports[rows]; rows++) {
        const transport *t = transports[rows];
        fact(t->connect && t->disconnect && t->exchange && t->prepare && t->hop && t->sum,
             "%s: ranks connect, exchange ghosts and add sums", transport_name(t));
        fact(!t->graph_begin == !t->graph_end && (t->can_repeat || !t->host_repeats),
             "%s: a graph that begins ends, and the host repeats only what fits into graphs", transport_name(t));
        fact(t->by && t->works && t->cannot && t->lacks && t->iteration_seconds > 0, "%s: messages and a time",
             transport_name(t));
        is_last_for_all = !t->is_for_gpus;
    }
    fact(rows > 0 && is_last_for_all, "the transport that is tried last needs no GPU");
}

static void names_are_read(void)
{
    failure why = { 0 };
    const transport *read = NULL;
    for (int i = 0; transports[i]; i++)
        fact(transport_read(transport_names[i], &read, &why) && read == transports[i]
                 && strcmp(transport_name(read), transport_names[i]) == 0 && transport_number(read) == i + 1,
             "\"%s\" is read as its transport", transport_names[i]);
    fact(transport_number(NULL) == 0 && strcmp(transport_name(NULL), "the best") == 0, "none is \"the best\"");
    fact(!transport_read("ncll", &read, &why) && strstr(why.why, "\"ncll\" is not one of peer, nccl, host"),
         "another word is refused: %s", why.why);
}

static void option_comes_before_environment(void)
{
    failure why = { 0 };
    const transport *read = &transport_peer;
    unsetenv("KILN_TRANSPORT");
    fact(transport_here() == NULL, "without option and environment no transport is demanded");
    setenv("KILN_TRANSPORT", "nccl", 1);
    fact(transport_here() == &transport_nccl, "KILN_TRANSPORT demands one");
    transport_want(&transport_host);
    fact(transport_here() == &transport_host && transport_wanted() == &transport_host, "an option counts for more");
    transport_want(NULL);
    setenv("KILN_TRANSPORT", "pear", 1);
    fact(!transport_from_environment(&read, &why) && strstr(why.why, "KILN_TRANSPORT: \"pear\" is not one of"),
         "a wrong name in the environment is refused: %s", why.why);
    setenv("KILN_TRANSPORT", "", 1);
    fact(transport_from_environment(&read, &why) && !read, "an empty one demands nothing");
    unsetenv("KILN_TRANSPORT");
}

static void cpus_exchange_by_host(void)
{
    fact(connection_of_host()->by == &transport_host, "what needs no other rank is connected by the host");
}

int main(void)
{
    rows_are_complete();
    names_are_read();
    option_comes_before_environment();
    cpus_exchange_by_host();
    return facts_end();
}
