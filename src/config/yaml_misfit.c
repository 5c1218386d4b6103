/* yaml_misfit.c - says which column a line of YAML begins in, and in which column it would fit. */
#include "src/config/yaml_misfit.h"

#include "src/config/excerpt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char s[96]; } piece_name;

/* "beta" of a key, the words of a text, "- kind: gauge" of an item; shortened. */
static piece_name name_of(const piece *p)
{
    char word[48];
    piece_name name;
    span s = p->name;
    while (s.length > 0 && (s.s[s.length - 1] == ' ' || s.s[s.length - 1] == '\t'))
        s.length--;
    snprintf(word, sizeof word, "%.*s", (int)(s.length < sizeof word ? s.length : sizeof word), s.s);
    snprintf(name.s, sizeof name.s, "\"%s\"", excerpt(word).s);
    return name;
}

static const char *kind_of(bool is_list)
{
    return is_list ? "list" : "mapping";
}

static const char *parts_of(bool is_list)
{
    return is_list ? "items" : "keys";
}

static void set_place(scan *s, const piece *p)
{
    s->fault_line = p->line;
    s->fault_column = p->column + 1;
    text_add(s->sentence, "wrong indentation: ");
}

/* One line is too far to the left, and the lines after it go on as those before it. */
static bool explain_ended(scan *s, const piece *p)
{
    for (int i = 0; i < s->ended.count; i++) {
        const block *b = &s->ended.at[i];
        if (b->column != p->column || b->is_list != (p->type == PIECE_ITEM))
            continue;
        set_place(s, &s->last);
        text_add(s->sentence, "%s begins in column %d and so ends the %s from line %d, but line %d continues it in "
                              "column %d; let %s begin in column %d, too", name_of(&s->last).s, s->last.column + 1,
                 kind_of(b->is_list), b->line, p->line, p->column + 1, name_of(&s->last).s, p->column + 1);
        return true;
    }
    return false;
}

/* "heatbath:", then "sweeps: 3" in the same column, then a line that is deeper. */
static bool explain_sibling(scan *s, const piece *p)
{
    if (!s->before_waited || s->before.type != PIECE_KEY || s->before.column != s->last.column
        || p->column <= s->last.column)
        return false;
    set_place(s, &s->last);
    text_add(s->sentence, "%s begins in column %d, as does the key %s above it, which has no value; if it belongs to "
                          "that key, let it begin in column %d, as line %d does", name_of(&s->last).s,
             s->last.column + 1, name_of(&s->before).s, p->column + 1, p->line);
    return true;
}

static void add_block(text *out, const block *b)
{
    text_add(out, "in column %d (%s from line %d)", b->column + 1, kind_of(b->is_list), b->line);
}

/* The open blocks that `p` could be part of, nearest column first; two if they are equally near. */
static bool explain_nearest(scan *s, const piece *p)
{
    const bool is_list = p->type == PIECE_ITEM;
    const block *near = NULL, *second = NULL;
    for (int i = 0; i < s->open.count; i++) {
        const block *b = &s->open.at[i];
        if (b->is_list != is_list)
            continue;
        const int d = abs(b->column - p->column), least = near ? abs(near->column - p->column) : d + 1;
        second = d == least ? near : d < least ? NULL : second;
        near = d <= least ? b : near;
    }
    const bool below_value = p->column > s->last.column && !s->waits;
    const bool left_of_key = is_list && s->waits && s->last.type == PIECE_KEY;
    if (!near && !below_value && !is_list)
        return false;
    set_place(s, p);
    text_add(s->sentence, "%s begins in column %d", name_of(p).s, p->column + 1);
    if (near) {
        text_add(s->sentence, ", but the other %s begin ", parts_of(is_list));
        add_block(s->sentence, near);
    }
    if (second) {
        text_add(s->sentence, " or ");
        add_block(s->sentence, second);
    }
    if (!near && is_list && !below_value)
        text_add(s->sentence, ", where no list is open");
    if (left_of_key)
        text_add(s->sentence, "; an item of %s (line %d) begins in column %d or to the right of it",
                 name_of(&s->last).s, s->last.line, s->last.column + 1);
    else if (below_value && s->last.type == PIECE_KEY)
        text_add(s->sentence, "; nothing can be nested below %s (line %d), which has a value", name_of(&s->last).s,
                 s->last.line);
    return true;
}

/* A text that is neither a key nor an item: the value of the key above it, or something that lacks its colon. */
static bool explain_text(scan *s, const piece *p)
{
    if (s->waits && s->last.type == PIECE_KEY && p->column <= s->last.column) {
        set_place(s, p);
        text_add(s->sentence, "%s, the value of %s (line %d), begins in column %d; it must begin to the right of "
                              "column %d, in which its key begins", name_of(p).s, name_of(&s->last).s, s->last.line,
                 p->column + 1, s->last.column + 1);
        return true;
    }
    s->fault_line = p->line;
    s->fault_column = p->column + 1;
    text_add(s->sentence, "%s is neither a key with a colon and a space after it, nor an item of a list (\"- \"), and "
                          "its indentation does not make it part of the value above", name_of(p).s);
    return true;
}

bool misfit_explain_tab(scan *s, const piece *p)
{
    s->fault_line = p->line;
    s->fault_column = p->column + 1;
    text_add(s->sentence, "found a tab in the indentation; indent YAML with spaces");
    return true;
}

bool misfit_explain_block_text(scan *s, const piece *p)
{
    set_place(s, p);
    text_add(s->sentence, "%s begins in column %d, to the left of the text of %s (line %d), which begins in column %d",
             name_of(p).s, p->column + 1, name_of(&s->last).s, s->last.line, s->literal_text + 1);
    return true;
}

static bool is_list_column(const scan *s, int column)
{
    for (int i = 0; i < s->open.count; i++)
        if (s->open.at[i].is_list && s->open.at[i].column == column)
            return true;
    return false;
}

/* "-beta: 6" and the like.  Not a value below its key, and a negative number only where items of a list begin. */
static bool lacks_space(const scan *s, const piece *p)
{
    const span words = p->name;
    if (p->type == PIECE_ITEM || words.length < 2 || words.s[0] != '-' || words.s[1] == '-')
        return false;
    if (p->type == PIECE_TEXT && s->waits && s->last.type == PIECE_KEY)
        return false;
    const bool number = isdigit((unsigned char)words.s[1]) || words.s[1] == '.';
    return !number || is_list_column(s, p->column);
}

bool misfit_explain(scan *s, const piece *p)
{
    if (lacks_space(s, p)) {
        s->fault_line = p->line;
        s->fault_column = p->column + 1;
        text_add(s->sentence, "%s has no space after the dash of a list item", name_of(p).s);
        return true;
    }
    if (p->type == PIECE_TEXT)
        return explain_text(s, p);
    return explain_ended(s, p) || explain_sibling(s, p) || explain_nearest(s, p);
}
