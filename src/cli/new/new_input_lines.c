/* new_input_lines.c - lines of a new input, and numbers in them that follow from the volume. */
#include "src/cli/new/new_input_lines.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { COMMENT_COLUMN = 35, LINE_MOST = 512 };

void new_input_line(text *t, const char *comment, const char *line, ...)
{
    char words[LINE_MOST];
    va_list arguments;
    va_start(arguments, line);
    vsnprintf(words, sizeof words, line, arguments);
    va_end(arguments);
    if (comment)
        text_add(t, "%-*s# %s\n", strlen(words) < COMMENT_COLUMN ? COMMENT_COLUMN : (int)strlen(words) + 2, words,
                 comment);
    else
        text_add(t, "%s\n", words);
}

static double sites(const new_input *in)
{
    double volume = 1;
    for (int mu = 0; mu < 4; mu++)
        volume *= in->extents[mu];
    return volume;
}

int new_input_steps(const new_input *in, double base)
{
    const int half = (int)ceil(0.5 * base * pow(sites(in) / (16. * 16 * 16 * 32), 0.25) - 1e-9);
    return 2 * (half < 1 ? 1 : half);
}

int new_input_interval(const new_input *in, int trajectories)
{
    const double length = in->b->at.smd_length;
    return length > 0 ? trajectories * (int)ceil(1 / length) : trajectories;
}

double new_input_residual(const new_input *in)
{
    const double most = 1e-9, error = 0.03;
    const double wanted = error / (sites(in) * (in->b->at.Ls > 0 ? in->b->at.Ls : 1));
    const double decade = pow(10, floor(log10(wanted)));
    return fmin(most, wanted >= 3 * decade ? 3 * decade : decade);
}
