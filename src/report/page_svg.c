/* page_svg.c - a page of a terminal as SVG: runs of letters with a fixed length, dots of Braille, blocks. */
#include "src/report/page_svg.h"

#include <stdint.h>
#include <string.h>

/* Pixels: of a character, of the margin, and of a dot of Braille. */
#define WIDE 7.8
#define HIGH 17.0
#define BASE 13.0
#define MARGIN 14.0
#define DOT 1.7

enum { BRAILLE = 0x2800, BRAILLE_LAST = 0x28ff, BLOCK = 0x2581, BLOCK_LAST = 0x2588, BLOCK_EIGHTHS = 8 };

typedef enum { PLAIN, BOLD, FAINT, ALARM } manner;
static const char *const manners[] = { "p", "b", "f", "a" };

static const char style[] =
    "svg{--page:#ffffff;--ink:#24292f;--faint:#6a737d;--alarm:#9a6c00;--bar:#0b62b0}\n"
    "@media(prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--faint:#9aa4af;--alarm:#e0b43a;\n"
    "--bar:#6cb2f5}}\n"
    "text{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre}.page{fill:var(--page)}\n"
    ".p,.b{fill:var(--ink)}.b{font-weight:bold}.f{fill:var(--faint)}.a{fill:var(--alarm)}path{fill:var(--bar)}\n";

/* The letters of the current run, and the shapes of the page so far. */
typedef struct { text *out; text run, shapes; int run_begins, column, line; manner now; } drawing;

static double left_of(int column)
{
    return MARGIN + WIDE * column;
}

static double top_of(int line)
{
    return MARGIN + HIGH * line;
}

static void end_run(drawing *d)
{
    const int length = d->column - d->run_begins;
    if (strspn(text_string(&d->run), " ") < d->run.length)
        text_add(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" "
                 "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">%s</text>\n", manners[d->now],
                 left_of(d->run_begins), top_of(d->line) + BASE, WIDE * length, text_string(&d->run));
    text_clear(&d->run);
    d->run_begins = d->column;
}

/* Dots 1 to 3 and 7 of a letter of Braille are its left column from the top, 4 to 6 and 8 its right one. */
static void add_braille(drawing *d, unsigned dots)
{
    static const int column_of[] = { 0, 0, 0, 1, 1, 1, 0, 1 }, row_of[] = { 0, 1, 2, 0, 1, 2, 3, 3 };
    for (int bit = 0; bit < 8; bit++)
        if (dots >> bit & 1)
            text_add(&d->shapes, "M%.1f %.1fh%.1fv%.1fh-%.1fz",
                     left_of(d->column) + WIDE * (0.25 + 0.5 * column_of[bit]) - DOT / 2,
                     top_of(d->line) + HIGH * (0.125 + 0.25 * row_of[bit]) - DOT / 2, DOT, DOT, DOT);
}

static void add_block(drawing *d, int eighths)
{
    const double height = (HIGH - 3) * eighths / BLOCK_EIGHTHS;
    text_add(&d->shapes, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left_of(d->column), top_of(d->line) + HIGH - 1.5 - height, WIDE,
             height, WIDE);
}

static void add_letter(drawing *d, const char *bytes, size_t n)
{
    if (d->run.length == 0)
        d->run_begins = d->column;
    if (*bytes == '<' || *bytes == '&' || *bytes == '>')
        text_add(&d->run, "%s", *bytes == '<' ? "&lt;" : *bytes == '&' ? "&amp;" : "&gt;");
    else
        text_add_bytes(&d->run, bytes, n);
}

/* The number of bytes of the next character in UTF-8, which is complete, and its code. */
static size_t decode(const char *s, uint32_t *code)
{
    const unsigned char first = (unsigned char)*s;
    const size_t n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *code = n == 1 ? first : first & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return i;
        *code = *code << 6 | ((unsigned char)s[i] & 0x3f);
    }
    return n;
}

static void add_character(drawing *d, const char *s, size_t n, uint32_t code)
{
    const bool braille = code >= BRAILLE && code <= BRAILLE_LAST, block = code >= BLOCK && code <= BLOCK_LAST;
    if (braille || block)
        end_run(d);
    if (braille)
        add_braille(d, code - BRAILLE);
    else if (block)
        add_block(d, (int)(code - BLOCK) + 1);
    else
        add_letter(d, s, n);
    d->column++;
}

/* The length of the sequence "ESC [ number m" at `s`; *next <- the style of the following characters. */
static size_t read_manner(const char *s, manner *next)
{
    const size_t n = strcspn(s, "m");
    *next = strncmp(s, "\033[1m", 4) == 0 ? BOLD : strncmp(s, "\033[2m", 4) == 0 ? FAINT
            : strncmp(s, "\033[33m", 5) == 0 ? ALARM : PLAIN;
    return s[n] ? n + 1 : n;
}

static void draw(drawing *d, const char *page)
{
    for (const char *s = page; *s;) {
        uint32_t code;
        manner next;
        size_t n = decode(s, &code);
        if (*s == '\033') {
            n = read_manner(s, &next);
            end_run(d);
            d->now = next;
        } else if (*s == '\n') {
            end_run(d);
            d->line++;
            d->column = d->run_begins = 0;
        } else {
            add_character(d, s, n, code);
        }
        s += n;
    }
    end_run(d);
}

static int count_lines(const char *page)
{
    int lines = 0;
    for (const char *s = page; *s; s++)
        lines += *s == '\n';
    return lines;
}

void page_to_svg(text *out, const char *page, int width)
{
    const double wide = 2 * MARGIN + WIDE * width, high = 2 * MARGIN + HIGH * count_lines(page);
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\">\n<style>\n%s</style>\n"
                  "<rect class=\"page\" width=\"100%%\" height=\"100%%\" rx=\"6\"/>\n", wide, high, wide, high,
             style);
    drawing d = { .out = out };
    draw(&d, page);
    if (d.shapes.length > 0)
        text_add(out, "<path d=\"%s\"/>\n", text_string(&d.shapes));
    text_add(out, "</svg>\n");
    text_free(&d.run);
    text_free(&d.shapes);
}
