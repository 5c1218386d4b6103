/* options.c - the command line read by getopt_long as a table of options describes it. */
#include "src/options/options.h"

#include "src/base/log.h"
#include "src/base/text.h"
#include "src/config/number.h"
#include "src/config/suggest.h"
#include "src/config/word_list.h"
#include "src/options/help.h"
#include "src/options/key_hint.h"
#include "src/options/path_check.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAX = 96, HELP = OPTIONS_MAX };

const char *const option_bits[] = { "32", "64", NULL };

int usage_error(const usage *u, const char *format, ...)
{
    va_list arguments;
    fprintf(log_stream(), "kiln %s: ", u->name);
    va_start(arguments, format);
    vfprintf(log_stream(), format, arguments);
    va_end(arguments);
    fprintf(log_stream(), "\nSee kiln %s --help.\n", u->name);
    return EXIT_USAGE;
}

/* False with the reason if `given` is not a number within the range. */
static bool read_number(const option *o, const char *given, void *value, failure *f)
{
    text hint = { 0 };
    int64_t whole = 0;
    double real = 0;
    bool ok = o->type == OPTION_INT ? number_read_integer(given, &whole, &hint)
                                    : number_read_real(given, &real, &hint);
    if (!ok) {
        fail(f, "\"%s\" is not %s%s%s", given, o->type == OPTION_INT ? "an integer" : "a number",
             hint.length ? ": " : "", text_string(&hint));
    } else {
        double x = o->type == OPTION_INT ? (double)whole : real;
        text range = { 0 };
        ok = !option_has_range(o) || (x >= o->min && x <= o->max);
        option_add_range(&range, o);
        if (!ok)
            fail(f, "%s is outside the range from %s", given, text_string(&range));
        text_free(&range);
    }
    text_free(&hint);
    if (ok && o->type == OPTION_INT)
        *(int64_t *)value = whole;
    else if (ok)
        *(double *)value = real;
    return ok;
}

static bool read_choice(const option *o, const char *given, int *value, failure *f)
{
    const int i = word_list_find_name(given, o->choices, f);
    if (i >= 0)
        *value = i;
    return i >= 0;
}

static bool read_value(const option *o, const char *given, void *values, failure *f)
{
    void *value = (char *)values + o->offset;
    switch (o->type) {
    case OPTION_FLAG:
        *(bool *)value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)value = given;
        return true;
    case OPTION_TEXTS: {
        text_refs *texts = value;
        if (texts->count == TEXT_REFS_MAX)
            return fail(f, "given more than %d times", TEXT_REFS_MAX);
        texts->item[texts->count++] = given;
        return true;
    }
    case OPTION_INT:
    case OPTION_REAL:
        return read_number(o, given, value, f);
    case OPTION_CHOICE:
        return read_choice(o, given, value, f);
    case OPTION_READ:
    case OPTION_READS:
        return o->read(given, value, f);
    }
    return false;
}

/* A word that is not one of `o`, but a value of another option, as `--solver multigrid`: which option takes it. */
static void add_owner(text *message, const usage *u, const option *o, const char *given)
{
    bool found = false;
    for (const option *other = u->options; other->name; other++)
        for (int i = 0; other != o && other->type == OPTION_CHOICE && other->choices[i]; i++)
            if (strcmp(other->choices[i], given) == 0) {
                text_add(message, "%s--%s %s", found ? " or " : "; did you mean ", other->name, given);
                found = true;
            }
    text_add(message, "%s", found ? "?" : "");
}

static int refuse_value(const usage *u, const option *o, const char *given, const failure *f)
{
    text message = { 0 };
    text_add(&message, "--%s: %s", o->name, f->why);
    if (o->type == OPTION_CHOICE)
        add_owner(&message, u, o, given);
    const int status = usage_error(u, "%s", text_string(&message));
    text_free(&message);
    return status;
}

/* Whether `word`, "--kappa", is one of those that mean the option. */
static bool means(const option *o, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = o->also && length > 2 ? o->also : ""; *at; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length - 2 && memcmp(at, word + 2, here) == 0)
            return true;
        at += here;
    }
    return false;
}

static int unknown_option(const usage *u, const char *given)
{
    char word[SUGGEST_WORD_MAX + 1], names[OPTIONS_MAX][SUGGEST_WORD_MAX];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    near_miss near = { .word = word };
    for (int i = 0; u->options[i].name; i++) {
        snprintf(names[i], sizeof names[i], "--%s", u->options[i].name);
        suggest_try(&near, names[i]);
    }
    for (int i = 0; u->options[i].name; i++)
        if (means(&u->options[i], word))
            near.best = names[i];
    text message = { 0 };
    text_add(&message, "unknown option \"%s\"", given);
    key_hint_add(&message, u, word);
    suggest_report(&message, &near);
    int status = usage_error(u, "%s", text_string(&message));
    text_free(&message);
    return status;
}

static int fill_long_options(struct option *to, const option *from)
{
    int n = 0;
    for (; from[n].name; n++) {
        require(n < OPTIONS_MAX, "an internal table holds more than %d options", OPTIONS_MAX);
        to[n] = (struct option){ from[n].name, from[n].value ? required_argument : no_argument, NULL, n };
    }
    to[n] = (struct option){ help_option.name, optional_argument, NULL, HELP };
    to[n + 1] = (struct option){ 0 };
    return n;
}

/* What `word`, which asks for help, gets of a usage that describes a choice alone: its help, and for HELP_NAMES also
 * the names with each choice. */
static int help_on_choice(const usage *u, const option *o, const char *word)
{
    help_format format;
    failure f;
    if (!help_format_read(&format, strchr(word, '=') ? strchr(word, '=') + 1 : NULL, &f))
        return usage_error(u, "--help: %s", f.why);
    if (format == HELP_BASH || format == HELP_ZSH)
        return GO_ON;
    help_print(format, u);
    for (int i = 0; format == HELP_NAMES && o->choices[i]; i++)
        help_print_name_with(u->name, o->name, o->choices[i]);
    return EXIT_OK;
}

int options_choose(const usage *u, const char *name, int argc, char **argv, int *choice)
{
    const option *o = u->options;
    const size_t length = strlen(name);
    const char *given = NULL, *help = NULL;
    failure f;
    while (strcmp(o->name, name) != 0)
        o++;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (help_is_asked(argv[i]))
            help = argv[i];
        if (strncmp(argv[i], "--", 2) != 0 || strncmp(argv[i] + 2, name, length) != 0)
            continue;
        if (argv[i][2 + length] == '=')
            given = argv[i] + 3 + length;
        else if (argv[i][2 + length] == '\0')
            given = i + 1 < argc ? argv[i + 1] : "";
    }
    *choice = -1;
    if (!given)
        return help ? help_on_choice(u, o, help) : GO_ON;
    return read_choice(o, given, choice, &f) ? GO_ON : usage_error(u, "--%s: %s", o->name, f.why);
}

int options_read(const usage *u, int argc, char **argv, void *values, operands *found)
{
    struct option longs[OPTIONS_MAX + 2];
    bool given[OPTIONS_MAX] = { false };
    int options = fill_long_options(longs, u->options), n;
    failure f;
    optind = 0;          /* GNU getopt: start from the beginning */
    opterr = 0;
    while ((n = getopt_long(argc, argv, ":h", longs, NULL)) != -1) {
        if (n == HELP || n == 'h') {
            help_format format;
            if (!help_format_read(&format, n == HELP ? optarg : NULL, &f))
                return usage_error(u, "--help: %s", f.why);
            help_print(format, u);
            return EXIT_OK;
        }
        if (n == ':')
            return usage_error(u, "option \"%s\" needs a value", argv[optind - 1]);
        if (n == '?')
            return unknown_option(u, argv[optind - 1]);
        const option *o = &u->options[n];
        if (given[n] && o->type != OPTION_TEXTS && o->type != OPTION_READS && o->type != OPTION_FLAG)
            return usage_error(u, "--%s is given twice", o->name);
        if (!read_value(o, optarg, values, &f))
            return refuse_value(u, o, optarg, &f);
        given[n] = true;
        if (o->optional)
            *(bool *)((char *)values + o->given) = true;
    }
    for (int i = 0; i < options; i++)
        if (u->options[i].required && !given[i])
            return usage_error(u, "--%s %s is missing", u->options[i].name, u->options[i].value);
    *found = (operands){ argc - optind, argv + optind };
    if (found->count < u->least)
        return usage_error(u, "%s is missing", u->operands);
    if (u->most >= 0 && found->count > u->most)
        return usage_error(u, "unexpected argument \"%s\"", found->item[u->most]);
    if (!path_check_operands(u, found->count, found->item, &f) || !path_check_options(u, given, values, &f))
        return usage_error(u, "%s", f.why);
    return GO_ON;
}
