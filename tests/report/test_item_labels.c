/* test_item_labels.c - masses with equal kappa or mass are separate rows in kiln status, watch and report, from records
 * written by hand; a failed measurement leaves the titles as they are. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 12, FAILED = 5, MASSES = 3 };

/* A measurement "q": the list, with the members that tell its items apart, and the number of each item; their titles
 * behind "q.". */
typedef struct {
    const char *kind, *list, *of[MASSES], *key, *title[MASSES];
} measured_list;

static const measured_list lists[] = {
    { "wilson", "masses", { "\"kappa\": 0.1373, \"mu\": 0.004634", "\"kappa\": 0.1373, \"mu\": 0.3",
                            "\"kappa\": 0.12, \"mu\": 0" },
      "pion_mass", { "pion_mass(0.1373,0.004634)", "pion_mass(0.1373,0.3)", "pion_mass(0.12)" } },
    { "wilson", "masses", { "\"kappa\": 0.16, \"mu\": 0", "\"kappa\": 0.15, \"mu\": 0.1" },
      "pcac_mass", { "pcac_mass(0.16)", "pcac_mass(0.15)" } },
    { "wilson", "masses", { "\"kappa\": 0.16, \"mu\": 0.1", "\"kappa\": 0.16, \"mu\": 0.2" },
      "condensate", { "condensate(0.16,0.1)", "condensate(0.16,0.2)" } },
    { "wilson", "masses", { "\"kappa\": 0.16, \"mu\": 0.1", "\"kappa\": 0.16, \"mu\": 0.2" },
      "spectrum.smallest", { "spectrum.smallest(0.16,0.1)", "spectrum.smallest(0.16,0.2)" } },
    { "wilson", "masses", { "\"kappa\": 0.16, \"mu\": 0.1", "\"kappa\": 0.16, \"mu\": 0.2" },
      "modes.smallest", { "modes.smallest(0.16,0.1)", "modes.smallest(0.16,0.2)" } },
    { "wilson", "masses", { "\"kappa\": 0.16, \"mu\": 0.1", "\"kappa\": 0.16, \"mu\": 0.2" },
      "nucleon_mass", { "nucleon_mass(0.16,0.1)", "nucleon_mass(0.16,0.2)" } },
    { "wilson_doublet", "masses", { "\"kappa\": 0.16, \"mu\": 0.01", "\"kappa\": 0.16, \"mu\": 0.02" },
      "pion_mass", { "pion_mass(0.16,0.01)", "pion_mass(0.16,0.02)" } },
    { "condensate", "masses", { "\"mass\": 0.5, \"naik_epsilon\": 0", "\"mass\": 0.5, \"naik_epsilon\": -0.2",
                                "\"mass\": 0.1, \"naik_epsilon\": 0" },
      "condensate", { "condensate(0.5,naik_epsilon=0)", "condensate(0.5,naik_epsilon=-0.2)", "condensate(0.1)" } },
    { "condensate", "links", { "\"naik_epsilon\": 0", "\"naik_epsilon\": -0.2" },
      "modes.smallest", { "modes.smallest(naik_epsilon=0)", "modes.smallest(naik_epsilon=-0.2)" } },
    { "staggered_mesons", "masses", { "\"mass\": 0.5, \"naik_epsilon\": 0", "\"mass\": 0.5, \"naik_epsilon\": -0.2" },
      "pion_mass", { "pion_mass(0.5,naik_epsilon=0)", "pion_mass(0.5,naik_epsilon=-0.2)" } },
    { "domain_wall", "masses", { "\"mass\": 0.5", "\"mass\": 0.5", "\"mass\": 0.1" },
      "pion_mass", { "pion_mass(0.5,masses.0)", "pion_mass(0.5,masses.1)", "pion_mass(0.1)" } },
    { "domain_wall", "masses", { "\"m\": 0", "\"m\": 1" },
      "residual_mass", { "residual_mass(masses.0)", "residual_mass(masses.1)" } },
};

static double value_of(int item)
{
    return 0.25 * (item + 1);
}

/* The member of a key such as "modes.smallest". */
static void write_number(FILE *file, const char *key, double value)
{
    const char *dot = strchr(key, '.');
    if (dot)
        fprintf(file, ", \"%.*s\": {\"%s\": %.17g}", (int)(dot - key), key, dot + 1, value);
    else
        fprintf(file, ", \"%s\": %.17g", key, value);
}

/* Line FAILED has no number of the last item. */
static void write_record(const char *path, const measured_list *l)
{
    FILE *file = fopen(path, "w");
    for (int n = 1; n <= LINES; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, \"measurements\": {\"q\": "
                "{\"kind\": \"%s\", \"%s\": [", n, l->kind, l->list);
        for (int i = 0; i < MASSES && l->of[i]; i++) {
            const bool last = i + 1 == MASSES || !l->of[i + 1];
            fprintf(file, "%s{%s", i ? ", " : "", l->of[i]);
            if (n != FAILED || !last)
                write_number(file, l->key, value_of(i));
            fputs("}", file);
        }
        fprintf(file, "], \"converged\": %s}}}\n", n == FAILED ? "false" : "true");
    }
    fclose(file);
}

static void separate(scratch *s, const measured_list *l)
{
    char title[2][128];
    write_record(scratch_path(s, "run.jsonl"), l);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *found = yaml_get(tree, "measurements");
    int items = 0;
    for (; items < MASSES && l->of[items]; items++) {
        snprintf(title[0], sizeof title[0], "q.%s", l->title[items]);
        fact(json_number(yaml_get(found, title[0]), "value") == value_of(items), "%s: %s has its own number", l->kind,
             title[0]);
    }
    int rows = 0;
    snprintf(title[1], sizeof title[1], "q.%s", l->key);
    for (int i = 0; found && i < found->count; i++)
        rows += strncmp(found->key[i]->scalar, title[1], strlen(title[1])) == 0;
    fact(rows == items, "as many rows as items: %d of %d", rows, items);
    yaml_tree_free(tree);
    static const char *const commands[] = { "status", "watch --once", "report --output -" };
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        const program_output *answer = program_run("%s '%s'", commands[c], s->folder);
        for (int i = 0; i < items; i++) {
            snprintf(title[0], sizeof title[0], "q.%s", l->title[i]);
            fact(stdout_has(answer, title[0]), "kiln %s shows %s", commands[c], title[0]);
        }
    }
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        separate(&s, &lists[i]);
    scratch_remove(&s);
    return facts_end();
}
