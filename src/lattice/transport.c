/* transport.c - read transports. */
#include "src/lattice/transport.h"

#include "src/config/suggest.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [TRANSPORT_BEST] = "the best", [TRANSPORT_PEER] = "peer", [TRANSPORT_NCCL] = "nccl", [TRANSPORT_HOST] = "host"
};

static _Thread_local transport wanted;

const char *transport_name(transport t)
{
    return names[t];
}

bool transport_read(const char *given, void *value, failure *f)
{
    near_miss near = { .word = given };
    text message = { 0 };
    for (int i = TRANSPORT_PEER; i <= TRANSPORT_HOST; i++) {
        if (strcmp(given, names[i]) == 0) {
            *(transport *)value = (transport)i;
            return true;
        }
        suggest_try(&near, names[i]);
    }
    suggest_report(&message, &near);
    fail(f, "\"%s\" is not one of peer, nccl, host%s", given, text_string(&message));
    text_free(&message);
    return false;
}

bool transport_from_environment(transport *t, failure *f)
{
    const char *given = getenv("KILN_TRANSPORT");
    failure why;
    *t = TRANSPORT_BEST;
    return !given || !*given || transport_read(given, t, &why) || fail(f, "KILN_TRANSPORT: %s", why.why);
}

void transport_want(transport t)
{
    wanted = t;
}

transport transport_wanted(void)
{
    return wanted;
}

transport transport_here(void)
{
    transport t = wanted;
    failure why;
    if (t == TRANSPORT_BEST)
        require(transport_from_environment(&t, &why), "%s", why.why);
    return t;
}
