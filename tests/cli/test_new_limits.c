/* test_new_limits.c - a lattice too large for Kiln is refused in terms of the pion, and the advice works. */
#include "tests/cli/program.h"
#include "tests/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *action; double pion; } cases[] = {
    { "--family hisq-2+1+1 --spacing 0.09", 50 },   { "--family hisq-2+1+1 --spacing 0.09", 5 },
    { "--family hisq-2+1+1 --spacing 0.06", 20 },   { "--family hisq-2+1+1 --spacing 0.12", 10 },
    { "--family hisq-2+1 --spacing 0.06", 50 },     { "--family hisq-2+1 --spacing 0.04", 30 },
    { "--family dwf-2+1 --spacing 0.0828", 50 },    { "--family dwf-2+1 --spacing 0.114", 30 },
    { "--family dwf-2 --spacing 0.117", 40 },       { "--family clover-2 --spacing 0.0658", 30 },
    { "--family wilson-2 --spacing 0.0717", 30 },   { "--family tmclover-2 --spacing 0.09", 20 },
};

/* What follows `option` in a message, up to a blank or its end. */
static bool advice_of(char *value, size_t size, const char *message, const char *option)
{
    const char *at = strstr(message, option);
    if (!at)
        return false;
    at += strlen(option);
    snprintf(value, size, "%.*s", (int)strcspn(at, " ,\n") , at);
    return true;
}

static void follow(const char *action, double pion)
{
    char advice[64], message[1200];
    const said *s = program_run("new --output - --extrapolate %s --pion %g", action, pion);
    snprintf(message, sizeof message, "%s", text_string(&s->err));
    if (!fact(s->status == 2 && strstr(message, "a pion of ") && strstr(message, "needs a spatial extent of ")
              && !strstr(message, "slab"), "%s, %g MeV: refused for its box", action, pion))
        note("%s", message);
    if (fact(advice_of(advice, sizeof advice, message, "--pion "), "a heavier pion is advised"))
        fact(program_run("new --output - --extrapolate %s --pion %s", action, advice)->status == 0,
             "with --pion %s an input is written", advice);
    const char *lattice = strstr(message, "--lattice ");
    int L[4];
    if (lattice && fact(sscanf(lattice, "--lattice %d,%d,%d,%d", &L[0], &L[1], &L[2], &L[3]) == 4, "a lattice, too"))
        fact(program_run("new --output - --extrapolate %s --pion %g --lattice %d,%d,%d,%d", action, pion, L[0], L[1],
                         L[2], L[3])->status == 0, "with --lattice %d,%d,%d,%d an input is written", L[0], L[1], L[2],
             L[3]);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        follow(cases[i].action, cases[i].pion);
    const said *s = program_run("new --output - --extrapolate --family hisq-2+1+1 --spacing 0.09 --pion 200 "
                                "--lattice 256,256,256,512");
    fact(s->status == 2 && says(s, "give --lattice 176,176,176,352") && !says(s, "--pion"),
         "a lattice that was given is refused without advice about the pion");
    return facts_end();
}
