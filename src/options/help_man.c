/* help_man.c - manual pages for man(1), from the same texts as --help.
 *
 * The text about a command has flush lines, which are filled; rows of tables, "  word   explanation", which become
 * tagged paragraphs; and other lines with blanks in front, formulas and examples, which stay as they are. */
#include "src/options/help.h"

#include "src/base/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Bytes as roff prints them literally. */
static void add_bytes(text *out, const char *words, size_t count)
{
    static const struct { char byte; const char *roff; } special[] = {
        { '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" }, { '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" },
        { '"', "\\(dq" },
    };
    for (size_t i = 0; i < count; i++) {
        const char *roff = NULL;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            if (words[i] == special[k].byte)
                roff = special[k].roff;
        if (i == 0 && words[0] == '.')
            text_add(out, "\\&");
        if (roff)
            text_add(out, "%s", roff);
        else
            text_add_bytes(out, &words[i], 1);
    }
}

static void add_words(text *out, const char *words)
{
    add_bytes(out, words, strlen(words));
}

/* Several lines that are one paragraph. */
static void add_filled(text *out, const char *words)
{
    while (*words) {
        const size_t length = strcspn(words, "\n");
        add_bytes(out, words, length);
        text_add(out, "\n");
        words += length + (words[length] == '\n');
    }
}

/* ---- the text about a command */

typedef enum { BLANK, FLUSH, ROW, REST_OF_ROW, LITERAL } line_kind;
typedef struct { const char *at; size_t length, text_column; } about_line;

/* "  word   explanation": the column of the explanation, or 0. */
static size_t row_column(const about_line *l)
{
    size_t gap = 2;
    if (l->length < 3 || strncmp(l->at, "  ", 2) != 0 || isspace((unsigned char)l->at[2]))
        return 0;
    while (gap + 2 < l->length && strncmp(l->at + gap, "  ", 2) != 0)
        gap++;
    if (gap + 2 >= l->length)
        return 0;
    while (gap < l->length && l->at[gap] == ' ')
        gap++;
    return gap;
}

static line_kind kind_of(about_line *l, const about_line *before)
{
    const size_t indent = strspn(l->at, " ");
    l->text_column = 0;
    if (l->length == 0)
        return BLANK;
    if (indent == 0)
        return FLUSH;
    if ((l->text_column = row_column(l)) > 0)
        return ROW;
    if (before->text_column > 0 && indent >= before->text_column) {
        l->text_column = before->text_column;
        return REST_OF_ROW;
    }
    return LITERAL;
}

static size_t widest_line(const char *words)
{
    size_t widest = 0;
    for (; *words; words += strcspn(words, "\n"), words += *words == '\n')
        widest = strcspn(words, "\n") > widest ? strcspn(words, "\n") : widest;
    return widest;
}

/* Whether a line ends its paragraph: it ends a sentence, and the first word of the next line would have fitted. */
static bool ends_paragraph(const about_line *l, const char *next, size_t widest)
{
    const char last = l->length > 0 ? l->at[l->length - 1] : ' ';
    return (last == '.' || last == ':') && l->length + 1 + strcspn(next, " \n") <= widest;
}

static void add_row(text *out, const about_line *l)
{
    size_t end = l->text_column;
    while (end > 2 && l->at[end - 1] == ' ')
        end--;
    text_add(out, ".TP\n\\fB");
    add_bytes(out, l->at + 2, end - 2);
    text_add(out, "\\fR\n");
    add_bytes(out, l->at + l->text_column, l->length - l->text_column);
    text_add(out, "\n");
}

static void add_about(text *out, const char *about)
{
    const size_t widest = widest_line(about);
    about_line before = { about, 0, 0 };
    line_kind kind_before = BLANK;
    for (const char *at = about; *at;) {
        about_line l = { at, strcspn(at, "\n"), 0 };
        const line_kind kind = kind_of(&l, &before);
        const bool begins = kind != kind_before;
        if (kind_before == LITERAL && begins)
            text_add(out, ".EE\n");
        if (kind == LITERAL && begins)
            text_add(out, "%s.EX\n", at == about ? "" : ".PP\n");
        if (kind == FLUSH && at != about && (begins || ends_paragraph(&before, at, widest)))
            text_add(out, ".PP\n");
        if (kind == ROW) {
            add_row(out, &l);
        } else if (kind != BLANK) {
            const size_t skipped = kind == REST_OF_ROW ? strspn(l.at, " ") : 0;
            add_bytes(out, l.at + skipped, l.length - skipped);
            text_add(out, "\n");
        }
        before = l;
        kind_before = kind;
        at += l.length + (at[l.length] == '\n');
    }
    if (kind_before == LITERAL)
        text_add(out, ".EE\n");
}

/* ---- parts of a page */

/* "probe-apply-wilson" for "probe apply --operator wilson". */
static void add_page_name(text *out, const char *name)
{
    for (const char *word = name; *word;) {
        const size_t length = strcspn(word, " ");
        if (strncmp(word, "--", 2) != 0) {
            text_add(out, "%s", word == name ? "" : "\\-");
            add_bytes(out, word, length);
        }
        word += length + (word[length] == ' ');
    }
}

/* A stop with the end, a line break or two blanks behind it, or a colon with any blank. */
static bool ends_sentence(const char *at)
{
    return (*at == '.' && (!at[1] || at[1] == '\n' || strncmp(at + 1, "  ", 2) == 0))
           || (*at == ':' && isspace((unsigned char)at[1]));
}

/* The title, and "kiln-run \- what it does" with the first sentence of `about`. */
static void add_head(text *out, const char *name, const char *about)
{
    const bool is_name = strncmp(about, "Kiln ", strlen("Kiln ")) == 0;
    text page = { 0 };
    size_t end = 0;
    add_page_name(&page, name);
    while (about[end] && !ends_sentence(&about[end]))
        end++;
    text_add(out, ".\\\" Written by kiln --help=man.\n.TH \"");
    for (const char *c = text_string(&page); *c; c++)
        text_add(out, "%c", toupper((unsigned char)*c));
    text_add(out, "\" 1 \"%s\" \"kiln %s\" \"Kiln\"\n.SH NAME\n%s \\- %c", version_date(), version_release(),
             text_string(&page), is_name ? about[0] : tolower((unsigned char)about[0]));
    for (size_t i = 1; i < end; i++)
        add_bytes(out, about[i] == '\n' ? " " : &about[i], 1);
    text_add(out, "\n");
    text_free(&page);
}

static void add_option(text *out, const option *o)
{
    text words = help_explanation(o);
    text_add(out, ".TP\n\\fB\\-\\-");
    add_words(out, o->name);
    text_add(out, "\\fR");
    if (o->value) {
        text_add(out, " \\fI");
        add_words(out, o->value);
        text_add(out, "\\fR");
    }
    text_add(out, "\n");
    add_filled(out, text_string(&words));
    text_free(&words);
}

static void print_page(text *page)
{
    fputs(text_string(page), stdout);
    text_free(page);
}

void help_man(const usage *u)
{
    text page = { 0 }, name = { 0 }, synopsis = { 0 };
    text_add(&name, "kiln %s", u->name);
    help_add_synopsis(&synopsis, u);
    add_head(&page, text_string(&name), u->about);
    text_add(&page, ".SH SYNOPSIS\n\\fB");
    add_words(&page, text_string(&name));
    text_add(&page, "\\fR ");
    add_words(&page, text_string(&synopsis));
    text_add(&page, "\n.SH DESCRIPTION\n");
    add_about(&page, u->about);
    text_add(&page, ".SH OPTIONS\n");
    for (const option *o = u->options; o->name; o++)
        add_option(&page, o);
    add_option(&page, &help_option);
    text_add(&page, ".SH EXIT STATUS\n" HELP_EXIT_STATUS ".\n.SH SEE ALSO\n.BR kiln (1)\n");
    text_free(&name);
    text_free(&synopsis);
    print_page(&page);
}

void help_man_group(const subcommand_group *group)
{
    text page = { 0 };
    add_head(&page, group->name, group->about);
    text_add(&page, ".SH SYNOPSIS\n\\fB");
    add_words(&page, group->name);
    text_add(&page, "\\fR \\fISUBCOMMAND\\fR [options]\n.SH DESCRIPTION\n");
    add_about(&page, group->about);
    text_add(&page, ".SH COMMANDS\n");
    for (const subcommand *s = group->table; s->name; s++) {
        text_add(&page, ".TP\n.BR ");
        add_page_name(&page, group->name);
        text_add(&page, "\\-");
        add_words(&page, s->name);
        text_add(&page, " (1)\n");
        add_words(&page, s->summary);
        text_add(&page, "\n");
    }
    text_add(&page, ".SH EXIT STATUS\n" HELP_EXIT_STATUS ".\n");
    if (!help_is_program(group))
        text_add(&page, ".SH SEE ALSO\n.BR kiln (1)\n");
    print_page(&page);
}
