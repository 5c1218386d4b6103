/* subcommand_group.c - find a subcommand by name and run it; the overview of --help. */
#include "src/options/subcommand_group.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/config/suggest.h"
#include "src/options/help.h"

#include <stdio.h>
#include <string.h>

/* NULL, after a message, if no subcommand has this name. */
static const subcommand *find_subcommand(const subcommand_group *group, const char *name)
{
    near_miss near = { .word = name };
    for (const subcommand *s = group->table; s->name; s++) {
        if (strcmp(s->name, name) == 0)
            return s;
        suggest_try(&near, s->name);
    }
    text message = { 0 };
    text_add(&message, "%s: unknown %s \"%s\"", group->name, name[0] == '-' ? "option" : "subcommand", name);
    suggest_report(&message, &near);
    fprintf(log_stream(), "%s\nSee %s --help for the list of subcommands.\n", text_string(&message), group->name);
    text_free(&message);
    return NULL;
}

static int run_named(const subcommand_group *group, const char *name, int argc, char **argv)
{
    const subcommand *s = find_subcommand(group, name);
    return s ? s->run(argc, argv) : EXIT_USAGE;
}

static int print_help(const subcommand_group *group, const char *word)
{
    const char *format_name = strchr(word, '=');
    help_format format;
    failure f;
    if (!help_format_read(&format, format_name ? format_name + 1 : NULL, &f)) {
        fprintf(log_stream(), "%s: --help: %s\n", group->name, f.why);
        return EXIT_USAGE;
    }
    help_print_group(format, group);
    return EXIT_OK;
}

int subcommand_group_run(const subcommand_group *group, int argc, char **argv)
{
    text overview = { 0 };
    if (argc < 2) {
        help_add_overview(&overview, group);
        fputs(text_string(&overview), log_stream());
        text_free(&overview);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") != 0 && !help_is_asked(argv[1]))
        return run_named(group, argv[1], argc - 1, argv + 1);
    if (argc < 3)
        return print_help(group, argv[1]);
    char help[] = "--help", *help_argv[] = { argv[2], help, NULL };
    return run_named(group, argv[2], 2, help_argv);
}
