/* test_figures.c - figures of kiln report: whole titles and markers, means with errors, units, names of masses. */
#include "tests/report/figures.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>

enum { CONFIGURATIONS = 60, THERMALIZATION = 4, MARKERS = 400, CORNERS = 16 };
static const char long_name[] = "light_and_strange_quarks_of_all_configurations_from_many_random_sources_and_walls";

/* A record with a flow, whose curves cross the levels of its scales, and condensates under a long name. */
static void write_record(scratch *s)
{
    uint64_t state = 7;
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        const double noise = scratch_uniform(&state) - 0.5;
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": %.17g, "
                "\"exp_minus_dH\": %.17g, \"plaquette\": {\"average\": %.17g}, \"seconds\": %.17g, \"measurements\": {",
                n, n <= THERMALIZATION ? "true" : "false", noise, exp(-noise), 0.5 + noise / 100, 2 + noise);
        fprintf(file, "\"flow\": {\"kind\": \"flow\", \"charge\": %.17g, \"along\": {\"t\": [0, 0.5, 1, 1.5, 2], "
                "\"t2E_clover\": [0, 0.1, 0.25, %.17g, 0.6]}, \"converged\": true}, ", 3 * noise, 0.4 + noise / 50);
        fprintf(file, "\"%s\": {\"kind\": \"condensate\", \"masses\": [{\"mass\": 0.05, \"condensate\": %.17g, "
                "\"susceptibility_connected\": %.17g}], \"converged\": true}}}\n", long_name, 0.2 + noise / 10,
                0.7 + noise);
    }
    fclose(file);
}

/* Letters of a row of the title times the width of one in a wide font, in the picture. */
static bool title_fits(figure_part f)
{
    for (const char *at = f.begin; (at = figure_find(f, at, "<text class=\"title\"")); at++) {
        enum { WIDTH = 420 };
        const double wide_letter = 9.5;
        double x = NAN;
        const char *words = strchr(at, '>') + 1;
        int letters = 0;
        for (const char *c = words; *c != '<'; c++)
            letters += (*c & 0xc0) != 0x80;
        if (sscanf(at, "<text class=\"title\" x=\"%lf\"", &x) != 1 || !(x + wide_letter * letters <= WIDTH)) {
            note("%.*s", (int)strcspn(words, "<"), words);
            return false;
        }
    }
    return true;
}

/* The first marker or error bar that is not whole within the axes is noted. */
static bool markers_are_whole(figure_part f)
{
    double x[MARKERS], y[MARKERS], radius[MARKERS];
    const figure_box in = figure_axes(f);
    const int n = figure_markers(x, y, radius, MARKERS, f);
    for (int i = 0; i < n; i++)
        if (!(x[i] - radius[i] >= in.left && x[i] + radius[i] <= in.right && y[i] - radius[i] >= in.top
              && y[i] + radius[i] <= in.bottom)) {
            note("marker at %g, %g", x[i], y[i]);
            return false;
        }
    for (const char *at = f.begin; (at = figure_find(f, at, "/><path d=\"M")); at++) {
        double from = NAN, to = NAN;
        if (sscanf(at, "/><path d=\"M%*f %lfV%lf", &from, &to) != 2 || !(from <= in.bottom && to >= in.top)) {
            note("error bar from %g to %g", from, to);
            return false;
        }
    }
    return true;
}

static void every_figure(const char *page)
{
    int figures = 0, markers = 0;
    double x[MARKERS], y[MARKERS], radius[MARKERS];
    for (figure_part f = figure_next((figure_part){ NULL, NULL }, page); f.begin; f = figure_next(f, page), figures++) {
        text title = figure_title(f);
        fact(title.length > 0 && title_fits(f), "the title is whole: %s", text_string(&title));
        fact(markers_are_whole(f), "every marker and error bar is within the axes: %s", text_string(&title));
        markers += figure_markers(x, y, radius, MARKERS, f);
        text_free(&title);
    }
    fact(figures > 10 && markers > CONFIGURATIONS, "%d figures with %d markers", figures, markers);
}

/* The band is mean +- error of kiln status, from the first trajectory of the means to the last one. */
static void history(const char *page, const yaml_node *of, const char *title, const char *unit)
{
    double x[CORNERS], y[CORNERS], line_x[CORNERS], line_y[CORNERS];
    const figure_part f = figure_titled(page, title);
    if (!fact(f.begin != NULL, "there is a history of %s", title))
        return;
    const double mean = json_number(of, isfinite(json_number(of, "mean")) ? "mean" : "value");
    const double error = json_number(of, "error");
    const int corners = figure_path(x, y, CORNERS, f, "band");
    fact(corners == 4, "with the error of the mean as a band");
    if (corners != 4)
        return;
    const double pixel = fabs(figure_y(f, 0) - figure_y(f, 1));
    fact_close(figure_y(f, y[0]), mean + error, pixel, "its upper edge is mean + error");
    fact_close(figure_y(f, y[3]), mean - error, pixel, "its lower edge is mean - error");
    fact_close(figure_x(f, x[0]), THERMALIZATION + 1, 0.1, "it begins after thermalization");
    fact_close(figure_x(f, x[1]), CONFIGURATIONS, 0.1, "it ends with the last trajectory");
    const int ends = figure_path(line_x, line_y, CORNERS, f, "line fit");
    fact(ends == 2 && fabs(figure_y(f, line_y[0]) - mean) <= pixel, "the mean is a line in the middle");
    fact((unit[0] == '\0') == (figure_find(f, f.begin, "in units of") == NULL)
             && (unit[0] == '\0' || figure_find(f, f.begin, unit)), "its axis has the unit: '%s'", unit);
}

static void histories(scratch *s, const char *page)
{
    char name[160];
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *measured = yaml_get(tree, "measurements");
    history(page, yaml_get(tree, "plaquette"), "plaquette", "");
    history(page, yaml_get(measured, "flow.charge"), "flow.charge", "");
    history(page, yaml_get(measured, "flow.t0"), "flow.t0, linear about the mean curve", ">in units of a\u00b2<");
    history(page, yaml_get(measured, "flow.w0"), "flow.w0, linear about the mean curve", ">in units of a<");
    fact(strstr(page, ">in units of 1/a\u00b3<") && strstr(page, ">in units of 1/a\u00b2<"),
         "condensate and susceptibility have their units");
    snprintf(name, sizeof name, "%s.condensate(0.05)", long_name);
    const figure_part f = figure_titled(page, "distribution of flow.charge");
    fact(f.begin && figure_count(f, "class=\"band\"") == 0, "a distribution has no band");
    bool whole = false;
    for (figure_part g = figure_next(f, page); g.begin && !whole; g = figure_next(g, page)) {
        text title = figure_title(g);
        char joined[512] = "";
        for (const char *c = text_string(&title); *c && strlen(joined) + 1 < sizeof joined; c++)
            if (*c != ' ')
                joined[strlen(joined)] = *c;
        whole = strcmp(joined, name) == 0;
        text_free(&title);
    }
    fact(whole, "the title of the long name is there, in rows");
    yaml_tree_free(tree);
}

static void names_of_masses(scratch *s)
{
    FILE *file = fopen(scratch_path(s, "parameters.yaml"), "w");
    fprintf(file, "lattice: [4, 4, 4, 4]\nrandom: { seed: 1 }\nmonomials:\n"
            "  - { kind: gauge, action: wilson, beta: 5 }\n"
            "  - { kind: staggered, name: quarks, action: hisq, determinants: [ { quarks: [ "
            "{ mass: 0.05, flavors: 2 }, { mass: 0.1, flavors: 1 } ], hasenbusch: [ { mass: 0.4 } ] } ] }\n"
            "  - { kind: staggered, name: charm, action: hisq, determinants: [ { quarks: [ "
            "{ mass: 0.8, flavors: 1 } ] } ] }\n"
            "hmc: { trajectories: 60, thermalization: %d, levels: [ { integrator: leapfrog, steps: 2, "
            "monomials: [gauge, quarks, charm] } ] }\noutput: { directory: there }\n", THERMALIZATION);
    fclose(file);
    const program_output *answer = program_run("report '%s' --output -", s->folder);
    fact(stdout_has(answer, "hisq, masses 0.05, 0.1 / Hasenbusch 0.4<"), "a Hasenbusch mass is not a mass of a quark");
    fact(stdout_has(answer, "hisq, mass 0.8<"), "quarks without Hasenbusch masses");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    write_record(&s);
    text page = { 0 };
    text_add(&page, "%s", text_string(&program_run("report '%s' --output -", s.folder)->out));
    every_figure(text_string(&page));
    histories(&s, text_string(&page));
    text_free(&page);
    names_of_masses(&s);
    scratch_remove(&s);
    return facts_end();
}
