/* subcommand_group.c - find a subcommand by name and run it; the overview of --help. */
#include "src/cli/subcommand_group.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/config/suggest.h"

#include <stdio.h>
#include <string.h>

static void print_overview(const subcommand_group *group, FILE *out)
{
    fprintf(out, "%s\n\nusage: %s SUBCOMMAND [options]\n\n", group->about, group->name);
    for (const subcommand *s = group->table; s->name; s++)
        fprintf(out, "  %-12s %s\n", s->name, s->summary);
    fprintf(out, "\nSee %s SUBCOMMAND --help for its options.\n"
                 "Exit status: 0 success, 1 failure, 2 wrong usage or input.\n", group->name);
}

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

static bool asks_for_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int subcommand_group_run(const subcommand_group *group, int argc, char **argv)
{
    if (argc < 2) {
        print_overview(group, log_stream());
        return EXIT_USAGE;
    }
    if (!asks_for_help(argv[1]))
        return run_named(group, argv[1], argc - 1, argv + 1);
    if (argc < 3) {
        print_overview(group, stdout);
        return EXIT_OK;
    }
    char option[] = "--help", *help_argv[] = { argv[2], option, NULL };
    return run_named(group, argv[2], 2, help_argv);
}
