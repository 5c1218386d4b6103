/* yaml_indent.c - follows the indentation of a text that libyaml refused, line by line.
 *
 * Only the first characters of a line matter: "- " is an item of a list, "key: " a key of a mapping, and either must
 * begin in the column of an open list or mapping, or open a new one below a key or dash that has no value yet.  Lines
 * inside brackets, quotes and block texts are skipped. */
#include "src/config/yaml_indent.h"

#include "src/config/yaml_misfit.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(span s)
{
    size_t i = 0;
    while (i < s.length && is_blank(s.s[i]))
        i++;
    return i;
}

static span rest_of(span s, size_t from)
{
    return (span){ s.s + from, s.length - from };
}

static bool is_empty(span s)
{
    const size_t blanks = skip_blanks(s);
    return blanks == s.length || s.s[blanks] == '#';
}

static bool is_item(span s)
{
    return s.length > 0 && s.s[0] == '-' && (s.length == 1 || is_blank(s.s[1]));
}

/* The length of the key at the beginning of `s`; 0: there is none. */
static size_t key_length(span s)
{
    if (s.length == 0 || strchr("[{#,]}", s.s[0]))
        return 0;
    const char quote = s.s[0] == '"' || s.s[0] == '\'' ? s.s[0] : 0;
    bool quoted = quote;
    for (size_t i = quote ? 1 : 0; i < s.length; i++) {
        if (quoted)
            quoted = s.s[i] != quote;
        else if (s.s[i] == '#' && i > 0 && is_blank(s.s[i - 1]))
            return 0;
        else if (s.s[i] == ':' && (i + 1 == s.length || is_blank(s.s[i + 1])))
            return i;
    }
    return 0;
}

static piece piece_at(span s, int line, int column)
{
    const size_t key = is_item(s) ? 0 : key_length(s);
    const piece_type type = is_item(s) ? PIECE_ITEM : key ? PIECE_KEY : PIECE_TEXT;
    size_t words = 0;
    while (words < s.length && !(s.s[words] == '#' && words > 0 && is_blank(s.s[words - 1])))
        words++;
    return (piece){ type, line, column, { s.s, key ? key : words } };
}

static void open_block(scan *s, const piece *p)
{
    s->ended.count = 0;
    if (p->type != PIECE_TEXT && s->open.count < OPEN_MAX)
        s->open.at[s->open.count++] = (block){ p->type == PIECE_ITEM, p->line, p->column };
}

/* End the blocks from index `first` on. */
static void end_blocks(scan *s, int first)
{
    s->ended.count = s->open.count - first;
    memcpy(s->ended.at, s->open.at + first, sizeof *s->ended.at * (size_t)s->ended.count);
    s->open.count = first;
}

static bool fits_block(const block *b, const piece *p)
{
    return b->column == p->column && p->type != PIECE_TEXT && b->is_list == (p->type == PIECE_ITEM);
}

/* Whether `p` opens a block or continues one; updates both lists. */
static bool place_piece(scan *s, const piece *p)
{
    const bool deeper = p->column > s->last.column;
    const bool list_of_key = p->column == s->last.column && p->type == PIECE_ITEM && s->last.type == PIECE_KEY;
    if (!s->any || (s->waits && (deeper || list_of_key))) {
        open_block(s, p);
        return true;
    }
    int n = s->open.count;
    while (n > 0 && s->open.at[n - 1].column > p->column)
        n--;
    /* A list may begin in the column of its key: the next key ends it. */
    if (n > 1 && p->type == PIECE_KEY && fits_block(&s->open.at[n - 2], p) && s->open.at[n - 1].is_list)
        n--;
    if (n == 0 || !fits_block(&s->open.at[n - 1], p))
        return false;
    end_blocks(s, n);
    return true;
}

/* Brackets and quotes of a value; whether a plain text in it may go on in the next line. */
static void scan_value(scan *s, span v, bool continues)
{
    char before = ' ';
    const bool flow = s->brackets > 0 || (!continues && v.length > 0 && (v.s[0] == '[' || v.s[0] == '{'));
    const bool quoted = !continues && v.length > 0 && (v.s[0] == '"' || v.s[0] == '\'');
    s->plain = !flow && !quoted && !s->quote;
    for (size_t i = 0; i < v.length; before = v.s[i++]) {
        const char c = v.s[i];
        const bool begins = strchr(" \t[{,:", before) != NULL;
        if (s->quote) {
            i += s->quote == '"' && c == '\\';
            s->quote = c == s->quote ? 0 : s->quote;
            if (i >= v.length)
                break;
        } else if (c == '#' && is_blank(before)) {
            s->plain = false;
            break;
        } else if ((flow && begins && (c == '"' || c == '\'')) || (quoted && i == 0)) {
            s->quote = c;
        } else if (flow) {
            s->brackets += (c == '[' || c == '{') - (c == ']' || c == '}');
        }
    }
}

/* The value behind a key or dash, up to the end of the line. */
static void begin_value(scan *s, span v)
{
    v = rest_of(v, skip_blanks(v));
    s->waits = is_empty(v);
    s->plain = false;
    if (s->waits)
        return;
    if (v.s[0] == '|' || v.s[0] == '>') {
        s->literal = s->open.count ? s->open.at[s->open.count - 1].column : 0;
        s->literal_text = -1;
    } else {
        scan_value(s, v, false);
    }
}

/* The pieces of a line from its first character on; false: one of them does not fit. */
static bool scan_pieces(scan *s, span rest, int line, int column)
{
    for (;;) {
        const piece p = piece_at(rest, line, column);
        if (!place_piece(s, &p))
            return false;
        s->before_waited = s->any && s->waits;
        s->before = s->last;
        s->last = p;
        s->any = true;
        if (p.type != PIECE_ITEM) {
            begin_value(s, rest_of(rest, p.type == PIECE_KEY ? p.name.length + 1 : 0));
            return true;
        }
        s->waits = true;
        s->plain = false;
        size_t step = 1 + skip_blanks(rest_of(rest, 1));
        if (is_empty(rest_of(rest, 1)))
            return true;
        rest = rest_of(rest, step);
        column += (int)step;
    }
}

/* A line of a plain text that began in a line above: no key in it, and deeper than that key. */
static bool continues_plain(const scan *s, span rest, int column)
{
    span words = rest;
    while (is_item(words))
        words = rest_of(words, 1 + skip_blanks(rest_of(words, 1)));
    return s->plain && column > s->last.column && key_length(words) == 0;
}

/* Whether a line belongs to the open block text; the first one that does not ends it.  The first line of the text sets
 * its column: `left` is set for a line to the left of it that is still deeper than the key. */
static bool in_block_text(scan *s, span rest, int column, bool *left)
{
    if (s->literal < 0 || rest.length == 0)
        return s->literal >= 0;
    if (column > s->literal && s->literal_text < 0)
        s->literal_text = column;
    if (column > s->literal && column >= s->literal_text)
        return true;
    *left = column > s->literal && !is_empty(rest);
    s->literal = -1;
    return false;
}

/* A directive, or the mark between two documents. */
static bool is_mark(span s)
{
    return s.s[0] == '%' || (s.length >= 3 && (memcmp(s.s, "---", 3) == 0 || memcmp(s.s, "...", 3) == 0));
}

/* False if this line is the fault; *explained <- whether a sentence explains it. */
static bool scan_line(scan *s, span text_line, int line, bool *explained)
{
    size_t column = 0;
    while (column < text_line.length && text_line.s[column] == ' ')
        column++;
    const span rest = rest_of(text_line, column);
    if (s->brackets > 0 || s->quote) {
        scan_value(s, text_line, true);
        return true;
    }
    bool left_of_text = false;
    if (in_block_text(s, rest, (int)column, &left_of_text) || is_empty(rest))
        return true;
    if (continues_plain(s, rest, (int)column)) {
        scan_value(s, text_line, true);
        return true;
    }
    const piece p = piece_at(rest, line, (int)column);
    if (left_of_text)
        *explained = misfit_explain_block_text(s, &p);
    else if (rest.s[0] == '\t')
        *explained = misfit_explain_tab(s, &p);
    else if (scan_pieces(s, rest, line, (int)column))
        return true;
    else if (!is_mark(rest))
        *explained = misfit_explain(s, &p);
    return false;
}

bool yaml_indent_explain(text *sentence, int *line, int *column, const char *bytes, size_t n, int last)
{
    scan s = { .literal = -1, .sentence = sentence };
    bool explained = false, fits = true;
    int number = 1;
    for (size_t begin = 0; begin < n && number <= last && fits; number++) {
        const char *end = memchr(bytes + begin, '\n', n - begin);
        const size_t length = end ? (size_t)(end - bytes) - begin : n - begin;
        const bool dos = length > 0 && bytes[begin + length - 1] == '\r';
        fits = scan_line(&s, (span){ bytes + begin, length - dos }, number, &explained);
        begin += length + 1;
    }
    *line = s.fault_line;
    *column = s.fault_column;
    return explained;
}
