/* cli.c - find the subcommand and run it. */
#include "src/cli/cli.h"

#include "src/base/log.h"
#include "src/base/text.h"
#include "src/cli/subcommands.h"
#include "src/config/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ROW(name, summary) { #name, summary, cmd_##name },
const subcommand subcommands[] = { SUBCOMMANDS(ROW) { 0 } };

static void print_overview(FILE *out)
{
    fprintf(out, "Kiln generates gauge ensembles for lattice QCD.\n\n"
                 "usage: kiln SUBCOMMAND [options]\n\n");
    for (const subcommand *s = subcommands; s->name; s++)
        fprintf(out, "  %-10s %s\n", s->name, s->summary);
    fprintf(out, "\nkiln SUBCOMMAND --help tells more.\n"
                 "Exit status: 0 done, 1 failed, 2 wrong usage or input.\n");
}

/* NULL, after a message on stderr, if there is none of that name. */
static const subcommand *find(const char *name)
{
    near_miss near = { .word = name };
    for (const subcommand *s = subcommands; s->name; s++) {
        if (strcmp(s->name, name) == 0)
            return s;
        near_miss_try(&near, s->name);
    }
    text message = { 0 };
    text_add(&message, "kiln: unknown %s \"%s\"", name[0] == '-' ? "option" : "subcommand", name);
    near_miss_tell(&message, &near);
    fprintf(stderr, "%s\nkiln --help lists the subcommands.\n", text_string(&message));
    text_free(&message);
    return NULL;
}

static int run_named(const char *name, int argc, char **argv)
{
    const subcommand *s = find(name);
    return s ? s->run(argc, argv) : EXIT_USAGE;
}

/* `kiln help` and `kiln help SUBCOMMAND` */
static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stdout);
        return EXIT_OK;
    }
    char option[] = "--help", *help_argv[] = { argv[1], option, NULL };
    return run_named(argv[1], 2, help_argv);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        char name[] = "version", *version_argv[] = { name, NULL };
        return run_named(name, 1, version_argv);
    }
    return run_named(argv[1], argc - 1, argv + 1);
}

int cli_main(int argc, char **argv)
{
    int status = dispatch(argc, argv);
    log_progress_end();
    /* Results that did not reach their reader are a failure: a full disk behind `kiln ... > file`. */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        fprintf(stderr, "kiln: cannot write the results: %s\n", errno ? strerror(errno) : "output error");
        return EXIT_FAILED;
    }
    return status;
}
