/* test_new_limits.c - a lattice too large for Kiln is refused in terms of the pion, and the advice works. */
#include "tests/cli/program.h"
#include "tests/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *action; double pion; } cases[] = {
    { "--family hisq-2+1+1 --spacing 0.09", 50 },   { "--family hisq-2+1+1 --spacing 0.09", 5 },
    { "--family hisq-2+1+1 --spacing 0.06", 20 },   { "--family hisq-2+1+1 --spacing 0.12", 10 },
    { "--family hisq-2+1 --spacing 0.06", 50 },     { "--family hisq-2+1 --spacing 0.05", 30 },
    { "--family clover-2 --spacing 0.0658", 30 },   { "--family wilson-2 --spacing 0.0717", 30 },
    { "--family tmclover-2 --spacing 0.09", 20 },   { "--family aniclover-2+1 --beta 1.5", 40 },
};

/* What follows `option` in a message, up to a blank or its end. */
static bool advice_of(char *value, size_t size, const char *message, const char *option)
{
    const char *at = strstr(message, option);
    if (!at)
        return false;
    at += strlen(option);
    snprintf(value, size, "%.*s", (int)strcspn(at, " ,\n"), at);
    return true;
}

/* The lattice that is advised, if one is. */
static void follow_lattice(const char *message, const char *words)
{
    const char *at = strstr(message, "--lattice ");
    int L[4];
    if (at && fact(sscanf(at, "--lattice %d,%d,%d,%d", &L[0], &L[1], &L[2], &L[3]) == 4, "a lattice is advised"))
        fact(program_run("new --output - --extrapolate %s --lattice %d,%d,%d,%d", words, L[0], L[1], L[2],
                         L[3])->status == 0, "with --lattice %d,%d,%d,%d an input is written", L[0], L[1], L[2], L[3]);
}

/* A lattice that was given is not changed by another pion. */
static void follow_given(const char *words)
{
    char message[1200];
    const program_output *s = program_run("new --output - --extrapolate %s --lattice 256,256,256,512", words);
    fact(s->status == 2 && stderr_has(s, "give --lattice") && !stderr_has(s, "--pion"),
         "%s on 256x256x256x512: advice of a lattice", words);
    snprintf(message, sizeof message, "%s", text_string(&s->err));
    follow_lattice(message, words);
}

static void follow(const char *action, double pion)
{
    char advice[64], message[1200], words[128];
    const program_output *s = program_run("new --output - --extrapolate %s --pion %g", action, pion);
    snprintf(message, sizeof message, "%s", text_string(&s->err));
    if (!fact(s->status == 2 && strstr(message, "a pion of ") && strstr(message, "needs a spatial extent of ")
              && !strstr(message, "slab"), "%s, %g MeV: refused for its box", action, pion))
        note("%s", message);
    if (fact(advice_of(advice, sizeof advice, message, "--pion "), "a heavier pion is advised"))
        fact(program_run("new --output - --extrapolate %s --pion %s", action, advice)->status == 0,
             "with --pion %s an input is written", advice);
    snprintf(words, sizeof words, "%s --pion %g", action, pion);
    follow_lattice(message, words);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        follow(cases[i].action, cases[i].pion);
    follow_given("--family hisq-2+1+1 --spacing 0.09 --pion 200");
    follow_given("--family dwf-2+1 --spacing 0.114 --pion 139");
    follow_given("--family dwf-2 --spacing 0.117 --pion 500");
    follow_given("--family quenched --spacing 0.1");
    for (int end = 0; end < 2; end++)
        fact(program_run("new --output - --family hisq-2+1 --pion 160 --spacing %s", end ? "0.223" : "0.041")->status
             == 0, "the %s spacing that the list allows is allowed", end ? "largest" : "smallest");
    return facts_end();
}
