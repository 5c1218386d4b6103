/* test_rational.c - kiln rational: makes, writes, reads and checks the functions of pseudofermions. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/rational/golden_rational.h"

#include <math.h>

/* Two light quarks and a strange one, cut by a mass, and charm: as in MILC's sample. */
#define SAMPLE "--quarks 0.01x2,0.05 --hasenbusch 0.2 --fields 1,3 --quarks 0.5 --naik-epsilon -0.16875"

static void make(const char *path)
{
    const program_output *s = program_run("rational " SAMPLE " --upper 90 --error-force 2e-9 --json --write '%s'",
                                          path);
    yaml_node *tree = output_json(s);
    fact(s->status == 0 && tree, "pseudofermions are made from quarks");
    fact(isnan(json_number(tree, "pseudofermions.5.naik_epsilon"))
         && json_number(tree, "pseudofermions.4.naik_epsilon") == -0.16875
         && json_number(tree, "pseudofermions.3.naik_epsilon") == 0, "five of them, the last with charm's Naik term");
    fact(json_number(tree, "pseudofermions.0.force.order") == golden_force.order,
         "the light ones' force has MILC's order");
    double off = 0;
    for (int k = 0; k < golden_force.order; k++) {
        char key[64];
        snprintf(key, sizeof key, "pseudofermions.0.force.poles.%d", k);
        off = worse(off, fabs(json_number(tree, key) / golden_force.pole[k] - 1));
        snprintf(key, sizeof key, "pseudofermions.0.force.residues.%d", k);
        off = worse(off, fabs(json_number(tree, key) / golden_force.residue[k] - 1));
    }
    fact_close(off, 0, 1e-11, "and MILC's poles and residues, but for a range from 1e-15 instead of 0");
    fact(json_number(tree, "pseudofermions.1.action.factors.0.y") == -1
         && json_number(tree, "pseudofermions.3.action.factors.0.z") == 8,
         "three flavors in three fields are one each");
    yaml_tree_free(tree);
}

static void read_again(const char *path)
{
    const program_output *s = program_run("rational --read '%s'", path);
    fact(s->status == 0 && stdout_has(s, "pseudofermion 4, Naik epsilon -0.16875")
         && stdout_has(s, "force: (x + 4*0.01^2)^(-2/4) (x + 4*0.05^2)^(-1/4) (x + 4*0.2^2)^(3/4) on [0, 90]")
         && stdout_has(s, "order 9, error 1.773e-09"), "what was written is read, checked and shown");
    s = program_run("rational " SAMPLE " --write '%s'", path);
    fact(s->status == 1 && stderr_has(s, "exists already"), "a file is not overwritten");

    blob whole = blob_read(path);
    whole.bytes[whole.n] = '\0';
    char *mass = strstr((char *)whole.bytes, "m_MD 0.01 ");
    memcpy(mass, "m_MD 0.02 ", 10);
    blob_write(path, whole.bytes, whole.n);
    free(whole.bytes);
    s = program_run("rational --read '%s'", path);
    fact(s->status == 1 && stderr_has(s, "pseudofermion 0: the poles of the force do not belong to its masses"),
         "a file in which masses and poles do not agree is refused");
}

static void curve(void)
{
    const program_output *s = program_run("rational --quarks 0.1x2 --curve --error-force 1e-5");
    double x, e[3], largest = 0;
    int rows = 0;
    for (const char *line = text_string(&s->out); line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "%lf %lf %lf %lf", &x, e, e + 1, e + 2) == 4 && ++rows)
            largest = worse(largest, fabs(e[0]));
    }
    fact(s->status == 0 && rows == 1000 && x == 24, "the curve has columns x and the errors, up to the largest x");
    fact(largest <= 1e-5 && largest > 1e-8, "and errors as asked for (%g)", largest);
}

/* What the input accepts, the options do: a determinant to a negative power divides. */
static void divided(const char *path)
{
    const program_output *s = program_run("rational --quarks 0.1x2,1.0x-2 --write '%s'", path);
    fact(s->status == 0 && stdout_has(s, "force: (x + 4*0.1^2)^(-2/4) (x + 4*1^2)^(2/4) on [0, 24]"),
         "negative flavors divide by a determinant");
    s = program_run("rational --read '%s'", path);
    fact(s->status == 0 && stdout_has(s, "(x + 4*1^2)^(2/4)"), "also in the file");
    unlink(path);
}

static void refused(const char *words, int status, const char *reported)
{
    const program_output *s = program_run("rational %s", words);
    fact(s->status == status && stderr_has(s, reported), "kiln rational %s: %s", words, reported);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "rationals");
    make(path);
    read_again(path);
    divided(scratch_path(&s, "divided"));
    curve();
    refused("", 2, "--quarks or --read is missing");
    refused("--read /dev/null --quarks 0.1", 2, "give --read or --quarks, not both");
    refused("--quarks 0.1y2", 2, "not a mass");
    refused("--quarks -0.1x2", 2, "not a mass");
    refused("--quarks 0.1x0", 2, "flavors must not be 0");
    refused("--quarks 0.1x65", 2, "an integer from -64 to 64");
    refused("--quarks 0.1x-65", 2, "an integer from -64 to 64");
    refused("--quarks 101", 2, "> 0 and <= 100");
    refused("--quarks 0.1 --fields 17", 2, "an integer from 1 to 16");
    refused("--quarks ''", 2, "empty list");
    refused("--hasenbusch 0.1 --quarks 0.1", 2, "must follow the --quarks");
    refused("--quarks 0.1 --hasenbusch 0.3,0.2", 2, "hasenbusch.1.mass: 0.2 is not above 0.3");
    refused("--quarks 0.1 --hasenbusch 0.05", 2, "hasenbusch.0.mass: 0.05 is not above 0.1");
    refused("--quarks 0.1,0.2 --naik-epsilon auto", 2, "auto needs one mass");
    refused("--quarks 0.1 --naik-epsilon much", 2, "neither auto nor a number");
    refused("--quarks 0.1 --hasenbusch 0.2 --fields 1,2,3", 2, "make 2 factors");
    refused("--quarks 0.1 --error-action 1e-17", 2, "outside the range");
    refused("--quarks 0.1x8", 1, "multiple pole");
    refused("--read /nowhere/rationals", 2, "expected a file, found nothing");
    scratch_remove(&s);
    return facts_end();
}
