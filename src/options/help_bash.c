/* help_bash.c - completion for bash: a table of commands, and a function that looks things up there.
 *
 * Each command writes its branch of _kiln_table; `kiln` writes what stands around the branches. */
#include "src/options/help.h"
#include "src/options/help_values.h"

#include <stdio.h>

static const char head[] =
    "# Completion of %s for bash, written by kiln --help=bash.\n"
    "\n"
    "# _kiln_table COMMAND OPTION: what may follow, as lists of words; fails for what is no command.  `operands` and\n"
    "# `values` (of OPTION) are a kind, and for the kind `words` the words.\n"
    "_kiln_table()\n"
    "{\n"
    "    commands='' options='' operands='' values=''\n"
    "    case $1 in\n";

static const char tail[] =
    "    *) return 1 ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "# _kiln_reply KIND WORD...\n"
    "_kiln_reply()\n"
    "{\n"
    "    local kind=$1\n"
    "    shift\n"
    "    case $kind in\n"
    "    words) mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$current\") ;;\n"
    "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$current\") ;;\n"
    "    inputs) mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- \"$current\"; compgen -d -- \"$current\") ;;\n"
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$current\") ;;\n"
    "    esac\n"
    "    [ \"$kind\" = words ] || compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "_kiln()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=kiln i\n"
    "    local commands options operands values\n"
    "    COMPREPLY=()\n"
    "    # Bash breaks words at \"=\": --device=cpu is three words.\n"
    "    if [ \"$current\" = = ]; then\n"
    "        current=\n"
    "    elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        _kiln_table \"$command ${COMP_WORDS[i]}\" '' || break\n"
    "        command=\"$command ${COMP_WORDS[i]}\"\n"
    "    done\n"
    "    _kiln_table \"$command\" \"$before\"\n"
    "    # The lists are words of their own.\n"
    "    # shellcheck disable=SC2086\n"
    "    if [ -n \"$values\" ]; then\n"
    "        _kiln_reply $values\n"
    "    elif [ \"${current#-}\" != \"$current\" ]; then\n"
    "        _kiln_reply words $options\n"
    "    elif [ -n \"$commands\" ]; then\n"
    "        _kiln_reply words $commands\n"
    "    else\n"
    "        _kiln_reply $operands\n"
    "    fi\n"
    "}\n"
    "complete -F _kiln kiln\n";

static const char *const kind_names[] = {
    [VALUES_NONE] = "none", [VALUES_WORDS] = "words", [VALUES_FOLDERS] = "folders", [VALUES_INPUTS] = "inputs",
    [VALUES_FILES] = "files",
};

static void print_kind(const char *variable, values_kind kind, const text *words)
{
    printf("%s='%s%s%s'", variable, kind_names[kind], words->length ? " " : "", text_string(words));
}

static void print_values(const option *o)
{
    text words = { 0 };
    const values_kind kind = help_values_of_option(o, &words);
    if (o->value) {
        printf("        --%s) ", o->name);
        print_kind("values", kind, &words);
        printf(" ;;\n");
    }
    text_free(&words);
}

void help_bash(const usage *u)
{
    text words = { 0 };
    const values_kind kind = help_values_of_operands(u, &words);
    printf("    'kiln %s')\n        options='", u->name);
    for (const option *o = u->options; o->name; o++)
        printf("--%s ", o->name);
    printf("--%s'\n        ", help_option.name);
    print_kind("operands", kind, &words);
    printf("\n        case $2 in\n");
    for (const option *o = u->options; o->name; o++)
        print_values(o);
    printf("        esac ;;\n");
    text_free(&words);
}

static void print_group(const subcommand_group *group)
{
    printf("    '%s')\n        options=--%s\n        commands='", group->name, help_option.name);
    for (const subcommand *s = group->table; s->name; s++)
        printf("%s ", s->name);
    printf("help' ;;\n");
    help_print_parts(HELP_BASH, group);
}

void help_bash_group(const subcommand_group *group)
{
    help_print_script(group, head, print_group, tail);
}
