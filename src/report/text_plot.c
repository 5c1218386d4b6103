/* text_plot.c - draw bins of values as dots, blocks and bars. */
#include "src/report/text_plot.h"

#include "src/base/memory.h"

#include <math.h>
#include <string.h>

enum { DOTS_WIDE = 2, DOTS_HIGH = 4, BLOCKS = 8 };

/* Smallest, largest and mean value of a bin; NaN in an empty bin.  With fewer values than bins, a bin has the value at
 * its place, extended to the previous value. */
typedef struct { double least, most, mean; } bin;

static bin bin_of(const double *value, int64_t begin, int64_t end)
{
    bin b = { INFINITY, -INFINITY, 0 };
    int64_t held = 0;
    for (int64_t i = begin; i < end; i++)
        if (isfinite(value[i])) {
            b.least = fmin(b.least, value[i]);
            b.most = fmax(b.most, value[i]);
            b.mean += value[i];
            held++;
        }
    b.mean = held > 0 ? b.mean / (double)held : NAN;
    return b;
}

static bin *bins_make(const double *value, int64_t count, int bins)
{
    bin *b = memory_alloc((size_t)(bins + 1) * sizeof *b, "a plot");
    for (int x = 0; x < bins; x++) {
        const int64_t begin = x * count / bins, end = (x + 1) * count / bins;
        b[x] = bin_of(value, begin, count < bins && count > 0 ? begin + 1 : end);
        if (count < bins && x > 0 && !isnan(b[x].mean) && !isnan(b[x - 1].mean)) {
            b[x].least = fmin(b[x].least, b[x - 1].mean);
            b[x].most = fmax(b[x].most, b[x - 1].mean);
        }
    }
    return b;
}

/* Ends of the axis; false without a value. */
static bool range_of(const double *value, int64_t count, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(value[i])) {
            *least = fmin(*least, value[i]);
            *most = fmax(*most, value[i]);
        }
    if (*least == *most) {
        double around = *least != 0 ? 0.01 * fabs(*least) : 1;
        *least -= around;
        *most += around;
    }
    return *least < *most;
}

static void add_utf8(text *out, unsigned code)
{
    text_add(out, "%c%c%c", (int)(0xe0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3f)), (int)(0x80 | (code & 0x3f)));
}

/* The lit dots of the letter at column x, row y of the dots. */
static unsigned letter(const unsigned char *dot, int columns, int x, int y)
{
    static const unsigned bit[DOTS_HIGH][DOTS_WIDE] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
    unsigned lit = 0;
    for (int dy = 0; dy < DOTS_HIGH; dy++)
        for (int dx = 0; dx < DOTS_WIDE; dx++)
            lit |= dot[(y + dy) * columns + x + dx] ? bit[dy][dx] : 0;
    return lit;
}

static void light(unsigned char *dot, const bin *b, int columns, int rows, double least, double most)
{
    for (int x = 0; x < columns; x++) {
        if (isnan(b[x].mean))
            continue;
        int low = (int)lround((b[x].least - least) / (most - least) * (rows - 1));
        int high = (int)lround((b[x].most - least) / (most - least) * (rows - 1));
        for (int y = low; y <= high; y++)
            dot[(rows - 1 - y) * columns + x] = 1;
    }
}

static void add_label(text *out, int line, int height, double least, double most)
{
    if (line == 0 || line == height - 1)
        text_add(out, "%*.*g ", TEXT_PLOT_LABEL - 1, 5, line == 0 ? most : least);
    else
        text_add(out, "%*s", TEXT_PLOT_LABEL, "");
}

void text_plot_add(text *out, const double *value, int64_t count, int width, int height, bool unicode)
{
    const int letters = width > TEXT_PLOT_LABEL + 1 ? width - TEXT_PLOT_LABEL : 1;
    const int wide = unicode ? DOTS_WIDE : 1, high = unicode ? DOTS_HIGH : 1;
    const int columns = letters * wide, rows = height * high;
    double least, most;
    bool any = range_of(value, count, &least, &most);
    unsigned char *dot = memory_alloc((size_t)columns * (size_t)rows, "a plot");
    if (any) {
        bin *b = bins_make(value, count, columns);
        light(dot, b, columns, rows, least, most);
        memory_free(b);
    }
    for (int line = 0; line < height; line++) {
        if (any)
            add_label(out, line, height, least, most);
        for (int x = 0; any && x < letters; x++)
            if (unicode)
                add_utf8(out, 0x2800 + letter(dot, columns, x * wide, line * high));
            else
                text_add_bytes(out, dot[line * columns + x] ? "*" : " ", 1);
        text_add(out, "\n");
    }
    memory_free(dot);
}

void text_spark_add(text *out, const double *value, int64_t count, int width, bool unicode)
{
    static const char plain[BLOCKS + 1] = "_.,-=+*#";
    double least, most;
    bool any = range_of(value, count, &least, &most);
    bin *b = bins_make(value, any ? count : 0, width);
    for (int x = 0; x < width; x++) {
        int block = any && !isnan(b[x].mean) ? (int)lround((b[x].mean - least) / (most - least) * (BLOCKS - 1)) : -1;
        if (block < 0)
            text_add(out, " ");
        else if (unicode)
            add_utf8(out, 0x2581 + (unsigned)block);
        else
            text_add_bytes(out, &plain[block], 1);
    }
    memory_free(b);
}

void text_bar_add(text *out, double share, int width, bool unicode)
{
    const int full = (int)lround(fmin(fmax(share, 0), 1) * width);
    for (int x = 0; x < width; x++)
        if (unicode)
            add_utf8(out, x < full ? 0x2588 : 0x2591);
        else
            text_add(out, x < full ? "#" : ".");
}

/* Number of bytes of the character at s; 0 if they are not UTF-8. */
static int utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    const bool two = u[0] >= 0xc2 && u[0] < 0xe0, three = (u[0] & 0xf0) == 0xe0, four = (u[0] & 0xf8) == 0xf0;
    const int n = u[0] < 0x80 ? 1 : two ? 2 : three ? 3 : four ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Control characters of ASCII and U+0080 to U+009F, which a terminal would execute. */
static bool is_control(const char *s, int n)
{
    const unsigned char *u = (const unsigned char *)s;
    return u[0] < 0x20 || u[0] == 0x7f || (n == 2 && u[0] == 0xc2 && u[1] < 0xa0);
}

void text_add_cut(text *out, const char *words, int width, bool unicode)
{
    for (int x = 0; *words && x < width; x++) {
        int n = utf8_length(words);
        if (n == 0 || is_control(words, n) || (n > 1 && !unicode))
            text_add(out, "?");
        else
            text_add_bytes(out, words, (size_t)n);
        words += n > 0 ? n : 1;
    }
}
