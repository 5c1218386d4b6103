/* test_report.c - kiln report: a page that is well-formed, needs nothing but itself, and shows words as words. */
#include "tests/report/long_record.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <ctype.h>
#include <math.h>

enum { DEPTH = 64, NAME = 24 };

static bool is_empty_element(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "!doctype") == 0;
}

/* The end of the tag that begins at `at`, outside of quotes. */
static const char *tag_end(const char *at)
{
    char quote = 0;
    for (; *at && (quote || *at != '>'); at++)
        if (*at == '"')
            quote = quote ? 0 : '"';
    return at;
}

/* Every element is closed, in order; what is wrong first is noted. */
static bool well_formed(const char *page)
{
    char open[DEPTH][NAME], name[NAME];
    int depth = 0;
    for (const char *c = page; (c = strchr(c, '<'));) {
        const char *end = tag_end(c);
        const bool closing = c[1] == '/';
        size_t n = strcspn(c + 1 + closing, " >/");
        snprintf(name, sizeof name, "%.*s", (int)(n < NAME ? n : NAME - 1), c + 1 + closing);
        if (*end != '>' || n == 0 || depth == DEPTH) {
            note("no tag: %.60s", c);
            return false;
        }
        if (closing && (depth == 0 || strcmp(open[--depth], name) != 0)) {
            note("not closed in order: %.60s", c);
            return false;
        }
        if (!closing && end[-1] != '/' && !is_empty_element(name))
            strcpy(open[depth++], name);
        c = end + 1;
        if (!closing && strcmp(name, "style") == 0)
            c = strstr(c, "</style>");
    }
    return depth == 0;
}

/* "&" begins an entity, "box7" is the name of one thing. */
static bool entities_only(const char *page)
{
    for (const char *c = page; (c = strchr(c, '&')); c++)
        if (c[1] != '#' && strncmp(c, "&lt;", 4) != 0 && strncmp(c, "&amp;", 5) != 0) {
            note("not escaped: %.40s", c);
            return false;
        }
    return true;
}

static bool names_once(const char *page)
{
    for (const char *c = page; (c = strstr(c, " id=\"")); c++) {
        char name[NAME];
        snprintf(name, sizeof name, "%.*s\"", (int)strcspn(c + 5, "\"") + 5, c);
        if (strstr(c + 1, name)) {
            note("twice: %s", name);
            return false;
        }
    }
    return true;
}

static bool needs_nothing(const char *page)
{
    static const char *const fetches[] = { "http:", "https:", " src=", " href=", "@import", "<script",
                                          "<link", "<img" };
    for (size_t i = 0; i < sizeof fetches / sizeof *fetches; i++)
        if (strstr(page, fetches[i])) {
            note("the page has %s", fetches[i]);
            return false;
        }
    for (const char *c = page; (c = strstr(c, "url(")); c++)
        if (c[4] != '#')
            return false;
    return true;
}

static char *page_of(scratch *s, const char *name)
{
    blob b = blob_read(scratch_path(s, name));
    if (b.bytes)
        b.bytes[b.n] = '\0';
    return (char *)b.bytes;
}

static void good_page(const char *page, const char *of)
{
    fact(page && well_formed(page), "every element is closed in order: %s", of);
    fact(page && needs_nothing(page), "nothing is fetched from elsewhere: %s", of);
    fact(page && entities_only(page) && names_once(page), "words are escaped, names are of one thing: %s", of);
}

static void whole(scratch *s)
{
    static const char *const parts[] = {
        "2x2x2x2", "wilson", "consistent with 1", "Histories", "distribution of dH", "flow.charge", "Autocorrelation",
        "iterations of solves", "Time by phase", "Warnings", "deviates from its median", "trajectories: 900",
        "prefers-color-scheme",
    };
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, true);
    long_record_parameters(scratch_path(s, "parameters.yaml"), 900);
    const program_output *answer = program_run("report '%s'", s->folder);
    fact(answer->status == 0 && stderr_has(answer, "report.html"), "a report is written into the folder");
    char *page = page_of(s, "report.html");
    good_page(page, "an ensemble");
    for (size_t i = 0; page && i < sizeof parts / sizeof *parts; i++)
        fact(strstr(page, parts[i]) != NULL, "it has: %s", parts[i]);
    size_t bytes = page ? strlen(page) : 0;
    free(page);
    long_record_write(scratch_path(s, "run.jsonl"), 8 * LONG_RECORD, false);
    program_run("report '%s' --output '%s/other.html'", s->folder, s->folder);
    page = page_of(s, "other.html");
    fact(page && strlen(page) < 3 * bytes && strlen(page) < 500000, "a long record has a page of much the same size");
    free(page);
    answer = program_run("report '%s'", s->folder);
    fact(answer->status == 0, "a report is written anew over the one before");
    answer = program_run("report '%s' --output '%s/run.jsonl'", s->folder, s->folder);
    fact(answer->status == 1 && stderr_has(answer, "does not overwrite"),
         "but not over the record, or what else is no report");
    answer = program_run("report '%s' --output -", s->folder);
    fact(answer->status == 0 && stdout_has(answer, "</html>"), "or goes to standard output");
}

static void nasty(scratch *s)
{
    long_record_write(scratch_path(s, "run.jsonl"), 30, false);
    FILE *record = fopen(scratch_path(s, "run.jsonl"), "a");
    fputs("{\"trajectory\": 31, \"accepted\": true, \"thermalization\": false, \"dH\": 0, \"exp_minus_dH\": 1, "
          "\"plaquette\": {\"average\": 0.5}, \"seconds\": 1, "
          "\"measurements\": {\"<script>\\\"'&\": {\"kind\": \"flow\", \"charge\": 1}}}\n"
          "{\"trajectory\": 32, \"accep", record);
    fclose(record);
    const program_output *answer = program_run("report '%s'", s->folder);
    char *page = page_of(s, "report.html");
    fact(answer->status == 0, "a name like a script, and a torn last line: no trouble");
    good_page(page, "a nasty name");
    fact(page && strstr(page, "&#60;script&#62;"), "the name is shown as it is");
    free(page);
}

/* A run whose parameters change on the way, by the program itself. */
static void segments(scratch *s)
{
    char input[700];
    snprintf(input, sizeof input, "%s", scratch_path(s, "parameters.yaml"));
    long_record_parameters(input, 4);
    program_run("run '%s' --quiet --set output.directory='%s/run' --set hmc.thermalization=0", input, s->folder);
    const program_output *answer = program_run("run '%s' --quiet --set output.directory='%s/run' --set "
                                               "hmc.trajectories=6 --set "
                                               "hmc.thermalization=0 --set hmc.levels.0.steps=3 --new-segment "
                                               "--reason 'steps <too> long'", input,
                                               s->folder);
    fact(answer->status == 0, "a run with two segments");
    yaml_node *tree = output_json(program_run("status '%s/run' --json", s->folder));
    fact(json_number(tree, "segments.0.last") == 4 && json_number(tree, "segments.1.first") == 5 &&
             json_number(tree, "segments.1.last") == 6, "status knows which trajectories are in which");
    yaml_tree_free(tree);
    answer = program_run("status '%s/run'", s->folder);
    fact(!stdout_has(answer, "different actions"), "steps that change belong to the same ensemble");
    answer = program_run("report '%s/run' --output -", s->folder);
    good_page(text_string(&answer->out), "segments");
    fact(stdout_has(answer, "steps &#60;too&#62; long") && stdout_has(answer, "steps: 3"),
         "the report tells why, and what");
    answer = program_run("run '%s' --quiet --set output.directory='%s/run' --set hmc.trajectories=8 --set "
                         "hmc.thermalization=0 --set hmc.levels.0.steps=3 --set monomials.0.beta=5 --new-segment",
                         input, s->folder);
    fact(answer->status == 0, "and a third one with another action");
    answer = program_run("status '%s/run'", s->folder);
    fact(stdout_has(answer,
                    "segments with different actions: new ones begin at trajectory 7; average only the newest "
                        "segment with --from 7"), "means over two actions are warned of");
    program_run("run '%s/run/parameters.yaml' --quiet --set hmc.trajectories=10", s->folder);
    tree = output_json(program_run("status '%s/run' --json", s->folder));
    fact(json_number(tree, "segments.3.first") == 9, "a longer one is a fourth segment");
    yaml_tree_free(tree);
    answer = program_run("status '%s/run'", s->folder);
    fact(stdout_has(answer, "new ones begin at trajectory 7; average only the newest segment with --from 7"),
         "with the same action as the third one");
    answer = program_run("status '%s/run' --from 7", s->folder);
    fact(!stdout_has(answer, "different actions"), "means over the newest action are not");
    program_run("version; rm -r '%s/run'", s->folder);
}

/* A stream that grows by 8 trajectories at a time: segments of the same parameters have one median of dH. */
static void extensions(scratch *s)
{
    enum { FIRST = 18, LAST = 34 };
    char input[700];
    snprintf(input, sizeof input, "%s", scratch_path(s, "parameters.yaml"));
    for (int length = FIRST; length <= LAST; length += 8) {
        long_record_parameters(input, length);
        program_run("run '%s' --quiet --set output.directory='%s/grown'", input, s->folder);
    }
    long_record_write(scratch_path(s, "grown/run.jsonl"), LAST - 1, false);
    FILE *record = fopen(scratch_path(s, "grown/run.jsonl"), "a");
    fprintf(record, "{\"trajectory\": %d, \"accepted\": false, \"thermalization\": false, \"dH\": 900, "
                    "\"exp_minus_dH\": 0, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1}\n", LAST);
    fclose(record);
    yaml_node *tree = output_json(program_run("status '%s/grown' --json", s->folder));
    fact(json_number(tree, "segments.2.first") == LAST - 7, "each extension is a segment");
    yaml_tree_free(tree);
    const program_output *answer = program_run("status '%s/grown'", s->folder);
    fact(stdout_has(answer, "|dH| up to 900: trajectory 34"), "dH is held against that of all these segments");
    program_run("version; rm -r '%s/grown'", s->folder);
}

/* A heat bath has no forces; the record has zeros, which a logarithmic axis cannot show. */
static void heatbath(scratch *s)
{
    FILE *input = fopen(scratch_path(s, "bath.yaml"), "w");
    fprintf(input, "lattice: [4, 4, 2, 2]\nrandom: { seed: 1 }\n"
                   "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                   "heatbath: { sweeps: 1 }\nhmc: { trajectories: 3 }\noutput: { directory: bath }\n");
    fclose(input);
    program_run("run '%s/bath.yaml' --quiet", s->folder);
    const program_output *answer = program_run("report '%s/bath' --output -", s->folder);
    fact(answer->status == 0 && stdout_has(answer, "seconds per trajectory") && !stdout_has(answer, "force of a link"),
         "no figure of forces, where there are none");
    fact(!stdout_has(answer, "Molecular dynamics") && !stdout_has(answer, ">length<"),
         "nor a section of molecular dynamics, or the length of trajectories");
    program_run("version; rm -r '%s/bath'", s->folder);
    program_run("run '%s/bath.yaml' --quiet --set hmc.thermalization=3", s->folder);
    answer = program_run("status '%s/bath'", s->folder);
    fact(stdout_has(answer, "Metropolis test  none (heat bath)") && !stdout_has(answer, "acceptance"),
         "kiln status promises no acceptance of a heat bath, in thermalization either");
    program_run("version; rm -r '%s/bath'", s->folder);
}

/* The figure with this title, of a record of 40 trajectories: dH of number 20 is NaN, exp(-dH) of those behind it
 * is `later`.  To be freed with text_free. */
static text figure_of(scratch *s, const char *title, double later)
{
    text figure = { 0 };
    FILE *record = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= 40; n++) {
        char numbers[96];
        const double now = n > 20 ? later : n % 2 ? 0.9 : 1.1;
        snprintf(numbers, sizeof numbers, "\"dH\": %.17g, \"exp_minus_dH\": %.17g", -log(now), now);
        fprintf(record, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, %s, \"plaquette\": "
                "{\"average\": 0.5}, \"seconds\": 1}\n", n,
                n == 20 ? "\"dH\": null, \"exp_minus_dH\": null" : numbers);
    }
    fclose(record);
    const char *page = text_string(&program_run("report '%s' --output -", s->folder)->out);
    const char *at = strstr(page, title), *begin = page, *end = at ? strstr(at, "</figure>") : NULL;
    for (const char *c = page; end && (c = strstr(c, "<figure>")) && c < at; c++)
        begin = c;
    if (end)
        text_add_bytes(&figure, begin, (size_t)(end - begin));
    return figure;
}

static void undefined_test(scratch *s)
{
    text one = figure_of(s, ">exp(-dH)<", 1), three = figure_of(s, ">exp(-dH)<", 3);
    fact(one.length > 0 && strcmp(text_string(&one), text_string(&three)) == 0,
         "a running mean ends before a value that does not exist; it does not go on with the others");
    text_free(&one);
    text_free(&three);
}

static void nothing(scratch *s)
{
    const program_output *answer = program_run("report '%s/missing'", s->folder);
    fact(answer->status == 2 && stderr_has(answer, "missing"), "no folder: status 2");
    fclose(fopen(scratch_path(s, "run.jsonl"), "w"));
    answer = program_run("report '%s'", s->folder);
    char *page = page_of(s, "report.html");
    fact(answer->status == 0, "an empty record");
    good_page(page, "no trajectory");
    fact(page && strstr(page, "No trajectory is complete yet."), "and says so");
    free(page);
    unlink(scratch_path(s, "parameters.yaml"));
    long_record_write(scratch_path(s, "run.jsonl"), 2, false);
    answer = program_run("report '%s'", s->folder);
    page = page_of(s, "report.html");
    fact(answer->status == 0, "two trajectories without parameters");
    good_page(page, "two trajectories");
    free(page);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    whole(&s);
    nasty(&s);
    segments(&s);
    extensions(&s);
    heatbath(&s);
    undefined_test(&s);
    nothing(&s);
    scratch_remove(&s);
    return facts_end();
}
