/* test_picture.c - pictures of kiln watch and kiln report: every letter, dot and figure is there, in its place. */
#include "src/report/page_svg.h"
#include "tests/report/long_record.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <unistd.h>

enum { LINES = 4, WIDTH = 24, RUNS = 16 };

/* Lines with bold, faint, yellow and plain letters, those that XML reserves, letters of Braille and blocks. */
static const char page[] = "\033[1midle <dH> & \xc3\xbc\033[0m\n"
                           "\033[33m! warning\033[0m after \033[2mfaint\033[0m\n"
                           "  0.5 \xe2\xa3\xbf\xe2\xa0\x81\xe2\xa0\x88\xe2\xa1\x80 end\n"
                           "\xe2\x96\x81\xe2\x96\x88 bars\n";
enum { DOTS = 8 + 1 + 1 + 1, BLOCKS = 2 };

/* What the same page shows as letters, with blanks in place of dots and blocks. */
static const char *const letters[LINES] = { "idle <dH> & \xc3\xbc", "! warning after faint", "  0.5      end",
                                            "   bars" };

typedef struct { char manner; double x, y, length; char words[64]; } run;

/* The letters of an element, with the reserved ones as they are. */
static void unescape(char *to, const char *from, size_t n)
{
    static const struct { const char *escaped; char sign; } signs[] = { { "&lt;", '<' }, { "&gt;", '>' },
                                                                        { "&amp;", '&' } };
    while (n > 0) {
        size_t used = 1;
        char sign = *from;
        for (int i = 0; i < 3; i++)
            if (strncmp(from, signs[i].escaped, strlen(signs[i].escaped)) == 0) {
                used = strlen(signs[i].escaped);
                sign = signs[i].sign;
            }
        *to++ = sign;
        from += used;
        n -= used;
    }
    *to = '\0';
}

static int read_runs(const char *svg, run runs[RUNS])
{
    int n = 0;
    for (const char *at = svg; (at = strstr(at, "<text ")) && n < RUNS; at++) {
        const char *begin = strchr(at, '>'), *end = strstr(at, "</text>");
        run *r = &runs[n];
        if (!begin || !end || sscanf(at, "<text class=\"%c\" x=\"%lf\" y=\"%lf\" textLength=\"%lf\"", &r->manner, &r->x,
                                     &r->y, &r->length) != 4)
            return -1;
        unescape(r->words, begin + 1, (size_t)(end - begin - 1));
        n++;
    }
    return n;
}

static int characters(const char *words)
{
    int n = 0;
    for (; *words; words++)
        n += (*words & 0xc0) != 0x80;
    return n;
}

/* The letters of the runs of each line, at columns that follow from x and the width of a character. */
static bool same_letters(const run *runs, int n, double wide)
{
    int line = -1;
    bool same = true;
    double y = NAN;
    char shown[LINES][WIDTH + 8] = { "" };
    for (int i = 0; i < n; i++) {
        line += runs[i].y != y;
        y = runs[i].y;
        if (line >= LINES)
            return false;
        const int column = (int)lround((runs[i].x - runs[0].x) / wide);
        while (characters(shown[line]) < column)
            strcat(shown[line], " ");
        strcat(shown[line], runs[i].words);
    }
    for (int i = 0; i < LINES; i++) {
        if (strcmp(shown[i], letters[i]) != 0)
            note("line %d: \"%s\" became \"%s\"", i, letters[i], shown[i]);
        same = same && strcmp(shown[i], letters[i]) == 0;
    }
    return same && line == LINES - 1;
}

static int count(const char *words, const char *piece)
{
    int n = 0;
    for (; (words = strstr(words, piece)); words++)
        n++;
    return n;
}

/* Elements that begin are as many as those that end, <a ...> and </a>, or <a .../>; each & begins an escape. */
static bool is_xml(const char *svg)
{
    return count(svg, "<") - count(svg, "</") == count(svg, "</") + count(svg, "/>")
           && count(svg, "&") == count(svg, "&amp;") + count(svg, "&lt;") + count(svg, "&gt;");
}

static void check_page(void)
{
    text svg = { 0 };
    run runs[RUNS];
    double x[DOTS + BLOCKS] = { 0 }, y[DOTS + BLOCKS] = { 0 }, high[DOTS + BLOCKS] = { 0 };
    page_to_svg(&svg, page, WIDTH);
    const int n = read_runs(text_string(&svg), runs);
    bool even = n > 0;
    const double wide = n > 0 ? runs[0].length / characters(runs[0].words) : NAN;
    for (int i = 0; i < n; i++)
        even = even && fabs(runs[i].length / characters(runs[i].words) - wide) < 0.02;
    fact(is_xml(text_string(&svg)), "a page becomes well-formed XML");
    fact(even, "all letters of a page have the same width");
    fact(n > 0 && same_letters(runs, n, wide), "each letter is in its line and column");
    fact(n > 3 && runs[0].manner == 'b' && runs[1].manner == 'a' && runs[2].manner == 'p' && runs[3].manner == 'f',
         "bold, yellow, plain and faint letters are told apart");

    int shapes = 0;
    const char *at = strstr(text_string(&svg), "<path d=\"");
    for (at = at ? strchr(at, 'M') : NULL; at; at = strchr(at + 1, 'M'), shapes++)
        if (shapes < DOTS + BLOCKS)
            sscanf(at, "M%lf %lfh%*fv%lf", &x[shapes], &y[shapes], &high[shapes]);
    fact(shapes == DOTS + BLOCKS, "each dot of Braille and each block is a shape: %d of %d", shapes, DOTS + BLOCKS);
    /* The letters are U+28FF, U+2801 (dot 1), U+2808 (dot 4), U+2840 (dot 7): upper left, upper right, lower left. */
    const int one = 8, four = 9, seven = 10;
    fact_close(x[four] - x[one], 1.5 * wide, 0.11,
               "dot 4 of the next letter is one and a half characters to the right");
    fact_close(y[four], y[one], 1e-9, "in the same row");
    fact_close(x[seven] - x[one], 2 * wide, 0.11, "dot 7 of the letter after that is below the first column");
    fact(y[seven] - y[one] > 9, "in the last row");
    fact_close(high[DOTS + 1], 8 * high[DOTS], 0.5, "the full block is eight times as high as the lowest one");
    fact_close(y[DOTS] + high[DOTS], y[DOTS + 1] + high[DOTS + 1], 0.11, "and both stand on the same line");
    text_free(&svg);
}

static bool has_file(const char *path)
{
    return access(path, F_OK) == 0;
}

static void check_commands(scratch *s)
{
    char folder[600], picture[600];
    snprintf(folder, sizeof folder, "%s", scratch_path(s, ""));
    snprintf(picture, sizeof picture, "%s", scratch_path(s, "picture.svg"));
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, false);
    long_record_parameters(scratch_path(s, "parameters.yaml"), LONG_RECORD);

    const program_output *told = program_run("report '%s' --picture '%s'", folder, picture);
    blob file = blob_read(picture);
    const char *svg = file.bytes ? (const char *)file.bytes : "";
    if (file.bytes)
        file.bytes[file.n] = '\0';
    fact(told->status == 0 && strncmp(svg, "<svg ", 5) == 0 && is_xml(svg),
         "kiln report --picture writes an SVG file");
    fact(count(svg, "<svg x=") == 4 && strstr(svg, "plaquette, from the start") && strstr(svg, ">dH</text>"),
         "with a figure of each section");
    free(file.bytes);

    told = program_run("watch '%s' --picture '%s'", folder, picture);
    file = blob_read(picture);
    svg = file.bytes ? (const char *)file.bytes : "";
    if (file.bytes)
        file.bytes[file.n] = '\0';
    fact(told->status == 0 && told->out.length == 0 && is_xml(svg) && strstr(svg, "trajectory 800 of 800"),
         "kiln watch --picture writes its page over an older picture");
    free(file.bytes);

    blob_write(picture, "mine\n", 5);
    told = program_run("watch '%s' --picture '%s'", folder, picture);
    fact(told->status == 1 && stderr_has(told, "picture.svg"), "but not over another file");
    told = program_run("report '%s' --picture '%s'", folder, picture);
    fact(told->status == 1 && stderr_has(told, "picture.svg"), "nor does kiln report");
    told = program_run("report '%s' --picture '%s' --output -", folder, picture);
    fact(told->status == 2 && stderr_has(told, "either --output or --picture"),
         "kiln report writes a page or a picture");
    static const char *const commands[] = { "report", "watch" };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(picture, sizeof picture, "%s", scratch_path(s, "picture.png"));
        told = program_run("%s '%s' --picture '%s'", commands[i], folder, picture);
        fact(told->status == 2 && stderr_has(told, "expected a name that ends with .svg") && !has_file(picture),
             "kiln %s: a picture is SVG by its name, too", commands[i]);
    }
    snprintf(picture, sizeof picture, "%s", scratch_path(s, "report.html"));
    told = program_run("report '%s' --from %d", folder, LONG_RECORD + 1);
    fact(told->status == 1 && stderr_has(told, "--from 801: expected at most 800, the last trajectory")
             && !has_file(picture), "kiln report writes no page of no trajectory");
    fact(program_run("report '%s' --from %d", folder, LONG_RECORD)->status == 0 && has_file(picture),
         "but one of the last one");
}

int main(void)
{
    check_page();
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    check_commands(&s);
    scratch_remove(&s);
    return facts_end();
}
