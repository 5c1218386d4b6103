/* help_zsh.c - completion for zsh: a table of commands in the notation of _describe and _arguments, and a function that
 * finds the command there.
 *
 * Each command writes its branch of _kiln_table; `kiln` writes what stands around the branches. */
#include "src/options/help.h"
#include "src/options/help_values.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
    "#compdef kiln\n"
    "# Completion of %s for zsh, written by kiln --help=zsh.\n"
    "\n"
    "# _kiln_table COMMAND: its subcommands and arguments; fails for what is no command.\n"
    "_kiln_table()\n"
    "{\n"
    "    commands=() arguments=()\n"
    "    case $1 in\n";

static const char tail[] =
    "    (*) return 1 ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_kiln()\n"
    "{\n"
    "    local command=kiln word\n"
    "    local -a commands arguments\n"
    "    integer deep=0\n"
    "    for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
    "        _kiln_table \"$command $word\" || break\n"
    "        command=\"$command $word\"\n"
    "        (( ++deep ))\n"
    "    done\n"
    "    _kiln_table $command\n"
    "    words=(\"${(@)words[deep+1,-1]}\")\n"
    "    (( CURRENT -= deep ))\n"
    "    if (( $#commands && CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
    "        _describe -t commands \"command of $command\" commands\n"
    "    else\n"
    "        _arguments -S $arguments\n"
    "    fi\n"
    "}\n"
    "\n"
    "# Loaded by name from a folder of $fpath, or read by `source`.\n"
    "if [[ ${funcstack[1]-} == _kiln ]]; then\n"
    "    _kiln \"$@\"\n"
    "else\n"
    "    compdef _kiln kiln\n"
    "fi\n";

/* Words within single quotes, where _arguments and _describe take brackets and colons apart. */
static void print_quoted(const char *words)
{
    for (const char *c = words; *c; c++)
        if (*c == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *c))
            printf("\\%c", *c);
        else
            putchar(*c == '\n' ? ' ' : *c);
}

static void print_action(values_kind kind, const text *words)
{
    switch (kind) {
    case VALUES_NONE:
        printf(" ");
        break;
    case VALUES_WORDS:
        printf("(%s)", text_string(words));
        break;
    case VALUES_FOLDERS:
        printf("_files -/");
        break;
    case VALUES_INPUTS:
        printf("_files -g \"*.yaml\"");
        break;
    case VALUES_FILES:
        printf("_files");
        break;
    }
}

static void print_option(const option *o)
{
    text words = { 0 };
    const bool often = o->type == OPTION_TEXTS || o->type == OPTION_READS;
    printf("            '%s--%s%s[", often ? "*" : "", o->name, o->value ? "=" : "");
    print_quoted(o->doc);
    printf("]");
    if (o->value) {
        const values_kind kind = help_values_of_option(o, &words);
        printf(":");
        print_quoted(o->value);
        printf(":");
        print_action(kind, &words);
    }
    printf("'\n");
    text_free(&words);
}

void help_zsh(const usage *u)
{
    text words = { 0 };
    const values_kind kind = help_values_of_operands(u, &words);
    printf("    ('kiln %s')\n        arguments=(\n", u->name);
    for (const option *o = u->options; o->name; o++)
        print_option(o);
    print_option(&help_option);
    if (kind != VALUES_NONE) {
        printf("            '*:");
        print_quoted(u->operands);
        printf(":");
        print_action(kind, &words);
        printf("'\n");
    }
    printf("        ) ;;\n");
    text_free(&words);
}

static void print_group(const subcommand_group *group)
{
    printf("    ('%s')\n        commands=(\n", group->name);
    for (const subcommand *s = group->table; s->name; s++) {
        printf("            '%s:", s->name);
        print_quoted(s->summary);
        printf("'\n");
    }
    printf("            'help:show the help of a command'\n        )\n        arguments=(\n");
    print_option(&help_option);
    printf("        ) ;;\n");
    help_print_parts(HELP_ZSH, group);
}

void help_zsh_group(const subcommand_group *group)
{
    help_print_script(group, head, print_group, tail);
}
