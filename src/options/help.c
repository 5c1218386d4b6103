/* help.c - the formats of --help, one row each. */
#include "src/options/help.h"

#include "src/base/version.h"
#include "src/config/word_list.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*command)(const usage *u);
    void (*group)(const subcommand_group *group);
} formats[HELP_FORMATS] = {
    [HELP_TEXT] = { "text", help_text, help_text_group },
    [HELP_MAN] = { "man", help_man, help_man_group },
    [HELP_NAMES] = { "names", help_names, help_names_group },
    [HELP_BASH] = { "bash", help_bash, help_bash_group },
    [HELP_ZSH] = { "zsh", help_zsh, help_zsh_group },
};

bool help_is_asked(const char *word)
{
    return strcmp(word, "--help") == 0 || strncmp(word, "--help=", strlen("--help=")) == 0 || strcmp(word, "-h") == 0;
}

bool help_is_collected(int argc, char *const *argv)
{
    return argc == 2 && strncmp(argv[1], "--help=", strlen("--help=")) == 0
           && strcmp(argv[1], "--help=man") != 0 && strcmp(argv[1], "--help=text") != 0;
}

static const char *format_name(const void *list, int i)
{
    (void)list;
    return i < HELP_FORMATS ? formats[i].name : NULL;
}

bool help_format_read(help_format *format, const char *given, failure *f)
{
    const int i = given ? word_list_find(given, format_name, NULL, f) : HELP_TEXT;
    if (i >= 0)
        *format = (help_format)i;
    return i >= 0;
}

void help_print(help_format format, const usage *u)
{
    formats[format].command(u);
}

void help_print_group(help_format format, const subcommand_group *group)
{
    formats[format].group(group);
}

bool help_is_program(const subcommand_group *group)
{
    return !strchr(group->name, ' ');
}

void help_print_parts(help_format format, const subcommand_group *group)
{
    for (const subcommand *s = group->table; s->name; s++) {
        char word[32], name[32], *argv[] = { name, word, NULL };
        snprintf(name, sizeof name, "%s", s->name);
        snprintf(word, sizeof word, "--help=%s", formats[format].name);
        s->run(2, argv);
    }
}

void help_print_script(const subcommand_group *group, const char *head, void (*part)(const subcommand_group *group),
                       const char *tail)
{
    const bool whole = help_is_program(group);
    if (whole)
        printf(head, version_program());
    part(group);
    fputs(whole ? tail : "", stdout);
}

/* ---- names */

void help_print_name(const char *name)
{
    printf("kiln %s\n", name);
}

void help_print_name_with(const char *name, const char *option_name, const char *value)
{
    printf("kiln %s --%s %s\n", name, option_name, value);
}

void help_names(const usage *u)
{
    help_print_name(u->name);
}

void help_names_group(const subcommand_group *group)
{
    printf("%s\n", group->name);
    help_print_parts(HELP_NAMES, group);
}
