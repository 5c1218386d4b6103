/* test_status_plot.c - kiln status --plot: histories in characters below the page, on records written by hand. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 12, HEIGHT = 6, LABEL = 11, WIDTH = 60 };

/* The plaquette rises from 0.50 to 0.61 in equal steps; dH alternates. */
static void write_record(const char *path, bool thermalizing)
{
    FILE *file = fopen(path, "w");
    for (int i = 1; i <= LINES; i++)
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": %g, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": %.2f, \"spatial\": 0, \"temporal\": 0}, "
                "\"seconds\": 1}\n", i, thermalizing ? "true" : "false", i % 2 ? 0.25 : -0.25, 0.49 + 0.01 * i);
    fclose(file);
}

/* The line with number `n` below the line that begins with `title`; "" if there is none. */
static const char *line_below(const char *page, const char *title, int n)
{
    static char line[1000];
    const char *at = strstr(page, title);
    for (; at && n > 0; n--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    snprintf(line, sizeof line, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
    return line;
}

static size_t widest(const char *plots)
{
    size_t most = 0;
    for (const char *at = plots; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const size_t n = strcspn(at, "\n");
        most = n > most ? n : most;
    }
    return most;
}

static void in_ascii(const scratch *s)
{
    setenv("LC_ALL", "C", 1);
    char *without = strdup(text_string(&program_run("status '%s'", s->folder)->out));
    const program_output *answer = program_run("status '%s' --plot", s->folder);
    const char *page = text_string(&answer->out), *plots = page + strlen(without);
    fact(answer->status == 0 && strncmp(page, without, strlen(without)) == 0 && strlen(page) > strlen(without),
         "--plot adds to the page and changes nothing of it");
    fact(!strchr(without, '*'), "without --plot there is no plot");
    free(without);
    const char *top = line_below(plots, "plaquette: last 0.61", 1);
    fact(strncmp(top, "      0.61 ", LABEL) == 0, "the label at the top is the largest value: %s", top);
    fact(strlen(top) == WIDTH && top[WIDTH - 1] == '*' && top[LABEL] == ' ', "the plot ends at the top right: %s", top);
    const char *bottom = line_below(plots, "plaquette: last 0.61", HEIGHT);
    fact(strncmp(bottom, "       0.5 *", LABEL + 1) == 0 && bottom[strlen(bottom) - 1] != '*',
         "and begins at the bottom left: %s", bottom);
    const char *axis = line_below(plots, "plaquette: last 0.61", HEIGHT + 1);
    fact(!strncmp(axis, "           trajectory 1 ", 24) && strlen(axis) == WIDTH && !strcmp(axis + WIDTH - 3, " 12"),
         "the axis has the first and the last trajectory: %s", axis);
    fact(strchr(line_below(plots, "\ndH: last -0.25", HEIGHT + 1), '*') != NULL, "dH has a plot, too");
    fact(widest(plots) <= WIDTH, "no line is wider than the terminal: %zu", widest(plots));
    bool ascii = true;
    for (const char *c = plots; *c; c++)
        ascii = ascii && (unsigned char)*c < 0x80;
    fact(ascii, "in the locale C the plots are ASCII");
}

static void in_utf8(const scratch *s)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    const char *page = text_string(&program_run("status '%s' --plot", s->folder)->out);
    const char *top = line_below(page, "plaquette: last 0.61", 1);
    fact(strstr(top, "\xe2\xa0") && !strchr(top, '*'), "in a locale with UTF-8 the plots have dots: %s", top);
}

static void without_test(scratch *s)
{
    write_record(scratch_path(s, "run.jsonl"), true);
    const program_output *answer = program_run("status '%s' --plot", s->folder);
    fact(strstr(text_string(&answer->out), "plaquette: last") && !strstr(text_string(&answer->out), "dH: last"),
         "without a Metropolis test there is no plot of dH");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    char columns[16];
    snprintf(columns, sizeof columns, "%d", WIDTH);
    setenv("COLUMNS", columns, 1);
    write_record(scratch_path(&s, "run.jsonl"), false);
    in_ascii(&s);
    in_utf8(&s);
    without_test(&s);
    scratch_remove(&s);
    return facts_end();
}
