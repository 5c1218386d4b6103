/* new_questions.c - the questions of `kiln new`: each has a default, states the possible answers, and is repeated after
 * an answer that cannot work. */
#include "src/base/log.h"
#include "src/literature/bare_choice.h"
#include "src/cli/new/new_limits.h"
#include "src/cli/new/new_request.h"
#include "src/cli/new/new_volume.h"
#include "src/config/number.h"
#include "src/config/word_list.h"
#include "src/hmc/run_params.h"
#include "src/io/disk.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char *family_name(const void *list, int i)
{
    (void)list;
    return literature_families[i].name;
}

const family *new_family_find(const char *name, failure *f)
{
    const int i = word_list_find(name, family_name, NULL, f);
    return i >= 0 ? &literature_families[i] : NULL;
}

void new_default_name(text *t, const family *of, const int extents[4])
{
    for (const char *s = of->name; *s; s++)
        text_add(t, "%c", *s == '-' ? '_' : *s == '+' ? 'p' : *s);
    text_add(t, "_%s", extents_to_text(extents).s);
}

typedef struct { FILE *in; text line; } conversation;

static void prompt(const char *format, ...) PRINTF_LIKE(1, 2);
static void prompt(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(log_stream(), format, arguments);
    va_end(arguments);
    fflush(log_stream());
}

/* The next line without blanks at its ends, or `otherwise` for an empty one; NULL with the reason at the end. */
static const char *next_answer(conversation *c, const char *otherwise, failure *f)
{
    int sign;
    text_clear(&c->line);
    prompt(" [%s]: ", otherwise);
    while ((sign = getc(c->in)) != EOF && sign != '\n') {
        const char byte = (char)sign;
        if (c->line.length > 0 || (byte != ' ' && byte != '\t'))
            text_add_bytes(&c->line, &byte, 1);
    }
    if (sign == EOF && c->line.length == 0) {
        prompt("\n");
        fail(f, "the answers ended before the last question; nothing was written");
        return NULL;
    }
    while (c->line.length > 0 && strchr(" \t\r", c->line.s[c->line.length - 1]))
        c->line.s[--c->line.length] = '\0';
    return c->line.length > 0 ? text_string(&c->line) : otherwise;
}

/* A number above 0. */
static bool read_positive(const char *answer, double *x, failure *f)
{
    text hint = { 0 };
    const bool ok = number_read_real(answer, x, &hint) && *x > 0;
    if (!ok)
        fail(f, "\"%s\" is not a number above 0%s%s", answer, hint.length ? ": " : "", text_string(&hint));
    text_free(&hint);
    return ok;
}

static const family *ask_family(conversation *c, failure *f)
{
    int count = 0;
    prompt("Which action?\n");
    for (; literature_families[count].name; count++)
        prompt("  %2d  %-14s %s\n", count + 1, literature_families[count].name, literature_families[count].summary);
    for (;;) {
        double number;
        failure why;
        prompt("Number or name");
        const char *answer = next_answer(c, literature_families[0].name, f);
        if (!answer)
            return NULL;
        if (read_positive(answer, &number, &why) && number == floor(number) && number <= count)
            return &literature_families[(int)number - 1];
        const family *of = new_family_find(answer, &why);
        if (of)
            return of;
        prompt("  %s\n", why.why);
    }
}

static literature_target target_of(const new_request *r, const family *of)
{
    return (literature_target){ of, r->spacing, r->beta, r->pion, r->light, r->strange, r->charm, r->extrapolate,
                                r->boundary == TIME_OPEN };
}

static bool ask_spacing(new_request *r, const family *of, conversation *c, failure *f)
{
    text known = { 0 };
    char otherwise[32];
    double least, most;
    bool ok = false;
    bare_parameters_add_spacings(&known, of);
    snprintf(otherwise, sizeof otherwise, "%.4g", of->count ? of->table[0].spacing : 0.1);
    for (;;) {
        failure why;
        prompt("Lattice spacing in fm (%s)", text_string(&known));
        const char *answer = next_answer(c, otherwise, f);
        if (!answer)
            break;
        literature_target t = target_of(r, of);
        ok = read_positive(answer, &t.spacing, &why) && bare_parameters_pions(&t, &least, &most, &why);
        r->spacing = t.spacing;
        if (ok)
            break;
        prompt("  %s\n", why.why);
    }
    text_free(&known);
    return ok;
}

/* A pion mass for which there are bare parameters. */
static bool ask_pion(new_request *r, const family *of, conversation *c, failure *f)
{
    double least, most;
    char otherwise[32];
    literature_target t = target_of(r, of);
    if (!bare_parameters_pions(&t, &least, &most, f))
        return false;
    if (most == 0)
        return fail(f, "beta %g: no pion mass of %s is known there; give --light", r->beta, of->name);
    snprintf(otherwise, sizeof otherwise, "%.0f", most);
    for (;;) {
        failure why;
        bare_parameters b;
        prompt("Pion mass in MeV (%.0f to %.0f)", least, most);
        const char *answer = next_answer(c, otherwise, f);
        if (!answer)
            return false;
        if (read_positive(answer, &t.pion, &why) && bare_parameters_choose(&b, &t, &why)) {
            r->pion = t.pion;
            bare_parameters_free(&b);
            return true;
        }
        prompt("  %s\n", why.why);
    }
}

bool new_lattice_read(const char *answer, int extents[4])
{
    int end = 0;
    return (sscanf(answer, "%5d,%5d,%5d,%5d%n", &extents[0], &extents[1], &extents[2], &extents[3], &end) == 4
            || sscanf(answer, "%5dx%5dx%5dx%5d%n", &extents[0], &extents[1], &extents[2], &extents[3], &end) == 4)
           && !answer[end];
}

static bool ask_lattice(new_request *r, const family *of, conversation *c, failure *f)
{
    const literature_target t = target_of(r, of);
    bare_parameters b;
    text otherwise = { 0 };
    if (!bare_parameters_choose(&b, &t, f))
        return false;
    int extents[4] = { 16, 16, 16, 32 };
    failure reason;
    if (volume_suggest(extents, &b, NAN, &reason) && !limits_allow(extents, &b, true, &reason)) {
        const int largest = limits_largest(&b, extents[0]);
        prompt("  %s\n", reason.why);
        for (int mu = 0; largest > 0 && mu < 4; mu++)
            extents[mu] = mu < 3 ? largest : volume_time_extent(&b, largest);
    }
    text_add(&otherwise, "%s", extents_to_text(extents).s);
    bool ok = false;
    for (;;) {
        failure why;
        prompt("Lattice: extents in x, y, z, t, such as 16x16x16x32");
        const char *answer = next_answer(c, text_string(&otherwise), f);
        if (!answer)
            break;
        ok = (new_lattice_read(answer, extents) || fail(&why, "\"%s\" is not four extents", answer))
             && volume_check(extents, r->ranks, of, &why) && limits_allow(extents, &b, false, &why);
        if (ok)
            break;
        prompt("  %s\n", why.why);
    }
    memcpy(r->extents, extents, sizeof extents);
    text_free(&otherwise);
    bare_parameters_free(&b);
    return ok;
}

static bool ask_output(new_request *r, const family *of, text *word, conversation *c, failure *f)
{
    text otherwise = { 0 };
    new_default_name(&otherwise, of, r->extents);
    text_add(&otherwise, ".yaml");
    bool ok = false;
    for (;;) {
        prompt("Write the input to");
        const char *answer = next_answer(c, text_string(&otherwise), f);
        if (!answer)
            break;
        ok = !disk_has_name(answer);
        if (ok) {
            text_add(word, "%s", answer);
            r->output = text_string(word);
            break;
        }
        prompt("  %s exists already, and is not overwritten\n", answer);
    }
    text_free(&otherwise);
    return ok;
}

bool new_questions_ask(new_request *r, text *word, FILE *in, failure *f)
{
    conversation c = { .in = in };
    const family *of = r->family ? new_family_find(r->family, f) : ask_family(&c, f);
    bool ok = of != NULL;
    if (ok)
        r->family = of->name;
    ok = ok && (!isnan(r->spacing) || !isnan(r->beta) || ask_spacing(r, of, &c, f));
    ok = ok && (of->quarks == QUARKS_NONE || !isnan(r->pion) || !isnan(r->light) || ask_pion(r, of, &c, f));
    ok = ok && (r->extents[0] > 0 || !isnan(r->size) || ask_lattice(r, of, &c, f));
    ok = ok && (r->output || ask_output(r, of, word, &c, f));
    text_free(&c.line);
    return ok;
}
