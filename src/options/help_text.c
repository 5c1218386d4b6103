/* help_text.c - help for people: the usage of a command, the overview of a group. */
#include "src/options/help.h"

#include <stdio.h>
#include <string.h>

const option help_option = { .name = "help", .doc = "this text", .type = OPTION_FLAG };

/* Whether the name of the usage has the option: "probe apply --operator wilson". */
static bool is_in_name(const usage *u, const option *o)
{
    const char *dashes = strstr(u->name, " --");
    return dashes && strncmp(dashes + 3, o->name, strlen(o->name)) == 0;
}

void help_add_synopsis(text *out, const usage *u)
{
    for (const option *o = u->options; o->name; o++)
        if (o->required && !is_in_name(u, o))
            text_add(out, "--%s %s ", o->name, o->value);
    text_add(out, "[options]%s%s", *u->operands ? " " : "", u->operands);
}

text help_explanation(const option *o)
{
    enum { LINE = 64 };                     /* characters that a range may fill */
    text words = { 0 }, range = { 0 };
    text_add(&words, "%s", o->doc);
    for (int i = 0; o->type == OPTION_CHOICE && o->choices[i]; i++)
        text_add(&words, "%s%s", i ? ", " : ": ", o->choices[i]);
    if (option_has_range(o)) {
        const char *last = strrchr(text_string(&words), '\n');
        const size_t used = strlen(last ? last + 1 : text_string(&words));
        option_add_range(&range, o);
        text_add(&words, "%s[%s]", used + range.length + 3 > LINE ? "\n" : " ", text_string(&range));
    }
    text_free(&range);
    return words;
}

/* "  --name VALUE", and the explanation in a column of its own, line by line. */
static void print_option(const option *o)
{
    enum { COLUMN = 26 };
    text words = help_explanation(o);
    const char *doc = text_string(&words);
    int width = printf("  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    if (width > COLUMN - 2)
        width = printf("\n") - 1;
    for (;;) {
        int line = (int)strcspn(doc, "\n");
        printf("%*s%.*s", COLUMN - width, "", line, doc);
        if (!doc[line])
            break;
        doc += line + 1;
        width = printf("\n") - 1;
    }
    printf("\n");
    text_free(&words);
}

void help_text(const usage *u)
{
    text synopsis = { 0 };
    help_add_synopsis(&synopsis, u);
    printf("usage: kiln %s %s\n\n%s\n\n", u->name, text_string(&synopsis), u->about);
    for (const option *o = u->options; o->name; o++)
        print_option(o);
    print_option(&help_option);
    text_free(&synopsis);
}

void help_add_overview(text *out, const subcommand_group *group)
{
    text_add(out, "%s\n\nusage: %s SUBCOMMAND [options]\n\n", group->about, group->name);
    for (const subcommand *s = group->table; s->name; s++)
        text_add(out, "  %-12s %s\n", s->name, s->summary);
    text_add(out, "\nSee %s SUBCOMMAND --help for its options; --help=man prints a manual page.\n", group->name);
    if (help_is_program(group))
        text_add(out, "kiln --help=bash and kiln --help=zsh print completion scripts.\n");
    text_add(out, "Exit status: " HELP_EXIT_STATUS ".\n");
}

void help_text_group(const subcommand_group *group)
{
    text out = { 0 };
    help_add_overview(&out, group);
    fputs(text_string(&out), stdout);
    text_free(&out);
}
